"""`contact_functions`: rolling radii, contact angles, roll and height of a wheelset over its shift."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.kinematics.kernels.touching import BESIDE, TOUCHED, SideNodes, touch_both

MOST_SHIFTS = 1_000_000


@dataclass(frozen=True, eq=False, repr=False)
class ContactFunctions(Result):
    """Result of `tr.contact_functions`: where a wheelset touches its track, over its lateral shift."""

    _rows, _drawn = ("y",), "radius_difference"

    y: np.ndarray  #: lateral shift of the wheelset, m, to the left, in order of size
    roll: np.ndarray  #: roll angle about x at which both wheels touch, rad
    z: np.ndarray  #: height of the centre, from where the nominal radius rolls on the rails' tops, m
    right_radius: np.ndarray  #: rolling radius of the right wheel, m
    left_radius: np.ndarray  #: rolling radius of the left wheel, m
    right_angle: np.ndarray  #: angle of the right contact plane against the horizontal about x, rad
    left_angle: np.ndarray  #: angle of the left contact plane, rad
    right_wheel: np.ndarray  #: y of the contact in the profile of the right wheel, m
    left_wheel: np.ndarray  #: y of the contact in the profile of the left wheel, as of a right one, m
    right_contact: np.ndarray  #: y of the right contact in the track, m
    left_contact: np.ndarray  #: y of the left contact in the track, m
    nominal_radius: float  #: R, m

    @property
    def radius_difference(self) -> np.ndarray:
        """Rolling radius difference Delta r = r_left - r_right, m; positive towards the left rail."""
        return self.left_radius - self.right_radius

    @property
    def contact_distance(self) -> np.ndarray:
        """Lateral distance of both contacts, m."""
        return self.left_contact - self.right_contact

    @property
    def mean_radius(self) -> np.ndarray:
        """Distance rolled by the centre over the angle of the axle, in pure rolling, m."""
        right, left = self.y - self.right_contact, self.left_contact - self.y
        return (right * self.left_radius + left * self.right_radius) / (right + left)

    def _headline(self) -> str:
        return f"{self.y.size} lateral shifts from {1e3 * self.y.min():.4g} to {1e3 * self.y.max():.4g} mm"

    def _variables(self) -> Iterator[Variable]:
        yield figure(
            "largest_difference",
            float(np.abs(self.radius_difference).max()),
            "m",
            "largest rolling radius difference",
        )
        yield figure("largest_roll", float(np.abs(self.roll).max()), "rad", "largest roll angle")
        yield number("nominal_radius", self.nominal_radius, "m", "nominal radius")
        yield axis("y", self.y, "m", "lateral shift")
        yield data("radius_difference", self.radius_difference, "m", "rolling radius difference", "y")
        yield data("roll", self.roll, "rad", "roll angle", "y")
        yield data("z", self.z, "m", "height of the wheelset", "y")
        for side in ("right", "left"):
            for name, unit, words in (
                ("radius", "m", "rolling radius"),
                ("angle", "rad", "contact angle"),
                ("wheel", "m", "contact in the wheel's profile"),
                ("contact", "m", "contact in the track"),
            ):
                yield data(f"{side}_{name}", getattr(self, f"{side}_{name}"), unit, f"{side} {words}", "y")


def contact_functions(
    wheelset: Wheelset, track: Track, y: ArrayLike, *, roll: bool = True
) -> ContactFunctions:
    """Compute where both wheels touch their rails, over the lateral shift of a rigid wheelset without yaw.

    Parameters
    ----------
    wheelset, track
        What rolls, and on what.
    y
        Lateral shifts of the centre of the wheelset, m, to the left.
    roll
        False to neglect the roll of the wheelset: each wheel touches on its own, upright.

    Returns
    -------
    ContactFunctions
        Rolling radii and their difference, contact angles, roll angle, height and places of the contacts.

    Raises
    ------
    InputError
        If a wheel is beside its rail, on the tip of its flange, or stands on the end of a profile.

    Notes
    -----
    Bodies are rigid, and touch in one point at either side: the roll angle is the one at which both wheels
    touch at the same height. Where the profiles offer two points at once, Delta r jumps between them.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> found = tr.contact_functions(wheelset, track, [0.0, 3e-3])
    >>> print(f"{found.radius_difference[1] * 1e3:.3f} mm")
    0.959 mm
    """
    shifts = checks.finite_array("y", y, unit="m").reshape(-1)
    if not 1 <= shifts.size <= MOST_SHIFTS:
        raise InputError(f"y has {shifts.size} lateral shifts; give between 1 and {MOST_SHIFTS}.")
    checks.instance("wheelset", wheelset, Wheelset, "such as tr.Wheelset(profile, radius=0.46).")
    checks.instance("track", track, Track, "such as tr.Track(profile).")
    found, worst = touch(wheelset, track, shifts, checks.flag("roll", roll))
    if worst != TOUCHED:
        bad = shifts[int(np.argmax(np.isnan(found[:, 0])))]
        raise InputError(
            f"y = {bad:.4g} m: a wheel is beside its rail, on the tip of its flange, or on the end of a "
            "profile. Choose smaller shifts, or check the gauge and the distance back to back."
        )
    return ContactFunctions(
        y=shifts,
        roll=found[:, 0],
        z=found[:, 1],
        right_wheel=found[:, 2],
        right_radius=found[:, 3],
        right_contact=found[:, 4],
        right_angle=found[:, 5],
        left_wheel=found[:, 6],
        left_radius=found[:, 7],
        left_contact=-found[:, 8],
        left_angle=-found[:, 9],
        nominal_radius=wheelset.radius,
    )


def touch(wheelset: Wheelset, track: Track, shifts: np.ndarray, roll: bool) -> tuple[np.ndarray, int]:
    """Rows of roll, height and places for each shift, (n, 10), NaN where a wheel is derailed; status."""
    sides = []
    for side in ("right", "left"):
        rail = track.placed_rail(side)
        sides.append(SideNodes(wheelset.wheel_nodes(side), rail.nodes, *rail.head))
    found = np.empty((shifts.size, 10))
    frame = (wheelset.radius, wheelset.offset)
    worst = touch_both(np.ascontiguousarray(shifts), *sides, frame, roll, np.empty((2, 6)), found)
    tips = [wheelset.flange_tip(side) for side in ("right", "left")]
    derailed = (found[:, (2, 6)] > tips).any(axis=1)
    found[derailed] = np.nan
    return found, max(int(worst), BESIDE if derailed.any() else TOUCHED)
