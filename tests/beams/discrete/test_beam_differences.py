"""Finite differences of the thesis: rows, order with every support, stability limits confirmed by runs."""

import itertools

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from traction.beams.discrete.discrete_march import march_beam

LENGTH, EI, MASS = 20.0, 2e11 * 0.0104, 7900.0
NAMES = ("clamped", "pinned", "free", "guided")


def bridge(**options):
    return tr.Beam(LENGTH, EI, MASS, **options)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("supports", list(itertools.combinations_with_replacement(NAMES, 2)))
def test_frequencies_converge_at_the_declared_order(supports):
    beam = bridge(supports=supports)
    exact, sizes = beam.frequencies(5), np.array([40, 80, 160])
    errors = np.array([np.abs(beam.differences(int(n)).frequencies(5) - exact) for n in sizes])
    assert beam.differences(10).order == 2
    for k in np.flatnonzero(exact > 0.0):
        assert observed_order(1.0 / sizes, errors[:, k]) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(
    "beam",
    [
        bridge(rotary_inertia=3000.0, foundation=1e6),
        bridge(supports=(tr.Support(1e7, 2e8), tr.Support(3e7, 0.0))),
        tr.Beam.spans(
            [bridge(), tr.Beam(10.0, 3.0 * EI, 2.0 * MASS)], supports=("clamped", "free", "pinned")
        ),
        tr.Beam.spans([bridge(), bridge()], supports=("pinned", "pinned", "guided")),
        tr.Beam.spans([bridge(), bridge()], supports=("pinned", tr.Support(5e7, 4e8), "free")),
        tr.Beam.spans([bridge(), bridge()], supports=("pinned", "guided", "free")),
    ],
)
def test_springs_joints_and_foundation_keep_the_order(beam):
    exact, sizes = beam.frequencies(4), np.array([60, 120, 240])
    errors = np.array([np.abs(beam.differences(int(n)).frequencies(4) - exact) for n in sizes])
    for k in range(4):
        assert observed_order(1.0 / sizes, errors[:, k]) == pytest.approx(2.0, abs=0.15)


def test_rows_are_those_of_the_thesis():
    """(5.22), and (7, -4, 1) beside a clamped end, where the ghost node equals the first one."""
    model = bridge().differences(10)
    unit = EI / 2.0**3
    assert model.stiffness[0] / unit == pytest.approx([7.0, *[6.0] * 7, 7.0])
    assert model.stiffness[1, 1:] / unit == pytest.approx([-4.0] * 8)
    assert model.stiffness[2, 2:] / unit == pytest.approx([1.0] * 7)
    assert model.mass[0] == pytest.approx([MASS * 2.0] * 9)


def test_statics_and_sampling():
    beam, model = bridge(), bridge().differences(400)
    forces = [(1e5, 7.77)]
    q, exact = model.bend(forces), beam.bend(forces)
    x = np.array([0.0, 0.013, 3.3, 9.99, 15.0, 20.0])
    for quantity, rel in (("deflection", 1e-3), ("slope", 1e-3), ("moment", 1e-3), ("shear", 1e-3)):
        values = getattr(exact, quantity)(x)
        found = getattr(model, quantity)(q, x)
        assert found == pytest.approx(values, rel=rel, abs=rel * np.abs(values).max())
    assert model.rotation(q, x) == pytest.approx(model.slope(q, x))


def test_stability_limits_of_the_thesis_bridge():
    model = bridge().differences(100)
    assert model.spacing == pytest.approx(0.2)
    assert f"{model.von_neumann_limit('verlet'):.4e}" == "3.8977e-05"
    assert model.von_neumann_limit("verlet") == pytest.approx(0.5 * 0.2**2 * np.sqrt(MASS / EI), rel=1e-14)
    assert f"{model.stability_limit('verlet'):.5e}" == "3.89868e-05"
    assert f"{model.stability_limit('rk4'):.4e}" == "5.5136e-05"
    assert model.stability_limit("newmark") == np.inf
    assert model.stability_limit("euler-forward") == 0.0


@pytest.mark.parametrize("method", ["verlet", "rk4"])
def test_stability_limits_are_confirmed_by_runs(method):
    """0.1 % below the limit nothing grows in 20,000 steps, 0.1 % above it everything does."""
    model = bridge().differences(100)
    limit, none = model.stability_limit(method), np.zeros((20_001, 0))
    v0 = np.random.default_rng(0).standard_normal(model.size)
    middle = model.sampler("deflection", [10.0])
    sizes = []
    for share in (0.999, 1.001):
        t = share * limit * np.arange(20_001)
        options = {"v0": v0, "observe": middle, "allow_unstable": share > 1.0}
        try:
            sizes.append(np.abs(march_beam(model, t, none, none, method, **options)[0]).max())
        except tr.ConvergenceError:
            sizes.append(np.inf)
    assert sizes[0] < 1.0
    assert sizes[1] > 1e6 * sizes[0]


def test_rayleigh_damping_moves_the_limit():
    model = bridge(damping=tr.Rayleigh(2.0, 1e-3)).differences(40)
    omega = model.largest_frequency
    assert model.stability_limit("verlet") == pytest.approx(2.0 / omega, rel=1e-6)  # damping is implicit
    limit = model.stability_limit("rk4")
    assert limit < 0.5 * 2.0 * np.sqrt(2.0) / omega
    v0 = np.random.default_rng(0).standard_normal(model.size)
    for share, grows in ((0.999, False), (1.01, True)):
        t = share * limit * np.arange(4001)
        none = np.zeros((t.size, 0))
        v = march_beam(model, t, none, none, "rk4", v0=v0, allow_unstable=True)[1]
        assert (np.abs(v[-1]).max() > np.abs(v0).max()) is np.bool_(grows)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bridge().differences(3), "n = 3 must be at least 4"),
        (lambda: bridge(shear_stiffness=1e9).differences(10), "Use elements, or leave out shear_stiffness"),
        (
            lambda: tr.Beam.spans([bridge(), tr.Beam(7.0, EI, MASS)]).differences(100),
            "whole number of cells",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(tr.InputError, match=message):
        call()
