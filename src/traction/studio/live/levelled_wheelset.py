"""A wheelset on its rails while it is dragged: each position starts from the one before.

`tr.wheel_rail` finds the roll angle at which both wheels carry their load at the same height, and the rate of
pure rolling, in several rounds over both wheels. Between two positions of a drag both hardly change. They
are held at what the last positions predict, and each wheel is solved alone, until heights and rates agree
as well as a picture shows.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace

import traction as tr

SIDES = ("left", "right")
LEVEL = 3e-5  #: difference of the heights of both wheels that is left, m: 20 µrad of roll
PURE = 3e-5  #: mean longitudinal creepage that is left
ROUNDS = 3  #: after which the position is solved from scratch
FAR = (0.8e-3, 4e-3)  #: of lateral shift (m) and yaw (rad), beyond which a position predicts nothing
MOST_KEPT = 8  #: settings whose last positions are kept


@dataclass(frozen=True)
class WheelsetSetting:
    """All but the position: profiles, load of the wheelset, friction and elements."""

    wheelset: tr.Wheelset
    track: tr.Track
    load: float
    friction: float
    step: float

    def solve(self, side: str, y: float, yaw: float, **held: float) -> tr.WheelRailContact:
        """One wheel at a held roll angle and rate, or both with these found."""
        return tr.wheel_rail(
            self.wheelset,
            self.track,
            side=side,
            y=y,
            yaw=yaw,
            force=self.load if side == "both" else 0.5 * self.load,
            friction=self.friction,
            dx=self.step,
            dy=self.step,
            on_failure="return",
            **held,
        )


@dataclass(frozen=True)
class DraggedPosition:
    """A position with the roll angle and the pitch rate that belong to it."""

    y: float
    yaw: float
    roll: float
    rate: float

    def is_near(self, y: float, yaw: float) -> bool:
        """Whether another position is near enough to be predicted."""
        return abs(y - self.y) <= FAR[0] and abs(yaw - self.yaw) <= FAR[1]


@dataclass(frozen=True)
class LevelledWheelset:
    """Patches of both wheels and where the wheelset is."""

    at: DraggedPosition
    z: float
    patches: tuple[tr.ContactPatch, ...]
    ok: bool
    message: str
    rounds: int  #: over both wheels; 0 where it was solved from scratch


_last: OrderedDict[WheelsetSetting, tuple[DraggedPosition, DraggedPosition]] = (
    OrderedDict()
)  # of each setting, the newest first


def level_wheelset(settings: WheelsetSetting, y: float, yaw: float, exact: bool) -> LevelledWheelset:
    """The wheelset at a position: from the last ones where these are near, unless it is to be exact."""
    known = _last.get(settings)
    found = None if exact or known is None else _follow(settings, y, yaw, known)
    found = _solve_both(settings, y, yaw) if found is None else found
    _last[settings] = found.at, found.at if known is None else known[0]
    _last.move_to_end(settings)
    while len(_last) > MOST_KEPT:
        _last.popitem(last=False)
    return found


def _solve_both(settings: WheelsetSetting, y: float, yaw: float) -> LevelledWheelset:
    found = settings.solve("both", y, yaw)
    at = DraggedPosition(y, yaw, found.roll, found.pitch_rate)
    return LevelledWheelset(at, found.z, found.patches, found.ok, "" if found.ok else found.message, 0)


def _follow(
    settings: WheelsetSetting, y: float, yaw: float, known: tuple[DraggedPosition, DraggedPosition]
) -> LevelledWheelset | None:
    """Each wheel alone, from the prediction; None where that does not settle."""
    if not known[0].is_near(y, yaw):
        return None
    at = _predict(y, yaw, *known)
    for count in range(1, ROUNDS + 1):
        wheels = [settings.solve(side, y, yaw, roll=at.roll, pitch_rate=at.rate) for side in SIDES]
        patches = tuple(patch for one in wheels for patch in one.patches)
        total = sum(patch.force[0] for patch in patches)
        if not total > 0.0:
            return None
        off, creepage = wheels[0].z - wheels[1].z, sum(p.force[0] * p.creepage[0] for p in patches) / total
        if abs(off) <= LEVEL and abs(creepage) <= PURE:
            ok, message = all(one.ok for one in wheels), " ".join(one.message for one in wheels if not one.ok)
            return LevelledWheelset(at, 0.5 * (wheels[0].z + wheels[1].z), patches, ok, message, count)
        at = replace(at, roll=at.roll + off / settings.track.gauge, rate=at.rate * (1.0 + creepage))
    return None


def _predict(y: float, yaw: float, last: DraggedPosition, before: DraggedPosition) -> DraggedPosition:
    """Roll angle and rate from the last two positions along the way between them, or those of the last."""
    moved = last.y - before.y
    share = (y - last.y) / moved if before.is_near(last.y, last.yaw) and abs(moved) > 1e-6 else 0.0
    share = min(max(share, -2.0), 2.0)
    return DraggedPosition(
        y, yaw, last.roll + share * (last.roll - before.roll), last.rate + share * (last.rate - before.rate)
    )
