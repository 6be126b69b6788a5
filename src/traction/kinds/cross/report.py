"""The report on a train on a bridge: story, checks, results, figures and a film, read from what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from traction.crossing.choices import CONDENSED, EXACT
from traction.crossing.results.energies import ENERGIES, Energies
from traction.crossing.small_deflections import NOTICED
from traction.crossing.static_bending import STEEPEST
from traction.kinds.cross.drive_report import (
    driving_checks,
    driving_drawn,
    driving_table,
    driving_words,
)
from traction.kinds.cross.findings import FEW, CrossFindings
from traction.kinds.cross.rolled_wheels import restore_wheels
from traction.kinds.cross.schema import CrossCase
from traction.kinds.cross.story import list_values, tell_story
from traction.kinds.kind import Drawn, Extra, KindReport
from traction.kinds.moving_load.report import AGREEMENT, FROM_MODES
from traction.kinds.report_tables import format_value
from traction.kinds.tables.axle_tables import load_words
from traction.kinds.tables.beam_tables import beam_words
from traction.quantities import quantity, significant
from traction.results.stored_run import StoredRun
from traction.signals.spectra import Spectrum, spectrum
from traction.state_arrays import unflatten_state
from traction.view import figures as view
from traction.view.animations.crossing_animation import draw_film
from traction.view.bridges import crossing_map, draw_crossings
from traction.view.patches import PatchPanel, draw_patches
from traction.view.report import Table
from traction.view.wheel_forces import draw_energies, draw_wheel_forces, spectrum_plot

FRAMES_PER_SECOND = 12
ANIMATION = "crossing.gif"
BALANCE = 1e-4  #: that energies may be off, over the work done
OWN_ENERGY = 1e-2  #: that a method may add or take itself, likewise
LIKE_HERTZ, LIKE_RIGID = 0.01, 0.05  #: of the load at rest, and of the largest deflection
FAINT = 0.1  #: of the highest amplitude, below which a frequency is not dominant
NAMES = {"rigid": "rigid", "hertz": "Hertz", "half-space": "half space"}
#: by the short name of a check: words, limit, and whether it is shown in percent
CHECKS: dict[str, tuple[str, float, bool]] = {
    "drift": ("energy that the method itself adds or takes, of the work done", OWN_ENERGY, False),
    "closure": ("energy that the balance lacks, of the work done", BALANCE, False),
    "from_modes": (FROM_MODES, AGREEMENT, False),
    "energy_error": ("work of the axles less energy and loss, of the largest", 1e-3, False),
    "rest_approach": ("approach at rest, against Hertz", LIKE_HERTZ, True),
    "rest_pressure": ("peak pressure at rest, against Hertz", LIKE_HERTZ, True),
    "forces_by_hertz": ("forces under all wheels, against Hertz", LIKE_HERTZ, True),
    "rigid_wheels": ("largest deflection, against rigid wheels", LIKE_RIGID, True),
    "slope": ("largest slope of the bridge", STEEPEST, False),
    "curvature": ("bend of the bridge under a wheel, of the wheel's curvature", NOTICED, True),
}


def read_findings(stored: StoredRun) -> CrossFindings:
    """What the run has found out about itself."""
    return unflatten_state(CrossFindings, stored.findings)


def story(case: CrossCase, stored: StoredRun) -> Sequence[str]:
    """The case, what happened and why to trust it, in a few sentences."""
    found = read_findings(stored)
    return tell_story(case, stored, found, restore_wheels(case, stored, found.tread))


def tables(case: CrossCase, stored: StoredRun) -> Sequence[Table]:
    """Whether it holds, what came out, and what went in."""
    found = read_findings(stored)
    results = [(name, format_value(value, unit)) for name, value, unit in stored.key_figures]
    results += _frequency_rows(stored, found)
    return [
        Table("Checks", ("check", "found", "limit", "verdict"), checks(case, stored)),
        Table("Results", ("quantity", "value"), results),
        *driving_table(restore_wheels(case, stored, found.tread)),
        Table("Inputs", ("quantity", "value"), _inputs(case, stored, found)),
    ]


def checks(case: CrossCase, stored: StoredRun) -> list[tuple[str, str, str, str]]:
    """Whether the run is right, and whether it is one of small deflections that its samples show."""
    found = read_findings(stored)
    rows = []
    for name, (words, limit, percent) in CHECKS.items():
        if name in found.checks:
            rows.append(_row(words, found.checks[name], limit, percent))
        if name == "closure":
            driven = driving_checks(restore_wheels(case, stored, found.tread))
            rows += [_row(words, value, limit, False) for words, value, limit in driven]
    often = found.checks["samples_per_period"]
    verdict = "passed" if often >= FEW else "coarse: choose more time.samples"
    return [*rows, ("samples in a swing of the bridge", significant(often, 2), f"at least {FEW}", verdict)]


def _row(words: str, value: float, limit: float, percent: bool) -> tuple[str, str, str, str]:
    verdict = "passed" if value <= limit else "large"
    if not percent:
        return words, f"{value:.1e}", f"{limit:g}", verdict
    return words, f"{significant(100.0 * value, 2)} %", f"{100.0 * limit:g} %", verdict


def _frequency_rows(stored: StoredRun, found: CrossFindings) -> list[tuple[str, str]]:
    rows = {"natural frequencies of the bridge": found.natural}
    rows["dominant in the acceleration"] = _clear(_spectrum_of(stored, "acceleration"))
    if "approach" in stored:
        rows["dominant in the force under wheel 1"] = _clear(_spectrum_of(stored, "contact_force"))
    return [(name, f"{list_values(values)} Hz") for name, values in rows.items() if values.size]


def _spectrum_of(stored: StoredRun, name: str) -> Spectrum:
    """Of a field, or of its first column."""
    values = stored[name]
    return spectrum(stored["time"], values if values.ndim == 1 else values[:, 0])


def _clear(found: Spectrum, most: int = 3) -> np.ndarray:
    """Dominant frequencies whose amplitudes are not small beside the highest, Hz."""
    frequencies = found.dominant(most)
    sizes = np.interp(frequencies, found.frequency, found.amplitude)
    return np.asarray(frequencies[sizes > FAINT * sizes.max(initial=0.0)])


def _inputs(case: CrossCase, stored: StoredRun, found: CrossFindings) -> list[tuple[str, str]]:
    model, contact = case.model, NAMES[case.contact]
    words = f"{model.number} {model.type}"
    if model.type == "modes" and model.residual is not False:
        words += " with the flexibility of those left out"
    if found.grid is not None:
        size = f"{quantity(found.grid.dx, 'm')} x {quantity(found.grid.dy, 'm')}"
        contact += f", {found.grid.nx} x {found.grid.ny} elements of {size}"
    rows = [*beam_words(case.beam), *load_words(case)]
    if case.cars.vehicles:
        if case.contact != "rigid":
            rows += [("wheels", case.wheel.words), ("rail", case.rail.words)]
        flats = [axle.flat for axle in case.axle or [] if axle.flat is not None]
        rows += [("flat spot", f"{quantity(flat.length, 'm')} long") for flat in flats]
    return [
        *rows,
        *driving_words(case),
        ("contact", contact),
        ("model", f"{words}, {_method_of(case)}"),
        ("steps", f"of {quantity(found.step, 's')}"),
        ("place that is looked at", quantity(case.place, "m")),
        ("time", f"{quantity(float(stored['time'][-1]), 's')}, {case.time.samples} samples"),
    ]


def _method_of(case: CrossCase) -> str:
    """By which the crossing was marched."""
    if case.contact == "rigid" and case.cars.vehicles:
        return CONDENSED
    return case.model.marches_by or (CONDENSED if case.contact != "rigid" else EXACT)


def figures(case: CrossCase, stored: StoredRun) -> Sequence[Drawn]:
    """Deflection, forces, spectra, patches, energies, and the bridge in space and time."""
    found = read_findings(stored)
    drawn = [_deflection(case, stored)]
    if "contact_force" in stored:
        drawn.append(_forces(case, stored, found))
    drawn += driving_drawn(restore_wheels(case, stored, found.tread))
    drawn.append(_spectra(case, stored, found))
    if found.patches is not None:
        drawn += [_patches(found), _energies(stored)]
    figure = view.blank_figure(7.0, 5.4)
    crossing_map(found.map, figure.add_subplot())
    drawn.append(("map", "Deflection of the bridge over place and time; lines are the axles.", figure))
    return drawn


def _deflection(case: CrossCase, stored: StoredRun) -> Drawn:
    figure, t = view.blank_figure(8.0), stored["time"]
    curves = {"": (t, stored["deflection"])}
    words = f"Deflection at x = {case.place:g} m over time, drawn downwards"
    if case.at_rest:
        curves["same forces, at rest"] = (t, stored["deflection_at_rest"])
        words += "; dashes: under the same forces at rest"
    title = f"Deflection at x = {case.place:g} m"
    draw_crossings(curves, figure.add_subplot(), at_rest=case.at_rest, title=title)
    return "deflection", f"{words}.", figure


def _forces(case: CrossCase, stored: StoredRun, found: CrossFindings) -> Drawn:
    forces, t = stored["contact_force"], stored["time"]
    figure = view.blank_figure(9.0, 6.6 if forces.shape[1] > 1 else 4.4)
    count = min(forces.shape[1], len(view.CYCLE))
    axes = figure.subplots(2 if count > 1 else 1, 1, squeeze=False)[:, 0]
    named, words = {NAMES[case.contact]: (t, forces)}, "Force under the first wheel"
    if case.contact != "rigid" and case.model.type == "modes" and case.model.method is None:
        for kind, other in found.simpler.items():
            if kind != "rigid" or not other.lost:  # it lands by impulses, beside which no other force is seen
                named[NAMES[kind]] = (other.t, other.force[:, None])
        words += ", with detailed and with simpler contact"
    draw_wheel_forces(named, axes[0], title="Force under wheel 1")
    if count > 1:
        draw_wheel_forces({"": (t, forces)}, axes[1], wheels=range(count), title="Forces under all wheels")
        words += "; below, all wheels" if count == forces.shape[1] else "; below, the first wheels"
    return "wheel_forces", f"{words}. Zero where one has lifted.", figure


def _spectra(case: CrossCase, stored: StoredRun, found: CrossFindings) -> Drawn:
    pressed, dt = "approach" in stored, float(stored["time"][1] - stored["time"][0])
    figure = view.blank_figure(11.0 if pressed else 8.0, 4.2)
    axes = figure.subplots(1, 2 if pressed else 1, squeeze=False)[0]
    top = min(1.3 * float(found.natural[-1]), 0.4 / dt)
    spectrum_plot(
        _spectrum_of(stored, "acceleration"), axes[0], si="m/s2", natural=found.natural, highest=top,
        title=f"Of the acceleration at x = {case.place:g} m",
    )  # fmt: skip
    words = "Amplitudes over frequency; dashes are natural frequencies of the bridge, dots the dominant ones"
    if pressed:
        forces = _spectrum_of(stored, "contact_force")
        top = max(top, min(1.4 * float(forces.dominant(1).max(initial=0.0)), 0.4 / dt))
        title = "Of the force under wheel 1"
        spectrum_plot(forces, axes[1], si="N", natural=found.natural, highest=top, title=title)
    return "spectrum", f"{words}.", figure


def _patches(found: CrossFindings) -> Drawn:
    assert found.patches is not None
    figure = view.blank_figure(11.0, 4.2)
    first, second = figure.subplots(1, 2, width_ratios=[1.2, 1.0])
    draw_patches(found.patches.frames, found.patches.t, first, title="Along the rail")
    PatchPanel(second, found.patches.frames).show(found.patches.largest)
    words = "Pressure under the first wheel: at the start, where its force is least and where it is largest"
    return "patch", f"{words}; right, the patch at the largest force, seen from above.", figure


def _energies(stored: StoredRun) -> Drawn:
    figure = view.blank_figure(8.0)
    energies = Energies(**{name: stored[f"energy_{name}"] for name in ENERGIES})
    draw_energies(stored["time"], energies, figure.add_subplot())
    return "energy", "Energies since the start; all of them together add up, as the checks say.", figure


def extras(case: CrossCase, stored: StoredRun, folder: Path) -> Sequence[Extra]:
    """A film of the crossing."""
    file, film = folder / ANIMATION, read_findings(stored).film
    draw_film(film, case.built, file, fps=FRAMES_PER_SECOND, x=case.place)
    words = "The crossing: the bridge bends (magnified) under the wheels"
    if film.patches is not None:
        words += "; below, the force under the first wheel (drawn full) and its contact patch,"
        words += " which grows and shrinks with the force (dashes: at rest)"
    return [(file, f"{words}.")]


REPORT = KindReport(tables, figures, extras, story)
