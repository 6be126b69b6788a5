"""`roll_steady` against the reference program, Carter's closed form, and the laws of friction."""

import numpy as np
import pytest

import traction as tr
from coarse import FEW_ELEMENTS
from reference_cases import MM, MPA, grid_of
from traction.contact.friction import pressure_coupling
from traction.contact.stick_slip import newton_iteration, stick_slip_solver
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.errors import ConvergenceError, InputError
from traction.halfspace.half_space import HalfSpace

MU = 0.3
DISCRETISATIONS = ("covered", "classical")
ROWS = range(27)


@pytest.fixture(scope="module")
def table(reference, steel_pair):
    """The reference program's table of creepages and forces, with its circular contact."""
    case = reference["force_table_circ"]
    radius = 0.5 / case["inputs"]["A1_curvature_x"] * MM
    n = tr.press(tr.Sphere(radius), grid_of(case["grid"]), steel_pair, force=case["inputs"]["Fn"])
    rows = [dict(zip(case["columns"], row, strict=True)) for row in case["rows"]]
    return n, rows


@pytest.fixture(scope="module")
def circle(steel_pair):
    """24 elements across, a = 5 mm, 100 kN."""
    radius = 0.5 / 2.634146341
    return tr.press(tr.Sphere(radius), tr.Grid(28, 28, 10e-3 / 24, 10e-3 / 24), steel_pair, force=1e5)


@pytest.fixture(scope="module")
def line(steel_pair):
    return tr.press(tr.Cylinder(0.5), tr.Grid.line(110, 2.2 * MM / 110), steel_pair, force=178.9e3)


def creepage_of(row):
    return row["cksi"], row["ceta"], row["cphi"] / MM


def obeys_coulomb(t):
    """|p| <= mu p, slip against traction, no slip where it sticks, no gain of energy."""
    size = np.hypot(*t.traction)
    assert (size <= t.bound + 1e-6 * t.bound.max()).all()
    scale = t.bound.max() / t.normal.pair.shear_modulus
    assert (np.hypot(*t.slip)[t.stick] <= 1e-4 * scale).all()
    along = (t.traction * t.slip).sum(axis=0)
    assert (along[t.sliding] <= 1e-6 * scale * t.bound.max()).all()
    assert t.dissipation >= -1e-6 * scale * t.friction * t.normal.force


@pytest.mark.parametrize("k", ROWS)
def test_creepages_give_the_reference_programs_forces(table, k):
    n, rows = table
    row = rows[k]
    t = tr.roll_steady(n, MU, creepage=creepage_of(row), discretisation="classical")
    limit = 1e-5 * MU * n.force
    assert t.force == pytest.approx((row["Fx"], row["Fy"]), abs=limit)
    assert t.moment == pytest.approx(row["Mz"] * MM, abs=limit * 5 * MM)
    assert abs(int(t.stick.sum()) - row["n_adhesion"]) <= 1
    assert t.dissipation == pytest.approx(-row["frictional_power_W(V=1000mm/s)"], abs=1e-4 * 130)


@pytest.mark.parametrize("k", ROWS)
def test_forces_give_the_reference_programs_creepages(table, k):
    n, rows = table
    row = rows[k]
    given = {"creepage": (None, None, row["cphi"] / MM), "force": (row["Fx"], row["Fy"])}
    t = tr.roll_steady(n, MU, **given, discretisation="classical")
    assert t.creepage[:2] == pytest.approx((row["cksi"], row["ceta"]), abs=1e-5 * 3e-3)
    assert t.force == pytest.approx(given["force"], abs=1e-5 * MU * n.force)
    assert abs(int(t.stick.sum()) - row["n_adhesion"]) <= 1


def test_carter_equals_the_reference_program(reference, steel_pair):
    case = reference["carter2d"]
    totals = case["totals"]
    n = tr.press(tr.Cylinder(0.5), grid_of(case["grid"]), steel_pair, force=totals["Fn"])
    t = tr.roll_steady(n, MU, creepage=(totals["cksi"], 0.0, 0.0), discretisation="classical")
    assert t.force == pytest.approx((totals["Fx"], 0.0), abs=1e-5 * MU * n.force)
    assert (t.stick.sum(), t.sliding.sum()) == (totals["n_adhesion"], totals["n_slip"])
    assert 30.0 * t.dissipation == pytest.approx(-totals["frictional_power_W"], rel=1e-4)


@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
@pytest.mark.parametrize("share", [-0.4, 0.64, 0.9])
def test_line_contact_equals_carter(line, steel_pair, discretisation, share):
    hertz = tr.hertz.line(0.5, steel_pair, force=178.9e3)
    exact = tr.carter.line(hertz, 0.5, MU, force=share * MU * hertz.force)
    t = tr.roll_steady(
        line, MU, creepage=(None, 0.0, 0.0), force=(exact.force, None), discretisation=discretisation
    )
    x, dx, a = line.grid.x, line.grid.dx, exact.half_width
    kinks = np.array([-a, a - 2 * exact.stick_half_width, a])
    smooth = (np.abs(x[:, None] - kinks) > 1.5 * dx).all(axis=1)
    limit = (
        0.01 if discretisation == "covered" else 0.012
    )  # uniform tractions end as if a fifth of a cell off
    assert np.abs(t.traction[0, 0] - exact.traction(x))[smooth].max() <= limit * exact.bound
    assert t.stick.sum() * dx == pytest.approx(2 * exact.stick_half_width, abs=dx)
    assert t.creepage[0] == pytest.approx(exact.creepage, rel=0.02)


@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
@pytest.mark.parametrize(
    "creepage", [(1e-3, 2e-3, 0.5), (0.0, 0.0, 1.5), (3e-3, -2e-3, 0.0), (-1e-5, 0.0, 1e-2), (0.0, 0.0, 40.0)]
)
def test_answer_obeys_coulomb_and_proves_it(circle, discretisation, creepage):
    t = tr.roll_steady(circle, MU, creepage=creepage, discretisation=discretisation)
    assert t.certificate.holds(1e-6)
    obeys_coulomb(t)


@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
def test_no_creepage_gives_no_traction(circle, discretisation):
    t = tr.roll_steady(circle, MU, creepage=(0.0, 0.0, 0.0), discretisation=discretisation)
    assert not t.traction.any()
    assert (t.force, t.moment, t.dissipation) == ((0.0, 0.0), 0.0, 0.0)
    assert (t.stick == circle.contact).all()


@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
def test_force_saturates(circle, discretisation):
    sizes = []
    for xi in (1e-3, 3e-3, 1e-2, 1e-1, 1e1):
        t = tr.roll_steady(circle, MU, creepage=(0.6 * xi, 0.8 * xi, 0.0), discretisation=discretisation)
        sizes.append(np.hypot(*t.force) / (MU * circle.force))
    assert np.all(np.diff(sizes) > -1e-7)
    assert max(sizes) <= 1.0 + 1e-6
    assert sizes[-1] == pytest.approx(1.0, abs=1e-5)
    assert t.force == pytest.approx((-0.6 * MU * circle.force, -0.8 * MU * circle.force), rel=1e-3)


@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
def test_mirror_images(circle, discretisation):
    """Mirrored at y = 0, lateral creepage and spin change sign; rolling backwards mirrors at x = 0."""
    xi, eta, phi = 1e-3, 1.5e-3, 0.4
    t = tr.roll_steady(circle, MU, creepage=(xi, eta, phi), discretisation=discretisation)
    lateral = tr.roll_steady(circle, MU, creepage=(xi, -eta, -phi), discretisation=discretisation)
    back = tr.roll_steady(circle, MU, creepage=(-xi, eta, -phi), direction=-1, discretisation=discretisation)
    # which elements stick decides on the shape of covered ones, and is found to a coarser tolerance
    scale = (1e-5 if discretisation == "classical" else 2e-4) * t.bound.max()
    (px, py) = t.traction
    assert np.abs(lateral.traction[0][::-1] - px).max() <= scale
    assert np.abs(lateral.traction[1][::-1] + py).max() <= scale
    assert np.abs(back.traction[0][:, ::-1] + px).max() <= scale
    assert np.abs(back.traction[1][:, ::-1] - py).max() <= scale
    assert back.moment == pytest.approx(-t.moment, rel=1e-4)


@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
def test_forces_and_creepages_belong_together(circle, discretisation):
    t = tr.roll_steady(circle, MU, creepage=(1e-3, -1.5e-3, 0.3), discretisation=discretisation)
    for creepage, force in (
        ((None, None, 0.3), t.force),
        ((None, -1.5e-3, 0.3), (t.force[0], None)),
        ((1e-3, None, 0.3), (None, t.force[1])),
    ):
        again = tr.roll_steady(circle, MU, creepage=creepage, force=force, discretisation=discretisation)
        limit = 1e-5 if discretisation == "classical" else 2e-4  # an element between stick and slip
        assert again.creepage == pytest.approx(t.creepage, rel=limit)
        assert again.moment == pytest.approx(t.moment, rel=limit)


@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
@pytest.mark.parametrize(
    "given",
    [
        {"creepage": (1e-3, 1.5e-3, 0.4)},
        {"creepage": (0.0, 0.0, 1.0)},
        {"creepage": (None, 1e-3, 0.4), "force": (8e3, None)},
    ],
)
def test_tangent_equals_differences(circle, discretisation, given):
    t = tr.roll_steady(circle, MU, **given, discretisation=discretisation, tol=1e-9)
    at = np.array(t.creepage)
    for k, step in enumerate((1e-8, 1e-8, 1e-6)):
        ends = []
        for sign in (1.0, -1.0):
            moved = at.copy()
            moved[k] += sign * step
            u = tr.roll_steady(circle, MU, creepage=tuple(moved), discretisation=discretisation, tol=1e-10)
            ends.append(np.array([*u.force, u.moment]))
        found = (ends[0] - ends[1]) / (2 * step)
        np.testing.assert_allclose(t.tangent[:, k], found, atol=1e-4 * np.abs(found).max())


@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
def test_elastic_scale_does_not_matter(unit_pair, discretisation):
    """Forces over mu Fn depend on creepage G/(mu p0) only."""
    soft, hard = (tr.Pair(*(tr.Material.from_shear_modulus(G, 0.25),) * 2) for G in (1.0, 1e9))
    grid = tr.Grid(22, 22, 0.1, 0.1)
    shares = []
    for pair, load in ((soft, 1e-3), (hard, 1e6)):
        n = tr.press(tr.Sphere(4 / 3 * pair.effective_modulus / load), grid, pair, force=load)
        scale = n.peak_pressure / pair.shear_modulus
        t = tr.roll_steady(
            n, 0.5, creepage=(0.2 * scale, 0.1 * scale, 0.3 * scale), discretisation=discretisation
        )
        shares.append(np.array(t.force) / (0.5 * n.force))
    np.testing.assert_allclose(*shares, rtol=1e-5)


@pytest.fixture(scope="module")
def roller(reference):
    """An aluminium roller on steel (Bentall, Johnson 1967), as one row of long elements."""
    case = reference["bentall"]
    inputs = case["inputs"]
    pair = tr.Pair(*(tr.Material.from_shear_modulus(inputs[f"G{k}"] * MPA, inputs[f"nu{k}"]) for k in (1, 2)))
    return tr.press(tr.Cylinder(25 * MM), grid_of(case["grid"]), pair, force=case["totals"][0]["Fn"])


@pytest.mark.parametrize("k", range(6))
def test_different_materials_equal_the_reference_program(reference, roller, k):
    inputs, totals = reference["bentall"]["inputs_by_case"][k], reference["bentall"]["totals"][k]
    mu, options = inputs["mu"], {"direction": -1, "discretisation": "classical"}
    if "cksi" in inputs:
        t = tr.roll_steady(roller, mu, creepage=(inputs["cksi"], 0.0, 0.0), **options)
    else:
        t = tr.roll_steady(roller, mu, creepage=(None, 0.0, 0.0), force=(totals["Fx"], None), **options)
    assert t.force[0] == pytest.approx(totals["Fx"], abs=1e-3 * mu * totals["Fn"])
    assert t.creepage[0] == pytest.approx(totals["cksi"], rel=1e-3)
    assert abs(int(t.stick.sum()) - totals["n_adhesion"]) <= 1
    assert t.normal.approach == pytest.approx(totals["penetration"] * MM, rel=1e-5)
    assert t.normal.peak_pressure == pytest.approx(totals["p_max"] * MPA, rel=1e-4)
    assert t.dissipation == pytest.approx(-totals["frictional_power_W"], rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
def test_both_problems_of_different_materials_hold_together(discretisation):
    """The final contact is that of the gap that its tractions have changed, and carries the same force."""
    pair = tr.Pair(tr.Material(1.0, 0.1), tr.Material(3.0, 0.4))
    n = tr.press(tr.Sphere(1.0), tr.Grid(26, 26, 0.08, 0.08), pair, force=0.8)
    t = tr.roll_steady(n, 0.5, creepage=(0.02, 0.01, 0.05), discretisation=discretisation)
    half_space = HalfSpace(n.grid, pair)
    lifted = sum(half_space.product("z", axis, p) for axis, p in zip("xy", t.traction, strict=True))
    again = tr.press(n.gap + lifted, n.grid, pair, force=n.force, tol=1e-8)
    assert t.certificate.holds(1e-6)
    assert t.normal.force == pytest.approx(n.force, rel=1e-6)
    assert np.abs(t.normal.pressure - again.pressure).max() <= 1e-5 * n.peak_pressure
    assert np.abs(t.normal.pressure - n.pressure).max() > 1e-3 * n.peak_pressure
    obeys_coulomb(t)


def test_different_materials_that_do_not_settle_are_refused(roller, monkeypatch):
    monkeypatch.setattr(pressure_coupling, "MAX_TURNS", 1)
    given = {"creepage": (None, 0.0, 0.0), "force": (0.0, None), "direction": -1}
    with pytest.raises(ConvergenceError) as failure:
        tr.roll_steady(roller, 0.05, **given)
    assert not failure.value.result.ok
    assert not tr.roll_steady(roller, 0.05, **given, on_failure="return").ok


def test_turns_that_go_round_in_circles_come_to_rest(monkeypatch):
    """An edge passes the end of an element, which comes and goes with it: the elements are held."""
    pair = tr.Pair(tr.Material.from_shear_modulus(1.0, 0.0851), tr.Material.from_shear_modulus(17.1, 0.144))
    reach = 1.4 * tr.hertz.sphere(1.0, pair, force=0.05).radius
    n = tr.press(tr.Sphere(1.0), tr.Grid.around(reach, reach, 18, 18), pair, force=0.05)
    mu, a = 0.654, n.semi_axes[0]
    scale = mu * n.peak_pressure / pair.shear_modulus
    creepage = (-0.24 * scale, -0.33 * scale, -0.64 * scale / a)
    t = tr.roll_steady(n, mu, creepage=creepage)
    obeys_coulomb(t)
    classical = tr.roll_steady(n, mu, creepage=creepage, discretisation="classical")
    assert np.abs(np.subtract(t.force, classical.force)).max() <= 0.06 * mu * n.force
    assert np.isfinite(t.tangent).all()
    monkeypatch.setattr(pressure_coupling, "FREE_TURNS", 10**6)
    assert not tr.roll_steady(n, mu, creepage=creepage, on_failure="return").ok


def test_energy_balance_of_covered_elements(circle):
    t = tr.roll_steady(circle, MU, creepage=(1e-3, 2e-3, 0.5))
    assert t.dissipation == pytest.approx(t.wear_number, rel=1e-12)


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_dissipation_of_unlike_bodies_hardly_depends_on_the_grid(share):
    """The rigid slip alone would bring in nothing at all without a force."""
    pair = tr.Pair(tr.Material.from_shear_modulus(26.7e9, 0.33), tr.STEEL)
    width, found = 2.0 * tr.hertz.line(0.025, pair, force=1e5).semi_axes[0], []
    for across in (44, 176):
        n = tr.press(tr.Cylinder(0.025), tr.Grid.line(3 * across // 2, width / across), pair, force=1e5)
        t = tr.roll_steady(n, 0.05, creepage=(None, 0.0, 0.0), force=(share * 0.05 * n.force, None))
        found.append(t.dissipation)
    assert found[0] == pytest.approx(found[1], rel=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("creepage", [(5e-4, 0.0, 0.0), (1e-3, 2e-3, 0.5), (0.0, 0.0, 1.0)])
def test_dissipation_hardly_depends_on_the_grid(steel_pair, creepage):
    found = []
    for across in (36, 144):
        n = round(across * 40 / 36)
        grid = tr.Grid(n, n, 10e-3 / across, 10e-3 / across)
        contact = tr.press(tr.Sphere(0.5 / 2.634146341), grid, steel_pair, force=1e5)
        found.append(tr.roll_steady(contact, MU, creepage=creepage).dissipation)
    assert found[0] == pytest.approx(found[1], rel=0.01)


@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
def test_no_friction_gives_no_traction(circle, discretisation):
    t = tr.roll_steady(circle, 0.0, creepage=(1e-3, 0.0, 0.0), discretisation=discretisation)
    assert not t.traction.any()
    assert t.dissipation == 0.0
    assert t.slip[0][circle.contact] == pytest.approx(1e-3)


def peaks(height):
    """Two caps beside each other along y, and along x where turned."""

    def gap(x, y):
        return np.minimum((x**2 + (y - 0.6) ** 2) / 2, (x**2 + (y + 0.6) ** 2) / 2 + height)

    return gap


def rough(x, y):
    """A sphere with waves that leave islands and rows of several runs."""
    return (x**2 + y**2) / 2 + 0.02 * (np.cos(11 * x + 1.0) * np.cos(13 * y) + np.cos(7 * y - 5 * x))


SHAPES = {
    "one element": (lambda x, y: (x**2 + y**2) / 2, tr.Grid(9, 9, 0.5, 0.5), 1e-3),
    "two patches": (peaks(0.02), tr.Grid(24, 48, 0.06, 0.06), 2e-2),
    "two patches along x": (lambda x, y: peaks(0.02)(y, x), tr.Grid(48, 24, 0.06, 0.06), 2e-2),
    "wide elements": (lambda x, y: (x**2 + y**2) / 2, tr.Grid(14, 48, 0.1, 0.03), 0.1),
    "tall elements": (lambda x, y: (x**2 + y**2) / 2, tr.Grid(48, 14, 0.03, 0.1), 0.1),
    "ellipse 1:10": (lambda x, y: 20 * x**2 + y**2 / 5, tr.Grid(30, 30, 0.01, 0.1), 0.3),
    "ellipse 10:1": (lambda x, y: x**2 / 5 + 20 * y**2, tr.Grid(30, 30, 0.1, 0.01), 0.3),
    "rough": (rough, tr.Grid(48, 48, 0.05, 0.05), 0.15),
    "strip": (lambda x, y: x**2 / 2 + 0 * y, tr.Grid(60, 1, 0.02, 3.0), 0.05),
}


@FEW_ELEMENTS  # patches of a few elements are what is tested
@pytest.mark.parametrize("discretisation", DISCRETISATIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_contacts_of_all_shapes(shape, discretisation):
    gap, grid, force = SHAPES[shape]
    body = tr.Material.from_shear_modulus(1.0, 0.25)
    n = tr.press(gap, grid, tr.Pair(body, body), force=force)
    size = MU * n.peak_pressure
    for given in (
        {"creepage": (0.5 * size, 0.2 * size, 0.0)},
        {"creepage": (0.0, 0.0, 3.0 * size)},
        {"creepage": (None, None, size), "force": (0.5 * MU * n.force, -0.3 * MU * n.force)},
    ):
        t = tr.roll_steady(n, MU, **given, discretisation=discretisation)
        assert t.certificate.holds(1e-6)
        obeys_coulomb(t)


def test_a_spoiled_answer_is_refused(circle, monkeypatch):
    from traction.contact.rolling import steady_rolling

    solve = steady_rolling.solve_nested

    def spoiled(*args, **options):
        answer = solve(*args, **options)
        answer.traction[1, 12, 12] += 1e-3 * MU * circle.peak_pressure
        return answer

    monkeypatch.setattr(steady_rolling, "solve_nested", spoiled)
    given = {"creepage": (1e-4, 1e-3, 0.0), "discretisation": "classical"}
    with pytest.raises(ConvergenceError) as failure:
        tr.roll_steady(circle, MU, **given)
    assert not failure.value.result.ok
    assert not tr.roll_steady(circle, MU, **given, on_failure="return").certificate.holds(1e-6)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"creepage": (1e-3, 0.0, 0.0), "force": (1.0, None)}, "along x both given"),
        ({"creepage": (None, 0.0, 0.0)}, "along x neither given"),
        ({"creepage": (None, 0.0, 0.0), "force": (31e3, None)}, "smaller in size than mu Fn"),
        ({"creepage": (float("nan"), 0.0, 0.0)}, "creepage along x"),
        ({"creepage": "fast"}, "three numbers"),
        ({"direction": 2}, "direction"),
        ({"discretisation": "exact"}, "discretisation"),
        ({"distance": 1e-3}, "one element"),
        ({"distance": -1.0}, "distance"),
        ({"tol": 0.0}, "tol"),
        ({"on_failure": "ignore"}, "on_failure"),
    ],
)
def test_wrong_input_is_named(circle, options, words):
    with pytest.raises(InputError, match=words):
        tr.roll_steady(circle, MU, **options)


@FEW_ELEMENTS  # refused on any grid
def test_wrong_contacts_are_named(circle, steel_pair):
    with pytest.raises(InputError, match=r"tr\.press"):
        tr.roll_steady(circle.pressure, MU)
    with pytest.raises(InputError, match="friction"):
        tr.roll_steady(circle, -0.3)
    grid = tr.Grid(12, 12, 1e-3, 1e-3)
    periodic = tr.press(tr.Sphere(0.2), grid, steel_pair, force=1e4, periodic="xy")
    with pytest.raises(InputError, match="periodic"):
        tr.roll_steady(periodic, MU)


def test_one_element_of_distance_may_be_said(circle):
    t = tr.roll_steady(circle, MU, creepage=(1e-3, 0.0, 0.0), distance=circle.grid.dx)
    assert t.ok


def test_equal_input_gives_equal_bits(circle):
    a, b = (tr.roll_steady(circle, MU, creepage=(1e-3, 1e-3, 0.3)) for _ in range(2))
    assert (a.traction == b.traction).all()
    assert repr(a) == repr(b)


NARROW_PAIR = tr.Pair(tr.STEEL, tr.STEEL)


@pytest.mark.parametrize(("nx", "ny"), [(39, 3), (45, 7), (23, 4)])
def test_tractions_of_a_narrow_patch_start_in_the_usual_order(nx, ny):
    """Compiled kernels take no other; fields doubled along x came out in that of the columns."""
    patch = FrictionPatch(tr.Grid(nx, ny, 1e-4, 1e-4), NARROW_PAIR, np.ones((ny, nx)))
    coarse = patch.coarsen()
    assert patch.refine(np.ones((2, *coarse.bound.shape)), coarse).flags.c_contiguous


@FEW_ELEMENTS  # narrow patches are what is tested
@pytest.mark.parametrize("narrow", [3, 5, 9])
@pytest.mark.parametrize("discretisation", ["covered", "classical"])
def test_narrow_contacts_roll(narrow, discretisation):
    long, wide = 45e-4 / 2, narrow * 1e-4 / 2
    n = tr.press(
        lambda x, y: 1e-6 * ((x / long) ** 2 + (y / wide) ** 2),
        tr.Grid(51, 15, 1e-4, 1e-4),
        NARROW_PAIR,
        approach=1.3e-6,
    )
    for given in (
        {"creepage": (1e-4, 5e-5, 0.2)},
        {"creepage": (None, 0.0, 0.1), "force": (-0.5 * 0.3 * n.force, None)},
    ):
        t = tr.roll_steady(n, 0.3, discretisation=discretisation, **given)
        assert t.ok
        assert np.isfinite(t.tangent).all()


class TestUnlikeLineContactAtLowFriction:
    """Nearly all elements slip and none can turn: the force depends on the creepage by steps.

    Materials of Bentall and Johnson's rollers: aluminium on steel.
    """

    aluminium = tr.Material.from_shear_modulus(23e9, 0.31)
    pair = tr.Pair(aluminium, tr.Material.from_shear_modulus(82e9, 0.28))
    force = 16201.9

    def contact(self, cells):
        grid = tr.Grid.line(cells, 216e-6 / cells, length=1.0)
        return tr.press(20.0 * grid.x[None] ** 2, grid, self.pair, force=self.force)

    def check(self, cells, friction, share):
        given = share * friction * self.force
        t = tr.roll_steady(
            self.contact(cells), friction, creepage=(None, 0.0, 0.0), force=(given, None), direction=-1
        )
        assert t.force[0] == pytest.approx(given, abs=1e-6 * friction * self.force)
        # as friction vanishes, the slip is that of the pressure alone, and its sign gives the force
        alone = {0.0: 5.27e-4, 0.5: 4.45e-4, -0.5: 5.64e-4}[share]
        assert t.creepage[0] == pytest.approx(alone, rel=1.5 / cells)

    @pytest.mark.parametrize("share", [0.0, 0.5, -0.5])
    @pytest.mark.parametrize("friction", [3e-5, 1.5e-4])
    def test_converges(self, friction, share):
        self.check(108, friction, share)

    @pytest.mark.slow
    @pytest.mark.parametrize("share", [0.0, 0.5, -0.5])
    @pytest.mark.parametrize("friction", [1e-5, 3e-5, 1e-4, 1.5e-4, 2e-4, 3e-4])
    def test_converges_on_the_grid_of_the_reference(self, friction, share):
        self.check(216, friction, share)

    def test_failure_carries_sensible_numbers(self, monkeypatch):
        monkeypatch.setattr(newton_iteration, "MAX_STEPS", 2)
        monkeypatch.setattr(stick_slip_solver, "MAX_HALVINGS", 2)
        t = tr.roll_steady(
            self.contact(54), 1e-4, creepage=(None, 0.0, 0.0), force=(0.0, None), on_failure="return"
        )
        assert not t.ok
        assert "{" not in str(t.status) + t.message
        assert (np.abs(t.traction[0]) <= t.bound * (1.0 + 1e-9)).all()
        assert abs(t.creepage[0]) < 0.1
