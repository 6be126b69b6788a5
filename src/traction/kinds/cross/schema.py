"""Kind "cross": a train crosses a bridge, the contact of its wheels rigid, by Hertz or on a grid."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from traction.crossing.choices import CONTACT_METHODS, FRICTION_ELEMENTS
from traction.integrators.method_table import method as method_of
from traction.kinds.cross.cross_fields import DRIVEN, SHAFT, TRACTIONS
from traction.kinds.tables.axle_tables import MOST_AXLES
from traction.kinds.tables.beam_tables import MOST_MODES
from traction.kinds.tables.body_tables import GridTable
from traction.kinds.tables.crossing_tables import (
    MOST_DENSE,
    BeamModelTable,
    CrossedCase,
    OutputTable,
    StepsTable,
)
from traction.kinds.tables.method_tables import MethodName
from traction.kinds.tables.wheel_tables import (
    DriveTable,
    RailTable,
    WheelAxleTable,
    WheelsDriveTable,
    WheelTable,
)
from traction.quantities import counted
from traction.scenario import si
from traction.scenario.schema import Strict, require_storable
from traction.trains.bridge import Bridge
from traction.trains.drive import Drive
from traction.trains.train import Train
from traction.trains.vehicle import Wheel

MOST_CELLS = 256 * 256  #: of a contact that is solved
MOST_STORED = 2e7  #: numbers of all samples, which reports keep in memory
MOST_STEPS = 5e6
MOST_STUDIED = 50  #: speeds
MOST_SLOWER = 20  #: times, that speeds of a study may be below that of the run
NUMBERS = 30  #: of a sample, beside those of bridge, axles and vehicles


class CrossModelTable(BeamModelTable):
    """Modes condensed to the wheels, or any model of the bridge marched by a method with its wheels."""

    size: Annotated[int, Field(ge=1, le=MOST_MODES)] | None = None
    """of modes (40), elements or cells (100)"""
    method: MethodName | None = None
    """"newmark" of elements and differences; of modes, instead of the condensed march"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.type != "modes" and self.number > MOST_DENSE:
            raise ValueError(f"has {self.number} elements or cells, at most {MOST_DENSE}")
        if self.marches_by is not None:
            method_of(self.marches_by, **self.options)  # refuses options that the method has not
        elif self.options:
            raise ValueError("takes options only with a method")
        return self

    @property
    def marches_by(self) -> str | None:
        """The method, unless wheels are rigid; None for the condensed march."""
        return self.method or (None if self.type == "modes" else CONTACT_METHODS[self.type])


class CrossStepsTable(StepsTable):
    """Longest time step, end of the run, and number of samples."""

    samples: Annotated[int, Field(ge=8, le=1_000_000)] = 1001
    """at equal times, which steps fall on"""


class CrossOutputTable(OutputTable):
    """Output position on the bridge, and whether the patch under the first wheel is stored."""

    points: Annotated[int, Field(ge=2, le=10_001)] = 21
    """along the bridge, at which the deflection is stored"""
    pressure: bool = False
    """of the patch under the first wheel, at all samples"""
    traction: bool = False
    """of the first wheel that is driven, with pressure and stick area, at all samples"""


class SpeedStudyTable(Strict):
    """The same train at other speeds, with Hertz or rigid contact: where is the resonance?"""

    speeds: Annotated[list[si.PositiveSpeed], Field(min_length=3, max_length=MOST_STUDIED)]

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if any(after <= before for before, after in pairwise(self.speeds)):
            raise ValueError("has speeds that do not rise")
        return self


class CrossCase(CrossedCase):
    """A train that crosses a bridge."""

    title: Annotated[str, Field(max_length=200)] = "A train crosses a bridge"
    contact: Literal["rigid", "hertz", "half-space"] = "half-space"
    axle: (  # never changed, so that a list of narrower ones will do
        Annotated[list[WheelAxleTable], Field(min_length=1, max_length=MOST_AXLES)] | None
    ) = None  # type: ignore[assignment]
    wheel: WheelTable = WheelTable()
    """of all wheels that have no shape of their own"""
    rail: RailTable = RailTable()
    drive: WheelsDriveTable | None = None
    """driving or braking of wheels that have none of their own"""
    grid: GridTable | None = None
    """of the half space, around each wheel; 32 x 32 elements that hold the patch unless given"""
    solve: Literal["table", "every-step"] = "table"
    """of the half space: once into a table of force over approach, or at every step"""
    model: CrossModelTable = CrossModelTable()
    time: CrossStepsTable = CrossStepsTable()
    output: CrossOutputTable = CrossOutputTable()
    study: SpeedStudyTable | None = None
    """peak deflection over speed, to compare with"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self._check_contact()
        self._check_drive()
        if self.model.type == "modes":
            self.beam.require_ratios(self.model.number)
        self.check_end()
        self._check_stored()
        self._check_study()
        return self

    @property
    def cars(self) -> Train:
        """The train."""
        if self.axle is None:
            return super().cars
        return Train([(axle.made(self.wheel), place) for axle in self.axle for place in axle.places])

    @property
    def bridge(self) -> Bridge:
        """Beam and rail."""
        return self.rail.bridge(self.built)

    @property
    def drives(self) -> tuple[Drive | None, ...]:
        """Drive of each wheel; empty where none is driven."""
        return tuple(None if table is None else table.build() for table in self.drive_tables)

    @property
    def drive_tables(self) -> tuple[DriveTable | None, ...]:
        """Drive table of each wheel: its own, or the common one."""
        wheels, common = len(self.cars.wheels), self.drive
        of_all = [
            common if common is None or common.wheels is None or k + 1 in common.wheels else None
            for k in range(wheels)
        ]
        wheeled = [axle for axle in self.axle or [] if axle.force is None]
        own = [axle.drive for axle in wheeled for _ in axle.places] or [None] * wheels
        return tuple(one or other for one, other in zip(own, of_all, strict=True))

    @property
    def shape(self) -> Wheel | None:
        """Shape of the wheels of vehicles, which have none of their own."""
        return self.wheel.made(1.0) if self.vehicle is not None and self.contact != "rigid" else None

    @property
    def numbers(self) -> int:
        """Number of values in a sample."""
        cars = self.cars
        coordinates = sum(len(vehicle.mass) for vehicle, _ in cars.vehicles)
        own = (2 if self.model.type == "modes" else 6) * self.model.number
        cells = 0
        if self.output.pressure:
            cells = 4 * (1024 if self.grid is None else self.grid.cells)
        cells += self._traction_numbers
        return NUMBERS + own + self.output.points + 8 * len(cars) + 2 * coordinates + cells

    @property
    def _traction_numbers(self) -> int:
        """Number of values in a sample of the driven wheels."""
        driven = [table for table in self.drive_tables if table is not None]
        shafts = any(table.shaft is not None for table in driven)
        numbers = (len(DRIVEN) + shafts * len(SHAFT) + 2) * len(driven)  # with lag and jump
        if not driven or not self.output.traction:
            return numbers
        n = driven[0].elements or (32 if self.contact == "half-space" else FRICTION_ELEMENTS)
        cells = n * n if driven[0].elements or self.grid is None else self.grid.cells
        return numbers + len(TRACTIONS) * cells

    def even_steps(self, dt: float) -> int:
        """Number of steps of at most dt (s), a multiple of the intervals between samples."""
        between = self.time.samples - 1
        return between * max(1, math.ceil(self.t_end / dt / between * (1.0 - 1e-9)))

    def _check_contact(self) -> None:
        wheels = bool(self.cars.vehicles)
        if self.contact != "rigid" and not wheels:
            raise ValueError(
                f'has contact = "{self.contact}", but only forces; give axles a mass, or contact = "rigid"'
            )
        if self.contact != "half-space" and (self.grid is not None or self.output.pressure):
            raise ValueError('takes a grid and output.pressure only with contact = "half-space"')
        if self.contact != "half-space" and self.solve != "table":
            raise ValueError('takes solve = "every-step" only with contact = "half-space"')
        if self.contact == "rigid" and self.model.type == "modes" and self.model.method is not None:
            raise ValueError("has rigid contact, for which modes have no method; remove model.method")
        if self.contact == "rigid":
            self.check_rigid_wheels()
        if self.grid is not None:
            too_many = f"is solved on a grid of at most {MOST_CELLS} elements"
            self.grid.require_area(MOST_CELLS, ": the weight of wheels is not per metre", too_many)

    def _check_drive(self) -> None:
        tables, wheels = self.drive_tables, len(self.cars.wheels)
        if self.drive is not None and not wheels:
            raise ValueError("has a drive, but only forces, which are not driven; give axles a mass")
        beyond = [k for k in (self.drive.wheels or [] if self.drive is not None else []) if k > wheels]
        if beyond:
            raise ValueError(f"has drive.wheels with {beyond[0]}; the train has {counted(wheels, 'wheel')}")
        driven = any(table is not None for table in tables)
        if driven and self.contact == "rigid":
            raise ValueError('has a drive, which needs a patch: choose contact = "hertz" or "half-space"')
        if self.output.traction and not driven:
            raise ValueError("has output.traction, but no wheel is driven; give a drive")

    def _check_study(self) -> None:
        if self.study is None:
            return
        if self.speed is None:
            raise ValueError("has a study of speeds, but a travel; give a speed instead")
        slowest = self.study.speeds[0]
        if slowest * MOST_SLOWER < self.speed:
            raise ValueError(
                f"has study.speeds from {slowest:g} m/s, at least 1/{MOST_SLOWER} of the speed "
                f"{self.speed:g} m/s: slower crossings take too many steps"
            )

    def _check_stored(self) -> None:
        remedy = "fewer time.samples, a smaller model.size, or fewer output.points"
        require_storable(self.time.samples * self.numbers, MOST_STORED, remedy)
        dt = self.time.fixed
        if dt is not None and self.t_end / dt > MOST_STEPS:
            raise ValueError(f"has {self.t_end / dt:.3g} steps of time.dt, at most {MOST_STEPS:g}")
