"""Both wheels with their own vertical forces: height and roll angle at once."""

import numpy as np
import pytest

import traction as tr
from traction.errors import InputError
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches import balance, free_roll
from traction.wheelsets.patches.contact_plane import find_reference
from traction.wheelsets.patches.first_guess import ForceSteps, Stand, Trial, find_levers
from traction.wheelsets.patches.wheel_side import WheelSide

TRACK = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
WHEELSET = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
#: tread; where patches part; the flange, where friction lifts the wheel, and where it presses it down
POSITIONS = [(0.0, 0.0), (-2.1e-3, -4e-3), (4.9e-3, 8e-3), (-6.3e-3, -8e-3), (6.3e-3, -0.016), (-7e-3, 0.012)]


def refuse(*given):
    raise AssertionError("each wheel is balanced alone")


def give_up(*given):
    return None
    yield


def solve(y, yaw, **given):
    usual = {"force": 160e3, "dx": 0.4e-3, "dy": 0.4e-3}
    return tr.wheel_rail(WHEELSET, TRACK, y=y, yaw=yaw, **(usual | given))


def carried(contact):
    """Vertical forces of the left and the right wheel, N."""
    return [
        sum(
            patch.force[0] * np.cos(patch.angle) + patch.force[2] * np.sin(patch.angle)
            for patch in contact.patches
            if patch.side == side
        )
        for side in ("left", "right")
    ]


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize(("y", "yaw"), POSITIONS)
def test_wheels_carry_their_forces_where_they_stand(monkeypatch, y, yaw):
    """With the height and roll angle found as given ones, planes are laid there, and forces are the same."""
    monkeypatch.setattr(free_roll, "balance_in_turn", refuse)
    found = solve(y, yaw, force=(70e3, 90e3))
    assert carried(found) == pytest.approx((70e3, 90e3), rel=1e-4)
    again = solve(y, yaw, force=None, z=found.z, roll=found.roll)
    assert carried(again) == pytest.approx((70e3, 90e3), rel=2e-4)
    bound = 0.3 * sum(patch.force[0] for patch in found.patches)
    assert again.force == pytest.approx(found.force, abs=2e-4 * bound)
    assert again.pitch_rate == pytest.approx(found.pitch_rate, rel=1e-6)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize(("y", "yaw"), POSITIONS)
def test_mirror_images_have_mirrored_forces(y, yaw):
    one, other = solve(y, yaw), solve(-y, -yaw)
    bound = 0.3 * sum(patch.force[0] for patch in one.patches)
    assert other.force == pytest.approx(one.force * (1, -1, 1), abs=2e-5 * bound)
    assert other.roll == pytest.approx(-one.roll, abs=1e-9)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_wheels_that_are_balanced_alone_come_to_the_same(monkeypatch):
    together = solve(-2.1e-3, -4e-3)
    monkeypatch.setattr(free_roll.FreeWheels, "balance", give_up)
    alone = solve(-2.1e-3, -4e-3)
    assert alone.roll == pytest.approx(together.roll, abs=1e-8)
    assert alone.force == pytest.approx(together.force, abs=5e-4 * 0.3 * 160e3)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize(("y", "yaw", "friction"), [(6.62e-3, -0.021, 0.5), (-6.4e-3, 0.015, 0.6)])
def test_wheels_that_friction_pulls_down_are_balanced_alone_on_coarse_grids_only(
    monkeypatch, y, yaw, friction
):
    """With elements as asked for that would take ten times as long."""
    asked = []

    def balance_coarsely(*given, coarse=False):
        asked.append(coarse)
        return (yield from balance.balance_in_turn(*given, coarse=coarse))

    monkeypatch.setattr(free_roll, "balance_in_turn", balance_coarsely)
    found = solve(y, yaw, friction=friction)
    assert asked == [True]
    again = solve(y, yaw, friction=friction, force=None, z=found.z, roll=found.roll)
    assert carried(again) == pytest.approx((80e3, 80e3), rel=1e-4)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize("forces", [(1.0, 1.0), (1.0, 1e5)])
def test_wheels_that_are_balanced_alone_carry_light_forces_at_one_height(monkeypatch, forces):
    """Under 1 N the overlap is 40 nm, so that their heights agree to picometres."""
    monkeypatch.setattr(free_roll.FreeWheels, "balance", give_up)
    found = solve(-6.8e-3, -0.01, force=forces)
    again = solve(-6.8e-3, -0.01, force=None, z=found.z, roll=found.roll)
    assert carried(again) == pytest.approx(forces, rel=1e-4)


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.parametrize(("y", "yaw", "force"), [(2e-3, 4e-3, 1e5), (-6.8e-3, -0.01, 2.0)])
def test_wheels_that_need_different_heights_have_not_converged(monkeypatch, y, yaw, force):
    """After few turns of the roll angle each wheel carries its force, but not at one height."""
    monkeypatch.setattr(free_roll.FreeWheels, "balance", give_up)
    monkeypatch.setattr(balance, "TURNS", 1)
    found = solve(y, yaw, force=force, on_failure="return")
    assert sum(carried(found)) == pytest.approx(force, rel=1e-4)
    again = solve(y, yaw, force=None, z=found.z, roll=found.roll)
    assert np.abs(np.array(carried(again)) / (0.5 * force) - 1.0).max() > 1e-4
    assert found.certificate.force_error > 1e-4
    assert not found.ok


@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
def test_wheels_that_derail_only_at_the_roll_angle_found_are_refused():
    """Without roll the flange bears; the roll angle that it causes lifts the wheel on the flange's tip."""
    for wheel, sign in (("left", 1.0), ("right", -1.0)):
        solve(sign * 0.024, sign * 0.01, roll=0.0)
        with pytest.raises(InputError, match=f"roll = -?0.0178 rad: the {wheel} wheel .* it is derailed"):
            solve(sign * 0.024, sign * 0.01)


def test_wheels_keep_few_roll_angles():
    """A result keeps its wheels, and a search tries many angles."""
    side = WheelSide(WHEELSET, TRACK, "left", Pose(0.0, 0.0, 0.0, 0.0))
    turned = [side.with_roll(1e-4 * k) for k in range(1, 10)]
    assert side.with_roll(turned[-1].pose.roll) is turned[-1]
    assert side.with_roll(1e-4) is not turned[0]
    assert side.with_roll(0.0) is side


@pytest.mark.parametrize("y", [-2e-3, -7e-3])
@pytest.mark.parametrize("name", ["left", "right"])
def test_levers_are_those_of_the_height_at_which_wheels_touch(y, name):
    """On tread and flange the height changes by the lever of the roll angle over that of the height."""
    side = WheelSide(WHEELSET, TRACK, name, Pose(y, 0.0, 5e-3, 1e-3))
    height = side.touching_height
    (region,) = side.locus.regions(height - 1e-7)
    point = find_reference(side.locus, name, region, region.angle)
    up, around = find_levers(point, side.pose.raised(height), WHEELSET.radius)
    step = 1e-6
    ahead, behind = (side.with_roll(1e-3 + sign * step).touching_height for sign in (1.0, -1.0))
    assert (ahead - behind) / (2.0 * step) == pytest.approx(-around / up, rel=0.02)


def test_steps_find_forces_that_grow_faster_than_by_hertz():
    """A flange that comes to bear: slopes of planes that are held are five times too small."""
    sides = [WheelSide(WHEELSET, TRACK, name, Pose(0.0, 0.0, 0.0, 0.0)) for name in ("left", "right")]
    trial = Trial(Stand(sides[0].touching_height - 5e-5, 0.0), sides)
    steps, forces = ForceSteps((8e4, 8e4), 0.75), np.zeros(2)
    for _ in range(15):
        forces = 8e4 * (trial.depths / 9e-5) ** (1.5, 7.5)
        if np.abs(forces / 8e4 - 1.0).max() <= 1e-4:
            break
        slopes = -1.5 * (forces / trial.depths)[:, None] * np.array([[1.0, 0.75], [1.0, -0.75]])
        following = steps.follow(trial, forces, slopes)
        assert following is not None
        trial = following
    assert forces == pytest.approx((8e4, 8e4), rel=1e-4)
