"""`force_map`: forces of a wheelset over lateral shifts and yaw angles."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError, TractionError
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, components, data, figure
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.wheel_rail import wheel_rail

MOST_WORKERS = 256
PASSED = (  #: arguments of `tr.wheel_rail` that hold for all positions
    "roll", "speed", "pitch_rate", "velocity", "rates", "friction", "layer", "position", "pair", "dx", "dy",
    "discretisation", "tangential", "convention",
)  # fmt: skip
CHUNK = 16  #: positions that a process takes at a time


@dataclass(frozen=True, eq=False, repr=False)
class ForceMap(Result):
    """Result of `tr.force_map`: forces on a wheelset over its lateral shift and yaw."""

    _rows, _drawn = ("shift", "yaw"), "normal_force"

    side: str  #: "left", "right" or "both"
    convention: str  #: "traction" or "contact"
    shift: np.ndarray  #: lateral shifts y, m, (n,)
    yaw: np.ndarray  #: yaw angles, rad, (m,)
    force: np.ndarray  #: total force in the track, N, (n, m, 3)
    moment: np.ndarray  #: about the origin of the track, N m, (n, m, 3)
    z: np.ndarray  #: heights, m, (n, m)
    roll: np.ndarray  #: rad, (n, m)
    normal_force: np.ndarray  #: sum of the normal forces, N, (n, m)
    peak_pressure: np.ndarray  #: largest one of all patches, Pa, (n, m)
    patches: np.ndarray  #: number of patches, (n, m)
    messages: dict[tuple[int, int], str]  #: why there is no force at a position, by its indices

    @property
    def ok(self) -> bool:
        """Whether all positions have forces."""
        return not self.messages

    def _headline(self) -> str:
        n, m = self.z.shape
        missing = f", {len(self.messages)} without contact" if self.messages else ""
        return f"{self.side}, {n} shifts x {m} yaw angles{missing}"

    def _variables(self) -> Iterator[Variable]:
        over = ("shift", "yaw")
        yield figure(
            "largest_pressure", float(np.nanmax(self.peak_pressure, initial=0.0)), "Pa", "peak pressure"
        )
        yield axis("shift", self.shift, "m", "lateral shift")
        yield axis("yaw", self.yaw, "rad", "yaw")
        yield components("x", "y", "z")
        yield data("force", self.force, "N", "total force", *over, "component")
        yield data("moment", self.moment, "N m", "total moment", *over, "component")
        yield data("z", self.z, "m", "height of the wheelset", *over)
        yield data("roll", self.roll, "rad", "roll", *over)
        yield data("normal_force", self.normal_force, "N", "sum of normal forces", *over)
        yield data("peak_pressure", self.peak_pressure, "Pa", "peak pressure", *over)
        yield data("patches", self.patches, "1", "number of patches", *over)


def force_map(
    wheelset: Wheelset,
    track: Track,
    *,
    y: ArrayLike,
    yaw: ArrayLike = (0.0,),
    side: str = "both",
    force: float,
    workers: int = 1,
    **given: object,
) -> ForceMap:
    """Compute the forces of a wheelset over lateral shifts and yaw angles.

    Parameters
    ----------
    wheelset, track
        What rolls, and on what.
    y
        Lateral shifts, m.
    yaw
        Yaw angles, rad; all shifts are combined with all of them.
    side
        "left", "right" or "both" wheels.
    force
        Vertical force, N; of both wheels together half on each.
    workers
        Number of processes that share the positions.
    **given
        What else `tr.wheel_rail` takes: `speed`, `friction`, `dx`, `dy`, `tangential` and so on.

    Returns
    -------
    ForceMap
        Forces, moments, heights and roll angles. Positions in which a wheel is derailed or does not converge
        have NaN, and the reason in `messages`.

    Raises
    ------
    InputError
        If an argument is out of range.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> found = tr.force_map(
    ...     wheelset, track, y=[0.0, 2e-3], force=10e3, side="left", dx=0.4e-3, dy=0.4e-3
    ... )
    >>> found.force.shape
    (2, 1, 3)
    """
    shifts, angles = _check_axis("y", y, "m"), _check_axis("yaw", yaw, "rad")
    checks.positive("force", force, "N", "it is the vertical force that presses the wheels on the rails.")
    count = checks.count("workers", workers, 1, MOST_WORKERS)
    for name in given:
        checks.choice("name of an argument", name, PASSED)
    positions = [(float(a), float(b)) for a in shifts for b in angles]
    solve = partial(_solve_position, wheelset, track, {"side": side, "force": force, **given})
    solve((*positions[0], True))  # what is wrong with the arguments is said at once
    tasks = [(*position, False) for position in positions]
    if count == 1:
        rows = [solve(task) for task in tasks]
    else:
        with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
            rows = list(pool.map(solve, tasks, chunksize=CHUNK))
    if rows and all(message for _, message in rows):
        raise InputError(f"no position has contact; the first one: {rows[0][1]}")
    return _collect(rows, side, str(given.get("convention", "traction")), shifts, angles)


Row = tuple[np.ndarray, str]


def _check_axis(name: str, values: object, unit: str) -> np.ndarray:
    """One number or a list of them."""
    found = np.atleast_1d(checks.finite_points(name, values, unit))
    if found.ndim != 1 or not found.size:
        raise InputError(f"{name} has shape {found.shape}; give one number or a list of them, in {unit}.")
    return found


def _solve_position(
    wheelset: Wheelset, track: Track, given: dict[str, object], task: tuple[float, float, bool]
) -> Row:
    """Force, moment, z, roll, normal force, peak pressure and number of patches, (11,); what went wrong."""
    y, yaw, strict = task
    nothing = np.full(11, math.nan)
    try:
        c = wheel_rail(wheelset, track, y=y, yaw=yaw, on_failure="return", **given)  # type: ignore[arg-type]
    except TractionError as error:
        if strict and "y = " not in str(error):
            raise
        return nothing, str(error)
    if not c.ok:
        return nothing, c.message
    normal = sum(patch.force[0] for patch in c.patches)
    peak = max((patch.peak_pressure for patch in c.patches), default=0.0)
    return np.array([*c.force, *c.moment, c.z, c.roll, normal, peak, len(c.patches)]), ""


def _collect(rows: list[Row], side: str, convention: str, shifts: np.ndarray, angles: np.ndarray) -> ForceMap:
    shape = len(shifts), len(angles)
    table = np.array([row for row, _ in rows]).reshape(*shape, 11)
    messages = {(k // shape[1], k % shape[1]): message for k, (_, message) in enumerate(rows) if message}
    z, roll, normal, peak, count = np.moveaxis(table[..., 6:], -1, 0)
    return ForceMap(
        side=side,
        convention=convention,
        shift=shifts,
        yaw=angles,
        force=table[..., :3],
        moment=table[..., 3:6],
        z=z,
        roll=roll,
        normal_force=normal,
        peak_pressure=peak,
        patches=count,
        messages=messages,
    )
