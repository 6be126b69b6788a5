"""Kind "wheel-rail": a wheelset on a track, at one position or several, and the cross-sections of both."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from pydantic import ConfigDict, Field, model_validator

from traction.contact.friction.varying_friction import VaryingFriction
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.layer import Layer
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.kinds.tables.body_tables import PairCase
from traction.kinds.tables.friction_tables import LayerTable, RailFrictionGiven, check_varying
from traction.profiles.profile import Profile
from traction.scenario import si
from traction.scenario.schema import Strict, one_or_many
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.problem import MOST_ROLLED

Coordinates = Annotated[list[si.Length], Field(min_length=4, max_length=100_000, fail_fast=True)]
MOST_POSITIONS = 10_000


def _or_file(schema: dict[str, Any]) -> None:
    """In a file, the points may be in another file instead."""
    schema["properties"]["file"] = {"type": "string", "description": "profile beside the scenario"}
    schema["properties"]["mirror"] = {"type": "boolean", "description": "the file is that of a left one"}


class CrossSectionTable(Strict):
    """A standard profile by name, a cone by its taper, or points y and z, which a file may hold."""

    model_config = ConfigDict(json_schema_extra=_or_file)
    exactly_one = (("exactly one of standard, taper, y and file", "standard", "taper", "y"),)

    standard: Literal["S1002", "60E1", "60E2", "UIC60-benchmark"] | None = None
    taper: si.Slope | None = None
    """of a conical wheel"""
    y: Coordinates | None = None
    """towards the flange or the gauge side"""
    z: Coordinates | None = None
    """upwards"""
    smoothing: si.NotNegativeLength | None = None
    """wavelength; by default as much as the noise asks for, 0 for none"""

    @model_validator(mode="after")
    def _paired(self) -> Self:
        if (self.y is None) != (self.z is None):
            raise ValueError("needs y and z together, of equal lengths")
        if self.smoothing is not None and self.y is None:
            raise ValueError("has a smoothing, which belongs to points only; remove it")
        return self

    def build(self, kind: str) -> Profile:
        """The profile of a wheel or a rail; a `ValueError` if it is that of the other."""
        if self.standard is not None:
            profile = Profile.standard(self.standard)
            if profile.kind != kind:
                raise ValueError(
                    f'has the profile "{self.standard}" of a {profile.kind} where a {kind} is needed'
                )
            return profile
        if self.taper is not None:
            if kind != "wheel":
                raise ValueError("has a taper, which only wheels have; give a standard rail, or points")
            return Profile.conical(self.taper)
        return Profile(np.array(self.y), np.array(self.z), kind, self.smoothing)

    @property
    def words(self) -> str:
        """The profile in a few words."""
        if self.standard is not None:
            return self.standard
        if self.taper is not None:
            return f"cone, taper {self.taper:.4g}"
        return f"{len(self.y or ())} points"


class WheelsetTable(Strict):
    """Two wheels on an axle."""

    radius: si.PositiveLength
    """nominal rolling radius"""
    back_to_back: si.PositiveLength = 1.360
    flange_back: si.Length = 0.070
    """y of the flange's back in the profile"""
    profile: CrossSectionTable
    left: CrossSectionTable | None = None
    """of the left wheel, if it is another one"""

    def build(self) -> Wheelset:
        """The wheelset."""
        left = None if self.left is None else self.left.build("wheel")
        return Wheelset(self.profile.build("wheel"), self.radius, self.back_to_back, self.flange_back, left)


class TrackTable(Strict):
    """Two rails, or rollers in their place."""

    gauge: si.PositiveLength = 1.435
    gauge_height: si.PositiveLength = 0.014
    cant: si.Angle = 0.0
    """inclination of the rails towards each other"""
    rail: CrossSectionTable
    left: CrossSectionTable | None = None
    """left rail, if it is another one"""
    roller_radius: si.PositiveLength | None = None
    """of rollers that turn instead of rails, as on a test rig"""

    def build(self) -> Track:
        """The track."""
        left = None if self.left is None else self.left.build("rail")
        rail = self.rail.build("rail")
        return Track(rail, self.gauge, self.gauge_height, self.cant, left, self.roller_radius)


class PositionTable(Strict):
    """Lateral shift and angles: one position, lists of equal lengths, or a sweep to the last values."""

    y: one_or_many(si.Length) = 0.0  # type: ignore[valid-type]
    yaw: one_or_many(si.Angle) = 0.0  # type: ignore[valid-type]
    roll: one_or_many(si.Angle) = None  # type: ignore[valid-type]
    """by default so that both wheels carry their loads; 0 for one wheel"""
    x: si.Length = 0.0
    """along the track, for friction along it"""
    y_end: si.Length | None = None
    """of a sweep"""
    yaw_end: si.Angle | None = None
    count: Annotated[int, Field(ge=2, le=MOST_POSITIONS)] | None = None
    distance: si.PositiveLength | None = None
    """rolled from one position to the next: transient rolling, from a steady start"""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.count is None) != (self.y_end is None and self.yaw_end is None):
            raise ValueError(
                "is a sweep with count and y_end or yaw_end, or both; give count and an end, or neither"
            )
        if self.count is not None and any(isinstance(v, list) for v in (self.y, self.yaw, self.roll)):
            raise ValueError("is a sweep, which begins at one y, yaw and roll, not at lists")
        sizes = {len(v) for v in (self.y, self.yaw, self.roll) if isinstance(v, list)}
        if len(sizes) > 1:
            raise ValueError(
                f"has lists of {' and '.join(map(str, sorted(sizes)))} numbers; give equally many"
            )
        if self.distance is not None and self.size < 2:
            raise ValueError(
                "has a distance, rolled from one position to the next; give two or more positions"
            )
        if max(sizes, default=1) > MOST_POSITIONS:
            raise ValueError(f"has {max(sizes)} positions, at most {MOST_POSITIONS}")
        return self

    @property
    def size(self) -> int:
        """Number of positions."""
        lists = [len(v) for v in (self.y, self.yaw, self.roll) if isinstance(v, list)]
        return self.count or max(lists, default=1)

    def values(self, name: str) -> np.ndarray | None:
        """Of all positions; None where none is given."""
        start, end = getattr(self, name), getattr(self, f"{name}_end", None)
        if start is None:
            return None
        if end is not None:
            return np.linspace(start, end, self.size)
        return np.broadcast_to(np.asarray(start, dtype=float), (self.size,))


class ElementTable(Strict):
    """Size and kind of the elements of the patches."""

    dx: si.PositiveLength = 0.2e-3
    dy: si.PositiveLength = 0.2e-3
    discretisation: Literal["classical", "covered"] | None = None
    """by default classical, but covered in transient rolling"""


class WheelRailLoadTable(Strict):
    """Vertical force, of one wheel or of both together, or the height of the wheelset."""

    exactly_one = (("exactly one of force and z", "force", "z"),)

    force: si.PositiveForce | None = None
    z: si.Length | None = None


class WheelPosition(NamedTuple):
    """Where a wheelset is, m and rad."""

    y: float
    yaw: float
    roll: float | None


class WheelRailCase(PairCase):
    """A wheelset on a track."""

    title: Annotated[str, Field(max_length=200)] = "Wheelset on a track"
    wheelset: WheelsetTable
    track: TrackTable
    side: Literal["left", "right", "both"] = "both"
    friction: RailFrictionGiven = 0.3
    """coefficient, or a table of a law, of inclinations of the rail, or of places along the track"""
    layer: LayerTable | None = None
    """between wheel and rail"""
    speed: si.PositiveSpeed | None = None
    """of the wheelset; a law of friction needs it"""
    position: PositionTable = PositionTable()
    load: WheelRailLoadTable
    elements: ElementTable = ElementTable()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.require_elastic()
        check_varying(self.friction, self.speed, self.pair, position=self.position.x, on_rails=True)
        if max(np.abs(self.position.values("yaw")).max(), abs(self.track.cant)) > 0.5:  # type: ignore[arg-type]
            raise ValueError("has an angle of more than 0.5 rad; check its unit")
        distance, dx = self.position.distance, self.elements.dx
        if distance is not None and distance > MOST_ROLLED * dx:
            raise ValueError(
                f"has a distance of {distance / dx:.3g} elements between positions, at most {MOST_ROLLED}"
            )
        self.models  # noqa: B018  # profiles that do not fit are refused with the file
        return self

    @property
    def friction_words(self) -> list[tuple[str, str]]:
        """Friction and layer, for a report."""
        friction = f"μ = {self.friction:g}" if isinstance(self.friction, float) else self.friction.words
        layer = [] if self.layer is None else [("layer", self.layer.words)]
        return [("friction", friction), *layer]

    @property
    def is_transient(self) -> bool:
        """Whether each position begins from the tractions of the one before."""
        return self.position.distance is not None

    @property
    def may_lag(self) -> bool:
        """Whether steps of transient rolling may lag behind the law of friction."""
        law = self.between[0]
        return self.is_transient and law is not None and VaryingFriction.find_law(law).may_lag

    @property
    def discretisation(self) -> str:
        """Of the elements."""
        return self.elements.discretisation or ("covered" if self.is_transient else "classical")

    @property
    def surface(self) -> float | FrictionLaw | ThermalFriction | InclinedFriction | TrackFriction:
        """Friction of the rails."""
        return self.friction if isinstance(self.friction, float) else self.friction.build()

    @property
    def between(self) -> tuple[float | FrictionLaw | ThermalFriction | None, float | None, Layer | None]:
        """Law of friction, speed and layer; None for coefficients along the profile or the track."""
        law = self.surface.law if isinstance(self.surface, TrackFriction) else self.surface
        layer = None if self.layer is None else self.layer.build()
        return (None if isinstance(law, InclinedFriction) else law), self.speed, layer

    @property
    def steps(self) -> tuple[float, float]:
        """Size of the elements, m."""
        return self.elements.dx, self.elements.dy

    @property
    def step_time(self) -> float:
        """From one position to the next, s; without a speed, that of 1 m/s."""
        return (self.position.distance or 0.0) / (self.speed or 1.0)

    @cached_property
    def models(self) -> tuple[Wheelset, Track]:
        """Wheelset and track."""
        return self.wheelset.build(), self.track.build()

    @cached_property
    def positions(self) -> list[WheelPosition]:
        """All positions in order."""
        y, yaw, roll = (self.position.values(name) for name in ("y", "yaw", "roll"))
        assert y is not None
        assert yaw is not None
        rolls = [None] * len(y) if roll is None else roll.tolist()
        return [WheelPosition(*row) for row in zip(y.tolist(), yaw.tolist(), rolls, strict=True)]
