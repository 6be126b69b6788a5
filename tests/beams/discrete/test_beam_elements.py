"""Finite elements: orders, exact statics, no locking, and what rounding leaves of many elements."""

import numpy as np
import pytest
from scipy.linalg import eigh

import traction as tr
from convergence import observed_order
from traction.beams.discrete.kernels import banded_matrices as banded

LENGTH, EI, MASS = 20.0, 2.08e9, 7900.0
PAIRS = [
    ("clamped", "clamped"),
    ("pinned", "pinned"),
    ("clamped", "free"),
    ("free", "free"),
    ("guided", "pinned"),
]


def steel(height, **options):
    """A steel plate of 1 m width, by Timoshenko."""
    return tr.Beam(
        LENGTH,
        2e11 * height**3 / 12.0,
        7900.0 * height,
        shear_stiffness=5.0 / 6.0 * 7.7e10 * height,
        rotary_inertia=7900.0 * height**3 / 12.0,
        **options,
    )


def stepped(**options):
    """Two sections, an elastic joint, three supports."""
    first = tr.Beam(8.0, EI, MASS, supports=("clamped", "free"))
    second = tr.Beam(5.0, 2.0 * EI, 1.5 * MASS, rotary_inertia=800.0)
    third = tr.Beam(9.0, EI, MASS)
    held = ("clamped", tr.Support(deflection=4e7, rotation=1e8), "pinned", tr.Support(2e7, 3e8))
    return tr.Beam.spans([first, second, third], supports=held, **options)


def dense(band):
    n = band.shape[1]
    full = np.diag(band[0])
    for d in range(1, min(3, n - 1) + 1):
        full += np.diag(band[d, d:], d) + np.diag(band[d, d:], -d)
    return full


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 30])
def test_banded_kernels_against_dense(n):
    rng = np.random.default_rng(n)
    band = rng.standard_normal((4, n))
    for d in range(1, 4):
        band[d, : min(d, n)] = 0.0
    band[0] += 12.0
    full, x = dense(band), rng.standard_normal(n)
    y, factor = np.empty(n), np.zeros((4, n))
    banded.product(band, x, y)
    assert y == pytest.approx(full @ x, rel=1e-13, abs=1e-13)
    assert banded.factor(band, factor) == n
    banded.solve(factor, y)
    assert y == pytest.approx(x, rel=1e-12, abs=1e-12)
    unit = np.zeros((4, n))
    unit[0] = 1.0
    values = np.linalg.eigvalsh(full)
    for k in range(n - 1):
        assert banded.eigenvalues_below(band, unit, 0.5 * (values[k] + values[k + 1])) == k + 1
    band[0, -1] = -50.0
    assert banded.factor(band, factor) == n - 1


@pytest.mark.parametrize("supports", PAIRS)
def test_frequencies_converge_at_the_declared_order(supports):
    beam = tr.Beam(LENGTH, EI, MASS, supports=supports, rotary_inertia=1000.0)
    exact = beam.frequencies(6)
    assert beam.elements(8).order == 4
    for k in range(6):
        sizes = (k + 2) * np.array([3, 6, 12])  # each mode is resolved alike
        errors = np.array([beam.elements(int(n)).frequencies(k + 1)[k] - exact[k] for n in sizes])
        if exact[k] == 0.0:
            assert (errors == 0.0).all()
        else:
            assert observed_order(1.0 / sizes, errors) == pytest.approx(4.0, abs=0.2)


def test_frequencies_of_thick_beams_converge_at_the_declared_order():
    beam = steel(2.0)
    exact, sizes = beam.frequencies(4), np.array([16, 32, 64])
    models = [beam.elements(int(n)) for n in sizes]
    errors = np.abs([model.frequencies(4) / exact - 1.0 for model in models])
    assert models[0].order == 4
    for k in range(4):
        assert observed_order(1.0 / sizes, errors[:, k]) > 3.6
    segment = beam.segments[0]
    left_out = exact**2 * segment.mass_per_length * (LENGTH / 64) ** 2 * segment.shear_compliance / 24.0
    assert (errors[-1] < 0.01 * left_out).all()  # of the inertia within elements, which is of second order


LOOSE = [
    ("free", "pinned"),
    ("free", "free"),
    (tr.Support(3e8, 0.0), tr.Support(3e9, 1e8)),
    ("guided", "free"),
]


@pytest.mark.parametrize("rotary", [0.0, 800.0])
@pytest.mark.parametrize("ends", LOOSE)
def test_frequencies_of_thick_beams_on_springs_or_none_converge_with_order_4(ends, rotary):
    beam = tr.Beam(20.0, 2.08e9, 7900.0, shear_stiffness=2.5e9, rotary_inertia=rotary, supports=ends)
    exact, sizes = beam.frequencies(8), np.array([50, 100, 200])
    models = [beam.elements(int(n)) for n in sizes]
    errors = [np.abs(model.frequencies(8)[3:] / exact[3:] - 1.0).max() for model in models]
    assert all(model.order == 4 for model in models)
    assert observed_order(1.0 / sizes, errors) > 3.7
    assert errors[-1] < 1e-6


@pytest.mark.parametrize("rotary", [0.0, 1e-3, 1.0, 800.0])
@pytest.mark.parametrize("ends", LOOSE)
def test_mass_of_thick_beams_is_positive(ends, rotary):
    for shear in (1e4, 1e7, 1e9, 1e12):
        beam = tr.Beam(20.0, 2.08e9, 7900.0, shear_stiffness=shear, rotary_inertia=rotary, supports=ends)
        for n in (1, 2, 3, 7):
            mass = dense(beam.elements(n).mass)
            scale = np.sqrt(np.diag(mass))
            assert np.linalg.eigvalsh(mass / scale / scale[:, None])[0] > 1e-6


@pytest.mark.parametrize(
    "beam", [stepped(), steel(0.8, foundation=1e7), steel(0.3, supports=("free", "guided"))]
)
def test_frequencies_approach_the_exact_ones(beam):
    exact = beam.frequencies(5)
    error = np.abs(beam.elements(120).frequencies(5) - exact).max() / exact.max()
    assert error < 2e-4
    assert np.abs(beam.elements(60).frequencies(5) - exact).max() / exact.max() > 3.0 * error


def test_thin_timoshenko_beams_do_not_lock():
    """Length over height 1e4: the shear stiffness is as good as rigid."""
    thick = steel(LENGTH / 1e4)
    thin = tr.Beam(LENGTH, thick.segments[0].bending_stiffness, thick.segments[0].mass_per_length)
    for n in (4, 20):
        ours, theirs = thick.elements(n), thin.elements(n)
        assert ours.frequencies(3) == pytest.approx(theirs.frequencies(3), rel=1e-6)
        bent = ours.bend([(1.0, 7.3)]), theirs.bend([(1.0, 7.3)])
        assert ours.deflection(bent[0], 10.0) == pytest.approx(theirs.deflection(bent[1], 10.0), rel=1e-6)


@pytest.mark.parametrize("beam", [tr.Beam(LENGTH, EI, MASS), steel(2.0), stepped()])
def test_statics_are_exact_at_nodes(beam):
    model, forces = beam.elements(23), [(1e5, 3.21), (-4e4, 11.7)]
    q, exact = model.bend(forces), beam.bend(forces)
    size = np.abs(exact.deflection(model.nodes)).max()
    assert model.deflection(q, model.nodes) == pytest.approx(exact.deflection(model.nodes), abs=1e-11 * size)
    assert model.rotation(q, model.nodes) == pytest.approx(exact.rotation(model.nodes), abs=1e-11 * size)
    far = np.array([0.3, 0.31, 6.6, 7.4, 17.123])  # not in an element with a force
    for quantity in ("deflection", "slope", "rotation", "moment", "shear"):
        values = getattr(exact, quantity)(far)
        assert getattr(model, quantity)(q, far) == pytest.approx(
            values, rel=1e-8, abs=1e-8 * np.abs(values).max()
        )


def test_foundation_is_consistent():
    beam = tr.Beam(LENGTH, EI, MASS, foundation=5e8, supports=("free", "free"))
    exact = beam.bend([(1e5, 10.0)]).deflection(10.0)
    sizes = np.array([8, 16, 32])
    found = [m.deflection(m.bend([(1e5, 10.0)]), 10.0) for m in (beam.elements(int(n)) for n in sizes)]
    assert observed_order(1.0 / sizes, np.abs(np.array(found) - exact)) == pytest.approx(4.0, abs=0.3)


def test_many_elements_keep_their_digits():
    """Rounding grows with the fourth power of their number unless motions without strain are exact."""
    beam = tr.Beam(LENGTH, EI, MASS)
    assert beam.elements(1000).frequencies(2) == pytest.approx(beam.frequencies(2), rel=1e-6)


def test_stiffness_spares_rigid_motions_to_the_last_digit():
    model = tr.Beam(LENGTH, EI, MASS, supports=("free", "free")).elements(50)
    y = np.empty(model.size)
    motion = np.stack((np.arange(51.0), np.ones(51)), axis=1).ravel()
    for shape in (motion, np.tile([1.0, 0.0], 51)):
        banded.product(model.stiffness, shape, y)
        assert (y == 0.0).all()


def test_shapes_and_largest_frequency_against_dense():
    model = stepped().elements([3, 2, 4])
    values, _ = eigh(dense(model.stiffness), dense(model.mass))
    omega, shapes = model.shapes(5)
    assert omega**2 == pytest.approx(values[:5], rel=1e-9)
    assert shapes.T @ dense(model.mass) @ shapes == pytest.approx(np.eye(5), abs=1e-10)
    assert model.largest_frequency**2 == pytest.approx(values[-1], rel=1e-11)
    assert model.frequencies(model.size) ** 2 == pytest.approx(values, rel=1e-6)


def test_shapes_are_those_of_the_exact_modes():
    beam = stepped()
    model, x = beam.elements(80), np.linspace(0.0, 22.0, 50)
    _, shapes = model.shapes(4)
    exact = beam.modes(4).deflection(x)
    assert model.deflection(shapes.T, x) == pytest.approx(exact, abs=1e-4 * np.abs(exact).max())


def test_elements_are_shared_by_length():
    model = stepped().elements(22)
    assert np.diff(model.geometry[2]).tolist() == [8, 5, 9]
    assert np.isclose(model.nodes[:, None], [0.0, 8.0, 13.0, 22.0]).any(axis=0).all()
    assert stepped().elements([1, 2, 3]).nodes == pytest.approx([0, 8, 10.5, 13, 16, 19, 22])


def test_ratios_damp_the_modes_and_nothing_else():
    beam = tr.Beam(LENGTH, EI, MASS, damping=0.03)
    model = beam.elements(10, damped_modes=4)
    Phi, rates = model.modal_damping
    assert rates == pytest.approx(0.06 * model.frequencies(4))
    assert Phi.shape == (18, 4)
    assert tr.Beam(LENGTH, EI, MASS, damping=(0.01, 0.02)).elements(10).damped_modes == 2
    assert tr.Beam(LENGTH, EI, MASS).elements(10).modal_damping[1].size == 0
    assert tr.Beam(LENGTH, EI, MASS, damping=tr.Rayleigh(1.0, 2.0)).elements(4).rayleigh == (1.0, 2.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda beam: beam.elements(0), "n = 0 must be at least 1"),
        (lambda beam: beam.elements(2.5), "whole number"),
        (lambda beam: beam.elements(1), "cannot move"),
        (lambda beam: beam.elements([2, 3]), r"n has 2 numbers; give one in all, or one per segment \(1\)"),
        (lambda beam: stepped().elements(2), "too few for 3 segments"),
        (lambda beam: beam.elements(4, damped_modes=0), "damped_modes = 0"),
        (lambda beam: beam.elements(4).frequencies(7), "n = 7 modes of 6 displacements"),
        (lambda beam: beam.elements(4).deflection(np.zeros(5), 1.0), r"q has shape \(5,\)"),
        (lambda beam: beam.elements(4).deflection(np.zeros(6), 21.0), "x = 21.0 m lies outside the beam"),
        (lambda beam: beam.elements(4).sampler("strain", 1.0), "quantity = 'strain'"),
        (lambda beam: beam.elements(4).bend([(1.0, -1.0)]), "lies outside the beam"),
        (
            lambda beam: tr.Beam(1.0, 1.0, 1.0, supports=("free", "free")).elements(4).bend([(1.0, 0.5)]),
            "do not hold the beam at rest",
        ),
        (lambda beam: tr.Beam(1.0, 1.0, 1.0, damping=(0.1,)).elements(4, damped_modes=2), "for one ratio"),
        (
            lambda beam: tr.Beam(1.0, 1.0, 1.0, damping=tr.Rayleigh(1.0, 0.0)).elements(4, damped_modes=2),
            "Rayleigh's damping acts on all modes",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(tr.InputError, match=message):
        call(tr.Beam(LENGTH, EI, MASS))


def test_frequencies_of_many_equal_spans_lie_close_and_are_all_found():
    beam = tr.Beam.spans([tr.Beam(LENGTH, EI, MASS, supports=("pinned", "pinned"))] * 60)
    found = beam.elements(600).frequencies(6)
    assert found[-1] < 1.03 * found[0]
    assert found == pytest.approx(beam.frequencies(6), rel=1e-5)
    assert (np.diff(found) > 1e-4 * found[0]).all()


@pytest.mark.parametrize("n", [63, 64, 100])
def test_a_mode_on_next_to_no_spring_is_the_lowest_one(n):
    """Its square may round to less than 0."""
    soft = tr.Support(deflection=1e2, rotation=1e-3)
    beam = tr.Beam(20.0, 2e9, 8000.0, supports=(tr.Support(), soft), shear_stiffness=1e10)
    found = beam.elements(n).frequencies(4)
    assert 0.0 <= found[0] < 1e-3
    assert found[1:] == pytest.approx(beam.frequencies(4)[1:], rel=2e-3)
