"""A sweep in a few lines: ranges, extremes with their places, and failures by their causes."""

from traction.quantities import Unit
from traction.results.manifest import RunStatus
from traction.results.run import Run
from traction.results.sweeps.sweep import Sweep, tabulate_runs
from traction.results.sweeps.sweep_column import Column
from traction.results.sweeps.sweep_summary import summarise_sweep


def sweep_of(runs, values):
    names = tuple(f"{k:03d}" for k in range(len(runs)))
    varied = Column("speed", "m/s", tuple(value / 3.6 for value in values), Unit("km/h", 1.0 / 3.6))
    return Sweep("cross", tuple(runs), tabulate_runs(names, [varied], runs))


def run_with(deflection):
    return Run(RunStatus.DONE, key_figures=(("peak deflection", deflection, "m"), ("wheels", 4, "1")))


def test_a_line_for_each_result_with_its_extremes():
    deflections = [5.474e-3, 10.404e-3, 6.88123e-3]
    lines = summarise_sweep(sweep_of([*map(run_with, deflections)], (108.0, 131.4, 144.0)))
    assert lines == [
        "Sweep of cross: done, 3 of 3 variants done",
        "  varied: speed from 108 to 144 km/h (3 values)",
        "  peak deflection: 5.474 mm (speed = 108 km/h) to 10.40 mm (speed = 131.4 km/h)",
    ]


def test_failures_are_counted_by_their_cause():
    failed = [Run(RunStatus.FAILED, "the step is too long.") for _ in range(3)]
    failed.append(Run(RunStatus.FAILED, "no space is left."))
    lines = summarise_sweep(sweep_of([run_with(1e-3), *failed], (10.0, 20.0, 30.0, 40.0, 50.0)))
    assert lines[0] == "Sweep of cross: failed, 1 of 5 variants done"
    assert lines[-4:] == [
        "  failed: 4 variants",
        "    001, 002, 003: the step is too long.",
        "    004: no space is left.",
        "  remedy: change the scenario or the values of the variants that failed",
    ]


def test_many_variants_are_not_many_lines():
    runs = [run_with(1e-3 * (1 + k)) for k in range(500)]
    runs += [Run(RunStatus.FAILED, f"cause {k}.") for k in range(20)]
    lines = summarise_sweep(sweep_of(runs, range(1, 521)))
    assert len(lines) < 15
    assert lines[-2].strip() == "and 15 other causes, see the table"
