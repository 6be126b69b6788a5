"""What scenarios of friction share: the pressed bodies, lists of steps, samples, tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Generic, Self, TypeVar

import numpy as np
from pydantic import BeforeValidator, WithJsonSchema, model_validator
from pydantic import Field as Limits

from traction.contact.friction_certificate import FrictionCertificate
from traction.contact.normal import NormalContact, press, recovered
from traction.contact.tangential import TangentialContact
from traction.grid import Grid
from traction.kinds.bodies import GridTable, MaterialChoice, SurfaceTable, material
from traction.kinds.press import LoadTable, material_words, surface_words
from traction.kinds.registry import KeyFigure
from traction.materials import Pair
from traction.quantities import quantity, significant
from traction.results.field import Constant, Coordinate, Field
from traction.scenario.schema import Strict
from traction.scenario.schema import quantity as typed
from traction.scenario.units import LONGEST, Dimension, pattern, si_value
from traction.status import Status
from traction.surfaces import SurfaceSum
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

State = dict[str, np.ndarray]
MOST_STEPS = 10_000
MOST_ROWS = 60  #: of a table that is still read
FEW_ELEMENTS = 12  #: across a contact; fewer say little about stick and slip

SPIN = Dimension("spin", (-1, 0, 0), "0.5 rad/m")
Force = typed("force", ge=-1e15, le=1e15)
ForcePerLength = typed("force per length", ge=-1e15, le=1e15)
Number = typed("number", ge=-1e6, le=1e6)
Angle = typed("angle", ge=-1e3, le=1e3)


def _spin_in_si(value: Any) -> Any:
    return si_value(value, SPIN) if isinstance(value, str) else value


Spin = Annotated[
    float,
    Limits(ge=-1e9, le=1e9),
    BeforeValidator(_spin_in_si),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": -1e9, "maximum": 1e9},
                {"type": "string", "pattern": pattern(SPIN), "maxLength": LONGEST},
            ],
            "description": f"spin: SI number, or a string such as {SPIN.example!r}",
        }
    ),
]


class FrictionCase(Strict):
    """A body of given shape pressed on another one, with friction."""

    title: Annotated[str, Limits(max_length=200)] = "Contact with friction"
    upper: MaterialChoice = "steel"
    lower: MaterialChoice = "steel"
    grid: GridTable
    surface: Annotated[list[SurfaceTable], Limits(min_length=1, max_length=20)]
    load: LoadTable
    friction: Annotated[float, Limits(ge=0.0, le=100.0)]
    tol: Annotated[float, Limits(ge=1e-11, lt=1.0)] = 1e-6

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if material(self.upper).rigid and material(self.lower).rigid:
            raise ValueError("has two rigid bodies; at least one of upper and lower must deform")
        if self.load.force is not None and self.grid.line:
            raise ValueError("has a line contact, which takes load.force_per_length instead of load.force")
        if self.load.force_per_length is not None and not self.grid.line:
            raise ValueError("has no line contact, so it takes load.force instead of load.force_per_length")
        return self

    @property
    def pair(self) -> Pair:
        """Both materials."""
        return Pair(material(self.upper), material(self.lower))


def as_list(value: Any) -> list[float]:
    """One number or many, as a list."""
    return list(value) if isinstance(value, list) else [float(value)]


def in_step(columns: dict[str, Any]) -> list[dict[str, float | None]]:
    """Rows of columns that are one number, which holds for all, None, or lists of the same length."""
    lists = {name: as_list(value) for name, value in columns.items() if value is not None}
    lengths = {name: len(values) for name, values in lists.items() if len(values) > 1}
    if len(set(lengths.values())) > 1:
        raise ValueError(
            "has lists of different lengths: " + ", ".join(f"{name} {n}" for name, n in lengths.items())
        )
    total = max(lengths.values(), default=1)
    return [
        {
            name: None if name not in lists else lists[name][k if len(lists[name]) > 1 else 0]
            for name in columns
        }
        for k in range(total)
    ]


SCALARS = (
    Field("normal_force", "N", "normal force"),
    Field("force_x", "N", "force along x on body 1"),
    Field("force_y", "N", "force along y on body 1"),
    Field("moment", "N m", "spin moment on body 1"),
    Field("dissipation", "J", "energy lost"),
    Field("stick_share", "1", "share of the contact that sticks"),
    Field("elements_across", "1", "elements in the narrower direction of the contact"),
    Field("iterations", "1", "Newton steps on the finest grid"),
    Field("residual", "1", "largest error of the friction law over the largest bound"),
)
MAPS = (
    Field("pressure", "Pa", "contact pressure", ("y", "x")),
    Field("traction_x", "Pa", "traction along x on body 1", ("y", "x")),
    Field("traction_y", "Pa", "traction along y on body 1", ("y", "x")),
    Field("stick", "1", "whether an element sticks", ("y", "x"), "bool"),
)

C = TypeVar("C", bound=FrictionCase)


@dataclass(frozen=True)
class FrictionStepper(Generic[C]):
    """Base of the steppers: the grid, the gap and the pressed contact of a step."""

    case: C

    @cached_property
    def grid(self) -> Grid:
        """The grid."""
        return self.case.grid.build()

    @cached_property
    def gap(self) -> np.ndarray:
        """Undeformed distance, m."""
        return SurfaceSum(tuple(table.build() for table in self.case.surface)).gap(self.grid)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Element centres."""
        return (
            Coordinate("x", self.grid.x, "m", "rolling direction"),
            Coordinate("y", self.grid.y, "m", "lateral direction"),
        )

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The gap."""
        return (Constant("gap", self.gap, "m", "undeformed distance", ("y", "x")),)

    @cached_property
    def _pressed(self) -> dict[float, NormalContact]:
        """Contacts by load; a load has one answer, so that keeping it changes nothing."""
        return {}

    def pressed(self, load: float) -> NormalContact:
        """The contact under a load."""
        if load not in self._pressed:
            given = {self.case.load.given: load}
            self._pressed.clear()  # of thousands of loads, one is enough
            self._pressed[load] = press(self.gap, self.grid, self.case.pair, tol=self.case.tol, **given)  # type: ignore[arg-type]
        return self._pressed[load]

    def rebuilt(self, contact: NormalContact, traction: np.ndarray, stick: np.ndarray) -> TangentialContact:
        """Friction from its stored tractions."""
        return TangentialContact(
            normal=contact,
            friction=self.case.friction,
            traction=traction,
            slip=np.zeros_like(traction),
            stick=stick,
            creepage=(0.0, 0.0, 0.0),
            dissipation=0.0,
            status=Status.CONVERGED,
            message=str(Status.CONVERGED),
            certificate=FrictionCertificate(0.0, 0.0, 0.0, 0.0),
            iterations=0,
        )

    def last(self, samples: dict[str, Any]) -> TangentialContact:
        """The last sample of a run."""
        contact = recovered(samples["pressure"][-1], self.gap, self.grid, self.case.pair, tol=self.case.tol)
        traction = np.array([samples["traction_x"][-1], samples["traction_y"][-1]])
        return self.rebuilt(contact, traction, np.array(samples["stick"][-1], dtype=bool))


def sample_of(t: TangentialContact) -> dict[str, Any]:
    """The numbers and fields of one step."""
    touched = int(t.normal.contact.sum())
    return {
        "normal_force": t.normal.force,
        "force_x": t.force[0],
        "force_y": t.force[1],
        "moment": t.moment,
        "dissipation": t.dissipation,
        "stick_share": float((t.stick & t.normal.contact).sum()) / max(1, touched),
        "elements_across": float(t.normal.elements_across),
        "iterations": float(t.iterations),
        "residual": t.certificate.largest,
        "pressure": t.normal.pressure,
        "traction_x": t.traction[0],
        "traction_y": t.traction[1],
        "stick": t.stick & t.normal.contact,
    }


def key_figures(fields: Sequence[Field], samples: dict[str, Any]) -> list[KeyFigure]:
    """Numbers of the last step."""
    return [(field.long_name, float(samples[field.name][-1]), field.unit) for field in fields]


def input_rows(case: FrictionCase) -> list[tuple[str, str]]:
    """What went in, in words."""
    grid, pair = case.grid.build(), case.pair
    size = f"{grid.nx} x {grid.ny} elements of {quantity(grid.dx, 'm')} x {quantity(grid.dy, 'm')}"
    return [
        ("grid", f"line, {grid.nx} strips of {quantity(grid.dx, 'm')}" if grid.is_line else size),
        ("upper body", material_words(pair.upper)),
        ("lower body", material_words(pair.lower)),
        *((f"surface {k + 1}", surface_words(table)) for k, table in enumerate(case.surface)),
        ("coefficient of friction", f"{case.friction:g}"),
        ("tolerance", f"{case.tol:g}"),
    ]


def check_table(case: FrictionCase, samples: dict[str, Any]) -> Table:
    """How well the answers hold."""
    worst, across = float(np.max(samples["residual"])), int(np.min(samples["elements_across"]))
    rows = [
        (
            "largest error of the friction law",
            f"{worst:.1e}",
            f"{case.tol:g}",
            "passed" if worst <= 1.01 * case.tol + 1e-13 else "missed",
        ),
        (
            "elements across the contact",
            f"{across}",
            f"at least {FEW_ELEMENTS}",
            "passed" if across >= FEW_ELEMENTS else "coarse",
        ),
    ]
    return Table("Checks", ("check", "found", "limit", "verdict"), rows)


def step_table(title: str, columns: dict[str, str], samples: dict[str, Any]) -> Table:
    """All steps, or the first of very many: the columns are sample names with their headings."""
    total = len(samples["force_x"])
    rows = [
        (str(k + 1), *(significant(float(samples[name][k])) for name in columns))
        for k in range(min(total, MOST_ROWS))
    ]
    if total > MOST_ROWS:
        title += f" (the first {MOST_ROWS} of {total})"
    return Table(title, ("step", *columns.values()), rows)


def traction_figures(
    stepper: FrictionStepper[Any], samples: dict[str, Any], rolling: int | None
) -> list[tuple[str, str, Figure]]:
    """Map and sections of the tractions of the last step."""
    from traction.view import figures as view
    from traction.view import friction

    last = stepper.last(samples)
    shown = []
    if not stepper.grid.is_line:
        figure = view.blank_figure(6.6, 5.4)
        friction.traction_map(last, figure.add_subplot(), rolling=rolling)
        shown.append(("tractions", "Tractions on body 1 over the pressure, at the last step.", figure))
    components = ("x",) if stepper.grid.is_line else ("x", "y")
    figure = view.blank_figure(5.0 * len(components) + 1.0)
    for number, component in enumerate(components):
        axes = figure.add_subplot(1, len(components), number + 1)
        title = f"Traction along {component}"
        friction.traction_section(last, "x", axes, component=component, title=title)
    shown.append(("section", "Tractions along x through the centre, at the last step.", figure))
    return shown
