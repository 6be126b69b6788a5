"""What a report tells of a sweep over speeds: tables, figures and a file for other programs."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np

from traction.crossing.sweeps.resonance import ResonanceCurve, ResonanceSpeed, expected_speeds
from traction.kinds.kind import Extras, Figures, KindReport, Tables
from traction.kinds.report_tables import check_limit, check_table, input_table, write_csv
from traction.kinds.resonance.run import FIELDS, ResonanceFindings
from traction.kinds.resonance.schema import ResonanceCase
from traction.kinds.tables.beam_tables import beam_words
from traction.quantities import quantity, significant
from traction.view import figures as view
from traction.view.bridges import resonance_plot
from traction.view.report import Table

MOST_SHOWN = 12  #: expected speeds in a table
NEAR = 0.03  #: of an expected speed, within which a peak belongs to it
AGREEMENT = 1e-3  #: limit of the check
HEADER = (
    "train",
    "worst speed (km/h)",
    "acceleration (m/s²)",
    "deflection (mm)",
    "amplification",
    "expected",
)


class ResonanceReport(KindReport[ResonanceCase, ResonanceFindings]):
    """A sweep over speeds."""

    kept = ResonanceFindings

    @cached_property
    def curve(self) -> ResonanceCurve:
        """All crossings as `tr.resonance` returns them."""
        case, run, speeds = self.case, self.run, self.case.speeds.all
        shape, omega = (len(case.cars), speeds.size), self.found.omega
        deflection, factor = (run[name].reshape(shape) for name in ("deflection", "amplification"))
        at_rest = np.where(factor > 0.0, deflection / np.where(factor > 0.0, factor, 1.0), 0.0)
        return ResonanceCurve(
            speeds,
            tuple(train.name for train in case.cars),
            deflection,
            run["acceleration"].reshape(shape),
            at_rest.max(axis=1),
            tuple(expected_speeds(omega, one.spacing, speeds[0], speeds[-1]) for one in case.cars),
            case.x,
            case.modes,
        )

    def tables(self) -> Tables:
        """What went in, the worst speed of each train, and the speeds that were to be expected."""
        case, speeds, found = self.case, 3.6 * self.case.speeds.all, self.found
        inputs = [
            *beam_words(case.beam),
            ("first frequency", f"{significant(found.omega[0] / (2.0 * np.pi))} Hz"),
            ("trains", f"{len(case.cars)}"),
            ("speeds", f"{speeds.size} from {significant(speeds[0])} to {significant(speeds[-1])} km/h"),
            ("modes", f"{case.modes}"),
            ("place that is looked at", quantity(case.x, "m")),
        ]
        words = "largest deflection, difference from the single crossing"
        return [
            input_table(inputs),
            Table("Worst speeds", HEADER, [_find_worst(self.curve, k) for k in range(len(case.cars))]),
            *_tabulate_expected(self.curve),
            check_table(check_limit(words, found.off, AGREEMENT, "large")),
        ]

    def figures(self) -> Figures:
        """Accelerations and deflections over speed."""
        curve = self.curve
        worst = int(np.argmax(curve.acceleration.max(axis=1)))
        for name in ("acceleration", "deflection") if curve.speeds.size > 1 else ():
            figure = view.blank_figure(9.0, 5.0)
            resonance_plot(curve, figure.add_subplot(), quantity=name, marks=worst)
            words = f"Largest {name} of each crossing over speed; dashes: resonances expected of "
            yield name, f"{words}{curve.names[worst]}.", figure

    def extras(self, folder: Path) -> Extras:
        """All crossings for other programs."""
        names = [self.case.cars[int(number) - 1].name for number in self.run["train"]]
        numbers = {f"{field.name} ({field.unit})": self.run[field.name].tolist() for field in FIELDS[2:]}
        return [(write_csv(folder / "resonance.csv", {"train": names, **numbers}), "All crossings, in SI.")]


def _find_worst(curve: ResonanceCurve, which: int) -> tuple[str, ...]:
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
        f"{_name_rule(nearest)} = {significant(3.6 * nearest.speed)} km/h" if nearest is not None else "no",
    )


def _tabulate_expected(curve: ResonanceCurve) -> list[Table]:
    rows = [
        (name, _name_rule(one), significant(one.spacing), significant(3.6 * one.speed))
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


def _name_rule(one: ResonanceSpeed) -> str:
    return f"f{one.mode} D" if one.period == 1 else f"f{one.mode} D/{one.period}"
