"""`shift` against the reference program, Cattaneo's closed form, and the laws of friction."""

import numpy as np
import pytest

import traction as tr
from reference_cases import MM, MPA, grid_of, wheel_rail_profile
from traction.contact.elements.friction_step import solve_nested
from traction.errors import ConvergenceError, InputError

MU = 0.4
FORCE = 1518.518519  # a = 1 mm with R = 100 mm


@pytest.fixture(scope="module")
def sphere(steel_pair):
    return tr.press(tr.Sphere(0.1), tr.Grid.around(1.15 * MM, 1.15 * MM, 33, 33), steel_pair, force=FORCE)


@pytest.fixture(scope="module")
def line(steel_pair):
    grid = tr.Grid.line(120, 2.4 * MM / 120, length=0.2)
    return tr.press(tr.Cylinder(0.5), grid, steel_pair, force=178.9e3)


def obeys_coulomb(t):
    """|p| <= mu p, slip against traction, no slip where it sticks."""
    size = np.hypot(*t.traction)
    assert (size <= t.bound * (1 + 1e-9) + 1e-6 * t.bound.max()).all()
    elastic = t.bound.max() / t.normal.pair.shear_modulus * np.sqrt(t.normal.contact_area)
    assert (np.hypot(*t.slip)[t.stick] <= 1e-5 * elastic).all()
    assert ((t.traction * t.slip).sum(axis=0)[t.sliding] <= 0.0).all()
    assert t.dissipation >= 0.0


def test_cattaneo_equals_the_reference_program(reference):
    case = reference["cattaneo"]
    inputs, totals = case["inputs"], case["totals"]
    body = tr.Material.from_shear_modulus(inputs["G1"] * MPA, inputs["nu1"])
    n = tr.press(tr.Sphere(50 * MM), grid_of(case["grid"]), tr.Pair(body, body), force=inputs["Fn"])
    t = tr.shift(n, inputs["mu"], force=(totals["Fx"], 0.0))
    assert t.stick.sum() == totals["n_adhesion"]
    assert t.sliding.sum() == totals["n_slip"]
    assert t.creepage[0] == pytest.approx(totals["shift_x"] * MM, rel=1e-4)
    assert t.dissipation == pytest.approx(-totals["frictional_work_J"], rel=1e-3)


def test_wheel_on_rail_equals_the_reference_program(reference, steel_pair):
    entry = reference["nonhertz_wheel_rail_profile"]["cases"]["tang_problm_1s"]
    totals = entry["totals"]
    n = tr.press(
        wheel_rail_profile(reference),
        grid_of(entry["grid"]),
        steel_pair,
        approach=totals["penetration"] * MM,
    )
    given = totals["shift_x"] * MM, totals["shift_y"] * MM, totals["rot_shift"]
    t = tr.shift(n, 0.3, displacement=given)
    limit = 1e-5 * 0.3 * n.force
    assert t.force == pytest.approx((totals["Fx"], totals["Fy"]), abs=limit)
    assert t.moment == pytest.approx(totals["Mz"] * MM, rel=1e-5)
    assert t.stick.sum() == totals["n_adhesion"]
    assert t.sliding.sum() == totals["n_slip"]
    assert t.dissipation == pytest.approx(-totals["frictional_work_J"], rel=1e-4)


@pytest.mark.parametrize("share", [0.3, 0.657, 0.875])
def test_sphere_equals_cattaneo(share):
    """With nu = 0 Cattaneo's solution is exact: nothing acts across the force."""
    body = tr.Material(2.0, 0.0)
    hertz = tr.hertz.sphere(1.0, tr.Pair(body, body), force=4 / 3 * 0.5**3)
    a = hertz.radius
    grid = tr.Grid.around(1.1 * a, 1.1 * a, 111, 111)
    n = tr.press(tr.Sphere(1.0), grid, hertz.pair, force=hertz.force)
    exact = tr.cattaneo.sphere(hertz, 0.3, share * 0.3 * hertz.force)
    t = tr.shift(n, 0.3, force=(exact.force, 0.0))
    x, y = grid.mesh()
    r = np.hypot(x, y)
    smooth = (np.abs(r - a) > 1.5 * grid.dx) & (np.abs(r - exact.stick_radius) > 1.5 * grid.dx)
    error = np.hypot(t.traction[0] - exact.traction(r), t.traction[1])
    assert error[smooth].max() <= 0.01 * exact.bound
    assert np.sqrt(t.stick.sum() * grid.cell_area / np.pi) == pytest.approx(exact.stick_radius, abs=grid.dx)
    assert -t.creepage[0] == pytest.approx(exact.shift, rel=5e-3)


@pytest.mark.parametrize("share", [0.3, 0.75])
def test_line_equals_cattaneo(line, steel_pair, share):
    hertz = tr.hertz.line(0.5, steel_pair, force=178.9e3, length=0.2)
    exact = tr.cattaneo.line(hertz, 0.3, share * 0.3 * hertz.force)
    t = tr.shift(line, 0.3, force=(exact.force, 0.0))
    x = line.grid.x
    kinks = np.array([hertz.semi_axes[0], exact.stick_half_width])
    smooth = (np.abs(np.abs(x)[:, None] - kinks) > 1.5 * line.grid.dx).all(axis=1)
    assert np.abs(t.traction[0, 0] - exact.traction(x))[smooth].max() <= 0.01 * exact.bound
    width = 0.5 * t.stick.sum() * line.grid.dx
    assert width == pytest.approx(exact.stick_half_width, abs=line.grid.dx)


@pytest.mark.parametrize(
    "given",
    [
        {"displacement": (4e-6, -2e-6, 2e-3)},
        {"displacement": (1e-4, 0.0, 0.0)},
        {"displacement": (None, 1e-6, -3e-3), "force": (-200.0, None)},
        {"displacement": (0.0, 0.0, 5e-3)},
        {"force": (300.0, 350.0)},
    ],
)
def test_answer_obeys_coulomb_and_proves_it(sphere, given):
    t = tr.shift(sphere, MU, **given)
    assert t.certificate.holds(1e-6)
    obeys_coulomb(t)


def test_no_shift_gives_no_traction(sphere):
    t = tr.shift(sphere, MU)
    assert not t.traction.any()
    assert t.dissipation == 0.0
    assert t.stick.sum() == sphere.contact.sum()


def test_large_shift_slides(sphere):
    t = tr.shift(sphere, MU, displacement=(0.0, 1e-3, 0.0))
    assert t.force == pytest.approx((0.0, -MU * FORCE), rel=1e-3, abs=1e-3)
    assert not t.stick.any()


def test_mirror_images(sphere):
    """Mirrored at y = 0: shift along y and rotation change sign, with them p_y and M_z."""
    t = tr.shift(sphere, MU, displacement=(3e-6, 1.5e-6, 2e-3))
    m = tr.shift(sphere, MU, displacement=(3e-6, -1.5e-6, -2e-3))
    scale = t.bound.max()
    assert np.abs(m.traction[0][::-1] - t.traction[0]).max() <= 1e-5 * scale
    assert np.abs(m.traction[1][::-1] + t.traction[1]).max() <= 1e-5 * scale
    assert m.moment == pytest.approx(-t.moment, rel=1e-5)


def test_forces_and_shifts_belong_together(sphere):
    t = tr.shift(sphere, MU, displacement=(3e-6, -2e-6, 1e-3))
    again = tr.shift(sphere, MU, displacement=(None, None, 1e-3), force=t.force)
    assert again.creepage == pytest.approx(t.creepage, rel=1e-5)
    np.testing.assert_allclose(again.traction, t.traction, atol=1e-5 * t.bound.max())


def test_history_goes_on_from_where_it_was(sphere):
    """Unloading leaves tractions behind; the second cycle of equal loads closes on itself (Mindlin)."""
    peak = 0.8 * MU * FORCE
    t, states = None, []
    for load in (1.0, 0.0, -1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0):
        t = tr.shift(sphere, MU, force=(load * peak, 0.0), previous=t)
        obeys_coulomb(t)
        states.append(t)
    first, last = states[0], states[-1]
    scale = first.bound.max()
    assert np.abs(states[1].traction[0]).max() > 0.05 * scale
    assert np.abs(last.traction - states[4].traction).max() <= 1e-4 * scale
    assert np.abs(states[4].traction - first.traction).max() <= 2e-2 * scale
    assert sum(t.dissipation for t in states[5:]) == pytest.approx(
        sum(t.dissipation for t in states[1:5]), rel=2e-2
    )


def test_a_step_of_nothing_changes_nothing(sphere):
    t = tr.shift(sphere, MU, force=(400.0, 0.0))
    again = tr.shift(sphere, MU, displacement=(0.0, 0.0, 0.0), previous=t)
    np.testing.assert_allclose(again.traction, t.traction, atol=1e-5 * t.bound.max())
    assert again.dissipation <= 1e-6 * t.dissipation


def test_the_load_may_change_between_steps(sphere, steel_pair):
    """What is lifted off the edge loses its traction."""
    t = tr.shift(sphere, MU, force=(400.0, 0.0))
    lighter = tr.press(tr.Sphere(0.1), sphere.grid, steel_pair, force=0.7 * FORCE, start=sphere)
    u = tr.shift(lighter, MU, displacement=(0.0, 0.0, 0.0), previous=t)
    obeys_coulomb(u)
    assert not u.traction[:, ~lighter.contact].any()


@pytest.mark.parametrize(
    "given",
    [
        {"displacement": (3e-6, -2e-6, 1.5e-3)},
        {"displacement": (None, -2e-6, 1.5e-3), "force": (250.0, None)},
    ],
)
def test_tangent_equals_differences(sphere, given):
    t = tr.shift(sphere, MU, **given, tol=1e-9)
    at = np.array(t.creepage)
    for k, step in enumerate((1e-11, 1e-11, 1e-8)):
        ends = []
        for sign in (1.0, -1.0):
            moved = at.copy()
            moved[k] += sign * step
            u = tr.shift(sphere, MU, displacement=tuple(moved), tol=1e-10)
            ends.append(np.array([*u.force, u.moment]))
        found = (ends[0] - ends[1]) / (2 * step)
        np.testing.assert_allclose(t.tangent[:, k], found, atol=1e-4 * np.abs(found).max())


def test_pressing_different_materials_together_shears_them():
    """Spence 1975: without any shift, tractions point outwards or inwards around a stuck middle."""
    n = tr.press(
        tr.Sphere(1.0),
        tr.Grid(30, 30, 0.08, 0.08),
        tr.Pair(tr.Material(1.0, 0.1), tr.Material(1e3, 0.4)),
        force=0.8,
    )
    t = tr.shift(n, 0.3)
    assert t.certificate.holds(1e-6)
    obeys_coulomb(t)
    x, y = n.grid.mesh()
    radial = (x * t.traction[0] + y * t.traction[1])[n.contact]
    assert (radial > -1e-9 * t.bound.max()).all() or (radial < 1e-9 * t.bound.max()).all()
    assert np.abs(t.force).max() <= 1e-6 * 0.3 * n.force
    assert 0 < t.stick.sum() < n.contact.sum()
    middle = t.stick[14:16, 14:16]
    assert middle.all()


def test_a_step_of_different_materials_starts_from_the_one_before():
    pair = tr.Pair(tr.Material(1.0, 0.1), tr.Material(3.0, 0.4))
    n = tr.press(tr.Sphere(1.0), tr.Grid(24, 24, 0.09, 0.09), pair, force=0.8)
    t = tr.shift(n, 0.3, force=(0.1, 0.0))
    again = tr.shift(n, 0.3, displacement=(0.0, 0.0, 0.0), previous=t)
    assert np.abs(again.traction - t.traction).max() <= 1e-4 * t.bound.max()


def test_no_friction_gives_no_traction(sphere):
    t = tr.shift(sphere, 0.0, displacement=(1e-6, 0.0, 0.0))
    assert not t.traction.any()
    assert t.force == (0.0, 0.0)
    assert t.slip[0, sphere.contact] == pytest.approx(1e-6)


def test_a_spoiled_answer_is_refused(sphere, monkeypatch):
    """The certificate is computed from the answer: one wrong traction raises, or is told."""

    def spoiled(*args, **options):
        answer = solve_nested(*args, **options)
        answer.traction[0, 15, 15] *= 1.001
        return answer

    monkeypatch.setattr("traction.contact.friction.shift.solve_nested", spoiled)
    with pytest.raises(ConvergenceError) as failure:
        tr.shift(sphere, MU, displacement=(3e-6, 0.0, 0.0))
    assert not failure.value.result.ok
    t = tr.shift(sphere, MU, displacement=(3e-6, 0.0, 0.0), on_failure="return")
    assert not t.ok
    assert not t.certificate.holds(1e-6)


def test_line_contact_needs_a_length(steel_pair):
    n = tr.press(tr.Cylinder(0.5), tr.Grid.line(60, 4e-5), steel_pair, force=178.9e3)
    with pytest.raises(InputError, match="length"):
        tr.shift(n, 0.3, displacement=(1e-6, 0.0, 0.0))


def test_wrong_input_is_named(sphere, steel_pair):
    with pytest.raises(InputError, match="along x both given"):
        tr.shift(sphere, MU, displacement=(1e-6, 0.0, 0.0), force=(1.0, None))
    with pytest.raises(InputError, match="friction"):
        tr.shift(sphere, -0.1)
    with pytest.raises(InputError, match="friction"):
        tr.shift(sphere, float("nan"))
    with pytest.raises(InputError, match=r"tr\.press"):
        tr.shift("contact", MU)
    with pytest.raises(InputError, match="previous"):
        tr.shift(sphere, MU, previous="before")
    other = tr.press(tr.Sphere(0.1), tr.Grid.around(1.2 * MM, 1.2 * MM, 21, 21), steel_pair, force=FORCE)
    with pytest.raises(InputError, match="another grid"):
        tr.shift(other, MU, previous=tr.shift(sphere, MU))
    periodic = tr.press(tr.Sphere(0.1), other.grid, steel_pair, force=FORCE, periodic="xy")
    with pytest.raises(InputError, match="periodic"):
        tr.shift(periodic, MU)
