"""`force_map`: forces of a wheelset over lateral shifts and yaw angles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from inspect import signature
from itertools import product
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.batch.batch import DEVICES
from traction.errors import InputError, TractionError
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, components, data, figure
from traction.status import Status
from traction.wheelsets.assembly import build_result
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.patches.balance import Balance
from traction.wheelsets.patches.tasks import Outcome, solve_together
from traction.wheelsets.problem import WheelRailProblem, check_problem
from traction.wheelsets.wheel_rail import warn_of_coarse_patches, wheel_rail
from traction.wheelsets.wheel_rail_contact import WheelRailContact

MOST_WORKERS = 256
PASSED = (  #: arguments of `tr.wheel_rail` that hold for all positions
    "roll", "speed", "pitch_rate", "velocity", "rates", "friction", "layer", "position", "pair", "dx", "dy",
    "discretisation", "tangential", "convention",
)  # fmt: skip
ERRORS = {"force": "vertical force", "normal": "normal contact", "friction": "law of friction"}
TOGETHER = 1024  #: positions whose contacts are in one batch
CHUNK = 16  #: positions that a process takes at a time
SAME = 1e-12  #: difference up to which positions are mirror images, over the largest
#: signs of the numbers of a `Row` where left and right are exchanged
MIRROR = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, *6 * [1.0]])

Position = tuple[float, float]  #: lateral shift, m, and yaw, rad


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
    status: np.ndarray  #: `tr.Status` of each position, (n, m); None where there is no contact
    #: errors by the certificate of each position, (n, m, 3): of the vertical force, of the conditions of
    #: normal contact, and of the law of friction
    errors: np.ndarray
    singly: np.ndarray  #: positions with contacts that the single solver solved, (n, m); without a batch all
    messages: dict[tuple[int, int], str]  #: why there is no force at a position, by its indices

    @property
    def ok(self) -> bool:
        """Whether all positions have forces."""
        return not self.messages

    @property
    def solved_singly(self) -> int:
        """How many positions have contacts that the single solver solved, since the batch could not."""
        return int(np.count_nonzero(self.singly))

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
        yield data("converged", self.status == Status.CONVERGED, "1", "passed its certificate", *over)
        for k, name in enumerate(ERRORS):
            yield data(f"{name}_error", self.errors[..., k], "1", f"error of the {ERRORS[name]}", *over)
        yield data("singly", self.singly, "1", "solved by the single solver", *over)


def force_map(
    wheelset: Wheelset,
    track: Track,
    *,
    y: ArrayLike,
    yaw: ArrayLike = (0.0,),
    side: str = "both",
    force: float,
    workers: int = 1,
    device: str | None = None,
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
    device
        "gpu" solves the contacts of all positions together in batches (`tr.Batch`) on a GPU, with CuPy;
        "cpu" does the same on the processor. There position by position, the default, is 1.5 times as fast
        with elements of 0.5 mm, and three times as fast with elements of 0.2 mm.
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
        If an argument is out of range, no position has contact, or there is no GPU that CuPy can use.

    Notes
    -----
    Of two positions of both wheels that are mirror images of each other, one is solved, where left and right
    profiles are the same and no lateral or angular velocity is given.

    In batches patches are brought onto grids of a few shapes, with the same elements, and pressed and rolled
    together in every step of the search for the heights; first guesses on coarse grids are made one by one.
    Both ways take the same steps, and forces mostly agree within 1e-6 of mu Fn; where rounding decides on
    another step, within the tolerance of the vertical force, 3e-5 of it. Positions with a patch that a batch
    cannot solve are marked in `singly`: parts of a patch whose interaction fades, covered elements, rolling
    of unlike bodies, friction by temperature or along the track, FASTSIM and tables, and what does not
    converge; so are sizes of which there are few patches, and on a processor grids of more than 700 elements.

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
    chosen = None if device is None else checks.choice("device", device, DEVICES)
    for name in given:
        checks.choice("name of an argument", name, PASSED)
    positions = [(float(a), float(b)) for a in shifts for b in angles]
    known = {"side": side, "force": force, **given}
    _check_position(wheelset, track, known, positions[0])  # what is wrong with arguments is said at once
    solve = partial(_solve_position, wheelset, track, known)
    images = _find_images(shifts, angles) if _is_symmetric(wheelset, track, side, given) else {}
    if chosen is not None:
        if count > 1:
            raise InputError(f"workers = {count}: a batch is solved by one process; omit workers or device.")
        together = partial(_solve_batches, wheelset, track, known, device=chosen)
        rows = _solve_and_mirror(positions, images, together)
    else:
        with _share_positions(solve, count) as one_by_one:
            rows = _solve_and_mirror(positions, images, one_by_one)
    if rows and all(row.message for row in rows):
        raise InputError(f"no position has contact; the first one: {rows[0].message}")
    return _collect(rows, side, str(given.get("convention", "traction")), shifts, angles)


class Row(NamedTuple):
    """What a map keeps of a position."""

    #: force, moment, z, roll, normal force, peak pressure, number of patches, and errors, (14,)
    numbers: np.ndarray = np.full(14, math.nan)
    status: Status | None = None
    message: str = ""
    singly: bool = True

    @classmethod
    def of(cls, c: WheelRailContact, singly: bool = True) -> Row:
        """That of a result."""
        if not c.ok:
            return cls(status=c.status, message=c.message, singly=singly)
        normal = sum(patch.force[0] for patch in c.patches)
        peak = max((patch.peak_pressure for patch in c.patches), default=0.0)
        errors = c.certificate.force_error, c.certificate.normal, c.certificate.tangential
        numbers = np.array([*c.force, *c.moment, c.z, c.roll, normal, peak, len(c.patches), *errors])
        return cls(numbers, c.status, "", singly)

    def mirrored(self) -> Row:
        """The row of the mirrored position."""
        return self._replace(numbers=MIRROR * self.numbers)


def _check_axis(name: str, values: object, unit: str) -> np.ndarray:
    """One number or a list of them."""
    found = np.atleast_1d(checks.finite_points(name, values, unit))
    if found.ndim != 1 or not found.size:
        raise InputError(f"{name} has shape {found.shape}; give one number or a list of them, in {unit}.")
    return found


def _check_position(
    wheelset: Wheelset, track: Track, given: Mapping[str, object], position: Position
) -> WheelRailProblem:
    """The checked problem of a position; errors name the wrong argument."""
    usual = {name: one.default for name, one in signature(wheel_rail).parameters.items()}
    return check_problem(wheelset, track, {**usual, **given, "y": position[0], "yaw": position[1]})


def _solve_position(wheelset: Wheelset, track: Track, given: Mapping[str, object], position: Position) -> Row:
    """One position by itself."""
    y, yaw = position
    try:
        c = wheel_rail(wheelset, track, y=y, yaw=yaw, on_failure="return", **given)  # type: ignore[arg-type]
    except TractionError as error:
        return Row(message=str(error))
    return Row.of(c)


def _is_symmetric(wheelset: Wheelset, track: Track, side: str, given: Mapping[str, object]) -> bool:
    """Whether the mirror image of a position has the mirror images of its forces."""
    velocity, rates, tangential = given.get("velocity"), given.get("rates"), given.get("tangential")
    return (
        side == "both"
        and (wheelset.left is None or wheelset.left is wheelset.profile)
        and (track.left is None or track.left is track.rail)
        and given.get("roll") in (None, 0.0)
        and (velocity is None or not np.asarray(velocity, dtype=float)[0])
        and (rates is None or not np.asarray(rates, dtype=float).any())
        and (tangential is None or isinstance(tangential, str))  # a table need not be symmetric
    )


def _find_images(shifts: np.ndarray, angles: np.ndarray) -> dict[int, int]:
    """Numbers of the positions that are mirror images of earlier ones, with the numbers of those."""
    opposite = [[int(np.abs(axis + value).argmin()) for value in axis] for axis in (shifts, angles)]
    matches = [
        np.abs(axis + axis[other]) <= SAME * np.abs(axis).max()
        for axis, other in zip((shifts, angles), opposite, strict=True)
    ]
    images = {}
    for i, j in product(range(len(shifts)), range(len(angles))):
        k, other = i * len(angles) + j, opposite[0][i] * len(angles) + opposite[1][j]
        if matches[0][i] and matches[1][j] and other < k and other not in images:
            images[k] = other
    return images


def _solve_and_mirror(
    positions: Sequence[Position], images: Mapping[int, int], solve: Callable[[Sequence[Position]], list[Row]]
) -> list[Row]:
    """Rows of all positions: mirror images are solved only where the other position has no forces.

    There the message names the wheel and the position, and is not that of the image.
    """
    numbers = [k for k in range(len(positions)) if k not in images]
    rows = dict(zip(numbers, solve([positions[k] for k in numbers]), strict=True))
    rows |= {k: rows[other].mirrored() for k, other in images.items() if not rows[other].message}
    missing = [k for k in images if k not in rows]
    rows |= zip(missing, solve([positions[k] for k in missing]), strict=True)
    return [rows[k] for k in range(len(positions))]


@contextmanager
def _share_positions(
    solve: Callable[[Position], Row], count: int
) -> Iterator[Callable[[Sequence[Position]], list[Row]]]:
    """A function that solves positions one by one, shared by `count` processes."""
    if count == 1:
        yield lambda positions: [solve(position) for position in positions]
        return
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        yield lambda positions: list(pool.map(solve, positions, chunksize=CHUNK))


def _solve_batches(
    wheelset: Wheelset,
    track: Track,
    given: Mapping[str, object],
    positions: Sequence[Position],
    device: str,
) -> list[Row]:
    """Positions whose contacts are solved together."""
    rows: dict[int, Row] = {}
    problems: dict[int, WheelRailProblem] = {}
    for k, position in enumerate(positions):
        try:
            problems[k] = _check_position(wheelset, track, given, position)
        except TractionError as error:
            rows[k] = Row(message=str(error), singly=False)
    if not problems:
        return list(rows.values())
    numbers = list(problems)
    batches = problems[numbers[0]].open_batches(device)
    for begin in range(0, len(numbers), TOGETHER):
        part = numbers[begin : begin + TOGETHER]
        outcomes = solve_together([problems[k].solving() for k in part], batches.solve)
        rows |= {k: _conclude(problems[k], outcome) for k, outcome in zip(part, outcomes, strict=True)}
    return [rows[k] for k in range(len(positions))]


def _conclude(problem: WheelRailProblem, outcome: Outcome[list[Balance]]) -> Row:
    """The row of a position that was solved together with others."""
    if outcome.found is None:
        return Row(message=str(outcome.error), singly=outcome.singly)
    result = build_result(problem, outcome.found)
    warn_of_coarse_patches(result)
    return Row.of(result, outcome.singly)


def _collect(rows: list[Row], side: str, convention: str, shifts: np.ndarray, angles: np.ndarray) -> ForceMap:
    shape = len(shifts), len(angles)
    table = np.array([row.numbers for row in rows]).reshape(*shape, 14)
    messages = {(k // shape[1], k % shape[1]): row.message for k, row in enumerate(rows) if row.message}
    z, roll, normal, peak, count = np.moveaxis(table[..., 6:11], -1, 0)
    status = np.empty(len(rows), dtype=object)
    status[:] = [row.status for row in rows]
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
        status=status.reshape(shape),
        errors=table[..., 11:],
        singly=np.array([row.singly for row in rows]).reshape(shape),
        messages=messages,
    )
