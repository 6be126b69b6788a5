"""Kind "obstacle": a beam pressed on an obstacle by one load or many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import Discriminator, Tag, model_validator
from pydantic import Field as Limits

from traction.beams.beam import Beam
from traction.beams.obstacle.mesh_adaptation import adapt
from traction.beams.obstacle.obstacle_contact import ObstacleContact
from traction.beams.obstacle.obstacle_shapes import Curved, Inclined, Stepped, curved, flat, inclined, stepped
from traction.beams.obstacle.obstacle_solver import NoContactError, solve
from traction.kinds.press.schema import MOST_MARKERS
from traction.kinds.registry import KeyFigure, Kind
from traction.quantities import quantity, significant, unit_for
from traction.results.field import Coordinate, Field
from traction.scenario.schema import (
    Force,
    ForcePerLength,
    Length,
    NotNegativeFoundation,
    PositiveBendingStiffness,
    PositiveForce,
    PositiveLength,
    Slope,
    Strict,
    one_or_many,
)
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from traction.results.storage.segments import State

MOST_ELEMENTS = 20_000
MOST_LOADS = 2_000
SupportName = Literal["clamped", "pinned", "free", "guided"]
SpaceName = Literal["point", "constant", "linear", "dual"]


class BeamTable(Strict):
    """The beam; with a shear stiffness it is Timoshenko's, without Euler and Bernoulli's."""

    length: PositiveLength
    bending_stiffness: PositiveBendingStiffness
    shear_stiffness: PositiveForce | None = None
    supports: Annotated[list[SupportName], Limits(min_length=2, max_length=2)] = Limits(
        default_factory=lambda: list[SupportName](("clamped", "free"))
    )
    foundation: NotNegativeFoundation = 0.0

    def build(self) -> Beam:
        """The beam; its mass has no part in what is at rest."""
        left, right = self.supports
        return Beam(
            self.length,
            self.bending_stiffness,
            1.0,
            shear_stiffness=self.shear_stiffness,
            supports=(left, right),
            foundation=self.foundation,
        )


class FlatTable(Strict):
    """A level obstacle."""

    type: Literal["flat"]
    gap: PositiveLength

    def build(self) -> Inclined:
        """The shape."""
        return flat(self.gap)


class InclinedTable(Strict):
    """A plane obstacle whose gap grows by `slope` per length."""

    type: Literal["inclined"]
    gap: PositiveLength
    slope: Slope

    def build(self) -> Inclined:
        """The shape."""
        return inclined(self.gap, self.slope)


class CurvedTable(Strict):
    """A round obstacle, or a hollow one with a negative radius, with its extreme gap at a place."""

    type: Literal["curved"]
    gap: PositiveLength
    radius: Length
    at: Length

    def build(self) -> Curved:
        """The shape."""
        return curved(self.gap, self.radius, self.at)


class SteppedTable(Strict):
    """Level pieces that change at places, one less than gaps."""

    type: Literal["stepped"]
    gaps: Annotated[list[PositiveLength], Limits(min_length=1, max_length=100)]
    places: Annotated[list[PositiveLength], Limits(max_length=99)]

    def build(self) -> Stepped:
        """The shape."""
        return stepped(self.gaps, self.places)


ObstacleTable = Annotated[
    Annotated[FlatTable, Tag("flat")]
    | Annotated[InclinedTable, Tag("inclined")]
    | Annotated[CurvedTable, Tag("curved")]
    | Annotated[SteppedTable, Tag("stepped")],
    Discriminator("type"),
]


class PointTable(Strict):
    """A point load, downwards."""

    force: Force
    at: Length


class LoadTable(Strict):
    """Uniform load, downwards: one number, or a list to go through; and point loads that stay."""

    per_length: one_or_many(ForcePerLength)  # type: ignore[valid-type]
    point: Annotated[list[PointTable], Limits(max_length=50)] = Limits(default_factory=list)

    @property
    def values(self) -> list[float]:
        """All loads, N/m."""
        return list(self.per_length) if isinstance(self.per_length, list) else [self.per_length]


class MeshTable(Strict):
    """Elements, the space of the contact force, and whether the mesh fits or adapts to the contact."""

    elements: Annotated[int, Limits(ge=2, le=MOST_ELEMENTS)] = 200
    multiplier: SpaceName = "linear"
    fitted: bool = True
    adaptive: bool = False
    tolerance: Annotated[float, Limits(ge=1e-10, lt=1.0)] = 1e-7
    points: Annotated[int, Limits(ge=11, le=20_001)] = 501
    """places along the beam at which the answer is stored"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.adaptive and not self.fitted:
            raise ValueError("is adaptive, which needs fitted = true")
        return self


class ObstacleCase(Strict):
    """A beam pressed on an obstacle."""

    title: Annotated[str, Limits(max_length=200)] = "A beam pressed on an obstacle"
    beam: BeamTable
    obstacle: ObstacleTable
    above: PositiveLength | None = None
    """gap of a second, level obstacle above the beam"""
    load: LoadTable
    mesh: MeshTable = MeshTable()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if len(self.load.values) > MOST_LOADS:
            raise ValueError(f"has {len(self.load.values)} loads; at most {MOST_LOADS}")
        for point in self.load.point:
            if not 0.0 <= point.at <= self.beam.length:
                raise ValueError(f"has a point load at {point.at} m, off the beam of {self.beam.length} m")
        shape = self.obstacle.build()
        if isinstance(shape, Stepped) and shape.breaks and shape.breaks[-1] >= self.beam.length:
            raise ValueError("has a step of the obstacle beyond the end of the beam")
        gaps = shape(np.linspace(0.0, self.beam.length, 101))
        if not (gaps > 0.0).all():
            raise ValueError("has an obstacle inside the straight beam; its gap must be positive everywhere")
        self.beam.build()
        return self

    def solved(self, load: float) -> ObstacleContact:
        """The contact under one load, N/m."""
        mesh = self.mesh
        forces = [(point.force, point.at) for point in self.load.point]
        beam, shape = self.beam.build(), self.obstacle.build()
        if mesh.adaptive:
            return adapt(
                beam,
                load,
                shape,
                tolerance=mesh.tolerance,
                most_elements=mesh.elements,
                start=min(20, mesh.elements),
                multiplier=mesh.multiplier,
                above=self.above,
                forces=forces,
            ).contact
        return solve(
            beam,
            load,
            shape,
            mesh.elements,
            multiplier=mesh.multiplier,
            above=self.above,
            forces=forces,
            fitted=mesh.fitted,
        )


SCALARS = (
    Field("load", "N/m", "load per length", labels_samples=True),
    Field("force", "N", "force of the obstacle"),
    Field("free_length", "m", "begin of the first contact", may_be_nan=True),
    Field("contact_length", "m", "length in contact"),
    Field("point_force", "N", "point force where the contact begins"),
    Field("excess_force", "N", "force beyond the load on the first contact", may_be_nan=True),
    Field("energy", "J", "elastic energy"),
    Field("elements", "1", "elements"),
    Field("steps", "1", "linear problems on the finest mesh"),
    Field("penetration", "1", "largest penetration over the gap"),
    Field("imbalance", "1", "loads less reactions and contact forces, over the loads"),
)
ALONG = (
    Field("deflection", "m", "deflection", ("x",)),
    Field("rotation", "1", "rotation of the sections", ("x",)),
    Field("moment", "N m", "bending moment", ("x",)),
    Field("shear", "N", "shear force", ("x",)),
    Field("contact_force", "N/m", "contact force per length", ("x",)),
)


@dataclass(frozen=True)
class ObstacleStepper:
    """One load after the other."""

    case: ObstacleCase

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        return (*SCALARS, *ALONG)

    @cached_property
    def places(self) -> np.ndarray:
        """Along the beam, m."""
        return np.linspace(0.0, self.case.beam.length, self.case.mesh.points)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Places along the beam."""
        return (Coordinate("x", self.places, "m", "place along the beam"),)

    @property
    def total(self) -> int:
        """Number of loads."""
        return len(self.case.load.values)

    def initial(self) -> State:
        """Before the first load."""
        return {"step": np.array(0)}

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """Solve the next load; one that does not close the gap only bends the beam, unless it is the last."""
        step = int(state["step"])
        load = self.case.load.values[step]
        try:
            sample = sample_of(self.case.solved(load), load, self.places)
        except NoContactError:
            if step == self.total - 1:
                raise
            sample = self._bent(load)
        return {"step": np.array(step + 1)}, sample

    def _bent(self, load: float) -> dict[str, Any]:
        """Without contact."""
        forces = [(point.force, point.at) for point in self.case.load.point]
        bending = self.case.beam.build().bend(forces, load=load)
        x = self.places
        numbers = dict.fromkeys((field.name for field in SCALARS), 0.0)
        return {
            **numbers,
            "load": load,
            "free_length": np.nan,
            "excess_force": np.nan,
            "deflection": bending.deflection(x),
            "rotation": bending.rotation(x),
            "moment": -bending.moment(x),
            "shear": -bending.shear(x),
            "contact_force": np.zeros(x.size),
        }


def sample_of(contact: ObstacleContact, load: float, x: np.ndarray) -> dict[str, Any]:
    """The numbers of one load."""
    proof = contact.certificate
    return {
        "load": load,
        "force": contact.force,
        "free_length": contact.free_length,
        "contact_length": sum(zone.end - zone.start for zone in contact.zones),
        "point_force": contact.point_force,
        "excess_force": contact.excess_force,
        "energy": contact.energy,
        "elements": float(contact.elements),
        "steps": float(contact.steps[-1]),
        "penetration": proof.penetration,
        "imbalance": proof.balance,
        **{field.name: getattr(contact, field.name)(x) for field in ALONG},
    }


def key_figures(case: ObstacleCase, samples: dict[str, Any]) -> list[KeyFigure]:
    """The last load's numbers."""
    return [(field.long_name, float(samples[field.name][-1]), field.unit) for field in SCALARS[:7]]


def tables(case: ObstacleCase, samples: dict[str, Any]) -> Sequence[Table]:
    """What went in, and what came out."""
    beam, mesh = case.beam, case.mesh
    theory = "Euler and Bernoulli" if beam.shear_stiffness is None else "Timoshenko"
    loads = case.load.values
    words = quantity(loads[0], "N/m")
    if len(loads) > 1:
        words = f"{len(loads)}, {words} to {quantity(loads[-1], 'N/m')}"
    shape = case.obstacle
    gap = ", ".join(
        quantity(g, "m") for g in (shape.gaps if isinstance(shape, SteppedTable) else [shape.gap])
    )
    inputs = [
        ("beam", f"{theory}, {quantity(beam.length, 'm')} long, {' and '.join(beam.supports)}"),
        ("bending stiffness", f"{significant(beam.bending_stiffness)} N m²"),
        *([("shear stiffness", quantity(beam.shear_stiffness, "N"))] if beam.shear_stiffness else []),
        ("obstacle", f"{shape.type}, gap {gap}"),
        ("load per length", words),
        (
            "contact force",
            f"{mesh.multiplier}, {'adaptive' if mesh.adaptive else f'{mesh.elements} elements'}",
        ),
    ]
    results = [
        (name, f"{significant(value)} {unit}" if unit == "1" else quantity(value, unit))
        for name, value, unit in key_figures(case, samples)
        if np.isfinite(value)
    ]
    deep, off = float(np.max(samples["penetration"])), float(np.max(samples["imbalance"]))
    checks = [
        ("largest penetration over the gap", f"{deep:.1e}", "1e-2", "passed" if deep <= 1e-2 else "coarse"),
        ("balance of forces", f"{off:.1e}", "1e-9", "passed" if off <= 1e-9 else "missed"),
    ]
    return [
        Table("Inputs", ("quantity", "value"), inputs),
        Table("Results at the last load", ("quantity", "value"), results),
        Table("Checks", ("check", "found", "limit", "verdict"), checks),
    ]


def figures(case: ObstacleCase, samples: dict[str, Any]) -> Sequence[tuple[str, str, Figure]]:
    """The last load along the beam, and the contact over the loads where there are several."""
    from traction.view import figures as view
    from traction.view.obstacle import obstacle_plot

    contact = case.solved(case.load.values[-1])
    figure = view.blank_figure(11.0, 7.4)
    for number, name in enumerate(("deflection", "moment", "shear", "contact_force")):
        obstacle_plot(contact, name, figure.add_subplot(2, 2, number + 1))
    shown = [("beam", "Deflection, moment, shear force and contact force at the last load.", figure)]
    if len(case.load.values) > 1:
        figure = view.blank_figure()
        axes = figure.add_subplot()
        force, load = unit_for(samples["force"], "N"), unit_for(samples["load"], "N/m")
        style = "o-" if len(case.load.values) <= MOST_MARKERS else "-"
        axes.plot(load.of(samples["load"]), force.of(samples["force"]), style)
        view.style_axes(
            axes, f"load ({load.name})", f"force of the obstacle ({force.name})", "What the obstacle carries"
        )
        shown.append(("force_over_load", "Force of the obstacle over the load.", figure))
    return shown


KIND = Kind(
    name="obstacle",
    summary="a beam pressed on a flat, inclined, curved or stepped obstacle, through one load or many",
    schema=ObstacleCase,
    stepper=ObstacleStepper,
    key_figures=key_figures,
    tables=tables,
    figures=figures,
)
