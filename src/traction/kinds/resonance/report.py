"""What a report shows of a sweep over speeds: story, tables, figures and a file for other programs."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np

from traction.crossing.sweeps.resonance import ResonanceCurve, ResonanceSpeed, expected_speeds
from traction.kinds.kind import Extras, Figures, KindReport, Tables, Words
from traction.kinds.report_tables import Checks, check_limit, write_csv
from traction.kinds.resonance.run import FIELDS, ResonanceFindings
from traction.kinds.resonance.schema import ResonanceCase
from traction.kinds.tables.beam_tables import beam_words
from traction.quantities import counted, given, quantity, significant
from traction.view import figures as view
from traction.view.bridges import DECK_LIMITS, list_limits, resonance_plot
from traction.view.report import Table

MOST_SHOWN = 12  #: expected speeds in a table
NEAR = 0.03  #: of an expected speed, within which a peak belongs to it
AGREEMENT = 1e-3  #: limit of the check
HEADER = (
    "train",
    "worst speed (km/h)",
    "peak acceleration (m/s²)",
    "peak deflection (mm)",
    "amplification",
    "expected resonance",
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

    def computed(self) -> str:
        """Bridge, trains and speeds."""
        case = self.case
        return (
            f"{counted(len(case.cars), 'train')} of axle loads cross a bridge of "
            f"{given(case.beam.build().length, 'm')} at {self._speeds}. Of each crossing, computed with "
            f"{counted(case.modes, 'mode')} of the bridge, the peak deflection and acceleration at "
            f"x = {case.x:g} m are kept."
        )

    @property
    def _speeds(self) -> str:
        speeds = 3.6 * self.case.speeds.all
        if speeds.size == 1:
            return f"{speeds[0]:.4g} km/h"
        return f"{speeds.size} speeds from {speeds[0]:.4g} to {speeds[-1]:.4g} km/h"

    def outcome(self) -> str:
        """The worst crossing, its reason, and what the code allows."""
        curve = self.curve
        which, k = np.unravel_index(int(np.argmax(curve.acceleration)), curve.acceleration.shape)
        peak, speed = float(curve.acceleration[which, k]), float(curve.speeds[k])
        words = (
            f"The acceleration is largest, {significant(peak)} m/s², when {curve.names[which]} crosses at "
            f"{significant(3.6 * speed)} km/h; the deflection is then "
            f"{quantity(float(curve.deflection[which, k]), 'm')}"
        )
        if curve.static[which]:
            factor = significant(float(curve.deflection[which, k] / curve.static[which]), 3)
            words += f", {factor} times the static one"
        near = _nearest_expected(curve, int(which), speed)
        if near is not None:
            rule = f"{_name_rule(near)} = {significant(3.6 * near.speed)} km/h"
            words += f". That is a resonance: axle groups {given(near.spacing, 'm')} apart give {rule}"
        over = [f"{limit:g} m/s² ({track})" for track, limit in DECK_LIMITS.items() if peak > limit]
        judged = f"exceeds the limits of EN 1990, A2.4.4.2.1: {' and '.join(over)}"
        if not over:
            judged = f"stays below the limits of EN 1990, A2.4.4.2.1, {list_limits()}"
        return f"{words}. The deck acceleration {judged}."

    def evidence(self) -> str:
        """What the checks compare with."""
        return "One crossing is computed once more by itself, with all its steps, and compared."

    def results(self) -> Tables:
        """The worst speed of each train, and the speeds that were to be expected."""
        worst = [_find_worst(self.curve, k) for k in range(len(self.case.cars))]
        return [Table("Worst speeds", HEADER, worst), *_tabulate_expected(self.curve)]

    def checks(self) -> Checks:
        """Whether one crossing by itself agrees."""
        words = "peak deflection, relative difference from a single crossing"
        return [check_limit(words, self.found.off, AGREEMENT, "large")]

    def inputs(self) -> Words:
        """Bridge, trains and speeds."""
        case = self.case
        return [
            *beam_words(case.beam),
            ("first natural frequency", f"{significant(self.found.omega[0] / (2.0 * np.pi))} Hz"),
            ("trains", ", ".join(train.name for train in case.cars)),
            ("speeds", self._speeds),
            ("modes", f"{case.modes}"),
            ("output position", f"x = {case.x:g} m"),
        ]

    def figures(self) -> Figures:
        """Accelerations and deflections over speed."""
        curve = self.curve
        worst = int(np.argmax(curve.acceleration.max(axis=1)))
        for name in ("acceleration", "deflection") if curve.speeds.size > 1 else ():
            figure = view.blank_figure(9.0, 5.0)
            resonance_plot(curve, figure.add_subplot(), quantity=name, marks=worst)
            words = f"Peak {name} of each crossing over speed; dashed: resonance speeds expected of "
            words += f"{curve.names[worst]}"
            if name == "acceleration":
                words += f"; dotted: limits of EN 1990 for the deck, {list_limits()}"
            yield name, f"{words}.", figure

    def files(self, folder: Path) -> Extras:
        """All crossings for other programs."""
        names = [self.case.cars[int(number) - 1].name for number in self.run["train"]]
        numbers = {f"{field.name} ({field.unit})": self.run[field.name].tolist() for field in FIELDS[2:]}
        return [(write_csv(folder / "resonance.csv", {"train": names, **numbers}), "All crossings, in SI.")]


def _nearest_expected(curve: ResonanceCurve, which: int, speed: float) -> ResonanceSpeed | None:
    """The resonance speed to which a peak belongs."""
    near = [one for one in curve.expected[which] if abs(speed / one.speed - 1.0) <= NEAR]
    return min(near, key=lambda one: (one.mode, abs(one.speed - speed)), default=None)


def _find_worst(curve: ResonanceCurve, which: int) -> tuple[str, ...]:
    k = int(np.argmax(curve.acceleration[which]))
    speed = float(curve.speeds[k])
    nearest = _nearest_expected(curve, which, speed)
    at_rest = float(curve.static[which])
    return (
        curve.names[which],
        significant(3.6 * speed),
        significant(float(curve.acceleration[which, k])),
        significant(1e3 * float(curve.deflection[which, k])),
        significant(float(curve.deflection[which, k]) / at_rest) if at_rest else "none",
        f"{_name_rule(nearest)} = {significant(3.6 * nearest.speed)} km/h" if nearest is not None else "none",
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
