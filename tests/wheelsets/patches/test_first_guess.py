"""Where the search for a vertical force begins, beside where it ends."""

import pytest

import traction as tr
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.first_guess import guess_height
from traction.wheelsets.patches.rail_friction import RailFriction
from traction.wheelsets.patches.rolling import Rolling, coarse_friction
from traction.wheelsets.patches.wheel_side import WheelSide
from traction.wheelsets.patches.wheelset_motion import WheelsetMotion

TRACK = tr.Track(tr.Profile.standard("UIC60-benchmark"))
WHEELSET = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
PAIR = tr.Pair(tr.STEEL, tr.STEEL)
LOAD = 10e3


@pytest.mark.parametrize("y", [2e-3, 4e-3, 7e-3])
def test_guesses_are_near_what_is_found(y):
    """Height by 30 % of the overlap, friction by a tenth of its bound, on tread and flange."""
    found = tr.wheel_rail(
        WHEELSET, TRACK, side="right", y=-y, yaw=-2.4 * y, force=LOAD, speed=2.0, dx=1.2e-4, dy=1.2e-4,
        pair=PAIR, roll=0.0,
    )  # fmt: skip
    mu = RailFriction.check(0.3, None)
    guess = coarse_friction(mu, 1)
    motion = WheelsetMotion(2.0, (0.0, 0.0), (0.0, 0.0))
    rolling = Rolling(motion, None, guess, guess, mu.estimate, PAIR, (1.2e-4, 1.2e-4), WHEELSET.radius)
    side = WheelSide(WHEELSET, TRACK, "right", Pose(-y, 0.0, -2.4 * y, 0.0))
    height, leans = guess_height([side], LOAD, rolling)
    depth = side.touching_height - found.z
    assert side.touching_height - height == pytest.approx(depth, rel=0.3)
    (patch,), (lean,) = found.patches, leans
    solved = [one / patch.normal.force for one in patch.tangential.force]
    assert lean == pytest.approx(solved, abs=0.1 * 0.3)
