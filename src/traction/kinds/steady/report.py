"""What a report shows of steady rolling: tables, tractions, and forces over what varies."""

from __future__ import annotations

from collections.abc import Sequence

from traction.kinds.friction.friction_fields import CREEPAGE, FORCES, STICK, measure_fields
from traction.kinds.friction.friction_report import (
    draw_creep_forces,
    draw_tractions,
    tabulate_checks,
    tabulate_inputs,
    tabulate_steps,
)
from traction.kinds.kind import Drawn, KindReport
from traction.kinds.steady.schema import SteadyCase
from traction.results.stored_run import StoredRun
from traction.view.report import Table


def make_tables(case: SteadyCase, run: StoredRun) -> Sequence[Table]:
    """What went in, and what came out."""
    columns = (*CREEPAGE, *measure_fields((*FORCES[1:], STICK), case))
    return [
        tabulate_inputs(case, [*case.rolling.words, ("cases", f"{len(case.steps)}")]),
        tabulate_steps("Forces", columns, run),
        tabulate_checks(case, run),
    ]


def draw_figures(case: SteadyCase, run: StoredRun) -> Sequence[Drawn]:
    """Tractions of the last creepage, and forces over what varies most."""
    return [*draw_tractions(case, run, case.rolling.direction), *draw_creep_forces(case, run)]


REPORT = KindReport(make_tables, draw_figures)
