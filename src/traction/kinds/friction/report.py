"""What reports show of friction: tables of steps, tractions, and forces over what moves the bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar, TypeVar

import numpy as np

from traction.kinds.friction import friction_fields as fields
from traction.kinds.friction.friction_figures import draw_creep_forces, draw_tractions, restore_step, signs_of
from traction.kinds.friction.schema import FrictionCase, RollCase, ShiftCase, SteadyCase
from traction.kinds.kind import Extras, Figures, KindReport, Tables, Words
from traction.kinds.press.report import body_words, check_fineness
from traction.kinds.report_tables import (
    check_limit,
    check_table,
    curve_style,
    input_table,
    range_words,
    write_csv,
)
from traction.quantities import significant, unit_for
from traction.results.field import Field
from traction.results.folder import RunFolder
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view.animations.rolling_animation import RollingHistory, animate_rolling
from traction.view.report import Table

MOST_ROWS = 60  #: of a table that is still read
FEW_ELEMENTS = 12  #: across a contact; fewer say little about stick and slip
FRAMES, FRAMES_PER_SECOND = 60, 12

C = TypeVar("C", bound=FrictionCase)


class FrictionReport(KindReport[C, None]):
    """Base of the reports on friction: what went in, all steps, and how well they hold."""

    title: ClassVar[str] = "Steps"  #: of the table of steps
    columns: ClassVar[tuple[Field, ...]]  #: of that table
    first: ClassVar[int] = 1  #: number of the first step

    def words(self) -> Words:
        """How the bodies move, for the table of inputs."""
        return [("steps", f"{len(self.case.steps)}")]

    def tables(self) -> Tables:
        """What went in, and what came out."""
        case, loads = self.case, self.case.load.values
        inputs = [
            *body_words(case),
            ("normal load", f"{case.load.given} {range_words(min(loads), max(loads), case.load_unit)}"),
            ("coefficient of friction", f"{case.friction:g}"),
            ("tolerance", f"{case.tol:g}"),
            *self.words(),
        ]
        worst, slack = float(np.max(self.run["residual"])), 0.01 * case.tol + 1e-13
        law = check_limit("largest error of the friction law", worst, case.tol, slack=slack)
        checks = check_table(law, check_fineness(self.run, FEW_ELEMENTS))
        return [input_table(inputs), self._tabulate_steps(), checks]

    def _tabulate_steps(self) -> Table:
        """The fields of all steps, or of the first of very many."""
        shown, title = fields.measure_fields(self.columns, self.case), self.title
        total = len(self.run[shown[0].name])
        rows = [
            (str(k + self.first), *(significant(float(self.run[field.name][k])) for field in shown))
            for k in range(min(total, MOST_ROWS))
        ]
        if total > MOST_ROWS:
            title += f" (the first {MOST_ROWS} of {total})"
        return Table(title, ("step", *map(_head_column, shown)), rows)


def _head_column(field: Field) -> str:
    name = field.long_name.removesuffix(" on body 1")
    unit = {"1": "", "1/m": " (rad/m)"}.get(field.unit, f" ({field.unit})")
    return f"{name}{unit}".replace("m2", "m²")


class SteadyReport(FrictionReport[SteadyCase]):
    """Steady rolling: tractions of the last creepage, and forces over what varies most."""

    title = "Forces"
    columns: ClassVar[tuple[Field, ...]] = (*fields.CREEPAGE, *fields.FORCES[1:], fields.STICK)
    counted: ClassVar[str] = "cases"

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

    def figures(self) -> Figures:
        """Forces over what varies."""
        return draw_creep_forces(self.case, self.run)

    def extras(self, folder: Path) -> Extras:
        """The table for other programs."""
        shown = fields.measure_fields(self.columns, self.case)
        columns = {f"{field.name} ({field.unit})": self.run[field.name].tolist() for field in shown}
        return [(write_csv(folder / "creep_forces.csv", columns), "The whole table, in SI.")]


class ShiftReport(FrictionReport[ShiftCase]):
    """Shifted bodies: tractions, and force over displacement."""

    columns = (*fields.MOVED[:2], *fields.FORCES[1:3], fields.STICK, fields.LOST)

    def figures(self) -> Figures:
        """Tractions of the last step; force over displacement where there are several steps."""
        case, run = self.case, self.run
        yield from draw_tractions(case, run, None)
        if len(case.steps) == 1:
            return
        axis = max("xy", key=lambda name: float(np.abs(run[f"force_{name}"]).max()))
        moved, force = run[f"displacement_{axis}"], run[f"force_{axis}"]
        length, newton = unit_for(moved, "m"), unit_for(force, "N")
        figure = view.blank_figure()
        axes, style = figure.add_subplot(), curve_style(len(case.steps))
        x, y = (np.concatenate(([0.0], values)) for values in (length.of(moved), newton.of(force)))
        axes.plot(x, y, style, color=view.BLUE, lw=1.8, ms=4)
        limit = case.friction * run["normal_force"].max()
        for side in (1.0, -1.0):
            axes.axhline(float(newton.of(side * limit)), color=view.GREY, lw=1.1, ls="--")
        unit = f"{newton.name}/m" if case.grid.line else newton.name
        labels = f"displacement along {axis} ({length.name})", f"force along {axis} ({unit})"
        view.style_axes(axes, *labels, "Force over displacement")
        words = "Force over displacement, between the limits of friction."
        yield "force_over_displacement", words, figure


class RollReport(FrictionReport[RollCase]):
    """A body that begins to roll: tractions, everything over the distance, and an animation."""

    columns = (fields.DISTANCE, *fields.ROLLING, *fields.FORCES[1:], fields.STICK, fields.LOST)
    first = 0

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
        yield from _draw_over_distance(self.case, self.run)

    def extras(self, folder: Path) -> Extras:
        """An animation of the tractions."""
        case, run = self.case, self.run
        chosen = np.unique(np.round(np.linspace(0, len(run["distance"]) - 1, FRAMES)).astype(int))
        limit, given = case.friction * run["normal_force"], case.rolling.columns
        creepage, force = (
            np.stack([run[name] for name in names], axis=1)
            for names in (("longitudinal", "lateral"), ("force_x", "force_y"))
        )
        for k, name in enumerate(("force_x", "force_y")):
            if given[name] is None:  # the creepage is given, and the force is found
                creepage[:, k] = np.nan
        shares = force / np.where(limit > 0.0, limit, 1.0)[:, None]
        file = folder / "rolling.gif"
        animate_rolling(
            [restore_step(case, sample, 0) for sample in _read_samples(folder, chosen)],
            file,
            distance=run["distance"][chosen],
            history=RollingHistory.of(run["distance"], creepage, shares),
            direction=case.rolling.direction,
            fps=FRAMES_PER_SECOND,
        )
        return [(file, "Tractions while it rolls.")]


def _draw_over_distance(case: RollCase, run: StoredRun) -> Figures:
    way = unit_for(run["distance"], "m")
    x, line = way.of(run["distance"]), case.grid.line
    figure = view.blank_figure(8.0, 6.0)
    upper, lower = figure.subplots(2, 1, sharex=True)
    for name, label, color in (("longitudinal", "along x", view.BLUE), ("lateral", "along y", view.ORANGE)):
        if np.nanmax(np.abs(run[name])) > 0.0 or name == "longitudinal":
            upper.plot(x, 100.0 * run[name], color=color, lw=1.8, label=label)
    view.style_axes(upper, "", "creepage (%)", "Creepage", legend=not line)
    limit = case.friction * run["normal_force"]
    force = unit_for(limit, "N")
    for axis, color in (("x", view.BLUE), ("y", view.ORANGE)):
        if axis == "x" or not line:
            lower.plot(x, force.of(run[f"force_{axis}"]), color=color, lw=1.8, label=f"along {axis}")
    for side in signs_of(np.array([run["force_x"], run["force_y"]]), float(limit.max())):
        lower.plot(x, force.of(side * limit), color=view.GREY, lw=1.1, ls="--")
    unit = f"{force.name}/m" if line else force.name
    labels = f"distance rolled ({way.name})", f"force on body 1 ({unit})"
    view.style_axes(lower, *labels, "Force", legend=not line)
    words = "Creepage of each step and forces after it, over the distance rolled; dashes: limit of friction."
    yield "over_distance", words, figure


def _read_samples(folder: Path, chosen: np.ndarray) -> Iterator[Mapping[str, np.ndarray]]:
    """Some samples of a run, one after the other."""
    for first, block in RunFolder.open(folder).blocks():
        count = len(block["distance"])
        for number in chosen[(chosen >= first) & (chosen < first + count)]:
            yield {name: values[number - first : number - first + 1].copy() for name, values in block.items()}
