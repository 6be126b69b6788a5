"""One variant of a sweep: an ordinary run, whose failure does not end the sweep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from traction.errors import StorageError, TractionError
from traction.kinds.case import loads
from traction.kinds.report_tables import PASSED
from traction.kinds.simulate import resume, simulate
from traction.results.manifest import RunStatus
from traction.results.recorder import Progress, Stop
from traction.results.run import Run
from traction.results.storage.run_files import MANIFEST
from traction.results.sweeps.sweep_folder import Checks, require_own_run


@dataclass(frozen=True)
class Variant:
    """A variant to be run, and its folder."""

    number: int
    name: str
    kind: str
    scenario: str  #: the complete text of a scenario file
    place: Path | None  #: its run folder; None for a run in memory
    samples: bool = True  #: whether a run in memory keeps its samples


@dataclass(frozen=True)
class VariantOutcome:
    """How a variant ended."""

    run: Run
    fault: bool = False  #: True when the program is at fault
    checks: Checks = ()  #: of a run that is not kept


def run_variant(
    variant: Variant, progress: Progress | None = None, stop: Stop | None = None
) -> VariantOutcome:
    """Run a variant, or resume it; an error of the disk is raised, since it concerns all variants."""
    fault = False
    try:
        run = _run(variant, progress, stop)
        # a sweep reads key figures, and has no room for arrays
        kept = replace(run, stored=None, store=run.store if variant.samples else None)
        return VariantOutcome(kept, checks=() if variant.samples else _checks(variant, run))
    except StorageError:
        raise
    except TractionError as error:
        words = str(error)
    except MemoryError:
        words = "it does not fit in memory; choose a smaller grid."
    except Exception as error:
        words, fault = f"{type(error).__name__}: {error}. This is a bug in Traction.", True
    return VariantOutcome(end_variant(variant, RunStatus.FAILED, words), fault)


def _checks(variant: Variant, run: Run) -> Checks:
    """Checks of a complete run, as its report would state them."""
    if run.stored is None:
        return ()
    scenario = loads(variant.scenario, variant.name)
    found = scenario.definition.report(scenario.case, run.stored).checks()
    return tuple((name, verdict == PASSED) for name, _, _, verdict in found)


def end_variant(variant: Variant, status: RunStatus, message: str) -> Run:
    """The run of a variant that failed, or that ended because the sweep was to stop."""
    begun = variant.place is not None and (variant.place / MANIFEST).exists()
    return Run(status, message, variant.place if begun else None, kind=variant.kind)


def _run(variant: Variant, progress: Progress | None, stop: Stop | None) -> Run:
    place = variant.place
    scenario = loads(variant.scenario, variant.name)
    if place is None or not (place / MANIFEST).exists():
        return simulate(scenario, place, progress=progress, stop=stop)
    require_own_run(place, variant.scenario)
    return resume(place, progress=progress, stop=stop)
