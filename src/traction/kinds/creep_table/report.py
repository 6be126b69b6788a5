"""What a report shows of a table of creep forces: the table, the forces, and a file for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from traction.kinds.creep_table.run import AREAS
from traction.kinds.creep_table.schema import CreepTableCase
from traction.kinds.friction.friction_fields import CREEPAGE, FORCES, LOST_PER_METRE, measure_fields
from traction.kinds.friction.friction_report import (
    draw_creep_forces,
    tabulate_checks,
    tabulate_inputs,
    tabulate_steps,
)
from traction.kinds.kind import Drawn, Extra, KindReport
from traction.results.field import Field
from traction.results.storage.atomic import write_atomic
from traction.results.stored_run import StoredRun
from traction.view.report import Table

FILE = "creep_forces.csv"


def list_columns(case: CreepTableCase) -> tuple[Field, ...]:
    """Of the table."""
    return (*CREEPAGE, *measure_fields((*FORCES, LOST_PER_METRE), case), *AREAS)


def format_csv(case: CreepTableCase, run: StoredRun) -> str:
    """The table with its units in the first row, numbers as exact as they are."""
    store, shown = io.StringIO(), list_columns(case)
    writer = csv.writer(store, lineterminator="\n")
    writer.writerow([f"{field.name} ({field.unit})" for field in shown])
    writer.writerows(zip(*(run[field.name].tolist() for field in shown), strict=True))
    return store.getvalue()


def make_tables(case: CreepTableCase, run: StoredRun) -> Sequence[Table]:
    """What went in, and the table."""
    return [
        tabulate_inputs(case, [*case.rolling.words, ("rows", f"{len(case.steps)}")]),
        tabulate_steps("Creep forces", list_columns(case), run),
        tabulate_checks(case, run),
    ]


def draw_figures(case: CreepTableCase, run: StoredRun) -> Sequence[Drawn]:
    """Forces over what varies."""
    return draw_creep_forces(case, run)


def write_extras(case: CreepTableCase, run: StoredRun, folder: Path) -> Sequence[Extra]:
    """The table for other programs."""
    file = folder / FILE
    write_atomic(file, format_csv(case, run).encode())
    return [(file, "The whole table, in SI.")]


REPORT = KindReport(make_tables, draw_figures, write_extras)
