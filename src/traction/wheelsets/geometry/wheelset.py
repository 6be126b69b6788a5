"""`Wheelset`: two wheels on an axle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.profiles.profile import Profile
from traction.wheelsets.geometry.curve_nodes import sample_curve

FLANGE = 15e-3  #: what stands out of a wheel by more than this is its flange, m
TIP = 3e-3  #: of a flange, measured from its lowest point towards the tread, m


@dataclass(frozen=True, eq=False)
class Wheelset:
    """Two equal wheels, rigidly joined by an axle.

    Parameters
    ----------
    profile
        Profile of the wheels, `kind="wheel"`, as of a right wheel; z = 0 is at the nominal radius.
    radius
        Nominal rolling radius R, m.
    back_to_back
        Distance of the backs of the flanges, m.
    flange_back
        y of the back of the flange in the profile, m.
    left
        Profile of the left wheel, if it is another one; also as of a right wheel.

    Raises
    ------
    InputError
        If a profile is not of a wheel, or a length is not positive.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> wheelset.back_to_back
    1.36
    """

    profile: Profile
    radius: float
    back_to_back: float = 1.360
    flange_back: float = 0.070
    left: Profile | None = None

    def __post_init__(self) -> None:
        left = self.profile if self.left is None else self.left
        for name, profile in (("profile", self.profile), ("left", left)):
            checks.instance(name, profile, Profile, 'such as tr.Profile.standard("S1002").')
            if profile.kind != "wheel":
                raise InputError(f'{name} is of kind "{profile.kind}", but must be of kind "wheel".')
        checks.keep_checked(self, checks.positive, radius="m", back_to_back="m")
        checks.keep_checked(self, checks.finite, flange_back="m")
        for profile in (self.profile, left):
            lowest, highest = float(np.min(profile.z)), float(np.max(profile.z))
            if max(-lowest, highest) > 0.5 * self.radius:
                raise InputError(
                    f"radius = {self.radius} m is too small for a profile with z from {lowest:.4g} to "
                    f"{highest:.4g} m; check the units of both."
                )

    def __repr__(self) -> str:
        return f"Wheelset: radius {self.radius:.4g} m, {self.back_to_back:.4g} m back to back"

    @property
    def offset(self) -> float:
        """y of the origin of the right wheel's profile in the wheelset, m."""
        return -(0.5 * self.back_to_back + self.flange_back)

    def wheel_nodes(self, side: str) -> np.ndarray:
        """Nodes along the profile of a side, as of a right wheel, (5, n)."""
        return self._nodes[side]

    def flange_tip(self, side: str) -> float:
        """y in the profile of the wheel on a `side` from which it stands on its flange's tip, m."""
        _, y, z, _, _ = self._nodes[side]
        tip = int(z.argmin())
        return float(y[tip]) - TIP if z[tip] < -FLANGE else math.inf

    @cached_property
    def _nodes(self) -> dict[str, np.ndarray]:
        right = sample_curve(self.profile.curve)
        left = right if self.left is None else sample_curve(self.left.curve)
        for nodes in (right, left):
            nodes.setflags(write=False)
        return {"right": right, "left": left}
