"""The report on a train on a bridge: story, figures, results, checks and a film, read from what is stored.

Key figures are those of all steps. Curves and spectra are drawn from samples: of an oscillation with n
samples in its period, the sample nearest to a peak is at most half an interval off, a phase of pi/n, and
shows cos(pi/n) of it or more. A smaller share proves that fewer than n samples lie in the period of what
carries the peak.
"""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path

import numpy as np

from traction.crossing.choices import CONDENSED, EXACT
from traction.crossing.results.energies import ENERGIES, Energies
from traction.crossing.results.wheel_rolling import WheelRolling
from traction.crossing.small_deflections import NOTICED, STEEPEST
from traction.kinds.cross import drive_report, speed_study
from traction.kinds.cross.drive_report import restore_wheels
from traction.kinds.cross.findings import FEW, CrossFindings, DrawnPatches
from traction.kinds.cross.schema import CrossCase
from traction.kinds.kind import Figures, Films, KindReport, Tables, Words
from traction.kinds.moving_load import report as moving_load
from traction.kinds.moving_load.findings import CUTOFF, describe_choice, is_filtered
from traction.kinds.moving_load.report import tell_passage, tell_peak, tell_speed, tell_train
from traction.kinds.report_tables import PASSED, Checks, check_limit, format_value, grid_words
from traction.kinds.tables.axle_tables import load_words
from traction.kinds.tables.beam_tables import beam_words
from traction.quantities import counted, given, quantity, significant
from traction.results.stored_run import StoredRun
from traction.signals.spectra import Spectrum, low_pass, spectrum
from traction.view import figures as view
from traction.view.animations.crossing_animation import stage_crossing
from traction.view.patches import PatchPanel, draw_patches
from traction.view.report import Table
from traction.view.wheel_forces import draw_energies, draw_wheel_forces, spectrum_plot

COARSE = "coarse: choose more time.samples"
SAMPLED = 4  #: samples in a period, twice those below which spectra show another frequency
SHOWN = math.cos(math.pi / SAMPLED)  #: of a peak, that so many samples in a period show at least
SHORTER = 1e-6  #: of the step asked for, from which one is called shorter
BALANCE = 1e-4  #: that energies may be off, over the work done
OWN_ENERGY = 1e-2  #: that a method may add or take itself, likewise
LIKE_HERTZ, LIKE_RIGID = 0.01, 0.05  #: of the load at rest, and of the largest deflection
NEAR = 0.02  #: of a natural frequency, within which axles come in resonance
FAINT = 0.1  #: of the highest amplitude, below which a frequency is not dominant
NAMES = {"rigid": "rigid", "hertz": "Hertz", "half-space": "half space"}
#: by the short name of a check: words, limit, and whether it is shown in percent
CHECKS: dict[str, tuple[str, float, bool]] = {
    "closure": (moving_load.ENERGY, BALANCE, False),
    "drift": ("energy added or removed by the method (relative to work done)", OWN_ENERGY, False),
    "from_modes": (moving_load.FROM_MODES, moving_load.AGREEMENT, False),
    "energy_error": (moving_load.ENERGY, moving_load.BALANCE, False),
    "rest_approach": ("static approach, difference from Hertz", LIKE_HERTZ, True),
    "rest_pressure": ("static peak pressure, difference from Hertz", LIKE_HERTZ, True),
    "forces_by_hertz": ("wheel forces, difference from Hertz contact", LIKE_HERTZ, True),
    "rigid_wheels": ("peak deflection, difference from rigid contact", LIKE_RIGID, True),
    "slope": ("largest slope of the bridge", STEEPEST, False),
    "curvature": ("bridge curvature / wheel curvature", NOTICED, True),
}


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


class CrossReport(KindReport[CrossCase, CrossFindings]):
    """A train on a bridge."""

    kept = CrossFindings

    @cached_property
    def wheels(self) -> dict[int, WheelRolling]:
        """Driven wheels by their numbers from 0."""
        return restore_wheels(self.case, self.run, self.found.tread)

    def computed(self) -> str:
        """What crosses what, how fast, with which contact and rail."""
        case = self.case
        words = (
            f"{tell_train(case)} a bridge of {quantity(case.built.length, 'm', 3)}{tell_speed(case)}. "
            f"{_describe_contact(case)}"
        )
        if case.irregularity is not None:
            words += f" The rail has an irregularity: {case.irregularity.words}."
        return words

    def outcome(self) -> str:
        """Peak deflection, frequencies, wheel forces, driven wheels."""
        case, run, found = self.case, self.run, self.found
        words = tell_peak("bridge", case.place, *found.peak)
        if found.rest > 0.0:
            factor = significant(abs(found.peak[0]) / found.rest, 3)
            words += f", {factor} times the peak static deflection of {quantity(found.rest, 'm', 3)}"
        words += f".{_describe_passing(case, found.natural)}"
        words += f" The lowest natural frequencies of the bridge are {list_values(found.natural)} Hz"
        dominant = self._transform("acceleration").dominant(1)
        shaken = (
            f"; the dominant frequency is {significant(float(dominant[0]), 3)} Hz" if dominant.size else ""
        )
        words += f"{shaken}."
        if "largest_force" in run:
            low, high = (quantity(float(run[name][-1]), "N", 3) for name in ("least_force", "largest_force"))
            lifted = int(run["lifted_steps"][-1])
            words += f" Wheel forces lie between {low} and {high}; "
            words += (
                f"{counted(lifted, 'time step')} with a wheel lifted off."
                if lifted
                else "no wheel lifts off."
            )
        words += tell_passage(found.map, "bridge")
        if found.study is not None:
            words += " " + speed_study.tell_study(case, found.study, float(found.natural[0]))
        return f"{words} {drive_report.tell_driving(self.wheels)}" if self.wheels else words

    def evidence(self) -> str:
        """What the checks compare with."""
        return f"Verification: {_describe_checks(self.case)}."

    def results(self) -> Tables:
        """What came out."""
        rows = [(name, format_value(value, unit)) for name, value, unit in self.run.key_figures]
        title = f"Results at x = {self.case.place:g} m"
        return [
            Table(title, ("quantity", "value"), [*rows, *self._list_frequencies()]),
            *([speed_study.tabulate_study(self.found.study)] if self.found.study is not None else []),
            *drive_report.tabulate_driving(self.wheels),
        ]

    def checks(self) -> Checks:
        """Whether the run is right, and whether it is one of small deflections that its samples show."""
        found, rows = self.found.checks, []
        for name, (words, limit, percent) in CHECKS.items():
            if name in found:
                rows.append(_check_share(words, found[name], limit, percent))
            if name == "closure":
                rows += [check_limit(*row, "large") for row in drive_report.check_driving(self.wheels)]
        return [*rows, *check_samples(self.found)]

    def _list_frequencies(self) -> Words:
        rows = {"natural frequencies of the bridge": self.found.natural}
        rows["dominant frequencies of the acceleration"] = _find_clear(self._transform("acceleration"))
        if "approach" in self.run:
            rows["dominant frequencies of the force of wheel 1"] = _find_clear(
                self._transform("contact_force")
            )
        found = [(name, f"{list_values(values)} Hz") for name, values in rows.items() if values.size]
        highest = 0.5 / sample_interval(self.run["time"])
        return [*found, ("highest frequency that samples resolve", f"{highest:.4g} Hz")]

    def _transform(self, name: str) -> Spectrum:
        """The spectrum of a field, or of its first column."""
        values = self.run[name]
        return spectrum(self.run["time"], values if values.ndim == 1 else values[:, 0])

    def inputs(self) -> Words:
        """Bridge, train, wheels, contact and model."""
        case, found, contact = self.case, self.found, NAMES[self.case.contact]
        if found.grid is not None:
            contact += f", {grid_words(found.grid)}"
        rows = [*beam_words(case.beam), *load_words(case)]
        if case.cars.vehicles:
            if case.contact != "rigid":
                rows += [("wheels", case.wheel.words), ("rail", case.rail.words)]
            flats = [axle.flat for axle in case.axle or [] if axle.flat is not None]
            rows += [("flat spot", f"{given(flat.length, 'm')} long") for flat in flats]
        return [
            *rows,
            *drive_report.drive_words(case),
            ("contact", contact),
            ("model", f"{moving_load.model_words(case.model)}, {_name_method(case)}"),
            ("steps", step_words(case, found.step, self.run)),
            ("output position", f"x = {case.place:g} m"),
            ("time", time_words(case, self.run["time"])),
        ]

    def figures(self) -> Figures:
        """Deflection, acceleration, forces, spectra, patches, energies, and the bridge in space and time."""
        case, run = self.case, self.run
        rest = run["deflection_at_rest"] if case.at_rest else None
        words = f"Deflection at x = {case.place:g} m over time, drawn downwards"
        words += "" if rest is None else "; dashed: static deflection under the same forces"
        drawn = run["time"], run["deflection"], rest
        passage = self.found.map.passage
        yield from moving_load.draw_deflection(case.place, *drawn, words, passage)
        t, acceleration = run["time"], run["acceleration"]
        slow = low_pass(t, acceleration, CUTOFF) if is_filtered(t) else None
        yield from moving_load.draw_acceleration(case.place, t, acceleration, slow, passage)
        if self.found.study is not None:
            whole = run["time"], run["deflection"], abs(self.found.peak[0])
            yield from speed_study.draw_study(case, self.found.study, float(self.found.natural[0]), whole)
        if "contact_force" in run:
            yield from self._draw_forces()
        yield from drive_report.draw_driving(self.wheels)
        yield from self._draw_spectra()
        if self.found.patches is not None:
            yield from self._draw_patches(self.found.patches)
            figure = view.blank_figure(8.0)
            energies = Energies(**{name: run[f"energy_{name}"] for name in ENERGIES})
            draw_energies(run["time"], energies, figure.add_subplot())
            words = "Change of the energies since the start; the checks state how well they balance."
            yield "energy", words, figure
        yield from moving_load.draw_map(self.found.map, "bridge")

    def _draw_forces(self) -> Figures:
        case, forces, t = self.case, self.run["contact_force"], self.run["time"]
        figure = view.blank_figure(9.0, 6.6 if forces.shape[1] > 1 else 4.4)
        count = min(forces.shape[1], len(view.CYCLE))
        axes = figure.subplots(2 if count > 1 else 1, 1, squeeze=False)[:, 0]
        named, words = {NAMES[case.contact]: (t, forces)}, "Force of wheel 1"
        passages = self.found.map.passages[-forces.shape[1] :]
        if case.contact != "rigid" and case.model.type == "modes" and case.model.method is None:
            for kind, other in self.found.simpler.items():
                if kind != "rigid" or not other.lost:  # it lands by impulses, which dwarf any other force
                    named[NAMES[kind]] = (other.t, other.force[:, None])
            words += ", with the contact of this run and with simpler contacts"
        draw_wheel_forces(named, axes[0], passages=passages, title="Force of wheel 1")
        if count > 1:
            title = (
                "Forces of all wheels" if count == forces.shape[1] else f"Forces of the first {count} wheels"
            )
            every = {"": (t, forces)}
            draw_wheel_forces(every, axes[1], wheels=range(count), passages=passages, title=title)
            words += "; below, all wheels" if count == forces.shape[1] else "; below, the first wheels"
        yield "wheel_forces", f"{words}; {moving_load.caption_lifted(forces)}.", figure

    def _draw_spectra(self) -> Figures:
        natural, pressed = self.found.natural, "approach" in self.run
        nyquist = 0.4 / float(self.run["time"][1] - self.run["time"][0])
        figure = view.blank_figure(11.0 if pressed else 8.0, 4.2)
        axes = figure.subplots(1, 2 if pressed else 1, squeeze=False)[0]
        top, title = (
            min(1.3 * float(natural[-1]), nyquist),
            f"Acceleration at x = {self.case.place:g} m",
        )
        shown = self._transform("acceleration")
        spectrum_plot(shown, axes[0], si="m/s2", natural=natural, highest=top, title=title)
        if pressed:
            shown, title = self._transform("contact_force"), "Force of wheel 1"
            top = max(top, min(1.4 * float(shown.dominant(1).max(initial=0.0)), nyquist))
            spectrum_plot(shown, axes[1], si="N", natural=natural, highest=top, title=title)
        words = "Amplitude spectra; dashed: natural frequencies of the bridge; dots: dominant frequencies"
        yield "spectrum", f"{words}.", figure

    def _draw_patches(self, patches: DrawnPatches) -> Figures:
        figure = view.blank_figure(11.0, 4.2)
        first, second = figure.subplots(1, 2, width_ratios=[1.2, 1.0])
        draw_patches(patches.frames, patches.t, first, title="Along the rail")
        PatchPanel(second, patches.frames).show(patches.largest)
        words = "Pressure of wheel 1 at the start, at its smallest and at its largest force"
        yield "patch", f"{words}; right, the patch at the largest force from above.", figure

    def films(self, folder: Path) -> Films:
        """The crossing."""
        film, fps = self.found.film, moving_load.FRAMES_PER_SECOND
        words = "The crossing: the bridge, its deflection magnified, under the wheels"
        if film.patches is not None:
            words += (
                f"; below, the contact force of wheel {film.patches.wheel + 1} (filled), whose force varies"
            )
            words += " most, and its contact patch (dashed: Hertz, at rest)"
        yield "crossing", f"{words}.", stage_crossing(film, self.case.built, fps=fps, x=self.case.place)


def _check_share(words: str, value: float, limit: float, percent: bool) -> tuple[str, str, str, str]:
    name, found, most, verdict = check_limit(words, value, limit, "large")
    if percent:
        found, most = f"{significant(100.0 * value, 2)} %", f"{100.0 * limit:g} %"
    return name, found, most, verdict


def _find_clear(found: Spectrum, most: int = 3) -> np.ndarray:
    """Dominant frequencies whose amplitudes are not small beside the highest, Hz."""
    frequencies = found.dominant(most)
    sizes = np.interp(frequencies, found.frequency, found.amplitude)
    return np.asarray(frequencies[sizes > FAINT * sizes.max(initial=0.0)])


def _name_method(case: CrossCase) -> str:
    """By which the crossing was marched."""
    if case.contact == "rigid" and case.cars.vehicles:
        return CONDENSED
    return case.model.marches_by or (CONDENSED if case.contact != "rigid" else EXACT)


def _describe_checks(case: CrossCase) -> str:
    """What the checks do."""
    if case.contact != "rigid":
        return "compared with theory and with independent simpler models; energy is balanced"
    if case.model.type == "modes":
        return "the work of the axles is balanced with the energy of the bridge and its losses"
    return "compared with an independent computation with exact modes"


def _describe_passing(case: CrossCase, natural: np.ndarray) -> str:
    """How often axles at equal distances come."""
    apart = np.diff(np.sort(case.cars.places))
    if case.speed is None or apart.size < 2 or not apart.max() > 0.0 or np.ptp(apart) > 1e-6 * apart.max():
        return ""
    often = case.speed / float(apart.mean())
    words = f" Axles {quantity(float(apart.mean()), 'm', 3)} apart pass at {significant(often, 3)} Hz"
    near = np.flatnonzero(np.abs(natural / often - 1.0) < NEAR)
    if not near.size:
        return f"{words}."
    which = ("lowest", "second", "third")[int(near[0])]
    off = f"{significant(100.0 * abs(float(natural[near[0]]) / often - 1.0), 1)} %"
    return f"{words}, which is {off} off the {which} natural frequency of the bridge."


def _describe_contact(case: CrossCase) -> str:
    if not case.cars.vehicles:
        return "Its axles are given forces."
    if case.contact == "rigid":
        return "Its wheels are in rigid contact with the rail until they lift off."
    if case.contact == "hertz":
        return "Bridge, vehicles and the Hertz contact under each wheel are computed together."
    together = "Bridge, vehicles and contacts are computed together"
    if case.solve == "every-step":
        return (
            f"{together}: at every time step the patch and the pressure under each wheel are solved on a "
            "grid that travels with the wheel."
        )
    return (
        f"{together}: the force under each wheel is that of the half space, solved on a grid for the "
        "approaches that occur and tabulated; the patches shown are solved."
    )


def list_values(values: np.ndarray) -> str:
    """As in a sentence."""
    words = [significant(float(value), 3) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
