"""Laws of `tr.wheel_rail`: mirror, balance, frames, derivatives, alternatives and errors."""

import functools
import importlib

import numpy as np
import pytest

import traction as tr
from saturating_table import saturating_table
from traction.errors import InputError
from traction.wheelsets.wheel_rail_contact import describe_excess
from worn_profiles import RAILS, WHEEL, hollowed

TRACK, WHEELSET = tr.Track(RAILS[0]), tr.Wheelset(WHEEL, 0.46)
WORN_RAIL, WORN_WHEEL = hollowed(RAILS[0], (0.5e-3, 0.02, 0.012)), hollowed(WHEEL, (0.8e-3, 0.0, 0.02))
STEP = 0.3e-3


def solve(**given):
    usual = {"side": "right", "y": -2e-3, "yaw": -4e-3, "force": 10e3, "dx": STEP, "dy": STEP}
    if "z" in given:
        del usual["force"]
    return tr.wheel_rail(WHEELSET, given.pop("track", TRACK), **(usual | given))


def test_left_and_right_are_mirror_images():
    right = solve(roll=1e-4, velocity=(1e-3, 0.0), rates=(1e-3, 2e-3), pitch_rate=2.17)
    left = solve(
        side="left",
        y=2e-3,
        yaw=4e-3,
        roll=-1e-4,
        velocity=(-1e-3, 0.0),
        rates=(-1e-3, -2e-3),
        pitch_rate=2.17,
    )
    assert left.z == pytest.approx(right.z, abs=1e-12)
    assert left.force == pytest.approx(right.force * (1, -1, 1), rel=1e-6, abs=1e-2)
    assert left.moment == pytest.approx(right.moment * (-1, 1, -1), rel=1e-6, abs=1e-2)
    assert left.patches[0].place == pytest.approx(np.multiply(right.patches[0].place, (-1, 1)), abs=1e-9)
    assert left.patches[0].creepage == pytest.approx(
        np.multiply(right.patches[0].creepage, (1, -1, -1)), rel=1e-6, abs=1e-9
    )


def test_conventions_describe_the_same_contact():
    ours = solve(roll=1e-4, velocity=(1e-3, 2e-4), rates=(1e-3, 2e-3), pitch_rate=2.17)
    contact = solve(
        y=2e-3, yaw=4e-3, roll=1e-4, velocity=(-1e-3, -2e-4), rates=(1e-3, -2e-3), pitch_rate=-2.17,
        convention="contact",
    )  # fmt: skip
    assert contact.z == -ours.z
    assert contact.force == pytest.approx(ours.force * (-1, 1, 1))
    assert contact.patches[0].creepage == pytest.approx(np.multiply(ours.patches[0].creepage, (-1, 1, 1)))
    for frame in ("track", "wheelset"):
        assert contact.force_in(frame) == pytest.approx(ours.force_in(frame) * (-1, 1, 1))
        assert contact.moment_in(frame) == pytest.approx(ours.moment_in(frame) * (-1, 1, 1), abs=1e-6)


def test_height_and_force_are_inverse():
    given = solve()
    again = solve(z=given.z)
    assert again.force[2] == pytest.approx(10e3, rel=2e-4)
    assert solve(z=given.z + 1e-3).force == pytest.approx(0.0)
    assert solve(z=given.z + 1e-3).near_misses


def test_forces_of_patches_sum_up():
    c = solve(y=-6.5e-3, yaw=0.0, dx=0.2e-3, dy=0.2e-3)
    total, moment = np.zeros(3), np.zeros(3)
    for patch in c.patches:
        cosine, sine = np.cos(patch.angle), np.sin(patch.angle)
        normal, fx, fs = patch.force
        force = np.array([fx, fs * cosine - normal * sine, fs * sine + normal * cosine])
        total += force
        mx, ms, mn = patch.moment
        moment += np.array([mx, ms * cosine - mn * sine, ms * sine + mn * cosine])
        moment += np.cross(patch.origin, force)
    assert total == pytest.approx(c.force)
    assert moment == pytest.approx(c.moment, abs=1e-6)
    assert total[2] == pytest.approx(10e3, rel=1e-4)


def test_pure_rolling_has_no_mean_slip():
    c = solve(side="both", y=-1e-3, yaw=0.0, force=20e3)
    slips = [
        patch.normal.force * (patch.creepage[0] - patch.creepage[2] * patch.normal.center[1]) * patch.speed
        for patch in c.patches
    ]
    assert sum(slips) == pytest.approx(0.0, abs=2e-6 * 20e3)
    radii = [1.0 / c.pitch_rate * (1 - patch.creepage[0]) for patch in c.patches]
    assert radii == pytest.approx([0.46, 0.46], abs=1e-3)


def test_wheels_carry_their_own_forces():
    c = solve(side="both", y=0.0, yaw=0.0, force=(8e3, 12e3), friction=0.0)
    right, left = (
        patch.force[0] * np.cos(patch.angle) for patch in sorted(c.patches, key=lambda one: one.origin[1])
    )
    assert (left, right) == pytest.approx((8e3, 12e3), rel=1e-4)
    held = solve(side="both", y=0.0, yaw=0.0, roll=c.roll, force=20e3, friction=0.0)
    assert held.z == pytest.approx(c.z, abs=1e-9)


def test_inclined_rail_is_a_turned_profile():
    """Turning a profile beforehand, or by the cant of the track, is the same."""
    angle = 1 / 40
    upright = tr.Profile.standard("60E1")
    c, s = np.cos(angle), np.sin(angle)
    turned = tr.Profile(c * upright.y + s * upright.z, -s * upright.y + c * upright.z, kind="rail")
    one = solve(track=tr.Track(upright, cant=angle))
    other = solve(track=tr.Track(turned))
    assert other.z == pytest.approx(one.z, abs=1e-8)
    assert other.patches[0].place == pytest.approx(one.patches[0].place, abs=2e-6)
    assert other.force == pytest.approx(one.force, rel=1e-3, abs=5.0)


def test_derivatives_are_those_of_the_forces():
    given = {"y": -1e-3, "yaw": -1e-3, "roll": 0.0, "speed": 1.0, "pitch_rate": 2.1735}
    c = solve(**given)
    found = c.derivatives
    stiffness = -found.by("z")[2]
    hertz = 1.5 * c.patches[0].normal.force / -c.patches[0].normal.gap.min()
    assert stiffness == pytest.approx(hertz, rel=0.1)
    base = solve(z=c.z, **given)
    for name, step in (("y", 2e-5), ("yaw", 2e-5), ("roll", 2e-6)):
        moved = solve(z=c.z, **(given | {name: given[name] + step}))
        slope = (moved.force - base.force) / step
        assert found.by(name)[:3] == pytest.approx(slope, rel=0.05, abs=0.02 * np.abs(slope).max())
    faster = solve(z=c.z, **given, velocity=(1e-6, 0.0))
    slope = (faster.force - base.force) / 1e-6
    assert found.by("vy")[:3] == pytest.approx(slope, rel=0.02, abs=0.02 * np.abs(slope).max())


def test_derivatives_do_not_depend_on_the_elements():
    """On 0.3 mm within 1 % of the slope of forces on 0.12 mm, though elements enter and leave the contact."""
    wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.44)
    track = tr.Track(tr.Profile.standard("60E2"), gauge=1.437, cant=1 / 20)
    given = {
        "side": "right",
        "y": -1.2e-3,
        "yaw": -3e-3,
        "roll": -1e-3,
        "speed": 22.0,
        "discretisation": "covered",
    }
    coarse = tr.wheel_rail(wheelset, track, force=40e3, dx=0.3e-3, dy=0.3e-3, **given)
    fine = given | {"z": coarse.z, "pitch_rate": coarse.pitch_rate, "dx": 0.12e-3, "dy": 0.12e-3}
    for name, step in (("y", 3e-5), ("z", 1e-6), ("roll", 1.3e-6)):
        ahead, behind = (
            tr.wheel_rail(wheelset, track, **(fine | {name: fine[name] + sign * step})).force
            for sign in (1.0, -1.0)
        )
        slope = (ahead - behind) / (2.0 * step)
        assert coarse.derivatives.by(name)[:3] == pytest.approx(slope, abs=0.01 * np.abs(slope).max())


def test_quick_alternatives_are_close():
    exact, quick = solve(), solve(tangential="fastsim")
    assert quick.force[:2] == pytest.approx(exact.force[:2], abs=0.1 * 0.3 * 10e3)
    assert quick.force[2] == pytest.approx(10e3, rel=1e-4)
    assert quick.derivatives.by("vy")[1] < 0.0


def test_tables_are_read_at_the_ellipse_of_the_pressure():
    """Forces are those of the table at the centre of pressure; backwards they are a mirror image."""
    table = saturating_table(ratios=(0.2, 0.6, 1.8, 5.0), shear_modulus=82e9)
    ahead = solve(tangential=table, speed=10.0)
    (patch,) = ahead.patches
    (xi, eta, phi), (x, s), normal = patch.creepage, patch.normal.center, patch.normal
    at_center = (xi - phi * s, eta + phi * x, phi)
    wanted = [float(one) for one in table.forces(at_center, *normal.semi_axes, normal.force, 0.3)]
    assert patch.force[1:] == pytest.approx(wanted[:2])
    assert patch.moment[2] == pytest.approx(wanted[2] + x * wanted[1] - s * wanted[0])
    back = solve(tangential=table, speed=-10.0, yaw=4e-3)
    assert back.force == pytest.approx(ahead.force * (-1.0, 1.0, 1.0), abs=1.0)
    assert ahead.force[2] == pytest.approx(10e3, rel=1e-4)
    found = tr.force_map(
        WHEELSET, TRACK, y=[-2e-3], yaw=[-4e-3], side="right", force=10e3, dx=STEP, dy=STEP, speed=10.0,
        tangential=table,
    )  # fmt: skip
    assert found.force[0, 0] == pytest.approx(ahead.force)
    with pytest.raises(InputError, match="constant coefficients"):
        solve(tangential=table, speed=10.0, friction=tr.friction.linear(0.2, (0.1, 1.0)))


def test_wheels_at_rest_have_real_profiles():
    """A wheel pressed on a stiff bridge has the pressure of `wheel_rail` without friction."""
    surface = tr.wheel_on_rail(WHEELSET, TRACK, y=-2e-3)
    bridge = tr.Bridge(tr.Beam(10.0, 1e13, 5000.0, supports=("pinned", "pinned")), tr.STEEL)
    wheel = tr.Wheel(0.46, 500.0, profile=surface)
    rest = tr.rest(wheel, bridge, 5.0, 10e3, grid=tr.Grid(61, 81, 0.2e-3, 0.2e-3))
    c = solve(yaw=0.0, friction=0.0, dx=0.2e-3, dy=0.2e-3)
    assert rest.contacts[0].peak_pressure == pytest.approx(c.patches[0].peak_pressure, rel=0.02)
    with pytest.raises(InputError, match="is not normal to the contact"):
        tr.wheel_on_rail(WHEELSET, TRACK, y=-7e-3)


def test_maps_hold_the_forces_of_positions():
    found = tr.force_map(
        WHEELSET, TRACK, y=[-1e-3, -0.06], yaw=[0.0, 2e-3], side="right", force=10e3, dx=STEP, dy=STEP
    )
    alone = solve(y=-1e-3, yaw=2e-3)
    assert found.force[0, 1] == pytest.approx(alone.force)
    assert np.isnan(found.force[1]).all()
    assert "derailed" in found.messages[1, 0]
    with pytest.raises(InputError, match="friction"):
        tr.force_map(WHEELSET, TRACK, y=[0.0], force=10e3, friction=-1.0)


def test_peak_pressures_beyond_elastic_bodies_are_named():
    steel, light = tr.Pair(tr.STEEL, tr.STEEL), tr.Pair(tr.STEEL, tr.Material(7e10, 0.33))
    assert describe_excess(4.5e9, steel) == ""
    assert "4.7 GPa; " in describe_excess(4.7e9, steel)
    assert "steel" in describe_excess(4.7e9, steel)
    assert "2.3 GPa" in describe_excess(4.5e9, light)
    assert "steel" not in describe_excess(4.5e9, light)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_flanges_carry_what_overlaps_little_along_the_normal():
    """At 1.19 rad 0.39 mm along the normal are 1.05 mm of vertical overlap."""
    given = {"y": -8e-3, "yaw": 0.0, "dx": 0.5e-3, "dy": 0.5e-3}
    loaded = solve(force=300e3, **given)
    assert loaded.ok
    assert any("even hardened bearing steel keeps dents" in notice for notice in loaded.notices)
    assert not any("effective modulus" in notice for notice in solve(**given).notices)
    lowered = solve(force=None, z=loaded.z, **given)
    assert lowered.force[2] == pytest.approx(300e3, rel=1e-3)
    assert solve(force=1e6, **given).ok  # 0.97 mm along the normal
    with pytest.raises(InputError, match=r"0.00127 m into each other.*more than the profiles carry"):
        solve(force=1.5e6, **given)
    with pytest.raises(InputError, match="along their normal"):
        solve(force=None, z=loaded.z - 5e-3, **given)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize(
    ("y", "yaw", "friction"), [(6.58e-3, -0.02, 0.3), (6.86e-3, -0.02, 0.3), (6.72e-3, -0.018, 0.5)]
)
def test_flanges_that_friction_pulls_down_carry_their_force_deeper(y, yaw, friction):
    """Where they first touch, friction takes most of the vertical force, or all of it."""
    given = {
        "side": "left",
        "y": y,
        "yaw": yaw,
        "friction": friction,
        "track": tr.Track(RAILS[1], cant=1 / 40),
        "dx": 0.4e-3,
        "dy": 0.4e-3,
    }
    loaded = solve(force=80e3, **given)
    assert solve(z=loaded.z, **given).force[2] == pytest.approx(80e3, rel=1e-3)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_flanges_that_friction_lets_carry_nothing_are_refused():
    given = {"side": "left", "y": 8e-3, "yaw": -0.02, "dx": 0.5e-3, "dy": 0.5e-3}
    with pytest.raises(InputError, match="no upward force"):
        solve(force=50e3, friction=1.0, track=tr.Track(RAILS[1], cant=1 / 40), **given)


def test_planar_patches_of_large_angle_are_noticed():
    assert not solve().notices
    corner = solve(y=-5.5e-3, yaw=0.0, dx=0.15e-3, dy=0.15e-3)
    assert any("conformal" in notice for notice in corner.notices)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"y": 0.2}, "beside its rail"),
        ({"y": 0.07}, "end of the wheel's profile"),
        ({"y": -0.05}, "derailed"),
        ({"y": -0.1}, "derailed"),
        ({"y": 0.0, "z": 0.198e-3}, "other sign"),
        ({"z": -0.02}, "below where the right wheel touches"),
        ({"force": 1e9}, "into each other"),
        ({"force": -5.0}, "must be positive"),
        ({"force": (1e4, 1e4)}, "two are for"),
        ({"speed": 0.0}, "forward speed"),
        ({"dx": 1e-9}, "elements"),
        ({"yaw": 1.0}, "check the unit"),
        ({"tangential": "polach"}, "choose one of"),
    ],
)
def test_bad_input_is_explained(given, words):
    with pytest.raises(InputError, match=words):
        solve(**given)


def test_profiles_of_the_other_kind_are_refused():
    with pytest.raises(InputError, match='kind "wheel"'):
        tr.Track(WHEEL)
    with pytest.raises(InputError, match='kind "rail"'):
        tr.Wheelset(RAILS[0], 0.46)


def largest_change(wheelset, track, low, high, count):
    return find_largest_change(wheelset, track, low, high, count)[0]


def find_largest_change(wheelset, track, low, high, count):
    """Largest change of a component of the force in one of `count` steps, and where that is."""
    shifts = np.linspace(low, high, count + 1)
    forces = [
        tr.wheel_rail(
            wheelset, track, side="right", y=-y, yaw=-2.4 * y, roll=0.0, force=10e3, dx=0.4e-3, dy=0.4e-3
        ).force
        for y in shifts
    ]
    changes = np.abs(np.diff(forces, axis=0)).max(axis=1)
    k = int(changes.argmax())
    return changes[k], (shifts[k], shifts[k + 1])


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize(
    ("rail", "wheel", "low"),
    [
        (RAILS[0], WHEEL, 6.505e-3),
        pytest.param(RAILS[0], WHEEL, 6.525e-3, marks=pytest.mark.slow),
        pytest.param(WORN_RAIL, WORN_WHEEL, 6.475e-3, marks=pytest.mark.slow),
    ],
    ids=["new, two patches", "new, they merge", "worn"],
)
def test_forces_change_evenly_where_patches_merge(rail, wheel, low):
    """Where the force changes fast, an eighth of the step changes it by about an eighth."""
    wheelset, track = tr.Wheelset(wheel, 0.46), tr.Track(rail)
    whole = largest_change(wheelset, track, low, low + 1e-5, 1)
    assert whole > 0.01 * 10e3
    assert largest_change(wheelset, track, low, low + 1e-5, 8) < 0.3 * whole


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_three_patches_in_a_row_part_without_a_jump():
    """Two of them part at y = 6.1703 mm, while planes of the second and the third are still turned."""
    wheelset, track = tr.Wheelset(WHEEL, 0.46), tr.Track(RAILS[1], cant=1 / 20)
    found = [
        tr.wheel_rail(wheelset, track, side="right", y=-y, roll=0.0, force=60e3, dx=0.5e-3, dy=0.5e-3)
        for y in np.linspace(6.1697e-3, 6.1707e-3, 6)
    ]
    assert {len(c.patches) for c in found} == {2, 3}
    assert np.abs(np.diff([c.force for c in found], axis=0)).max() < 0.004 * 60e3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize(
    ("rail", "wheel"),
    [(RAILS[0], WHEEL), (RAILS[0], hollowed(WHEEL, (0.4e-3, -5e-3, 15e-3))), (WORN_RAIL, WORN_WHEEL)],
)
def test_forces_have_no_jumps_from_0_to_10_mm(rail, wheel):
    wheelset, track = tr.Wheelset(wheel, 0.46), tr.Track(rail)

    def force(y):
        return tr.wheel_rail(
            wheelset, track, side="right", y=-y, yaw=-2.4 * y, roll=0.0, force=10e3, dx=0.4e-3, dy=0.4e-3
        ).force

    shifts = np.arange(1001) * 1e-5
    changes = np.abs(np.diff([force(y) for y in shifts], axis=0)).max(axis=1)
    for k in np.flatnonzero(changes > 0.01 * 10e3):
        part, where = find_largest_change(wheelset, track, shifts[k], shifts[k + 1], 8)
        if part >= 0.3 * changes[k]:  # a component that turns within the step changes little over all of it
            assert largest_change(wheelset, track, *where, 8) < 0.3 * part


@pytest.mark.parametrize("given", [{"dxx": 1.0}, {"on_failure": "raise"}])
def test_maps_refuse_arguments_that_positions_do_not_share(given):
    with pytest.raises(InputError, match="name of an argument"):
        tr.force_map(WHEELSET, TRACK, y=[0.0], force=10e3, side="left", **given)


def test_a_start_nearby_at_which_nothing_overlaps_is_searched_for():
    """Both wheels at a strong yaw, a flange on the rail: the roll angle lifts one wheel off its start."""
    wheelset, track = (
        tr.Wheelset(tr.Profile.standard("S1002"), 0.46),
        tr.Track(tr.Profile.standard("60E1"), cant=1 / 40),
    )
    c = tr.wheel_rail(wheelset, track, y=-6.44e-3, yaw=0.014, side="both", force=160e3, speed=30.0)
    assert c.force[2] == pytest.approx(160e3, rel=1e-4)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize(
    ("given", "solved"),
    [
        ({}, 5),
        ({"convention": "contact"}, 5),
        ({"velocity": (1e-3, 0.0)}, 10),
        ({"rates": (0.0, 1e-3)}, 10),
        ({"roll": 1e-4}, 10),
        ({"side": "left"}, 10),
    ],
)
def test_maps_solve_mirror_images_once(monkeypatch, given, solved):
    """Only where these have mirrored forces; those that are derailed are named with their own wheel."""
    calls = []

    @functools.wraps(tr.wheel_rail)
    def count(*given, **named):
        calls.append((named["y"], named["yaw"]))
        return tr.wheel_rail(*given, **named)

    monkeypatch.setattr(importlib.import_module("traction.wheelsets.force_map"), "wheel_rail", count)
    coarse = {"force": 20e3, "dx": 0.8e-3, "dy": 0.8e-3} | given
    found = tr.force_map(WHEELSET, TRACK, y=np.linspace(-6e-3, 6e-3, 5), yaw=[-3e-3, 3e-3], **coarse)
    assert len(calls) == solved
    alone = tr.wheel_rail(WHEELSET, TRACK, y=6e-3, yaw=-3e-3, **coarse)
    assert found.force[4, 0] == pytest.approx(alone.force, abs=1e-4 * 20e3)
    assert found.moment[4, 0] == pytest.approx(alone.moment, abs=1e-4 * 20e3)
    assert (found.z[4, 0], found.roll[4, 0]) == pytest.approx((alone.z, alone.roll), abs=1e-8)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_maps_begin_at_any_position():
    """One that does not carry the force has a message, whichever it is; a wrong argument is an error."""
    given = {"side": "right", "yaw": [0.0], "force": 1.5e6, "dx": 1e-3, "dy": 1e-3}
    found = tr.force_map(WHEELSET, TRACK, y=[-8e-3, 0.0], **given)
    assert "more than the profiles carry" in found.messages[0, 0]
    assert found.force[1, 0, 2] == pytest.approx(1.5e6, rel=1e-4)
    for wrong in ({"velocity": "fast"}, {"rates": [1.0]}, {"roll": [0.0, 1.0]}):
        with pytest.raises(InputError, match=f"^{next(iter(wrong))}"):
            tr.force_map(WHEELSET, TRACK, y=[-0.06, 0.0, 0.06], force=20e3, **wrong)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_derailed_mirror_images_have_their_own_messages():
    found = tr.force_map(WHEELSET, TRACK, y=[-0.06, 0.0, 0.06], force=20e3, dx=0.8e-3, dy=0.8e-3)
    assert "right wheel" in found.messages[0, 0]
    assert "left wheel" in found.messages[2, 0]
    assert "y = 0.06 m" in found.messages[2, 0]
