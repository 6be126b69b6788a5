"""Schemas of trains in scenario files: axles, wheels, vehicles, trains by name, and the rail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from traction.kinds.tables.body_tables import Buildable
from traction.quantities import counted, given, significant
from traction.scenario import si
from traction.scenario.schema import Strict
from traction.trains.irregularity import Irregularity
from traction.trains.train import TABLE, HarmonicAxle, Train
from traction.trains.travel import Travel, read_travel
from traction.trains.vehicle import MOST_STAGES, Suspension, Wheel

MOST_AXLES = 1000
MOST_VEHICLES = 50
RADIUS = 0.46  #: of wheels, m; rigid contact does not feel it

if TYPE_CHECKING:
    TrainName = str
else:
    TrainName = Literal[tuple(f"HSLM-{name}" for name in TABLE)]


def named_train(name: str) -> Train:
    """A train of EN 1991-2, such as "HSLM-A1"."""
    return Train.hslm(name.removeprefix("HSLM-"))


class SpringTable(Strict):
    """A spring and a damper side by side."""

    stiffness: si.PositiveStiffness
    damping: si.NotNegativeDashpot = 0.0

    @property
    def words(self) -> str:
        """As in a table of inputs."""
        return f"{given(self.stiffness, 'N/m')} and {given(self.damping, 'N s/m')}"


class StageTable(SpringTable):
    """A spring and damper that carry a mass."""

    mass: si.PositiveMass


class AxleTable(Strict):
    """Forces, constant or harmonic, or wheels under their suspensions; `distance` behind the first axle."""

    distance: si.NotNegativeLength = 0.0
    count: Annotated[int, Field(ge=1, le=MOST_AXLES)] = 1
    """of equal axles"""
    spacing: si.PositiveLength | None = None
    """from one of them to the next"""
    force: si.Force | None = None
    amplitude: si.Force | None = None
    frequency: si.PositiveFrequency | None = None
    phase: si.Angle | None = None
    mass: si.NotNegativeMass | None = None
    suspension: Annotated[list[StageTable], Field(min_length=1, max_length=MOST_STAGES)] | None = None
    """from the wheel upwards"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        wheel = self.mass is not None or self.suspension is not None
        if wheel == (self.force is not None):
            raise ValueError("needs either a force, or the mass or suspension of a wheel")
        if (self.amplitude is None) != (self.frequency is None):
            raise ValueError("needs amplitude and frequency of a harmonic force, or neither")
        if self.amplitude is not None and wheel:
            raise ValueError("takes amplitude and frequency only with a force")
        if self.phase is not None and self.amplitude is None:
            raise ValueError("takes a phase only with amplitude and frequency")
        if (self.count > 1) != (self.spacing is not None):
            raise ValueError("needs count (above 1) and spacing of equal axles, or neither")
        self.build()
        return self

    @property
    def places(self) -> list[float]:
        """Distances of all equal axles behind the first axle of the train, m."""
        return [self.distance + k * (self.spacing or 0.0) for k in range(self.count)]

    @property
    def words(self) -> str:
        """Of a wheel and its suspension, as in a table of inputs."""
        carried = [f"{stage.words} under {given(stage.mass, 'kg')}" for stage in self.suspension or []]
        return ", ".join([given(self.mass or 0.0, "kg"), *carried])

    def build(self) -> float | HarmonicAxle | Wheel:
        """A force (N), a function of time, or a wheel."""
        if self.force is None:
            return Wheel(RADIUS, self.mass or 0.0, suspension=self.suspended)
        if self.amplitude is None or self.frequency is None:
            return self.force
        return HarmonicAxle(self.force, self.amplitude, self.frequency, self.phase or 0.0)

    @property
    def suspended(self) -> Suspension | None:
        """What stands on the wheel."""
        above: Suspension | None = None
        for stage in reversed(self.suspension or []):
            above = Suspension(stage.stiffness, stage.damping, stage.mass, above)
        return above


class VehicleTable(Strict):
    """Vehicles with two bogies each, of ten degrees of freedom."""

    body_mass: si.PositiveMass
    body_inertia: si.PositiveMomentOfInertia
    bogie_mass: si.PositiveMass
    bogie_inertia: si.PositiveMomentOfInertia
    wheel_mass: si.NotNegativeMass
    primary: SpringTable
    secondary: SpringTable
    bogie_spacing: si.PositiveLength
    axle_spacing: si.PositiveLength
    count: Annotated[int, Field(ge=1, le=MOST_VEHICLES)] = 1
    spacing: si.PositiveLength | None = None
    """from one vehicle's first axle to the next one's; 1.25 times the distance of its outer axles"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.count == 1 and self.spacing is not None:
            raise ValueError("takes a spacing only with a count of vehicles above 1")
        self.build()
        return self

    def build(self) -> Train:
        """The train."""
        springs = {
            name: (spring.stiffness, spring.damping)
            for name, spring in (("primary", self.primary), ("secondary", self.secondary))
        }
        return Train.vehicle(**dict(self) | springs)


class TravelTable(Buildable[Travel]):
    """Places of the first axle over time, from 0 at the time 0, through which a cubic spline goes."""

    times: Annotated[list[si.NotNegativeTime], Field(min_length=4, max_length=10_000)]
    places: Annotated[list[si.NotNegativeLength], Field(min_length=4, max_length=10_000)]

    def build(self) -> Travel:
        """The travel."""
        if len(self.times) != len(self.places):
            raise ValueError(
                f"has {len(self.times)} times and {len(self.places)} places; give as many of each"
            )
        return read_travel((self.times, self.places), None)


class HarmonicTable(Buildable[Irregularity]):
    """A sine along the rail."""

    makes = Irregularity.harmonic

    type: Literal["harmonic"]
    amplitude: si.PositiveLength
    wavelength: si.PositiveLength
    phase: si.Angle = 0.0

    @property
    def words(self) -> str:
        """For a table of inputs."""
        wave = given(self.wavelength, "m")
        return f"harmonic, amplitude {given(self.amplitude, 'm')}, wavelength {wave}"


class StepTable(Buildable[Irregularity]):
    """A rise of the rail over a length, as half a cosine."""

    makes = Irregularity.step

    type: Literal["step"]
    height: si.Length
    at: si.Length
    length: si.PositiveLength

    @property
    def words(self) -> str:
        """For a table of inputs."""
        rise, over = given(self.height, "m"), given(self.length, "m")
        return f"step of {rise} over {over} at x = {given(self.at, 'm')}"


class RandomTable(Buildable[Irregularity]):
    """A realisation of a spectrum between two wavelengths."""

    joins = ("wavelengths", "shortest", "longest")

    seed: Annotated[int, Field(ge=0, le=2**31)]
    shortest: si.PositiveLength = 1.0
    longest: si.PositiveLength = 80.0

    @property
    def waves(self) -> str:
        """Which wavelengths, of which realisation."""
        low, high = given(self.shortest, "m"), given(self.longest, "m")
        return f"wavelengths {low} to {high}, seed {self.seed}"

    def build(self) -> Irregularity:
        """The irregularity."""
        if self.shortest >= self.longest:
            raise ValueError(
                f"has shortest = {self.shortest:g} m, which must be below longest = {self.longest:g} m"
            )
        return super().build()


class FraTable(RandomTable):
    """Track of a class of the US Federal Railroad Administration, 1 the worst, 6 the best."""

    makes = Irregularity.fra

    type: Literal["fra"]
    track_class: Annotated[int, Field(ge=1, le=6)]

    @property
    def words(self) -> str:
        """For a table of inputs."""
        return f"random, FRA track class {self.track_class}, {self.waves}"


class ErriTable(RandomTable):
    """German track of low or high disturbance."""

    makes = Irregularity.erri

    type: Literal["erri"]
    level: Literal["low", "high"]

    @property
    def words(self) -> str:
        """For a table of inputs."""
        return f"random, ERRI spectrum of {self.level} disturbance, {self.waves}"


class MeasuredTable(Buildable[Irregularity]):
    """Measured heights of the rail at increasing positions, level beyond them."""

    type: Literal["measured"]
    x: Annotated[list[si.Length], Field(min_length=4, max_length=100_000, fail_fast=True)]
    height: Annotated[list[si.Length], Field(min_length=4, max_length=100_000, fail_fast=True)]

    @property
    def words(self) -> str:
        """For a table of inputs."""
        low, high = given(min(self.height), "m"), given(max(self.height), "m")
        return f"measured, {len(self.x)} heights from {low} to {high}"

    def build(self) -> Irregularity:
        """The irregularity."""
        if len(self.x) != len(self.height):
            raise ValueError(f"has {len(self.x)} places and {len(self.height)} heights; give as many of each")
        return Irregularity.sampled(np.array(self.x), np.array(self.height))


IrregularityTable = Annotated[
    HarmonicTable | StepTable | FraTable | ErriTable | MeasuredTable, Field(discriminator="type")
]


class LoadedCase(Strict):
    """The load: a train by its name, a list of axles, or vehicles; and its speed."""

    exactly_one = (
        ("exactly one of train, axle and vehicle", "train", "axle", "vehicle"),
        ("either a speed or a travel", "speed", "travel"),
    )

    train: TrainName | None = None
    axle: Annotated[list[AxleTable], Field(min_length=1, max_length=MOST_AXLES)] | None = None
    vehicle: VehicleTable | None = None
    speed: si.PositiveSpeed | None = None
    travel: TravelTable | None = None
    """instead of a speed"""
    irregularity: IrregularityTable | None = None
    """of the rail, which wheels feel"""

    @property
    def cars(self) -> Train:
        """The train."""
        if self.train is not None:
            return named_train(self.train)
        if self.vehicle is not None:
            return self.vehicle.build()
        return Train([(axle.build(), place) for axle in self.axle or [] for place in axle.places])

    @property
    def way(self) -> Travel:
        """The travel."""
        return self.travel.build() if self.travel is not None else read_travel(self.speed or 0.0, None)

    @property
    def rough(self) -> Irregularity | None:
        """The irregularity of the rail; None of an even one."""
        return None if self.irregularity is None else self.irregularity.build()

    @model_validator(mode="after")
    def _check_axles(self) -> Self:
        axles = sum(axle.count for axle in self.axle or [])
        if axles > MOST_AXLES:
            raise ValueError(f"has {axles} axles, at most {MOST_AXLES}")
        return self

    @model_validator(mode="after")
    def _check_irregularity(self) -> Self:
        if self.irregularity is not None and not self.cars.vehicles:
            raise ValueError("has an irregularity, but only forces, on which it has no effect; give wheels")
        return self


def load_words(case: LoadedCase) -> list[tuple[str, str]]:
    """Rows of a table of inputs."""
    cars = case.cars
    name = case.train or ("vehicles" if case.vehicle is not None else "axles")
    rows = [(name, f"{counted(len(cars), 'axle')} over {given(cars.length, 'm')}")]
    constant = [load for load, _ in cars.forces if isinstance(load, float)]
    if constant:
        low, high = min(constant), max(constant)
        shown = given(low, "N") + ("" if low == high else f" to {given(high, 'N')}")
        rows.append(("forces", shown))
    for load, _ in cars.forces[:5]:
        if isinstance(load, HarmonicAxle):
            wave = f"{given(load.amplitude, 'N')} at {significant(load.frequency)} Hz"
            rows.append(("harmonic force", f"{given(load.mean, 'N')} ± {wave}"))
    if cars.vehicles:
        mass = sum(float(vehicle.carried.sum()) for vehicle, _ in cars.vehicles)
        rows.append(("mass on wheels", given(mass, "kg")))
    if case.speed is not None:
        rows.append(("speed", f"{significant(case.speed)} m/s = {significant(3.6 * case.speed)} km/h"))
    elif case.travel is not None:
        rows.append(
            ("travel", f"{given(case.travel.places[-1], 'm')} in {given(case.travel.times[-1], 's')}")
        )
    if case.irregularity is not None:
        rows.append(("rail irregularity", case.irregularity.words))
    elif cars.vehicles:
        rows.append(("rail irregularity", "none: smooth rail"))
    return [*rows, *_suspension_words(case)]


def _suspension_words(case: LoadedCase) -> list[tuple[str, str]]:
    """Rows on what the wheels carry; equal axles have one."""
    if case.vehicle is not None:
        springs = {"primary": case.vehicle.primary, "secondary": case.vehicle.secondary}
        return [(f"{name} suspension", spring.words) for name, spring in springs.items()]
    carried = dict.fromkeys(axle.words for axle in case.axle or [] if axle.force is None)
    return [("wheel and suspension", words) for words in carried]
