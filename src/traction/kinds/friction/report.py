"""What reports show of friction: tables of steps, tractions, and forces over what moves the bodies."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar, TypeVar

import numpy as np

from traction.friction_laws.falling_law import FallingLaw
from traction.kinds.friction import friction_fields as fields
from traction.kinds.friction.friction_figures import (
    draw_creep_forces,
    draw_force_over_displacement,
    draw_over_distance,
    draw_tractions,
    restore_step,
)
from traction.kinds.friction.schema import FrictionCase, RollCase, ShiftCase, SteadyCase
from traction.kinds.kind import Extras, Figures, Films, KindReport, Tables, Words
from traction.kinds.press.report import body_words, check_fineness
from traction.kinds.report_tables import (
    ROUND_OFF,
    Checks,
    check_limit,
    format_column,
    grid_words,
    range_words,
    share_words,
    write_csv,
)
from traction.kinds.tables.body_tables import surface_words
from traction.quantities import counted, quantity, significant
from traction.results.field import Field
from traction.results.folder import RunFolder
from traction.view.animations.rolling_animation import RollingHistory, stage_rolling
from traction.view.report import Table

MOST_ROWS = 60  #: of a table that is still read
FEW_ELEMENTS = 12  #: across a contact; fewer say little about stick and slip
FRAMES, FRAMES_PER_SECOND = 60, 12
SHARES = {"longitudinal": "%", "lateral": "%", "stick_share": "%"}  #: fields that tables show in percent

C = TypeVar("C", bound=FrictionCase)


class FrictionReport(KindReport[C, None]):
    """Base of the reports on friction: what went in, all steps, and how well they hold."""

    title: ClassVar[str] = "Steps"  #: of the table of steps
    columns: ClassVar[tuple[Field, ...]]  #: of that table
    first: ClassVar[int] = 1  #: number of the first step
    last: ClassVar[str] = "After the last step"

    def words(self) -> Words:
        """How the bodies move, for the table of inputs."""
        return [("steps", f"{len(self.case.steps)}")]

    @abstractmethod
    def motion(self) -> str:
        """How the bodies move, for the story."""

    def computed(self) -> str:
        """Bodies, load, friction, motion and grid."""
        case = self.case
        shape = " and ".join(surface_words(table) for table in case.surface)
        falls = " at rest, which falls with the slip speed" if isinstance(case.law, FallingLaw) else ""
        return (
            f"Two elastic bodies ({shape}) are pressed together ({self._load}) and {self.motion()}, with a "
            f"coefficient of friction of {case.coefficient:g}{falls}. Stick, slip and tractions are solved "
            f"on a grid: {grid_words(case.grid.build())}."
        )

    @property
    def _load(self) -> str:
        loads = self.case.load.values
        return f"{self.case.load.given} {range_words(min(loads), max(loads), self.case.load_unit)}"

    @property
    def force_unit(self) -> str:
        """Of the forces of the grid: per metre of a line contact."""
        return "N/m" if self.case.grid.line else "N"

    def outcome(self) -> str:
        """Of the last step."""
        run, limit = self.run, self.case.coefficient * float(self.run["normal_force"][-1])
        force = np.array([run["force_x"][-1], run["force_y"][-1]])
        force[np.abs(force) < ROUND_OFF * limit] = 0.0
        along, across = (quantity(float(one), self.force_unit) for one in force)
        used = significant(100.0 * float(np.hypot(*force)) / limit, 3) if limit else "0"
        across = "" if self.case.grid.line else f" and {across} along y"
        sticks = significant(100.0 * float(run["stick_share"][-1]), 3)
        return (
            f"{self.last} the force on body 1 is {along} along x{across}, {used} % of the friction limit; "
            f"{sticks} % of the contact area sticks."
        )

    def evidence(self) -> str:
        """What the checks compare with."""
        return (
            "The friction law (no slip where it sticks, slip at the bound and against the traction) is "
            "evaluated in every element of the solution."
        )

    def results(self) -> Tables:
        """The fields of all steps, or of the first of very many."""
        shown, title = fields.measure_fields(self.columns, self.case), self.title
        total = len(self.run[shown[0].name])
        columns = [self._write_column(field) for field in shown]
        rows = [
            (str(k + self.first), *(column[1][k] for column in columns)) for k in range(min(total, MOST_ROWS))
        ]
        if total > MOST_ROWS:
            title += f" (the first {MOST_ROWS} of {total})"
        return [Table(title, ("step", *(head for head, _ in columns)), rows)]

    def _write_column(self, field: Field) -> tuple[str, list[str]]:
        """Heading and texts of a column; what is round-off beside the limit of friction is zero."""
        grid = self.case.grid.build()
        limit = self.case.coefficient * float(np.max(self.run["normal_force"]))
        size = math.sqrt(grid.nx * grid.dx * grid.ny * grid.dy) / 2.0
        scale = {"force_x": limit, "force_y": limit, "moment": limit * size}.get(field.name, 0.0)
        unit, texts = format_column(self.run[field.name], SHARES.get(field.name, field.unit), scale)
        name = field.long_name.removesuffix(" on body 1")
        return f"{name} ({unit})" if unit else name, texts

    def checks(self) -> Checks:
        """Whether the friction law holds, and whether the grid shows it."""
        tol, worst = self.case.tol, float(np.max(self.run["residual"]))
        law = check_limit("largest error of the friction law", worst, tol, slack=0.01 * tol + 1e-13)
        return [law, check_fineness(self.run, FEW_ELEMENTS)]

    def inputs(self) -> Words:
        """Bodies, load, friction and motion."""
        return [
            *body_words(self.case),
            ("normal load", self._load),
            *self.case.friction_words,
            ("tolerance", share_words(self.case.tol)),
            *self.words(),
        ]


class SteadyReport(FrictionReport[SteadyCase]):
    """Steady rolling: tractions of the last creepage, and forces over what varies most."""

    title = "Forces"
    columns: ClassVar[tuple[Field, ...]] = (*fields.CREEPAGE, *fields.FORCES[1:], fields.STICK)
    counted: ClassVar[str] = "cases"
    last = "In the last case"

    def motion(self) -> str:
        """How it rolls."""
        count = len(self.case.steps)
        return "roll steadily" if count == 1 else f"roll steadily in {count} cases"

    def words(self) -> Words:
        """How it rolls."""
        return [*self.case.rolling.words, (self.counted, f"{len(self.case.steps)}")]

    def figures(self) -> Figures:
        """Tractions of the last creepage, and forces over what varies most."""
        yield from draw_tractions(self.case, self.run, self.case.rolling.direction)
        yield from draw_creep_forces(self.case, self.run)


class CreepTableReport(SteadyReport):
    """A table of creep forces: the table, the forces, and a file for other programs."""

    title = "Creep forces"
    columns = (*fields.CREEPAGE, *fields.FORCES, fields.LOST_PER_METRE, *fields.AREAS)
    counted = "rows"

    def motion(self) -> str:
        """Which combinations."""
        return f"roll steadily at {len(self.case.steps)} combinations of creepages and spins"

    def outcome(self) -> str:
        """How far the forces reach."""
        run, limit = self.run, self.case.coefficient * self.run["normal_force"]
        size = np.hypot(run["force_x"], run["force_y"])
        most = [quantity(float(np.abs(run[f"force_{axis}"]).max()), self.force_unit) for axis in "xy"]
        share = float((size / np.where(limit > 0.0, limit, 1.0)).max())
        sliding = int((run["stick_elements"] == 0).sum())
        return (
            f"Forces on body 1 reach {most[0]} along x and {most[1]} along y, up to "
            f"{significant(100.0 * share, 3)} % of the friction limit; in {sliding} of {len(size)} "
            "combinations the whole contact slips."
        )

    def figures(self) -> Figures:
        """Forces over what varies."""
        return draw_creep_forces(self.case, self.run)

    def files(self, folder: Path) -> Extras:
        """The table for other programs."""
        shown = fields.measure_fields(self.columns, self.case)
        columns = {f"{field.name} ({field.unit})": self.run[field.name].tolist() for field in shown}
        return [(write_csv(folder / "creep_forces.csv", columns), "The whole table, in SI.")]


class ShiftReport(FrictionReport[ShiftCase]):
    """Shifted bodies: tractions, and force over displacement."""

    columns = (*fields.MOVED[:2], *fields.FORCES[1:3], fields.STICK, fields.LOST)

    def motion(self) -> str:
        """In how many steps."""
        return f"shifted over each other in {counted(len(self.case.steps), 'step')}"

    def outcome(self) -> str:
        """Of the last step, and the energy of all."""
        lost = float(np.sum(self.run["dissipation"]))
        unit = "J per metre" if self.case.grid.line else "J"
        words = f"{significant(lost)} {unit}" if self.case.grid.line else quantity(lost, "J")
        return f"{super().outcome()} Friction dissipates {words} in all steps."

    def figures(self) -> Figures:
        """Tractions of the last step; force over displacement where there are several steps."""
        case, run = self.case, self.run
        yield from draw_tractions(case, run, None)
        if len(case.steps) == 1:
            return
        yield from draw_force_over_displacement(case, run)


class RollReport(FrictionReport[RollCase]):
    """A body that begins to roll: tractions, everything over the distance, and an animation."""

    columns = (fields.DISTANCE, *fields.ROLLING, *fields.FORCES[1:], fields.STICK, fields.LOST)
    first = 0

    def motion(self) -> str:
        """How far and from what."""
        way, shifts = float(self.run["distance"][-1]), len(self.case.start_steps)
        start = f"after {counted(shifts, 'shift')}" if shifts else "from a start without tractions"
        return f"roll {quantity(way, 'm')} in {counted(len(self.case.lengths), 'step')} {start}"

    def outcome(self) -> str:
        """Of the last step, and how creepage or force went."""
        x = self.run["longitudinal"][1:]
        words = super().outcome()
        if np.isfinite(x).all() and np.ptp(x) > ROUND_OFF * np.abs(x).max():
            first, last = (significant(100.0 * float(one), 3) for one in (x[0], x[-1]))
            words += (
                f" The longitudinal creepage goes from {first} % in the first step to {last} % in the last."
            )
        return words

    def words(self) -> Words:
        """How it rolls, and what was before."""
        lengths, shifts = self.case.lengths, len(self.case.start_steps)
        low, high = min(lengths), max(lengths)
        low = high if high - low <= 1e-9 * high else low
        return [
            *self.case.rolling.words,
            ("steps", f"{len(lengths)} of {range_words(low, high, 'm')}"),
            ("shifts before", f"{shifts}" if shifts else "none: it starts without tractions"),
        ]

    def figures(self) -> Figures:
        """Tractions of the last step, and everything over the distance."""
        yield from draw_tractions(self.case, self.run, self.case.rolling.direction)
        yield from draw_over_distance(self.case, self.run)

    def films(self, folder: Path) -> Films:
        """The tractions."""
        case, run = self.case, self.run
        chosen = np.unique(np.round(np.linspace(0, len(run["distance"]) - 1, FRAMES)).astype(int))
        limit, given = case.coefficient * run["normal_force"], case.rolling.columns
        creepage, force = (
            np.stack([run[name] for name in names], axis=1)
            for names in (("longitudinal", "lateral"), ("force_x", "force_y"))
        )
        for k, name in enumerate(("force_x", "force_y")):
            if given[name] is None:  # the creepage is given, and the force is found
                creepage[:, k] = np.nan
        shares = force / np.where(limit > 0.0, limit, 1.0)[:, None]
        scene = stage_rolling(
            [restore_step(case, sample, 0) for sample in _read_samples(folder, chosen)],
            distance=run["distance"][chosen],
            history=RollingHistory.of(run["distance"], creepage, shares),
            direction=case.rolling.direction,
            fps=FRAMES_PER_SECOND,
        )
        yield "rolling", "Tractions of the contact while it rolls.", scene


def _read_samples(folder: Path, chosen: np.ndarray) -> Iterator[Mapping[str, np.ndarray]]:
    """Some samples of a run, one after the other."""
    for first, block in RunFolder.open(folder).blocks():
        count = len(block["distance"])
        for number in chosen[(chosen >= first) & (chosen < first + count)]:
            yield {name: values[number - first : number - first + 1].copy() for name, values in block.items()}
