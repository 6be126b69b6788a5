"""Kind "creep-table": forces of steady rolling at every combination of creepages and spins."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from traction.kinds.friction.report import (
    Drawn,
    Samples,
    check_table,
    creep_force_figures,
    input_table,
    step_table,
)
from traction.kinds.friction.run import (
    CREEPAGE,
    FORCES,
    LOST_PER_METRE,
    measured,
    named,
    sample_of,
)
from traction.kinds.friction.schema import MOST_STEPS as MOST_ROWS
from traction.kinds.friction.schema import CreepageTable, FrictionCase, Row, as_list
from traction.kinds.registry import Extra, KeyFigure, Kind
from traction.kinds.steady.schema import RollingStepper
from traction.kinds.tables.contact_tables import State
from traction.results.field import Coordinate, Field
from traction.results.storage.atomic import write_atomic
from traction.view.report import Table

FILE = "creep_forces.csv"


class CreepTableCase(FrictionCase):
    """A body that rolls on at every combination of the loads, creepages and forces that are given."""

    table: ClassVar[str] = "rolling"

    rolling: CreepageTable

    @property
    def choices(self) -> dict[str, list[Any]]:
        """Of each column; loads vary most slowly."""
        columns = {"load": self.load.values, **self.rolling.columns}
        return {name: [None] if value is None else as_list(value) for name, value in columns.items()}

    @property
    def steps(self) -> list[Row]:
        """Every combination."""
        choices = self.choices
        return [dict(zip(choices, row, strict=True)) for row in product(*choices.values())]

    def check_steps(self) -> None:
        """Refuse a table that is too long before it is made."""
        count = math.prod(len(values) for values in self.choices.values())
        if count > MOST_ROWS:
            raise ValueError(f"has {count} combinations, at most {MOST_ROWS}; give fewer numbers")


AREAS = (
    Field("contact_elements", "1", "elements in contact", dtype="int64"),
    Field("stick_elements", "1", "elements that stick", dtype="int64"),
    Field("slip_elements", "1", "elements that slip", dtype="int64"),
)


class CreepTableStepper(RollingStepper[CreepTableCase]):
    """Numbers of each row of the table; tractions are not kept."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        return (*self.numbers, *AREAS)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """None: there are no fields over the grid."""
        return ()

    @property
    def constants(self) -> tuple[()]:
        """None."""
        return ()

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """The next row."""
        step = int(state["step"])
        t = self.rolled(self.steps[step])
        known = sample_of(t)
        counts = (t.normal.contact, t.stick & t.normal.contact, t.sliding)
        row = {
            **named(CREEPAGE, t.creepage),
            **{field.name: known[field.name] for field in self.numbers if field.name in known},
            **{field.name: int(where.sum()) for field, where in zip(AREAS, counts, strict=True)},
        }
        return {"step": np.array(step + 1)}, row


def columns(case: CreepTableCase) -> tuple[Field, ...]:
    """Of the table."""
    return (*CREEPAGE, *measured((*FORCES, LOST_PER_METRE), case), *AREAS)


def as_csv(case: CreepTableCase, samples: Samples) -> str:
    """The table with its units in the first row, numbers as exact as they are."""
    store, shown = io.StringIO(), columns(case)
    writer = csv.writer(store, lineterminator="\n")
    writer.writerow([f"{field.name} ({field.unit})" for field in shown])
    writer.writerows(zip(*(samples[field.name].tolist() for field in shown), strict=True))
    return store.getvalue()


def key_figures(case: CreepTableCase, samples: Samples) -> Sequence[KeyFigure]:
    """How long the table is, and how far the forces reach."""
    force = measured(FORCES, case)[1]
    limit = case.friction * samples["normal_force"]
    share = np.hypot(samples["force_x"], samples["force_y"]) / np.where(limit > 0.0, limit, 1.0)
    return [
        ("rows", float(len(samples["force_x"])), "1"),
        ("largest force along x", float(np.abs(samples["force_x"]).max()), force.unit),
        ("largest force along y", float(np.abs(samples["force_y"]).max()), force.unit),
        ("largest force over the limit of friction", float(share.max()), "1"),
    ]


def tables(case: CreepTableCase, samples: Samples) -> Sequence[Table]:
    """What went in, and the table."""
    return [
        input_table(case, [*case.rolling.words, ("rows", f"{len(case.steps)}")]),
        step_table("Creep forces", columns(case), samples),
        check_table(case, samples),
    ]


def figures(case: CreepTableCase, samples: Samples) -> Sequence[Drawn]:
    """Forces over what varies."""
    return creep_force_figures(case, samples)


def extras(case: CreepTableCase, samples: Samples, folder: Path) -> Sequence[Extra]:
    """The table for other programs."""
    file = folder / FILE
    write_atomic(file, as_csv(case, samples).encode())
    return [(file, "The whole table, in SI.")]


KIND = Kind(
    name="creep-table",
    summary="forces of steady rolling at every combination of creepages and spins",
    schema=CreepTableCase,
    stepper=CreepTableStepper,
    key_figures=key_figures,
    tables=tables,
    figures=figures,
    extras=extras,
)
