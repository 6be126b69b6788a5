"""Schemas of beams in scenario files: spans, supports and damping."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Discriminator, Field, Tag, model_validator

from traction.beams.beam import Beam
from traction.beams.beam_description import Rayleigh, Support
from traction.beams.exact.modes import rigid_motions
from traction.kinds.tables.body_tables import Buildable
from traction.quantities import LADDERS, given, significant
from traction.scenario import si
from traction.scenario.schema import Strict

MOST_SPANS = 200
MOST_MODES = 500
MOST_SHOWN_SPANS = 5  #: in a table of inputs
#: of what that table shows of a span
UNITS = {
    "bending_stiffness": "N m2",
    "mass_per_length": "kg/m",
    "shear_stiffness": "N",
    "rotary_inertia": "kg m",
    "foundation": "N/m²",
}


class SupportTable(Buildable[Support]):
    """Springs against deflection and rotation."""

    makes = Support

    deflection: si.NotNegativeStiffness = 0.0
    rotation: si.NotNegativeRotationalStiffness = 0.0


class RayleighTable(Buildable[Rayleigh]):
    """Damping alpha M + beta K."""

    makes = Rayleigh

    alpha: si.NotNegativeRate = 0.0
    beta: si.NotNegativeTime = 0.0


def _form(value: object) -> str:
    if isinstance(value, list):
        return "list"
    return "table" if isinstance(value, dict | Strict) else "plain"


SupportChoice = Annotated[
    Annotated[Literal["clamped", "pinned", "free", "guided"], Tag("plain")]
    | Annotated[SupportTable, Tag("table")],
    Discriminator(_form),
]
Ratio = Annotated[float, Field(ge=0.0, lt=1.0)]
DampingChoice = Annotated[
    Annotated[Ratio, Tag("plain")]
    | Annotated[list[Ratio], Field(min_length=1, max_length=MOST_MODES), Tag("list")]
    | Annotated[RayleighTable, Tag("table")],
    Discriminator(_form),
]


class SpanTable(Strict):
    """A stretch with one section; with a shear stiffness it is Timoshenko's."""

    length: si.PositiveLength
    bending_stiffness: si.PositiveBendingStiffness
    mass_per_length: si.PositiveMassPerLength
    shear_stiffness: si.PositiveForce | None = None
    rotary_inertia: si.NotNegativeRotaryInertia | None = None
    foundation: si.NotNegativeFoundation | None = None

    @property
    def beam(self) -> Beam:
        """Alone."""
        return Beam(**dict(self))


SECTION = tuple(SpanTable.model_fields)
NEEDED = SECTION[:3]


class BeamTable(Strict):
    """One section over a length, or a list of spans; its supports and its damping."""

    length: si.PositiveLength | None = None
    bending_stiffness: si.PositiveBendingStiffness | None = None
    mass_per_length: si.PositiveMassPerLength | None = None
    shear_stiffness: si.PositiveForce | None = None
    rotary_inertia: si.NotNegativeRotaryInertia | None = None
    foundation: si.NotNegativeFoundation | None = None
    span: Annotated[list[SpanTable], Field(min_length=1, max_length=MOST_SPANS)] | None = None
    """instead of one section"""
    supports: Annotated[list[SupportChoice], Field(min_length=2, max_length=MOST_SPANS + 1)] | None = None
    """at all ends and joints; unless given, ends are clamped and joints pinned"""
    damping: DampingChoice = 0.0

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        given = [name for name in SECTION if getattr(self, name) is not None]
        if self.span is not None and given:
            raise ValueError(f"takes {given[0]} or a list of spans, not both")
        missing = [name for name in NEEDED if name not in given]
        if self.span is None and missing:
            raise ValueError(f"needs {missing[0]}; give {', '.join(NEEDED)}, or a list of spans")
        count = len(self.spans) + 1
        if self.supports is not None and len(self.supports) != count:
            raise ValueError(f"has {len(self.supports)} supports, expected {count}: one at each end or joint")
        self.build()
        return self

    @property
    def spans(self) -> list[SpanTable]:
        """From the start."""
        if self.span is not None:
            return self.span
        return [SpanTable(**{name: getattr(self, name) for name in SECTION})]

    @property
    def built_damping(self) -> float | list[float] | Rayleigh:
        """As `tr.Beam` takes it."""
        return self.damping.build() if isinstance(self.damping, RayleighTable) else self.damping

    def build(self) -> Beam:
        """The beam."""
        supports: list[str | Support] | None = None
        if self.supports is not None:
            supports = [one.build() if isinstance(one, SupportTable) else one for one in self.supports]
        beams = [span.beam for span in self.spans]
        return Beam.spans(beams, supports=supports, damping=self.built_damping)

    def require_ratios(self, modes: int) -> None:
        """Refuse a list of damping ratios that is shorter than the modes."""
        if isinstance(self.damping, list) and len(self.damping) < modes:
            raise ValueError(
                f"has {len(self.damping)} damping ratios for {modes} modes; give one for each, or one number"
            )

    def require_place(self, name: str, x: float | None) -> None:
        """Refuse a place that is not on the beam."""
        length = self.build().length
        if x is not None and not 0.0 <= x <= length:
            raise ValueError(f"has {name} = {x:g} m outside the beam, which extends from 0 to {length:g} m")


class BeamCase(Strict):
    """A beam whose modes are computed."""

    title: Annotated[str, Field(max_length=200)] = ""
    beam: BeamTable

    @cached_property
    def built(self) -> Beam:
        """The beam."""
        return self.beam.build()


def held(beam: Beam) -> bool:
    """Whether supports or a foundation hold the beam, so that it can be at rest under loads."""
    return not rigid_motions(beam)


def line_along(beam: Beam, points: int) -> np.ndarray:
    """Places from end to end, m."""
    return np.linspace(0.0, beam.length, points)


def beam_words(table: BeamTable) -> list[tuple[str, str]]:
    """Rows of a table of inputs."""
    spans = table.spans
    rows: list[tuple[str, str]] = []
    for k, span in enumerate(spans):
        name = "beam" if len(spans) == 1 else f"span {k + 1}"
        theory = "Euler-Bernoulli" if span.shear_stiffness is None else "Timoshenko"
        rows.append((name, f"{given(span.length, 'm')}, {theory}"))
        for key, unit in UNITS.items():
            value = getattr(span, key)
            if value:
                shown = given(value, unit) if unit in LADDERS else f"{significant(value)} {unit}"
                rows.append((f"{name}: {key.replace('_', ' ')}", shown))
        if k == MOST_SHOWN_SPANS and len(spans) > MOST_SHOWN_SPANS + 1:
            rows.append(("and", f"{len(spans) - MOST_SHOWN_SPANS - 1} spans more"))
            break
    return [*rows, ("supports", _support_words(table)), ("damping", _damping_words(table))]


def _support_words(table: BeamTable) -> str:
    unless_given = ["clamped", *["pinned"] * (len(table.spans) - 1), "clamped"]
    supports: Sequence[str | SupportTable] = table.supports or unless_given
    words = [
        one
        if isinstance(one, str)
        else f"springs {given(one.deflection, 'N/m')}, {significant(one.rotation)} N m"
        for one in supports[: MOST_SHOWN_SPANS + 2]
    ]
    return "; ".join(words) + (" ..." if len(supports) > len(words) else "")


def _damping_words(table: BeamTable) -> str:
    damping = table.damping
    if isinstance(damping, RayleighTable):
        return f"Rayleigh, alpha {significant(damping.alpha)} 1/s, beta {significant(damping.beta)} s"
    if isinstance(damping, list):
        return ", ".join(f"{ratio:g}" for ratio in damping[:8]) + (" ..." if len(damping) > 8 else "")
    return f"{damping:g} of critical" if damping else "none"
