"""What a report says of the samples of a crossing: how far apart they are, and whether they show its peaks.

Key figures are those of all steps. Curves and spectra are drawn from samples: of an oscillation with n
samples in its period, the sample nearest to a peak is at most half an interval off, a phase of pi/n, and
shows cos(pi/n) of it or more. A smaller share proves that fewer than n samples lie in the period of what
carries the peak.
"""

from __future__ import annotations

import math

import numpy as np

from traction.kinds.cross.findings import FEW, CrossFindings
from traction.kinds.cross.schema import CrossCase
from traction.kinds.moving_load.findings import describe_choice
from traction.kinds.report_tables import PASSED, Checks
from traction.quantities import given, significant
from traction.results.stored_run import StoredRun

COARSE = "coarse: choose more time.samples"
SAMPLED = 4  #: samples in a period, twice those below which spectra show another frequency
SHOWN = math.cos(math.pi / SAMPLED)  #: of a peak, that so many samples in a period show at least
SHORTER = 1e-6  #: of the step asked for, from which one is called shorter


def check_samples(found: CrossFindings) -> Checks:
    """Whether samples resolve the lowest mode, and how much of the peak acceleration they show."""
    often, shown = found.checks["samples_per_period"], found.checks.get("sampled_acceleration")
    rows = [
        (
            "samples per bridge period", significant(often, 2), f"at least {FEW}",
            PASSED if often >= FEW else COARSE,
        )
    ]  # fmt: skip
    if shown is not None:  # runs that were stored without it are complete too
        words, least = "peak acceleration at the samples / at all steps", f"at least {100.0 * SHOWN:.0f} %"
        rows.append((words, f"{100.0 * shown:.0f} %", least, PASSED if shown >= SHOWN else COARSE))
    return rows


def step_words(case: CrossCase, step: float, run: StoredRun) -> str:
    """The step (s), and why it was chosen, or is shorter than the one that was given."""
    asked = case.time.fixed
    if case.time.automatic:
        return describe_choice(case, step, float(run["step_change"][-1]))
    words = f"of {given(step, 's')}"
    if asked is None or step > asked * (1.0 - SHORTER):
        return words
    return f"{words}, shortened from time.dt = {given(asked, 's')} so that steps end at the samples"


def time_words(case: CrossCase, t: np.ndarray) -> str:
    """Length of the run with samples at the times t (s), what ends it, and how far apart they are."""
    apart = given(sample_interval(t), "s")
    return f"{given(float(t[-1]), 's')}{_end_words(case)}, {t.size} samples, {apart} apart"


def sample_interval(t: np.ndarray) -> float:
    """Time between samples, s."""
    return float(t[-1] - t[0]) / (t.size - 1)


def _end_words(case: CrossCase) -> str:
    """What ends the run where no end is given."""
    if case.time.t_end is not None:
        return ""
    out = case.way.time_at(np.array([case.cars.places.max() + case.built.length]))
    return ", until the last axle leaves" if np.isfinite(out[0]) else ", until the travel ends"
