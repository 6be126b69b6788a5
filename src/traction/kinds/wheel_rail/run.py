"""Contact patches and forces, one position after the other.

In transient rolling each position begins from what the one before left on the rails: its pressures and
tractions are in the state (`StoredRail`), so that stopping at any position changes nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.normal.pressure_certificate import Certificate
from traction.contact.stick_slip.lagged_friction import describe_lag
from traction.errors import CoarseGridWarning, InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.layer import Layer
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.grid import Grid
from traction.kinds.friction.stored_friction import StoredTractions
from traction.kinds.kind import KeyFigures, KindStepper, Sample
from traction.kinds.stored_state import require_counter, require_shapes
from traction.kinds.wheel_rail.schema import WheelRailCase
from traction.materials import Pair
from traction.results.field import Coordinate, Field, Layout, field_table
from traction.results.recorder import Stop, StoppedError
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays, flatten_state, unflatten_state
from traction.status import Status
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.kinematics.conicity import conicity
from traction.wheelsets.kinematics.contact_functions import contact_functions
from traction.wheelsets.patches.rail_memory import PatchTrace, RailMemory
from traction.wheelsets.wheel_rail import wheel_rail
from traction.wheelsets.wheel_rail_contact import FLAT, ContactPatch, WheelRailContact, describe_excess

FARTHEST = 10**6  #: columns and rows of the lattice
MOST_ELEMENTS = 4_000_000  #: of a patch
#: law of friction, where it is not constant, speed of rolling (m/s) and layer
Between = tuple[float | FrictionLaw | ThermalFriction | None, float | None, Layer | None]
MOST_PATCHES = 8  #: that are stored of a position
AMPLITUDE = 3e-3  #: at which the conicity is stated, m
SHIFTS = 241  #: of the contact functions
LEFT, RIGHT = 1.0, -1.0  #: sides, as numbers

NUMBERS = field_table("""
    y | m | lateral shift
    yaw | rad | yaw
    roll | rad | roll
    z | m | height of the wheelset
    force_x | N | force along x on the wheelset
    force_y | N | force along y on the wheelset
    force_z | N | force along z on the wheelset
    pitch_rate | rad/s | pitch rate
    largest_pressure | Pa | largest pressure
    turning | rad | largest change of the rail's angle over a patch
    force_error | 1 | error of the vertical force, relative
    reference | m | error of the reference points
    normal_error | 1 | largest error of the contact conditions
    friction_error | 1 | largest error of the friction law
    patches | 1 | number of patches | | int64
    converged | 1 | whether it passed its certificate | | bool
""")
PATCHES = field_table("""
    side | 1 | side of each patch: 1 left, -1 right | patch | may be nan
    place_y | m | lateral place on the rail | patch | may be nan
    place_z | m | height on the rail | patch | may be nan
    angle | rad | contact angle | patch | may be nan
    longitudinal | 1 | longitudinal creepage | patch | may be nan
    lateral | 1 | lateral creepage | patch | may be nan
    spin | rad/m | spin | patch | may be nan
    normal_force | N | normal force | patch | may be nan
    patch_force_x | N | force along x | patch | may be nan
    patch_force_s | N | force along the surface | patch | may be nan
    peak_pressure | Pa | peak pressure | patch | may be nan
    elements | 1 | elements in contact | patch | may be nan
""")
TRANSIENT = field_table("""
    distance | m | distance rolled
    steady_force_x | N | force along x in steady rolling
    steady_force_y | N | force along y in steady rolling
""")
LAG = Field("lag", "m", "largest distance by which friction lags behind its law")
COARSER = 1.5  #: elements of the march that is compared with


@dataclass(frozen=True)
class StoredTrace:
    """A patch and its tractions."""

    left: bool
    first: tuple[int, int]
    center: tuple[float, float]  #: of its grid, m
    pressure: np.ndarray
    tractions: StoredTractions

    @classmethod
    def of(cls, trace: PatchTrace) -> StoredTrace:
        """Of a patch at the end of a step."""
        contact = trace.contact
        grid, pressure = contact.normal.grid, contact.normal.pressure
        x, s = grid.center
        left = trace.side == "left"
        return cls(left, trace.first, (float(x), float(s)), pressure, StoredTractions.of(contact, None))

    def grid(self, steps: tuple[float, float]) -> Grid:
        """The grid of the patch."""
        ny, nx = self.pressure.shape
        return Grid(nx, ny, *steps, center=self.center)

    def check(self, steps: tuple[float, float]) -> None:
        """Refuse what is not a patch, by an `InputError`."""
        if self.pressure.ndim != 2 or not 0 < self.pressure.size <= MOST_ELEMENTS:
            raise InputError(f"a patch has pressures of shape {self.pressure.shape}")
        numbers = self.pressure.dtype == np.float64 and np.isfinite(self.pressure).all()
        if not numbers or not (self.pressure >= 0.0).all() or not np.isfinite(self.center).all():
            raise InputError("a patch has pressures that are not finite numbers of at least 0")
        if max(map(abs, self.first)) > FARTHEST:
            raise InputError(f"a patch begins at {self.first}, far from its rail")
        require_shapes({"pressure": (self.pressure, self.grid(steps).shape)})
        self.tractions.check(self.grid(steps))

    def restore(self, steps: tuple[float, float], pair: Pair, between: Between) -> PatchTrace:
        """The patch as it was, without what the next step does not need."""
        grid = self.grid(steps)
        normal = NormalContact(
            grid=grid,
            gap=np.zeros(grid.shape),
            pair=pair,
            pressure=self.pressure,
            force=float(self.pressure.sum()) * grid.cell_area,
            status=Status.CONVERGED,
            message=str(Status.CONVERGED),
            certificate=Certificate(0.0, 0.0, 0.0, 0.0, 0.0),
            iterations=0,
        )
        law, speed, layer = between
        known = self.tractions.friction if law is None else law
        contact = self.tractions.restore(normal, known, speed, layer)
        return PatchTrace("left" if self.left else "right", self.first, contact)


@dataclass(frozen=True)
class StoredRail:
    """State before the next position."""

    step: int
    pose: tuple[float, float, float, float]  #: y, z (m), yaw, roll (rad)
    rolled: float  #: m
    traces: tuple[StoredTrace, ...]

    @classmethod
    def of(cls, step: int, memory: RailMemory) -> StoredRail:
        """After a position."""
        pose = memory.pose
        traces = tuple(StoredTrace.of(trace) for trace in memory.traces)
        return cls(step, (pose.y, pose.z, pose.yaw, pose.roll), float(memory.rolled), traces)

    def check(self, steps: tuple[float, float]) -> None:
        """Refuse what is not the state of a march, by an `InputError`."""
        if not np.isfinite([*self.pose, self.rolled]).all():
            raise InputError("position and distance are not finite numbers")
        for trace in self.traces:
            trace.check(steps)

    def restore(self, steps: tuple[float, float], pair: Pair, between: Between) -> RailMemory:
        """What the next position begins from."""
        traces = tuple(trace.restore(steps, pair, between) for trace in self.traces)
        return RailMemory(Pose(*self.pose), steps, traces, self.rolled)


@dataclass(frozen=True)
class PatchMap:
    """A patch as the report draws it."""

    left: bool
    origin: tuple[float, float]  #: y and z of the reference point in the track, m
    angle: float  #: rad
    x: np.ndarray  #: of the elements, m
    s: np.ndarray
    pressure: np.ndarray  #: Pa, (s, x)
    traction: np.ndarray  #: on the wheel, Pa, (2, s, x)


@dataclass(frozen=True)
class ShiftFunctions:
    """Rolling radius difference over the lateral shift, and the conicity at 3 mm."""

    y: np.ndarray  #: m
    difference: np.ndarray  #: m
    conicity: float | None


@dataclass(frozen=True)
class WheelRailFindings:
    """Patches of one position, the same with elements of half the size, and contact functions.

    In transient rolling it is the last position, its patches are those of steady rolling, and it is compared
    with a march with larger elements.
    """

    shown: int  #: index of the position
    patches: tuple[PatchMap, ...]
    finer_force: tuple[float, float, float]  #: with other elements, N
    finer_pressure: float  #: Pa
    functions: ShiftFunctions | None


class WheelRailStepper(KindStepper[WheelRailCase]):
    """One position after the other; only in transient rolling they depend on the one before."""

    whole: ClassVar[tuple[str, ...]] = tuple(field.name for field in PATCHES)

    @cached_property
    def layout(self) -> Layout:
        """Numbers of every position, and of its patches."""
        count = Coordinate("patch", np.arange(1, MOST_PATCHES + 1), "1", "patch")
        more = (*(TRANSIENT if self.case.is_transient else ()), *((LAG,) if self.case.may_lag else ()))
        return Layout((*NUMBERS, *more, *PATCHES), len(self.case.positions), (count,))

    def check_state(self, samples: int, state: Arrays) -> None:
        """Refuse a stored state that is not one of this run after so many samples."""
        if samples == 0 or not self.case.is_transient:
            super().check_state(samples, state)
            return
        require_counter(self.counter, state, samples)
        unflatten_state(StoredRail, state).check(self.case.steps)

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """The next position."""
        step = int(state["step"])
        if not self.case.is_transient:
            return {"step": np.array(step + 1)}, _sample(self.touch(step))
        found, steady = self._roll_on(step, self._restore(state) if step else None)
        after = StoredRail.of(step + 1, found.remember(self.case.discretisation))
        compared = {"steady_force_x": steady.force[0], "steady_force_y": steady.force[1]}
        lag = {LAG.name: _find_lag(found)} if self.case.may_lag else {}
        return flatten_state(after), {**_sample(found), "distance": found.distance, **compared, **lag}

    def _restore(self, state: Arrays) -> RailMemory:
        """What the position before left on the rails."""
        case = self.case
        return unflatten_state(StoredRail, state).restore(case.steps, case.pair, case.between)

    def _roll_on(
        self, step: int, before: RailMemory | None, share: float = 1.0
    ) -> tuple[WheelRailContact, WheelRailContact]:
        """Transient rolling to a position, and steady rolling there with the same velocities.

        With elements of a share of their size.
        """
        time = self.case.step_time
        if before is None:  # rolling begins with the velocities that lead to the second position
            here, there = self.case.positions[:2]
            along, turn = (there.y - here.y) / time, (there.yaw - here.yaw) / time
            steady = self.touch(step, share, velocity=(along, 0.0), rates=(0.0, turn))
            return steady, steady
        found = self.touch(step, share, previous=before)
        y, z, yaw, roll = (
            (getattr(found, name) - getattr(before.pose, name)) / time for name in ("y", "z", "yaw", "roll")
        )
        return found, self.touch(step, share, velocity=(y, z), rates=(roll, yaw))

    def touch(self, step: int, share: float = 1.0, **motion: Any) -> WheelRailContact:
        """Contact at a position, with elements of a share of their size."""
        case = self.case
        position = case.positions[step]
        if "previous" in motion:
            motion["distance"] = case.position.distance
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CoarseGridWarning)  # the report checks finer elements
            return wheel_rail(
                *case.models,
                side=case.side,
                y=position.y,
                yaw=position.yaw,
                roll=position.roll,
                force=case.load.force,
                z=case.load.z,
                speed=case.speed,
                friction=case.surface,
                position=case.position.x + step * (case.position.distance or 0.0),
                layer=None if case.layer is None else case.layer.build(),
                pair=case.pair,
                **motion,
                dx=share * case.elements.dx,
                dy=share * case.elements.dy,
                discretisation=case.discretisation,
                on_failure="return",
            )

    def evaluate(self, run: StoredRun, stop: Stop) -> WheelRailFindings:
        """Maps of the position with most patches, the last of those, and what it is compared with."""
        counts = np.asarray(run["patches"])
        shown = int(len(counts) - 1 - np.argmax(counts[::-1]))
        if self.case.is_transient:
            shown = len(counts) - 1
            coarse, fine = self.touch(shown), self._march_coarsely(stop)
        else:
            coarse, fine = self.touch(shown), self.touch(shown, 0.5)
        return WheelRailFindings(
            shown,
            tuple(_map_of(patch) for patch in coarse.patches),
            (float(fine.force[0]), float(fine.force[1]), float(fine.force[2])),
            max((patch.peak_pressure for patch in fine.patches), default=0.0),
            self._functions(),
        )

    def _march_coarsely(self, stop: Stop) -> WheelRailContact:
        """The last position of a march with larger elements."""
        found = None
        for step in range(len(self.case.positions)):
            if stop():
                raise StoppedError(
                    f"after {step} of {len(self.case.positions)} positions with larger elements"
                )
            before = None if found is None else found.remember(self.case.discretisation)
            found, _ = self._roll_on(step, before, COARSER)
        assert found is not None
        return found

    def _functions(self) -> ShiftFunctions | None:
        """None where the wheels leave their rails within the shifts of the case."""
        reach = max(AMPLITUDE, max(abs(position.y) for position in self.case.positions))
        y = np.linspace(-reach, reach, SHIFTS)
        try:
            found = contact_functions(*self.case.models, y)
        except InputError:
            return None
        try:
            tangent = float(conicity(*self.case.models, AMPLITUDE))
        except InputError:
            tangent = None
        return ShiftFunctions(y, found.radius_difference, tangent)

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """Numbers over all positions."""
        yield "positions", len(run["y"]), "1"
        if self.case.is_transient:
            yield "distance rolled", float(run["distance"][-1]), "m"
            lag = np.hypot(*(run[f"force_{name}"] - run[f"steady_force_{name}"] for name in "xy"))
            yield "largest difference from steady rolling", float(lag.max()), "N"
        yield "largest number of patches", int(np.max(run["patches"])), "1"
        yield "largest pressure", float(np.max(run["largest_pressure"])), "Pa"
        yield "largest lateral force", float(np.abs(run["force_y"]).max()), "N"
        yield "largest longitudinal force", float(np.abs(run["force_x"]).max()), "N"

    def notices(self, run: StoredRun) -> Sequence[str]:
        """Positions that did not converge, conformal ones, those beyond what is elastic, and lags."""
        said = []
        if missed := int(np.sum(~np.asarray(run["converged"], dtype=bool))):
            said.append(f"{missed} of {len(run['y'])} positions did not pass their certificate")
        if np.max(run["turning"]) > FLAT:
            said.append(
                f"a patch spans {np.max(run['turning']):.2f} rad of the rail: conformal contact, of which "
                "a planar patch is a rough model"
            )
        if excess := describe_excess(float(np.max(run["largest_pressure"])), self.case.pair):
            said.append(f"the peak pressure reaches {excess}")
        if self.case.may_lag and np.max(run[LAG.name]) > 0.0:
            said.append(describe_lag(float(np.max(run[LAG.name]))))
        return said

    def failure(self, run: StoredRun) -> str | None:
        """Nothing touches."""
        return None if np.max(run["patches"]) > 0 else "no wheel touches its rail at the given height"


def _sample(found: WheelRailContact) -> Sample:
    """Numbers of a position."""
    sure, patches = found.certificate, found.patches[:MOST_PATCHES]
    rows = {field.name: np.full(MOST_PATCHES, np.nan) for field in PATCHES}
    for k, patch in enumerate(patches):
        for name, value in _numbers_of(patch).items():
            rows[name][k] = value
    return {
        **{name: getattr(found, name) for name in ("y", "yaw", "roll", "z", "pitch_rate")},
        **{f"force_{name}": float(value) for name, value in zip("xyz", found.force, strict=True)},
        "patches": len(found.patches),
        "largest_pressure": max((patch.peak_pressure for patch in patches), default=0.0),
        "turning": max((patch.turning for patch in patches), default=0.0),
        "force_error": sure.force_error,
        "reference": sure.reference,
        "normal_error": sure.normal,
        "friction_error": sure.tangential,
        "converged": found.ok,
        **rows,
    }


def _find_lag(found: WheelRailContact) -> float:
    """Largest distance by which friction of a patch lags behind its law, m."""
    solved = (patch.tangential for patch in found.patches)
    return max((one.lag for one in solved if isinstance(one, TangentialContact)), default=0.0)


def _numbers_of(patch: ContactPatch) -> dict[str, float]:
    xi, eta, phi = patch.creepage
    normal, along, across = patch.force
    return {
        "side": LEFT if patch.side == "left" else RIGHT,
        "place_y": patch.place[0],
        "place_z": patch.place[1],
        "angle": patch.angle,
        "longitudinal": xi,
        "lateral": eta,
        "spin": phi,
        "normal_force": normal,
        "patch_force_x": along,
        "patch_force_s": across,
        "peak_pressure": patch.peak_pressure,
        "elements": float(patch.elements),
    }


def _map_of(patch: ContactPatch) -> PatchMap:
    grid = patch.normal.grid
    return PatchMap(
        patch.side == "left",
        (float(patch.origin[1]), float(patch.origin[2])),
        patch.angle,
        grid.x,
        grid.y,
        patch.normal.pressure,
        patch.traction,
    )
