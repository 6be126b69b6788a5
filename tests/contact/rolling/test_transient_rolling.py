"""Transient rolling: the reference program's steps, and the same answer for every length of the steps."""

import json

import numpy as np
import pytest

import traction as tr
from reference_cases import DATA_FOLDER
from traction.errors import InputError

STEEL = tr.Pair(tr.STEEL, tr.STEEL)
MU = 0.3
SHARE = 0.657  # of mu Fn, as in the reference case


@pytest.fixture(scope="module")
def line():
    """Cattaneo's line contact, 50 elements wide, that is about to roll."""
    hertz = tr.hertz.line(0.5, STEEL, force=178900.0, length=0.2)
    grid = tr.Grid.line(60, 2.0 * hertz.semi_axes[0] / 50, length=0.2)
    n = tr.press(tr.Cylinder(0.5), grid, STEEL, force=178900.0, tol=1e-9)
    return tr.shift(n, MU, displacement=(None, 0.0, 0.0), force=(-SHARE * MU * n.force, None))


@pytest.fixture(scope="module")
def ball():
    """A sphere, 20 elements wide."""
    hertz = tr.hertz.sphere(0.1, STEEL, force=1000.0)
    grid = tr.Grid.around(1.3 * hertz.radius, 1.3 * hertz.radius, 26, 26)
    return tr.press(tr.Sphere(0.1), grid, STEEL, force=1000.0, tol=1e-9)


def rolled(t, cells, step, **options):
    """Roll on with the force held; creepages of all steps, and the last one."""
    dx, found = t.normal.grid.dx, []
    force = (-SHARE * t.friction * t.normal.force, None)
    for _ in range(round(cells / step)):
        t = tr.roll(t, t.friction, distance=step * dx, creepage=(None, 0.0, 0.0), force=force, **options)
        found.append(t.creepage[0])
    return np.array(found), t


@pytest.fixture(scope="module")
def onset():
    """Onset of rolling by CONTACT: its numbers, the contact, and the shift before it."""
    case = json.loads((DATA_FOLDER / "catt_to_cart.json").read_text())
    given = case["inputs"]
    body = tr.Material.from_shear_modulus(given["G1"] * 1e6, given["nu1"])
    grid = tr.Grid(34, 33, 0.25e-3, 0.25e-3, center=(0.125e-3, 0.0))
    gap, pair = tr.FunctionSurface(lambda x, y: 2.963 * (x**2 + y**2)).gap(grid), tr.Pair(body, body)
    n = tr.press(gap, grid, pair, force=given["Fn"], tol=1e-9)
    force = given["Fx_rel"] * given["mu"] * given["Fn"]
    return case, force, tr.shift(n, given["mu"], displacement=(None, 0.0, 0.0), force=(force, None))


def test_moving_elements_reproduce_the_reference_program(onset):
    case, force, t = onset
    found = []
    for _ in case["cksi_by_step_T2"]:
        t = tr.roll(
            t,
            t.friction,
            distance=t.normal.grid.dx,
            creepage=(None, 0.0, 0.0),
            force=(force, None),
            discretisation="classical",
        )
        found.append(t.creepage[0])
    np.testing.assert_allclose(found, case["cksi_by_step_T2"], rtol=1e-4)


def test_elements_fixed_in_the_material_reproduce_the_reference_program(onset):
    case, _, t = onset
    n, moved = t.normal, []
    for normal, tangential in zip(case["Fn_by_step_T1_fixed"], case["Fx_by_step_T1_fixed"], strict=True):
        n = tr.press(n.gap, n.grid, n.pair, force=normal, start=n, tol=1e-8)
        t = tr.roll(
            t,
            t.friction,
            distance=n.grid.dx,
            creepage=(None, 0.0, 0.0),
            force=(tangential, None),
            normal=n,
            scheme="world-fixed",
            discretisation="classical",
            tol=1e-8,
        )
        moved.append(t.creepage[0] * n.grid.dx * 1e3)
    np.testing.assert_allclose(moved, case["shift_x_by_step_T1_fixed"], rtol=1e-5)


def test_classical_elements_fixed_in_the_material_roll_by_whole_elements(onset):
    t = onset[-1]
    with pytest.raises(InputError, match=r"is 0\.5 elements of .* rolls by whole elements"):
        tr.roll(t, 0.4, distance=0.5 * t.normal.grid.dx, scheme="world-fixed", discretisation="classical")


def test_the_answer_does_not_depend_on_the_step(line):
    coarse, last = rolled(line, 12, 1.0)
    for step in (0.5, 0.2):
        fine, t = rolled(line, 12, step)
        assert np.mean(fine[-round(1 / step) :]) == pytest.approx(coarse[-1], rel=5e-3)
        difference = np.abs(t.traction[0] - last.traction[0]).max()
        assert difference <= 0.02 * MU * line.normal.peak_pressure


def variation(t):
    """Total variation of the tractions along the contact."""
    return np.abs(np.diff(t.traction[0, 0])).sum()


def test_short_steps_do_not_wiggle(line):
    exact = variation(rolled(line, 36, 1.0)[1])
    assert variation(rolled(line, 36, 0.2)[1]) == pytest.approx(exact, rel=0.02)
    assert variation(rolled(line, 36, 0.1, scheme="moving")[1]) > 1.3 * exact


def test_short_steps_do_not_smooth(line):
    exact = variation(rolled(line, 12, 1.0)[1])
    assert variation(rolled(line, 12, 0.2)[1]) == pytest.approx(exact, rel=0.02)
    assert variation(rolled(line, 12, 0.2, scheme="moving-interpolated")[1]) < 0.92 * exact


def test_the_creepage_does_not_climb_stairs(line):
    def noise(scheme):
        creepages = rolled(line, 12, 0.1, scheme=scheme)[0][-10:]
        trend = np.polyval(np.polyfit(np.arange(10), creepages, 1), np.arange(10))
        return np.ptp(creepages - trend) / creepages.mean()

    assert noise("covered") <= 0.03
    assert noise("world-fixed") > 0.3


def test_a_long_step_is_the_sum_of_short_ones(line):
    _, once = rolled(line, 2, 2.0)
    creepages, twice = rolled(line, 2, 0.5)
    np.testing.assert_allclose(once.traction, twice.traction, atol=1e-4 * once.bound.max())
    assert once.creepage[0] == pytest.approx(creepages.mean(), rel=1e-4)


def test_rolling_on_becomes_steady(ball):
    creepage = (1e-3, -5e-4, 0.3)
    t = tr.shift(ball, MU, displacement=(0.0, 0.0, 0.0))
    for _ in range(45):
        t = tr.roll(t, MU, distance=ball.grid.dx, creepage=creepage)
    steady = tr.roll_steady(ball, MU, creepage=creepage)
    limit = MU * ball.force
    assert np.abs(np.subtract(t.force, steady.force)).max() <= 0.01 * limit
    assert t.moment == pytest.approx(steady.moment, abs=0.02 * limit * ball.semi_axes[0])


def test_rolling_backwards_is_the_mirror_image(ball):
    start = tr.shift(ball, MU, displacement=(1e-6, 5e-7, 0.0))
    mirrored = tr.shift(ball, MU, displacement=(-1e-6, 5e-7, 0.0))
    dx = ball.grid.dx
    t = tr.roll(start, MU, distance=0.3 * dx, creepage=(1e-3, 5e-4, 0.2), tol=1e-8)
    m = tr.roll(mirrored, MU, distance=0.3 * dx, creepage=(-1e-3, 5e-4, -0.2), direction=-1, tol=1e-8)
    scale = t.bound.max()
    np.testing.assert_allclose(m.traction[0][:, ::-1], -t.traction[0], atol=1e-6 * scale)
    np.testing.assert_allclose(m.traction[1][:, ::-1], t.traction[1], atol=1e-6 * scale)
    assert m.moment == pytest.approx(-t.moment, rel=1e-6)


def test_the_load_may_change_from_step_to_step(ball):
    t = tr.shift(ball, MU, displacement=(2e-6, 0.0, 0.0))
    for force in (1000.0, 1100.0, 1250.0, 900.0, 700.0):
        n = tr.press(tr.Sphere(0.1), ball.grid, STEEL, force=force, tol=1e-9, start=ball)
        t = tr.roll(t, MU, distance=0.4 * ball.grid.dx, creepage=(1e-3, 0.0, 0.0), normal=n)
        assert t.ok
        assert t.normal.force == pytest.approx(force)
        assert np.hypot(*t.force) <= MU * force * (1.0 + 1e-9)
        assert t.dissipation >= 0.0


def test_full_sliding_reaches_the_bound(ball):
    t = tr.shift(ball, MU, displacement=(0.0, 0.0, 0.0))
    for _ in range(3):
        t = tr.roll(t, MU, distance=ball.grid.dx, creepage=(0.5, 0.0, 0.0))
    assert t.force[0] == pytest.approx(-MU * ball.force, rel=1e-6)
    assert not t.stick.any()


def test_tractions_stay_within_the_bound_and_the_contact(ball):
    t = tr.shift(ball, MU, displacement=(2e-6, 5e-7, 0.0))
    for step in (0.3, 0.7, 1.0, 2.4):
        t = tr.roll(t, MU, distance=step * ball.grid.dx, creepage=(1e-3, 0.0, 0.2))
        assert (np.hypot(*t.traction) - t.bound).max() <= 1e-6 * t.bound.max()
        assert not t.traction[:, ~ball.contact].any()
        assert (t.traction * t.slip).sum(axis=0).max() <= 1e-5 * np.abs(t.traction * t.slip).sum(axis=0).max()


@pytest.mark.parametrize("scheme", ["covered", "world-fixed"])
def test_contact_may_be_lost_and_found_again(ball, scheme):
    options = {"distance": 0.5 * ball.grid.dx, "creepage": (1e-3, 0.0, 0.0), "scheme": scheme}
    apart = tr.press(tr.Sphere(0.1), ball.grid, STEEL, approach=-1e-6)
    t = tr.roll(tr.shift(ball, MU, displacement=(2e-6, 0.0, 0.0)), MU, **options)
    fresh = tr.roll(tr.shift(ball, MU, displacement=(0.0, 0.0, 0.0)), MU, **options)
    for mu, n in ((MU, apart), (0.0, ball)):
        lost = tr.roll(t, mu, normal=n, **options)
        assert lost.force == (0.0, 0.0)
        found = tr.roll(lost, MU, normal=ball, **options)
        if n is ball:  # friction comes back at once, contact little by little
            assert lost.dissipation == 0.0
            assert found.force[0] == pytest.approx(fresh.force[0], rel=0.05)
        else:
            # All sticks, with a stiffness that grows with the radius, the cube root of the load (Mindlin):
            # the force is 3/4 of that at full load, over the part of the way on which the bodies touch. By
            # one part, as whole cells have it, the stiffness is that at its end.
            assert lost.dissipation >= t.state.energy
            touching = ball.approach / (ball.approach - apart.approach)
            share, most = (0.75, 0.1) if scheme == "covered" else (1.0, 0.01)
            assert found.force[0] == pytest.approx(share * touching * fresh.force[0], rel=most)
    t = tr.roll(tr.shift(apart, MU, displacement=(0.0, 0.0, 0.0)), MU, normal=ball, **options)
    assert t.force[0] < 0.0


@pytest.mark.parametrize("step", [0.3, 2.5])
def test_the_tangent_is_that_of_differences(ball, step):
    start = tr.roll(
        tr.shift(ball, MU, displacement=(1e-6, 3e-7, 0.0)),
        MU,
        distance=1.3 * ball.grid.dx,
        creepage=(1e-3, 2e-4, 0.2),
    )

    def after(creepage):
        t = tr.roll(start, MU, distance=step * ball.grid.dx, creepage=tuple(creepage), tol=1e-9)
        return t, np.array([*t.force, t.moment])

    middle = np.array([1e-3, 2e-4, 0.2])
    tangent = after(middle)[0].tangent
    for k, h in enumerate((1e-7, 1e-7, 1e-3)):
        change = h * np.eye(3)[k]
        difference = (after(middle + change)[1] - after(middle - change)[1]) / (2.0 * h)
        np.testing.assert_allclose(tangent[:, k], difference, atol=1e-5 * np.abs(difference).max())


def test_friction_takes_what_the_rigid_slip_brings(ball, line):
    for n, creepage in ((ball, (1e-3, -5e-4, 0.3)), (line.normal, (2e-4, 0.0, 0.0))):
        steady = tr.roll_steady(n, MU, creepage=creepage)
        for step in (1.0, 0.25):
            t, work = steady, 0.0
            for _ in range(round(4 / step)):
                t = tr.roll(t, MU, distance=step * n.grid.dx, creepage=creepage)
                work += t.dissipation
            assert work == pytest.approx(4 * n.grid.dx * steady.dissipation, rel=5e-3)


@pytest.mark.parametrize("step", [2.5, 1.0, 0.5, 0.2, 0.05])
def test_rolling_goes_on_from_steady_rolling_without_a_jump(ball, line, step):
    """At the steady creepages the forces stay, from the first step on, whatever its length."""
    for n, creepage in (
        (ball, (1e-3, -5e-4, 0.3)),
        (ball, (0.0, 0.0, 1.0)),
        (ball, (1e-4, 0.0, 0.0)),
        (line.normal, (2e-4, 0.0, 0.0)),
    ):
        t = steady = tr.roll_steady(n, MU, creepage=creepage)
        for _ in range(max(2, round(1.5 / step))):
            t = tr.roll(t, MU, distance=step * n.grid.dx, creepage=creepage)
            assert np.abs(np.subtract(t.force, steady.force)).max() <= 2e-3 * MU * n.force


@pytest.mark.parametrize("step", [1.0, 0.2, 0.05])
def test_the_creepage_of_steady_rolling_goes_on(ball, line, step):
    """At the steady force. A short first step from whole cells takes more than twice a small creepage.

    At the small force one element slips in each row of the ball, and the edges of the elements change.
    """
    for n, small in ((ball, 0.15 if step > 0.05 else 0.3), (line.normal, 0.15)):
        for share, most in ((SHARE, 0.03), (0.1, small)):
            given = {"creepage": (None, 0.0, 0.0), "force": (-share * MU * n.force, None)}
            steady = tr.roll_steady(n, MU, **given)
            t = tr.roll(steady, MU, distance=step * n.grid.dx, **given)
            assert t.creepage[0] == pytest.approx(steady.creepage[0], rel=most)


def test_friction_never_gives_back(ball):
    """Nearly all sticks: what elements store as they come and go exceeds what is lost, and is paid back."""
    given = {"creepage": (None, 0.0, 0.0), "force": (-0.02 * MU * ball.force, None)}
    t = first = tr.shift(ball, MU, displacement=given["creepage"], force=given["force"])
    lost, brought, owed, step = 0.0, 0.0, [], 0.02 * ball.grid.dx
    for _ in range(50):
        t = tr.roll(t, MU, distance=step, **given)
        assert t.dissipation >= 0.0
        lost, brought = lost + t.dissipation, brought - step * t.creepage[0] * given["force"][0]
        owed.append(t.state.owed)
    assert max(owed) == 0.0 > min(owed)
    stored = t.state.energy - 0.5 * float((first.traction * first.displacement()).sum()) * ball.grid.cell_area
    assert lost + t.state.owed == pytest.approx(brought - stored, abs=0.02 * brought)


def test_the_certificate_is_that_of_the_worst_part(ball):
    start, creepage = tr.shift(ball, MU, displacement=(1e-6, 0.0, 0.0)), (1e-3, -5e-4, 0.3)
    whole = tr.roll(start, MU, distance=3.0 * ball.grid.dx, creepage=creepage, tol=1e-4)
    t, parts = start, []
    for _ in range(3):
        t = tr.roll(t, MU, distance=ball.grid.dx, creepage=creepage, tol=1e-4)
        parts.append(t.certificate)
    for condition in ("bound", "stick", "direction", "force", "pressure"):
        found = getattr(whole.certificate, condition)
        assert found == pytest.approx(max(getattr(part, condition) for part in parts), rel=1e-6)
    assert parts[-1] != whole.certificate


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"distance": 0.0}, "distance"),
        ({"distance": np.nan}, "distance"),
        ({"distance": 1e-5, "scheme": "flying"}, "scheme"),
        ({"distance": 1e-5, "direction": 2}, "direction"),
        ({"distance": 1e-5, "scheme": "covered", "discretisation": "classical"}, "classical"),
        ({"distance": 1e-5, "creepage": (None, 0.0, 0.0)}, "neither"),
        ({"distance": 1e-5, "creepage": (0.1, 0.0, 0.0), "force": (1.0, None)}, "both"),
        ({"distance": 1e-5, "creepage": (None, 0.0, 0.0), "force": (1e9, None)}, "mu Fn"),
        ({"distance": 1e-5, "interpolation_cell": -1.0}, "interpolation_cell"),
    ],
)
def test_bad_input_is_named(ball, options, words):
    start = tr.shift(ball, MU, displacement=(0.0, 0.0, 0.0))
    with pytest.raises(tr.InputError, match=words):
        tr.roll(start, MU, **options)


def test_previous_must_be_a_contact_on_the_same_grid(ball):
    start = tr.shift(ball, MU, displacement=(0.0, 0.0, 0.0))
    other = tr.press(tr.Sphere(0.1), tr.Grid.around(1e-3, 1e-3, 30, 30), STEEL, force=500.0)
    with pytest.raises(tr.InputError, match="another grid"):
        tr.roll(start, MU, distance=1e-5, normal=other)
    with pytest.raises(tr.InputError, match="previous"):
        tr.roll(ball, MU, distance=1e-5)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_the_certificate_of_a_few_elements_sees_those_that_were_solved():
    """Cells of the grid are means of elements of the material: in part they stick, and are below mu p."""
    radius = tr.hertz.sphere(0.05, STEEL, force=50.0).radius
    cell = 2.0 * radius / 5.0
    n = tr.press(tr.Sphere(0.05), tr.Grid(10, 10, cell, cell, center=(0.3 * cell, 0.0)), STEEL, force=50.0)
    t, most = tr.shift(n, MU, displacement=(0.0, 0.0, 0.0)), 0.0
    for _ in range(4):
        t = tr.roll(t, MU, distance=0.3 * cell, creepage=(4e-3, 2e-3, 0.0))
        short = np.where(t.sliding, t.bound - np.hypot(*t.traction), 0.0).max() / t.bound.max()
        assert t.certificate.averaging >= short - 1e-12
        state = t.state
        size = np.hypot(*state.traction)
        assert (size <= state.elements.bound + 1e-6 * t.bound.max()).all()
        most = max(most, short)
    assert most > 1e-3
    assert t.certificate.largest <= 1e-6
    assert "means over cells" in str(t.certificate)
    assert tr.roll_steady(n, MU, creepage=(1e-3, 0.0, 0.0)).certificate.averaging == 0.0


def test_the_certificate_states_means_above_the_yield_stress_of_a_layer():
    """Elements keep it; their tractions are shared out over the cells of the grid like the friction bound."""
    n = tr.press(tr.Paraboloid(0.42, 0.27), tr.Grid(18, 16, 0.8e-3, 0.7e-3), STEEL, force=70e3)
    layer = tr.Layer(4e9, 4e-5, yield_stress=1.6e8)
    t = tr.shift(n, MU, displacement=(0.0, 0.0, 0.0), speed=19.0, layer=layer)
    for _ in range(6):
        given = {"creepage": (-6e-3, 2e-3, 0.3), "speed": 19.0, "layer": layer}
        t = tr.roll(t, MU, distance=0.6 * n.grid.dx, **given)
        assert np.hypot(*t.state.traction).max() <= 1.6e8 * (1.0 + 1e-6)
    over = (np.hypot(*t.traction) - t.bound).max() / t.bound.max()
    assert over > 0.01
    assert over <= t.certificate.averaging < 0.5
