"""Checks, inputs and versions of the variants of a sweep, read from what their runs have stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from traction.kinds.case import stored_scenario
from traction.kinds.kind import Words
from traction.kinds.report_run import read_run
from traction.kinds.report_tables import PASSED, check_table, input_table
from traction.quantities import counted
from traction.results.folder import RunFolder
from traction.results.sweeps.sweep import Sweep
from traction.results.sweeps.sweep_folder import FIGURES, JournalOutcome, Plan, Versions, read_outcomes
from traction.results.sweeps.sweep_summary import span_of
from traction.view.page.document import Table

MOST_READ = 200  #: variants whose checks are read
MOST_NAMED = 5  #: variants that are named in a verdict


@dataclass(frozen=True)
class CheckedVariants:
    """What the runs of a sweep say of themselves."""

    read: int = 0  #: variants whose checks were read
    complete: int = 0  #: all complete ones
    missed: dict[str, list[str]] = field(default_factory=dict)  #: variants that miss a check, by its name
    counts: dict[str, int] = field(default_factory=dict)  #: variants that have a check
    first: str = ""  #: the first complete variant
    inputs: Words = field(default_factory=list)  #: of that one
    versions: Mapping[str, str] = field(default_factory=dict)  #: of programs, likewise

    @classmethod
    def of(cls, sweep: Sweep, plan: Plan) -> CheckedVariants:
        """Of the complete variants of a sweep in a folder, at most so many where each is a run."""
        if plan.keep == FIGURES and sweep.folder is not None:
            found = read_outcomes(sweep.folder, plan.kind, plan.scenarios)
            return cls._of_journal({number: one for number, one in found.items() if one.run.ok}, plan)
        named = zip(sweep.table.variants, sweep.runs, strict=True)
        done = [(name.partition("-")[0], run.folder) for name, run in named if run.ok and run.folder]
        missed: dict[str, list[str]] = {}
        counts: dict[str, int] = {}
        inputs: Words = []
        versions: Mapping[str, str] = {}
        for number, path in done[:MOST_READ]:
            folder = RunFolder.open(path)
            scenario = stored_scenario(folder)
            report = scenario.definition.report(scenario.case, read_run(folder, scenario))
            for check, _, _, verdict in report.checks():
                counts[check] = counts.get(check, 0) + 1
                missed.setdefault(check, []).extend([] if verdict == PASSED else [number])
            if not versions:
                inputs, versions = report.inputs(), folder.manifest.versions
        first = done[0][0] if done else ""
        return cls(len(done[:MOST_READ]), len(done), missed, counts, first, inputs, versions)

    @classmethod
    def _of_journal(cls, found: Mapping[int, JournalOutcome], plan: Plan) -> CheckedVariants:
        """Of variants of which no more than key figures and verdicts are kept."""
        missed: dict[str, list[str]] = {}
        counts: dict[str, int] = {}
        for number, outcome in sorted(found.items()):
            name = plan.variants[number].partition("-")[0]
            for check, passed in outcome.checks:
                counts[check] = counts.get(check, 0) + 1
                missed.setdefault(check, []).extend([] if passed else [name])
        versions = _join([one.versions for one in found.values()]) or dict(plan.versions)
        return cls(len(found), len(found), missed, counts, versions=versions)

    def tell(self) -> str:
        """A sentence on the checks."""
        if not self.read or not self.counts:
            return ""
        which = "Every complete variant" if self.read == self.complete else f"Each of the first {self.read}"
        bad = {check: numbers for check, numbers in self.missed.items() if numbers}
        if not bad:
            return f"{which} passes {'its check' if len(self.counts) == 1 else 'its checks'}."
        words = "; ".join(f"{check}: {_name(numbers)}" for check, numbers in bad.items())
        verb = "is" if len(bad) == 1 else "are"
        count = f"{len(bad)} of {counted(len(self.counts), 'check')}"
        return f"Treat it with care: {count} {verb} not passed by all variants: {words}."

    def tables(self, plan: Plan) -> Sequence[Table]:
        """How many variants pass each check; what was varied, and the other inputs."""
        rows = [
            (check, f"passed by {self.counts[check] - len(bad)} of {counted(self.counts[check], 'variant')}",
             "all", PASSED if not bad else f"missed by {_name(bad)}")
            for check, bad in self.missed.items()
        ]  # fmt: skip
        varied = [("varied", span_of(column)) for column in plan.varied]
        found = [check_table(*rows)] if rows else []
        found.append(input_table([("kind of scenario", plan.kind), *varied]))
        if self.inputs:
            found.append(Table(f"Inputs of variant {self.first}", ("quantity", "value"), self.inputs))
        return found


def _name(numbers: Sequence[str]) -> str:
    more = len(numbers) - MOST_NAMED
    return ", ".join(numbers[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _join(found: Sequence[Versions]) -> Versions:
    """All versions of each program: a sweep may be resumed with others."""
    names = dict.fromkeys(name for one in found for name in one)
    return {name: " and ".join(sorted({one[name] for one in found if name in one})) for name in names}
