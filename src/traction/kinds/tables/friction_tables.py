"""Schemas of friction in scenario files: a number, or a law of the slip speed; and a layer.

Friction may vary with the temperature, and along the track.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Discriminator, Field, Tag, TypeAdapter, ValidationError, model_validator

from traction.errors import InputError
from traction.friction_laws import friction as laws
from traction.friction_laws.falling_law import FallingLaw
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.layer import Layer
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.kinds.tables.body_tables import Buildable
from traction.materials import Pair, thermal_constants
from traction.quantities import quantity
from traction.scenario import si
from traction.scenario.schema import Strict

Coefficient = Annotated[float, Field(ge=0.0, le=100.0)]
MOST_POINTS = 10_000
TEMPERATURES = TypeAdapter(list[si.Temperature], config=Strict.model_config)
Law = FrictionLaw | ThermalFriction | TrackFriction | InclinedFriction


class FrictionTable(Strict):
    """A coefficient of friction that falls with the slip speed."""

    needs: ClassVar[dict[str, tuple[str, ...]]] = {
        "linear": ("kinetic", "drop", "half_speed"),
        "rational": ("kinetic", "drop", "half_speed"),
        "exponential": ("kinetic", "drop", "half_speed"),
        "polach": ("static", "ratio", "decay"),
    }

    law: Literal["linear", "rational", "exponential", "polach"]
    kinetic: Coefficient | None = None
    """coefficient at high slip speed"""
    drop: Coefficient | None = None
    """what is added to it at rest"""
    half_speed: si.PositiveSpeed | None = None
    """slip speed at which half of the drop is left"""
    second_drop: Coefficient | None = None
    second_half_speed: si.PositiveSpeed | None = None
    static: Coefficient | None = None
    """of Polach's law, mu0"""
    ratio: Annotated[float, Field(ge=0.0, le=1.0)] | None = None
    """of Polach's law, A: kinetic over static coefficient"""
    decay: Annotated[float, Field(gt=0.0, le=1e6)] | None = None
    """of Polach's law, B, s/m"""
    memory_distance: si.PositiveLength | None = None
    """slip distance dc over which the coefficient adapts"""
    memory_speed: si.PositiveSpeed | None = None
    """lowest slip speed s0 with which it adapts"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        optional = ("second_drop", "second_half_speed") if self.law != "polach" else ()
        wanted, both = self.needs[self.law], ("memory_distance", "memory_speed")
        for name in wanted:
            if getattr(self, name) is None:
                raise ValueError(f'needs {name} for law = "{self.law}"')
        for name in {key for keys in self.needs.values() for key in keys} | {"second_drop"}:
            if name not in (*wanted, *optional) and getattr(self, name) is not None:
                raise ValueError(f'has {name}, which law = "{self.law}" does not take')
        for pair in (both, ("second_drop", "second_half_speed")):
            if len({getattr(self, name) is None for name in pair}) > 1:
                raise ValueError(f"needs {pair[0]} and {pair[1]} together")
        self.build()
        return self

    def build(self) -> FallingLaw:
        """As the solvers take it."""
        distance, speed = self.memory_distance, self.memory_speed
        memory = None if distance is None or speed is None else (distance, speed)
        if self.law == "polach":
            return laws.polach(self.static or 0.0, self.ratio or 0.0, self.decay or 0.0, memory=memory)
        make = {"linear": laws.linear, "rational": laws.rational, "exponential": laws.exponential}[self.law]
        terms = [(self.drop or 0.0, self.half_speed or 1.0)]
        if self.second_drop is not None:
            terms.append((self.second_drop, self.second_half_speed or 1.0))
        return make(self.kinetic or 0.0, *terms, memory=memory)

    @property
    def words(self) -> str:
        """In a report."""
        law = self.build()
        remembers = ""
        if law.memory is not None:
            remembers = f", memory over {quantity(law.memory.distance, 'm')}"
        return f"{self.law} law from {law.static:.4g} at rest to {law.kinetic:.4g}{remembers}"


class InclinationTable(Buildable[InclinedFriction]):
    """Coefficients of friction along a rail's profile."""

    makes = laws.by_inclination

    inclinations: list[si.Angle]
    """of the surface, increasing; positive where it falls towards the centre of the track"""
    coefficients: list[Coefficient]

    @property
    def words(self) -> str:
        """In a report."""
        low, high = min(self.coefficients), max(self.coefficients)
        return f"{low:.4g} to {high:.4g}, by the inclination of the rail's surface"


class LayerTable(Buildable[Layer]):
    """A thin layer between the bodies."""

    makes = Layer

    shear_modulus: si.PositivePressure
    thickness: si.PositiveLength
    yield_stress: si.PositivePressure | None = None
    hardening: Annotated[float, Field(ge=-1e20, le=1e20)] = 0.0
    """of the yield stress per plastic displacement, Pa/m"""

    @property
    def words(self) -> str:
        """In a report."""
        flows = ""
        if self.yield_stress is not None:
            flows = f", yields at {quantity(self.yield_stress, 'Pa')}"
        return f"{quantity(self.thickness, 'm')} with G = {quantity(self.shear_modulus, 'Pa')}{flows}"


class TemperatureTable(Strict):
    """Coefficients of friction by the temperature of the surfaces, linear between given ones."""

    temperatures: Annotated[list[si.Temperature], Field(min_length=2, max_length=MOST_POINTS)]
    """increasing; without bulk, numbers: the rise above the bodies, K"""
    coefficients: Annotated[list[Coefficient], Field(min_length=2, max_length=MOST_POINTS)]
    """at these; with slip_law, the factors by which its coefficients are multiplied"""
    slip_law: FrictionTable | None = None
    """law of the slip speed that is multiplied"""
    bulk: Annotated[list[si.Temperature], Field(min_length=2, max_length=2)] | None = None
    """temperatures of the upper and the lower body far from the contact"""
    share: Annotated[float, Field(ge=0.0, le=1.0)] | None = None
    """of the heat that enters the upper body; by default both surfaces are equally warm"""
    memory_distance: si.PositiveLength | None = None
    """slip distance over which coefficients follow the temperature"""
    memory_speed: si.PositiveSpeed | None = None

    @model_validator(mode="before")
    @classmethod
    def _require_one_zero(cls, given: object) -> object:
        """Texts with K or degC are absolute and need bulk; numbers are K, above the bodies without bulk."""
        if not isinstance(given, dict):
            return given
        written = [given.get(key) for key in ("temperatures", "bulk")]
        every = [one for some in written if isinstance(some, list) for one in some]
        try:
            TEMPERATURES.validate_python(every)
        except ValidationError:
            return given  # one is no temperature, which its own error says
        texts = [one for one in every if isinstance(one, str)]
        if texts and len(texts) < len(every):
            raise ValueError(
                f'has temperatures with a unit, such as "{texts[0]:.40}", and without; '
                "write all of temperatures and bulk in K or degC"
            )
        if texts and given.get("bulk") is None:
            raise ValueError(
                "has temperatures with a unit and no bulk, the temperatures of the bodies: give "
                'bulk = ["20 degC", "20 degC"], or numbers: the rise above the bodies in K'
            )
        return given

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.memory_distance is None) != (self.memory_speed is None):
            raise ValueError("needs memory_distance and memory_speed together")
        coldest = min((*self.temperatures, *(self.bulk or ())))
        if not self.is_rise and coldest < 0.0:
            raise ValueError(
                f"has a temperature of {coldest:g} K, below absolute zero; numbers are K, degC needs a text "
                'such as "-20 degC"'
            )
        self.build()
        return self

    @property
    def is_rise(self) -> bool:
        """Whether temperatures are those above the bodies."""
        return self.bulk is None

    def build(self) -> ThermalFriction:
        """As the solvers take it."""
        distance, speed = self.memory_distance, self.memory_speed
        return laws.thermal(
            self.temperatures,
            self.coefficients,
            law=None if self.slip_law is None else self.slip_law.build(),
            bulk=(0.0, 0.0) if self.bulk is None else (self.bulk[0], self.bulk[1]),
            share="equal" if self.share is None else self.share,
            memory=None if distance is None or speed is None else (distance, speed),
        )

    @property
    def words(self) -> str:
        """In a report."""
        low, high = self.temperatures[0], self.temperatures[-1]
        what = "" if self.slip_law is None else f" times a {self.slip_law.words}"
        first, last = self.coefficients[0], self.coefficients[-1]
        rise = "a rise of " if self.is_rise else ""
        return f"{first:.4g} at {rise}{low:g} K to {last:.4g} at {high:g} K{what}"


BaseGiven = Annotated[
    Annotated[FrictionTable, Tag("law of slip")]
    | Annotated[TemperatureTable, Tag("law of heat")]
    | Annotated[InclinationTable, Tag("by inclination")],
    Discriminator(
        lambda value: _find_kind(value),
        custom_error_type="friction_base",
        custom_error_message="must be a table of a law of the slip speed, of temperatures or of inclinations",
    ),
]


class AlongTrackTable(Strict):
    """Coefficients of friction along the track."""

    places: Annotated[list[si.Length], Field(min_length=2, max_length=MOST_POINTS)]
    """increasing; two equal ones are a step from one value to the other"""
    values: Annotated[list[Coefficient], Field(min_length=2, max_length=MOST_POINTS)]
    """coefficients at these; with base, the factors by which its coefficients are multiplied"""
    base: BaseGiven | None = None
    """friction that is multiplied"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.build()
        return self

    def build(self) -> TrackFriction:
        """As the solvers take it."""
        return laws.along_track(self.places, self.values, None if self.base is None else self.base.build())

    @property
    def words(self) -> str:
        """In a report."""
        reach = (
            f"between {quantity(self.places[0], 'm')} and {quantity(self.places[-1], 'm')} along the track"
        )
        what = "" if self.base is None else f", times {self.base.words}"
        return f"{min(self.values):.4g} to {max(self.values):.4g} {reach}{what}"


Given = FrictionTable | TemperatureTable | AlongTrackTable | InclinationTable


def _find_kind(value: object) -> str:
    """Which table it is, by its keys."""
    for key, model, tag in (
        ("inclinations", InclinationTable, "by inclination"),
        ("temperatures", TemperatureTable, "law of heat"),
        ("places", AlongTrackTable, "along the track"),
    ):
        if isinstance(value, model) or (isinstance(value, dict) and key in value):
            return tag
    return "law of slip" if isinstance(value, dict | FrictionTable) else "number"


def _find_kind_off_rails(value: object) -> str:
    """The same where there is no rail: inclinations are refused as unknown keys of a law."""
    kind = _find_kind(value)
    return "law of slip" if kind == "by inclination" else kind


#: tables of a law, of temperatures or of places along the track
TableGiven = (
    Annotated[FrictionTable, Tag("law of slip")]
    | Annotated[TemperatureTable, Tag("law of heat")]
    | Annotated[AlongTrackTable, Tag("along the track")]
)
#: friction of a scenario: a number or one of these tables
FrictionGiven = Annotated[
    Annotated[Coefficient, Tag("number")] | TableGiven, Discriminator(_find_kind_off_rails)
]
#: friction between wheel and rail: also by inclinations of the rail
RailFrictionGiven = Annotated[
    Annotated[Coefficient, Tag("number")] | TableGiven | Annotated[InclinationTable, Tag("by inclination")],
    Discriminator(_find_kind),
]


def or_law(number: object) -> object:
    """The type of a coefficient of friction, or of a table of a law."""
    either = Annotated[number, Tag("number")] | TableGiven  # type: ignore[valid-type]
    return Annotated[either, Discriminator(_find_kind_off_rails)]


def check_varying(
    given: float | Given,
    speed: float | None,
    pair: Pair,
    *,
    position: float = 0.0,
    shifted: bool = False,
    on_rails: bool = False,
) -> None:
    """Refuse friction that does not fit the rest of a file."""
    base = given.base if isinstance(given, AlongTrackTable) else given
    if isinstance(base, InclinationTable) and not on_rails:
        raise ValueError(
            "has friction by inclination, which only wheels on rails have; leave friction.base out"
        )
    if isinstance(base, FrictionTable | TemperatureTable) and speed is None:
        raise ValueError("needs speed, since its law of friction depends on slip speeds or on heat")
    if isinstance(base, TemperatureTable):
        if shifted:
            raise ValueError(
                "has friction by temperature, which is for rolling: bodies that are shifted keep their "
                "heat, and have no steady temperature"
            )
        for name, material in (("upper", pair.upper), ("lower", pair.lower)):
            try:
                thermal_constants(name, material)
            except InputError as error:
                raise ValueError(f"has friction by temperature, but {error}") from error
    if position != 0.0 and not isinstance(given, AlongTrackTable):
        raise ValueError("has a position along the track, which only friction along the track needs")


def largest_coefficient(given: float | Given) -> float:
    """Largest coefficient of friction; of a law of the slip speed that at rest."""
    if isinstance(given, float | int):
        return float(given)
    if isinstance(given, FrictionTable):
        return given.build().static
    made = given.build()
    return max(made.coefficients) if isinstance(made, InclinedFriction) else made.largest
