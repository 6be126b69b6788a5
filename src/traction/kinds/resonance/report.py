"""What a report tells of a sweep over speeds: tables, figures and a file for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from traction.crossing.sweeps.resonance import ResonanceCurve, ResonanceSpeed, expected_speeds
from traction.kinds.kind import Extra, KindReport
from traction.kinds.resonance.run import FIELDS, ResonanceFindings
from traction.kinds.resonance.schema import ResonanceCase
from traction.kinds.tables.beam_tables import beam_words
from traction.quantities import quantity, significant
from traction.results.storage.atomic import write_atomic
from traction.results.stored_run import StoredRun
from traction.state_arrays import unflatten_state
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SHOWN = 12  #: expected speeds in a table
NEAR = 0.03  #: of an expected speed, within which a peak belongs to it
AGREEMENT = 1e-3  #: limit of the check
FILE = "resonance.csv"


def read_findings(stored: StoredRun) -> ResonanceFindings:
    """What the sweep has found out as a whole."""
    return unflatten_state(ResonanceFindings, stored.findings)


def read_curve(case: ResonanceCase, stored: StoredRun) -> ResonanceCurve:
    """All crossings as `tr.resonance` gives them."""
    shape, speeds = (len(case.cars), case.speeds.all.size), case.speeds.all
    omega = read_findings(stored).omega
    deflection, factor = (stored[name].reshape(shape) for name in ("deflection", "amplification"))
    at_rest = np.where(factor > 0.0, deflection / np.where(factor > 0.0, factor, 1.0), 0.0)
    return ResonanceCurve(
        speeds,
        tuple(train.name for train in case.cars),
        deflection,
        stored["acceleration"].reshape(shape),
        at_rest.max(axis=1),
        tuple(expected_speeds(omega, one.spacing, speeds[0], speeds[-1]) for one in case.cars),
        case.x,
        case.modes,
    )


def tables(case: ResonanceCase, stored: StoredRun) -> Sequence[Table]:
    """What went in, the worst speed of each train, and the speeds that were to be expected."""
    curve, speeds, found = read_curve(case, stored), 3.6 * case.speeds.all, read_findings(stored)
    inputs = [
        *beam_words(case.beam),
        ("first frequency", f"{significant(found.omega[0] / (2.0 * np.pi))} Hz"),
        ("trains", f"{len(case.cars)}"),
        ("speeds", f"{speeds.size} from {significant(speeds[0])} to {significant(speeds[-1])} km/h"),
        ("modes", f"{case.modes}"),
        ("place that is looked at", quantity(case.x, "m")),
    ]
    rows = [_worst(case, curve, which) for which in range(len(case.cars))]
    header = (
        "train",
        "worst speed (km/h)",
        "acceleration (m/s²)",
        "deflection (mm)",
        "amplification",
        "expected",
    )
    return [
        Table("Inputs", ("quantity", "value"), inputs),
        Table("Worst speeds", header, rows),
        *_expected_table(curve),
        Table("Checks", ("check", "found", "limit", "verdict"), [_check(found)]),
    ]


def _check(found: ResonanceFindings) -> tuple[str, str, str, str]:
    words = "largest deflection, difference from the single crossing"
    return words, f"{found.off:.1e}", f"{AGREEMENT:g}", "passed" if found.off <= AGREEMENT else "large"


def _worst(case: ResonanceCase, curve: ResonanceCurve, which: int) -> tuple[str, ...]:
    k = int(np.argmax(curve.acceleration[which]))
    speed = float(curve.speeds[k])
    near = [one for one in curve.expected[which] if abs(speed / one.speed - 1.0) <= NEAR]
    nearest = min(near, key=lambda one: (one.mode, abs(one.speed - speed)), default=None)
    at_rest = float(curve.static[which])
    return (
        curve.names[which],
        significant(3.6 * speed),
        significant(float(curve.acceleration[which, k])),
        significant(1e3 * float(curve.deflection[which, k])),
        significant(float(curve.deflection[which, k]) / at_rest) if at_rest else "none",
        f"{_words(nearest)} = {significant(3.6 * nearest.speed)} km/h" if nearest is not None else "no",
    )


def _expected_table(curve: ResonanceCurve) -> list[Table]:
    rows = [
        (name, _words(one), significant(one.spacing), significant(3.6 * one.speed))
        for name, expected in zip(curve.names, curve.expected, strict=True)
        for one in expected
        if one.mode == 1
    ]
    if not rows:
        return []
    title = "Expected resonance speeds of the first mode"
    if len(rows) > MOST_SHOWN:
        title += f" (the first {MOST_SHOWN} of {len(rows)})"
    return [Table(title, ("train", "rule", "spacing D (m)", "speed (km/h)"), rows[:MOST_SHOWN])]


def _words(one: ResonanceSpeed) -> str:
    return f"f{one.mode} D" if one.period == 1 else f"f{one.mode} D/{one.period}"


def figures(case: ResonanceCase, stored: StoredRun) -> Sequence[tuple[str, str, Figure]]:
    """Accelerations and deflections over speed."""
    from traction.view import figures as view
    from traction.view.bridges import resonance_plot

    curve, drawn = read_curve(case, stored), []
    if curve.speeds.size < 2:
        return []
    worst = int(np.argmax(curve.acceleration.max(axis=1)))
    for name in ("acceleration", "deflection"):
        figure = view.blank_figure(9.0, 5.0)
        resonance_plot(curve, figure.add_subplot(), quantity=name, marks=worst)
        words = f"Largest {name} of each crossing over speed; dashes: resonances expected of "
        words += f"{curve.names[worst]}."
        drawn.append((name, words, figure))
    return drawn


def extras(case: ResonanceCase, stored: StoredRun, folder: Path) -> Sequence[Extra]:
    """All crossings for other programs."""
    store = io.StringIO()
    writer = csv.writer(store, lineterminator="\n")
    shown = FIELDS[2:]
    writer.writerow(["train", *(f"{field.name} ({field.unit})" for field in shown)])
    rows = zip(*(stored[field.name].tolist() for field in shown), strict=True)
    names = [case.cars[int(number) - 1].name for number in stored["train"]]
    writer.writerows((name, *row) for name, row in zip(names, rows, strict=True))
    file = folder / FILE
    write_atomic(file, store.getvalue().encode())
    return [(file, "All crossings, in SI.")]


REPORT = KindReport(tables, figures, extras)
