"""`press`: what every answer must satisfy, and what the result offers."""

import dataclasses

import numpy as np
import pytest

import traction as tr
from coarse import FEW_ELEMENTS
from traction.contact.normal import coarse_grids, conjugate_gradients, contact_window


def two_patches(grid):
    """Gap of two balls side by side, the second a little higher."""
    first = tr.Sphere(0.1, center=(-4e-3, 0.0)).gap(grid)
    second = tr.Sphere(0.05, center=(4e-3, 1e-3)).gap(grid) + 1e-6
    return np.minimum(first, second)


@pytest.fixture(scope="module")
def two_patch_contact():
    grid = tr.Grid(96, 48, 0.2e-3, 0.2e-3)
    return tr.press(two_patches(grid), grid, tr.Pair(tr.STEEL, tr.STEEL), force=3e3)


def test_several_patches_are_found(two_patch_contact):
    from scipy.ndimage import label

    assert two_patch_contact.ok
    assert label(two_patch_contact.contact)[1] == 2


def test_certificate_is_computed_from_the_answer(two_patch_contact):
    n = two_patch_contact
    half_space = tr.HalfSpace(n.grid, n.pair)
    distance = n.gap + half_space.product("z", "z", n.pressure) - n.approach
    depth = np.max(n.approach - n.gap)
    assert n.certificate.penetration == pytest.approx(max(0.0, -distance.min()), abs=1e-9 * depth)
    assert n.certificate.residual == pytest.approx(np.abs(distance[n.contact]).max() / depth, rel=1e-3)
    assert n.certificate.tension == 0.0
    assert n.certificate.holds(1e-6)


def test_certificate_sees_a_wrong_answer(two_patch_contact):
    from traction.contact.normal.pressure_certificate import certify_pressure

    n = two_patch_contact
    wrong = 1.001 * n.pressure
    displacement = tr.HalfSpace(n.grid, n.pair).product("z", "z", wrong)
    certificate = certify_pressure((n.gap, displacement, wrong), n.approach, asked=n.force / n.grid.cell_area)
    assert not certificate.holds(1e-6)
    assert certificate.force_error == pytest.approx(1e-3, rel=1e-6)
    pulled = np.where(n.contact, n.pressure, -1.0)
    assert certify_pressure((n.gap, displacement, pulled), n.approach, asked=None).tension == 1.0


def test_tolerance_is_honoured(steel_pair):
    grid = tr.Grid.around(1.2e-3, 1.2e-3, 48, 48)
    reached = [
        tr.press(tr.Sphere(0.1), grid, steel_pair, force=1500.0, tol=tol) for tol in (1e-3, 1e-6, 1e-11)
    ]
    for contact, tol in zip(reached, (1e-3, 1e-6, 1e-11), strict=True):
        assert contact.certificate.residual <= 1.01 * tol
    assert [contact.iterations for contact in reached] == sorted(contact.iterations for contact in reached)


def test_force_and_approach_give_the_same_contact(steel_pair):
    grid = tr.Grid.around(1.2e-3, 1.2e-3, 50, 44)
    one = tr.press(tr.Sphere(0.1), grid, steel_pair, force=1500.0, tol=1e-10)
    other = tr.press(tr.Sphere(0.1), grid, steel_pair, approach=one.approach, tol=1e-10)
    assert other.force == pytest.approx(one.force, rel=1e-9)
    np.testing.assert_allclose(other.pressure, one.pressure, atol=1e-7 * one.peak_pressure)


@pytest.mark.parametrize("periodic", [None, "xy"])
@pytest.mark.parametrize("shape", [(48, 48), (33, 57)])
def test_stiffness_is_the_derivative_of_the_force(unit_pair, periodic, shape):
    rng = np.random.default_rng(3)
    grid = tr.Grid(shape[1], shape[0], 0.02, 0.02)
    gap = tr.Sphere(1.0).gap(grid) + 1e-3 * rng.random(grid.shape)
    middle = tr.press(gap, grid, unit_pair, force=0.02, periodic=periodic, tol=1e-11)
    step = 1e-6 * middle.approach
    forces = [
        tr.press(gap, grid, unit_pair, approach=middle.approach + s, periodic=periodic, tol=1e-11).force
        for s in (-step, step)
    ]
    assert middle.stiffness == pytest.approx((forces[1] - forces[0]) / (2 * step), rel=1e-4)


def test_gap_may_be_an_array_a_surface_or_a_function(steel_pair):
    grid = tr.Grid.around(1.3e-3, 1.3e-3, 24, 24)
    surface = tr.Sphere(0.1)
    answers = [
        tr.press(gap, grid, steel_pair, force=1500.0).pressure
        for gap in (surface, surface.gap(grid), lambda x, y: (x**2 + y**2) / 0.2)
    ]
    np.testing.assert_array_equal(answers[0], answers[1])
    np.testing.assert_allclose(answers[2], answers[0], rtol=1e-12)


def test_a_constant_added_to_the_gap_adds_to_the_approach(unit_pair):
    grid = tr.Grid.around(1.0, 1.0, 40, 40)
    plain = tr.press(tr.Sphere(1.0), grid, unit_pair, force=0.1, tol=1e-9)
    raised = tr.press(tr.Sphere(1.0).gap(grid) + 5.0, grid, unit_pair, force=0.1, tol=1e-9)
    assert raised.approach - 5.0 == pytest.approx(plain.approach, rel=1e-8)
    np.testing.assert_allclose(raised.pressure, plain.pressure, atol=1e-7 * plain.peak_pressure)


@pytest.mark.parametrize("approach", [0.0, -1e-3])
def test_bodies_that_do_not_touch_have_no_force(steel_pair, approach):
    contact = tr.press(tr.Sphere(0.1), tr.Grid(8, 8, 1e-4, 1e-4), steel_pair, approach=approach)
    assert contact.ok
    assert contact.force == 0.0
    assert contact.stiffness == 0.0
    assert contact.semi_axes == (0.0, 0.0)
    assert not contact.contact.any()


def test_warm_start_gives_the_same_answer_in_fewer_iterations(steel_pair):
    grid = tr.Grid.around(1.3e-3, 1.3e-3, 32, 32)
    before = tr.press(tr.Sphere(0.1), grid, steel_pair, approach=1e-5)
    cold = tr.press(tr.Sphere(0.1), grid, steel_pair, approach=1.01e-5, tol=1e-9)
    warm = tr.press(tr.Sphere(0.1), grid, steel_pair, approach=1.01e-5, start=before, tol=1e-9)
    np.testing.assert_allclose(warm.pressure, cold.pressure, atol=1e-6 * cold.peak_pressure)
    assert warm.iterations <= cold.iterations


def test_warm_start_from_another_grid_pair_or_nothing(steel_pair, unit_pair):
    grid = tr.Grid.around(1.3e-3, 1.3e-3, 32, 32)
    cold = tr.press(tr.Sphere(0.1), grid, steel_pair, approach=1e-5, tol=1e-9)
    coarse = tr.press(tr.Sphere(0.1), tr.Grid.around(1.2e-3, 1.2e-3, 20, 24), steel_pair, approach=1e-5)
    nothing = tr.press(tr.Sphere(0.1), grid, steel_pair, approach=-1.0)
    soft = tr.press(tr.Sphere(0.1), grid, unit_pair, approach=1e-5)
    for start in (coarse, nothing, soft):
        warm = tr.press(tr.Sphere(0.1), grid, steel_pair, approach=1e-5, start=start, tol=1e-9)
        np.testing.assert_allclose(warm.pressure, cold.pressure, atol=1e-6 * cold.peak_pressure)


def test_start_is_not_changed(steel_pair):
    grid = tr.Grid.around(1.3e-3, 1.3e-3, 20, 20)
    before = tr.press(tr.Sphere(0.1), grid, steel_pair, approach=1e-5)
    kept = before.pressure.copy(), before._displacement.copy()
    tr.press(tr.Sphere(0.1), grid, steel_pair, approach=1.2e-5, start=before)
    np.testing.assert_array_equal(before.pressure, kept[0])
    np.testing.assert_array_equal(before._displacement, kept[1])


@FEW_ELEMENTS  # one element is found
def test_a_patch_far_from_the_first_guess_is_found(unit_pair):
    """A spike thinner than the coarse grids touches outside the first window."""
    grid = tr.Grid.around(1.0, 1.0, 128, 128)
    gap = tr.Sphere(1.0).gap(grid)
    gap[8, 8] = -0.05
    contact = tr.press(gap, grid, unit_pair, force=0.01)
    assert contact.contact[8, 8]
    assert contact.certificate.holds(1e-6)


def test_result_does_not_depend_on_windows_or_nesting(monkeypatch, unit_pair):
    grid = tr.Grid.around(1.0, 1.0, 64, 64)
    expected = tr.press(tr.Sphere(0.3), grid, unit_pair, force=0.01, tol=1e-10)
    monkeypatch.setattr(coarse_grids, "COARSEST", 10**6)
    monkeypatch.setattr(contact_window, "MARGIN", 10**6)
    plain = tr.press(tr.Sphere(0.3), grid, unit_pair, force=0.01, tol=1e-10)
    np.testing.assert_allclose(plain.pressure, expected.pressure, atol=1e-7 * expected.peak_pressure)
    assert plain.iterations > expected.iterations


def test_iterations_do_not_grow_with_the_grid(unit_pair):
    iterations = [
        tr.press(tr.Sphere(1.0), tr.Grid.around(1.0, 1.0, n, n), unit_pair, force=4 / 3 * 0.35**3).iterations
        for n in (64, 128, 256, 512)
    ]
    assert max(iterations) <= 10


@FEW_ELEMENTS  # patches of any size converge
def test_rough_surface_converges_with_many_patches(unit_pair):
    rng = np.random.default_rng(0)
    grid = tr.Grid.around(1.0, 1.0, 128, 128)
    gap = tr.Sphere(1.0).gap(grid) + 0.01 * rng.random(grid.shape)
    contact = tr.press(gap, grid, unit_pair, force=0.02)
    assert contact.certificate.holds(1e-6)
    assert 0.0 < contact.contact.mean() < 0.5


def test_displacement_on_grids_and_bodies(steel_pair):
    soft = tr.Pair(tr.Material(70e9, 0.33), tr.STEEL)
    grid = tr.Grid.around(1.6e-3, 1.6e-3, 24, 24)
    n = tr.press(tr.Sphere(0.1), grid, soft, force=1500.0)
    np.testing.assert_allclose(n.displacement()[n.contact], (n.approach - n.gap)[n.contact], rtol=1e-5)
    far = tr.Grid(3, 2, 1e-3, 1e-3, center=(0.5, 0.0))
    both = n.displacement(far)
    np.testing.assert_allclose(both, n.displacement(far, body=1) - n.displacement(far, body=2), rtol=1e-12)
    np.testing.assert_allclose(both[0, 1] * np.pi * soft.effective_modulus * 0.5, n.force, rtol=1e-4)
    assert (n.displacement(far, body=1) > 0.0).all()
    assert (n.displacement(far, body=2) < 0.0).all()
    # Pressure draws the surface of a compressible body towards the load.
    assert (n.displacement(far, body=2, component="x") < 0.0).all()
    against_rigid = tr.press(tr.Sphere(0.1), grid, tr.Pair(tr.RIGID, tr.STEEL), force=1500.0)
    assert not against_rigid.displacement(far, body=1).any()


def test_stress_under_the_contact_equals_hertz(steel_pair):
    hertz = tr.hertz.sphere(0.1, steel_pair, force=1500.0)
    grid = tr.Grid.around(1.2e-3, 1.2e-3, 41, 41)
    n = tr.press(tr.Sphere(0.1), grid, steel_pair, force=1500.0)
    depth = hertz.radius * np.array([0.3, 0.48, 1.0, 3.0])
    points = np.stack([0 * depth, 0 * depth, -depth], axis=-1)
    exact = hertz.stress_on_axis(depth, tr.STEEL.poisson_ratio)
    below, above = n.stress(points, body=2), n.stress(points * [1, 1, -1], body=1)
    np.testing.assert_allclose(below.zz, exact.sigma_z, rtol=3e-3)
    np.testing.assert_allclose(below.von_mises, exact.von_mises, rtol=5e-3)
    np.testing.assert_allclose(above.von_mises, below.von_mises, rtol=1e-9)


def test_skewed_ellipse_has_an_orientation(unit_pair):
    grid = tr.Grid.around(1.0, 1.0, 81, 81)
    x, y = grid.mesh()
    angle = 0.4
    along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    hertz = tr.hertz.ellipse(2.0, 0.5, unit_pair, force=0.1)
    n = tr.press(along**2 / 4.0 + across**2, grid, unit_pair, force=0.1)
    assert n.orientation == pytest.approx(angle, abs=2e-3)
    assert n.semi_axes == pytest.approx(hertz.semi_axes, rel=5e-3)


STEEL = tr.Pair(tr.STEEL, tr.STEEL)
TOO_SMALL = {
    "sphere": (tr.Sphere(0.1), tr.Grid.around(0.5e-3, 0.5e-3, 20, 20), {"force": 1500.0}),
    "given approach": (tr.Sphere(0.1), tr.Grid.around(0.5e-3, 0.5e-3, 21, 20), {"approach": 1e-5}),
    "far from the origin": (
        tr.Sphere(0.1, center=(1e3, 0.0)),
        tr.Grid.around(0.5e-3, 0.5e-3, 20, 20, center=(1e3, 0.0)),
        {"force": 1500.0},
    ),
    "off centre": (
        tr.Sphere(0.1, center=(0.4e-3, 0.0)),
        tr.Grid.around(1e-3, 1.2e-3, 40, 40),
        {"force": 1500.0},
    ),
    "cone": (lambda x, y: 0.01 * np.hypot(x, y), tr.Grid.around(0.5e-3, 0.5e-3, 20, 20), {"force": 1500.0}),
    "skew ellipse": (
        lambda x, y: (x + y) ** 2 / 0.08 + (x - y) ** 2 / 8.0,
        tr.Grid.around(0.5e-3, 0.5e-3, 20, 20),
        {"force": 1500.0},
    ),
    "line": (tr.Cylinder(0.1), tr.Grid.line(50, 1e-5), {"force": 1e6}),
    "periodic along the axis": (
        tr.Cylinder(0.1, axis="x"),
        tr.Grid(20, 20, 2e-5, 2e-5, length=1.0),
        {"force": 1e3, "periodic": "x"},
    ),
}


@pytest.mark.parametrize("case", TOO_SMALL)
def test_edge_says_how_large_the_grid_must_be(case):
    gap, small, load = TOO_SMALL[case]
    with pytest.raises(
        tr.ConvergenceError, match=r"edge of the grid in .*; enlarge .* at least \d+ x \d+"
    ) as caught:
        tr.press(gap, small, STEEL, **load)
    assert caught.value.result.status is tr.Status.EDGE
    words = str(caught.value).split("at least ")[1].split()
    nx, ny = int(words[0]), int(words[2])
    enough = tr.press(gap, dataclasses.replace(small, nx=nx, ny=ny), STEEL, **load)
    assert enough.ok
    (rows, columns), widest = np.nonzero(enough.contact), 2.2
    across = max(1, rows.max() - rows.min() + 1), max(1, columns.max() - columns.min() + 1)
    if case != "off centre":
        assert ny <= max(small.ny, widest * across[0])
        assert nx <= max(small.nx, widest * across[1])


def test_edge_of_a_flat_punch_has_no_remedy_in_size(steel_pair):
    with pytest.raises(tr.ConvergenceError, match="does not open towards it"):
        tr.press(np.zeros((8, 8)), tr.Grid(8, 8, 1e-3, 1e-3), steel_pair, force=1.0)


def test_edge_can_be_returned(steel_pair):
    small = tr.Grid.around(0.5e-3, 0.5e-3, 20, 20)
    result = tr.press(tr.Sphere(0.1), small, steel_pair, force=1500.0, on_failure="return")
    assert not result.ok
    assert result.status is tr.Status.EDGE
    assert result.force == pytest.approx(1500.0)


@FEW_ELEMENTS  # single elements are what is tested
def test_single_elements_have_no_edge():
    """One element alone under 1 N: the reference program gives an approach of 0.8079838954 mm (G = 1 MPa)."""
    soft = tr.Material.from_shear_modulus(1e6, 0.28)
    contact = tr.press(np.zeros((1, 1)), tr.Grid(1, 1, 1e-3, 1e-3), tr.Pair(soft, soft), force=1.0)
    assert contact.approach == pytest.approx(0.8079838954e-3, rel=1e-6)
    assert contact.pressure[0, 0] == pytest.approx(1e6)


def test_no_convergence_raises_with_the_result_or_returns_it(monkeypatch, steel_pair):
    monkeypatch.setattr(conjugate_gradients, "MAX_ITERATIONS", 2)
    grid = tr.Grid.around(1.2e-3, 1.2e-3, 48, 48)
    with pytest.raises(tr.ConvergenceError, match=r"largest error .* asked 1.0e-06.*relax tol") as caught:
        tr.press(tr.Sphere(0.1), grid, steel_pair, force=1500.0)
    assert caught.value.result.pressure.shape == grid.shape
    result = tr.press(tr.Sphere(0.1), grid, steel_pair, force=1500.0, on_failure="return")
    assert result.status is tr.Status.STALLED
    assert not result.ok


def test_line_contact_without_length_has_no_approach(steel_pair):
    grid = tr.Grid.line(100, 1e-5)
    contact = tr.press(tr.Cylinder(0.1), grid, steel_pair, force=1e5)
    with_length = tr.press(tr.Cylinder(0.1), tr.Grid.line(100, 1e-5, length=1.0), steel_pair, force=1e5)
    np.testing.assert_allclose(contact.pressure, with_length.pressure, atol=2e-6 * contact.peak_pressure)
    for quantity in ("approach", "stiffness"):
        with pytest.raises(
            tr.UndefinedError, match=f"{quantity} is not defined without a reference length.*length="
        ):
            getattr(contact, quantity)
    with pytest.raises(tr.InputError, match="length"):
        contact.displacement()
    with pytest.raises(tr.InputError, match="length"):
        tr.press(tr.Cylinder(0.1), grid, steel_pair, approach=1e-6)


def test_repr_says_what_matters(steel_pair):
    contact = tr.press(tr.Sphere(0.1), tr.Grid.around(1.3e-3, 1.3e-3, 20, 20), steel_pair, force=1500.0)
    assert "20 x 20" in repr(contact)
    assert "1.500 kN" in repr(contact)
    assert "converged" in repr(contact)


GRID = tr.Grid(8, 6, 1e-3, 1e-3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"force": -1200.0}, r"force = -1200.0 N must be positive: contact can only push"),
        ({"force": 0.0}, r"force = 0.0 N must be positive"),
        ({"force": np.nan}, r"force = nan must be finite"),
        ({"force": "12 N"}, r"force = '12 N' must be a number"),
        ({"force": True}, r"force = True must be a number"),
        ({"force": None}, r"exactly one of force and approach; neither given"),
        ({"approach": 1e-6}, r"exactly one of force and approach; force and approach given"),
        ({"force": None, "approach": np.inf}, r"approach = inf must be finite"),
        ({"gap": np.zeros((8, 6))}, r"gap has shape \(8, 6\), expected \(6, 8\)"),
        ({"gap": np.full((6, 8), np.nan)}, r"gap\[0, 0\] = nan must be finite"),
        (
            {"gap": np.where(np.arange(48).reshape(6, 8) == 13, np.inf, 0.0)},
            r"gap\[1, 5\] = inf must be finite",
        ),
        ({"gap": "sphere"}, r"gap must be an array of numbers"),
        ({"grid": (8, 6)}, r"grid = \(8, 6\) must be a tr.Grid"),
        ({"pair": tr.STEEL}, r"must be a tr.Pair"),
        ({"tol": 1e-17}, r"tol = 1e-17 must lie between 1e-11"),
        ({"tol": 0.0}, r"tol = 0.0 must lie between"),
        ({"tol": 1.0}, r"tol = 1.0 must lie between"),
        ({"periodic": "z"}, r"periodic = 'z' is not known"),
        ({"on_failure": "ignore"}, r"on_failure = 'ignore' is not known; choose one of 'raise', 'return'"),
        ({"start": np.zeros((6, 8))}, r"start is a ndarray, but must be an earlier result of tr.press"),
        ({"periodic": "x", "force": None, "approach": 1e-6}, r"reference length"),
    ],
)
def test_bad_input_is_named(steel_pair, changes, message):
    arguments = {"gap": tr.Sphere(0.1), "grid": GRID, "pair": steel_pair, "force": 1.0} | changes
    gap, grid, pair = (arguments.pop(name) for name in ("gap", "grid", "pair"))
    with pytest.raises(tr.InputError, match=message):
        tr.press(gap, grid, pair, **arguments)


def test_unknown_options_are_errors(steel_pair):
    with pytest.raises(TypeError, match="tolerance"):
        tr.press(tr.Sphere(0.1), GRID, steel_pair, force=1.0, tolerance=1e-6)


def test_flat_periodic_bodies_share_the_load_evenly(steel_pair):
    for grid, periodic in ((tr.Grid(64, 64, 1e-4, 1e-4), "xy"), (tr.Grid.line(64, 1e-4), "x")):
        contact = tr.press(np.zeros(grid.shape), grid, steel_pair, force=10.0, periodic=periodic)
        expected = 10.0 / (grid.nx * grid.ny * grid.cell_area)
        np.testing.assert_allclose(contact.pressure, expected, rtol=1e-5)


def test_displacement_far_away_costs_no_memory(steel_pair):
    contact = tr.press(tr.Sphere(0.1), tr.Grid(64, 64, 5e-5, 5e-5), steel_pair, force=1500.0)
    far = contact.displacement(tr.Grid(4, 4, 5e-5, 5e-5, center=(1.0, 1.0)))
    expected = contact.force / (np.pi * steel_pair.effective_modulus * np.sqrt(2.0))
    np.testing.assert_allclose(far, expected, rtol=1e-3)


def test_results_cannot_be_changed(two_patch_contact):
    with pytest.raises(ValueError, match="read-only"):
        two_patch_contact.pressure[0, 0] = 1.0


@FEW_ELEMENTS  # an identity of any grid
def test_periodic_displacement_takes_an_equal_grid(unit_pair):
    grid = tr.Grid(16, 16, 0.1, 0.1)
    contact = tr.press(tr.Sphere(1.0), grid, unit_pair, force=0.05, periodic="xy")
    np.testing.assert_array_equal(contact.displacement(dataclasses.replace(grid)), contact.displacement())
    with pytest.raises(tr.InputError, match="on its own grid only"):
        contact.displacement(tr.Grid(8, 8, 0.1, 0.1))


@pytest.mark.parametrize("force", [np.float32(1500.0), np.float16(1500.0), 1500])
def test_numbers_of_other_types_are_numbers(steel_pair, force):
    grid = tr.Grid.around(1.3e-3, 1.3e-3, 24, 24)
    assert tr.press(tr.Sphere(0.1), grid, steel_pair, force=force).force == pytest.approx(1500.0, rel=1e-12)


def test_short_strips_are_refused(steel_pair):
    with pytest.raises(tr.InputError, match=r"length = 0.0001 m must be at least twice the width"):
        tr.press(tr.Cylinder(0.1), tr.Grid.line(200, 1e-5, length=1e-4), steel_pair, approach=1e-6)


def test_approach_of_a_flattened_periodic_surface_is_refused(steel_pair):
    with pytest.raises(tr.InputError, match="must be below the mean gap"):
        tr.press(tr.Sphere(0.1), tr.Grid(16, 16, 1e-4, 1e-4), steel_pair, approach=1.0, periodic="xy")


def test_elements_longer_than_the_period_are_refused(steel_pair):
    with pytest.raises(tr.InputError, match="at most half the period"):
        tr.press(tr.Sphere(0.1), tr.Grid(4, 16, 1e-5, 1e-3), steel_pair, force=1.0, periodic="x")


def test_odd_periods_need_no_more_iterations_than_even_ones(unit_pair):
    iterations = []
    for n in (127, 128):
        grid = tr.Grid(n, n, 1.0 / n, 1.0 / n)
        x, y = grid.mesh()
        waves = sum(
            np.cos(2 * np.pi * (k * x + 1.7 * k + 0.3 * k * k)) * np.cos(2 * np.pi * k * y + k)
            for k in range(2, 9)
        )
        contact = tr.press(1e-3 * waves, grid, unit_pair, force=2e-3, periodic="xy")
        assert 0.01 < contact.contact.mean() < 0.9
        iterations.append(contact.iterations)
    assert iterations[0] <= iterations[1] + 2
