"""The same train at other speeds: whether the speed of a run is one of resonance.

`SpeedStudy` is computed with the findings; a report says it in sentences, a table and a figure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction.kinds.cross.case_march import cross_simply, is_hertzian
from traction.kinds.cross.schema import CrossCase
from traction.kinds.kind import Figures
from traction.quantities import Unit, quantity, significant
from traction.results.recorder import Stop, StoppedError
from traction.view import figures as view
from traction.view.chart import Chart, shown_unit
from traction.view.report import Table

HISTORY = 1001  #: samples of the crossing that is drawn beside the run
CONTACTS = {"hertz": "Hertz contact", "rigid": "rigid wheels"}
UNRESOLVED = "time step too long"
SPEED, METRES = Unit("m/s", 1.0), Unit("m", 1.0)


@dataclass(frozen=True)
class SpeedStudy:
    """Peak deflection at the output position over speed, by a simpler contact, smooth or rough as the run."""

    speeds: np.ndarray  #: m/s, rising
    peaks: np.ndarray  #: m
    resolved: np.ndarray  #: whether the time step of the run is short enough at each speed
    least: int  #: number of the speed with the smallest peak
    travelled: np.ndarray  #: way of the first axle in the crossing with the smallest peak, m
    deflection: np.ndarray  #: at the output position in that crossing, m

    @classmethod
    def of(cls, case: CrossCase, dt: float, stop: Stop) -> SpeedStudy | None:
        """Cross once at each speed of the study, in steps of dt (s), over the way of the run.

        A `StoppedError` when `stop`, which is asked before each speed, returns True.
        """
        if case.study is None or case.speed is None:
            return None
        contact, speeds, found = study_contact(case), np.array(case.study.speeds), []
        for number, speed in enumerate(case.study.speeds):
            if stop():
                raise StoppedError(f"{number} of the {speeds.size} speeds of the study")
            run, enough = cross_simply(at_speed(case, speed), contact, dt)
            found.append((run.t, run.deflection(case.place), enough))
        peaks = np.array([np.abs(deflection).max() for _, deflection, _ in found])
        resolved = np.array([one for _, _, one in found])
        least = int(peaks.argmin())
        t, deflection, _ = found[least]
        rows = np.unique(np.linspace(0, t.size - 1, HISTORY).round().astype(int))
        return cls(speeds, peaks, resolved, least, speeds[least] * t[rows], deflection[rows])


def study_contact(case: CrossCase) -> str:
    """Hertz where the surfaces allow it, rigid otherwise."""
    return "hertz" if case.contact != "rigid" and is_hertzian(case) else "rigid"


def at_speed(case: CrossCase, speed: float) -> CrossCase:
    """The case at another speed (m/s), over the same way."""
    assert case.speed is not None
    time = case.time.model_copy(update={"t_end": case.t_end * case.speed / speed})
    return case.model_copy(update={"speed": speed, "time": time})


def passing_speed(case: CrossCase, frequency: float) -> float:
    """Speed (m/s) at which axles at equal distances pass with a natural frequency (Hz); nan of others."""
    apart = np.diff(np.sort(case.cars.places))
    if apart.size < 2 or not apart.max() > 0.0 or np.ptp(apart) > 1e-6 * apart.max():
        return math.nan
    return float(apart.mean()) * frequency


def is_resonant(case: CrossCase, study: SpeedStudy, frequency: float) -> bool:
    """Whether the study peaks where the axles pass with a natural frequency (Hz), and the run is there."""
    expected, largest = passing_speed(case, frequency), int(study.peaks.argmax())
    if not math.isfinite(expected) or case.speed is None or largest in (0, study.speeds.size - 1):
        return False
    nearest = int(np.abs(study.speeds - expected).argmin())
    return largest == nearest == int(np.abs(study.speeds - case.speed).argmin())


def tell_study(case: CrossCase, study: SpeedStudy, frequency: float) -> str:
    """What the other speeds show, in two or three sentences; `frequency` is the lowest natural one (Hz)."""
    low, high = ((float(study.peaks[k]), float(study.speeds[k])) for k in (study.least, study.peaks.argmax()))
    expected, contact = passing_speed(case, frequency), CONTACTS[study_contact(case)]
    words = f"The same train at {study.speeds.size} speeds ({contact}) gives peak deflections "
    words += f"from {quantity(low[0], 'm', 3)} at {low[1]:.4g} m/s to "
    words += f"{quantity(high[0], 'm', 3)} at {high[1]:.4g} m/s"
    if math.isfinite(expected):
        spacing = expected / frequency
        words += f"; axle spacing times lowest natural frequency is {quantity(spacing, 'm', 3)} times "
        words += f"{significant(frequency)} Hz = {significant(expected)} m/s"
    if is_resonant(case, study, frequency):
        words += ": the run is in resonance with the passing axles"
    return f"{words}.{tell_unresolved(study)}"


def tell_unresolved(study: SpeedStudy) -> str:
    """A sentence on speeds at which the time step is too long; empty if there are none."""
    missed = study.speeds[~study.resolved]
    if not missed.size:
        return ""
    named = ", ".join(f"{speed:.4g}" for speed in missed)
    return f" {UNRESOLVED[:1].upper()}{UNRESOLVED[1:]} at {named} m/s: treat the peaks there as approximate."


def tabulate_study(study: SpeedStudy) -> Table:
    """Peak deflection at each speed."""
    rows = [
        (
            f"{speed:.4g} m/s = {3.6 * speed:.4g} km/h",
            quantity(float(peak), "m") + ("" if resolved else f" ({UNRESOLVED})"),
        )
        for speed, peak, resolved in zip(study.speeds, study.peaks, study.resolved, strict=True)
    ]
    return Table("The same train at several speeds", ("speed", "peak deflection"), rows)


def draw_study(
    case: CrossCase, study: SpeedStudy, frequency: float, run: tuple[np.ndarray, np.ndarray, float]
) -> Figures:
    """Peak deflection over speed, and the run (times, deflections, peak) beside that of the smallest peak."""
    assert case.speed is not None
    figure = view.blank_figure(11.0, 4.4)
    first, second = figure.subplots(1, 2, width_ratios=[1.0, 1.4])
    t, deflection, peak = run
    _draw_peaks(case, study, frequency, peak, Chart(first, SPEED, shown_unit(study.peaks, "m")))
    chart = Chart(second, METRES, shown_unit(deflection, "m"))
    off = float(study.speeds[study.least])
    chart.plot(study.travelled, study.deflection, lw=1.4, color=view.ORANGE, label=f"{off:.4g} m/s")
    chart.plot(case.speed * t, deflection, lw=1.8, color=view.BLUE, label=f"{case.speed:.4g} m/s, this run")
    leaves = float(case.cars.places.max()) + case.built.length
    if case.speed * t[-1] > leaves:
        chart.shade(
            [(leaves, case.speed * float(t[-1]))], "no axle on the bridge", color=view.GREY, alpha=0.18
        )
    chart.limit_x(0.0, case.speed * t[-1])
    chart.ax.invert_yaxis()
    title = f"Deflection at x = {case.place:g} m"
    chart.finish("distance travelled by the first axle", "deflection", title, legend=True)
    contact = CONTACTS[study_contact(case)]
    words = (
        f"Left: peak deflection over speed; orange: the same train with {contact}, large blue dot: this run"
    )
    if math.isfinite(passing_speed(case, frequency)):
        words += ", dashes: axle spacing times lowest natural frequency"
    words += (
        ". Right: deflection over distance; blue: this run, orange: the same train at the speed with the "
        "smallest peak."
    )
    yield "speed_study", words, figure


def _draw_peaks(case: CrossCase, study: SpeedStudy, frequency: float, peak: float, chart: Chart) -> None:
    chart.plot(study.speeds, study.peaks, "o-", lw=1.6, color=view.ORANGE, label="same train")
    missed = ~study.resolved
    if missed.any():
        chart.plot(
            study.speeds[missed],
            study.peaks[missed],
            "x",
            ms=9.0,
            color=view.PURPLE,
            label=UNRESOLVED,
            zorder=4,
        )
    assert case.speed is not None
    chart.plot([case.speed], [peak], "o", ms=10.0, color=view.BLUE, label="this run", zorder=5)
    expected = passing_speed(case, frequency)
    if study.speeds[0] <= expected <= study.speeds[-1]:
        chart.ax.axvline(expected, color=view.GREY, lw=1.2, ls="--", zorder=0)
    chart.ax.set_ylim(0.0, 1.12 * float(chart.y.of(max(peak, study.peaks.max()))))
    chart.finish("speed", "peak deflection", "Peak deflection over speed", legend=True)
