"""What a report tells of a train on a bridge: story, key figures, checks, figures and an animation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.crossing.results.contact_crossing import ContactResults
from traction.crossing.results.crossing import Crossing, ModalCrossing
from traction.crossing.results.vehicle_results import VehicleResults
from traction.crossing.small_deflections import (
    NOTICED,
    STEEPEST,
    deflection_notices,
    most_bent,
    steepest,
)
from traction.kinds.cross.drive_report import (
    driving_checks,
    driving_drawn,
    driving_figures,
    driving_table,
    driving_words,
)
from traction.kinds.cross.run import pressed_run, rebuilt
from traction.kinds.cross.story import deepest, listed, natural, static_deflection, told
from traction.kinds.kind import Extra, KindReport
from traction.kinds.moving_load.report import AGREEMENT, FROM_MODES, deflections_apart, energy_error
from traction.kinds.report_tables import format_value as shown
from traction.kinds.tables.axle_tables import load_words
from traction.kinds.tables.beam_tables import beam_words
from traction.quantities import quantity, significant
from traction.results.manifest import KeyFigure
from traction.signals.spectra import Spectrum
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from traction.kinds.cross.schema import CrossCase

Samples = Mapping[str, Any]
FRAMES, FRAMES_PER_SECOND = 48, 12
ANIMATION = "crossing.gif"
BALANCE = 1e-4  #: that energies may lack, over the work done
OWN_ENERGY = 1e-2  #: that a method may add or take itself, likewise
LIKE_HERTZ, LIKE_RIGID = 0.01, 0.05  #: of the load at rest, and of the largest deflection
FEW = 8  #: samples in a swing, from which quintics follow it
FAINT = 0.1  #: of the highest amplitude, below which a frequency is not dominant


class _Runs:
    """Crossings that several parts of one report look at: those of the last samples asked for."""

    def __init__(self) -> None:
        self._of: tuple[Any, Any] = (None, None)
        self._known: dict[str, Any] = {}

    def get(self, case: CrossCase, samples: Samples, contact: str = "") -> Any:
        """At the samples; or at all steps with another contact."""
        if self._of[0] is not case or self._of[1] is not samples["time"]:
            self._of, self._known = (case, samples["time"]), {}
        if contact not in self._known:
            self._known[contact] = case.crossed(contact) if contact else rebuilt(case, samples)
        return self._known[contact]


_runs = _Runs()


def run_of(case: CrossCase, samples: Samples) -> Crossing:
    """The crossing at the samples."""
    run: Crossing = _runs.get(case, samples)
    return run


def other_contact(case: CrossCase, samples: Samples, contact: str) -> Any:
    """The same crossing with another contact, marched by the condensed equations."""
    return _runs.get(case, samples, contact)


def key_figures(case: CrossCase, samples: Samples) -> Sequence[KeyFigure]:
    """Of the bridge at the place, of the wheels at all steps, and of the energy."""
    run, x = run_of(case, samples), case.place
    peak = deepest(run, x)
    found: list[KeyFigure] = [
        ("largest deflection at the place", peak.value, "m"),
        ("its time", peak.time, "s"),
    ]
    rest = static_deflection(case, run)
    if rest > 0.0:
        found += [
            ("largest deflection under the train at rest", rest, "m"),
            ("amplification", abs(peak.value) / rest, "1"),
        ]
    found.append(("largest acceleration at the place", float(np.abs(samples["acceleration"]).max()), "m/s2"))
    if "largest_force" in samples:
        found += [
            ("largest force under a wheel", float(samples["largest_force"][-1]), "N"),
            ("least force under a wheel", float(samples["least_force"][-1]), "N"),
            ("steps in which a wheel had lifted", int(samples["lifted_steps"][-1]), "1"),
        ]
    found += driving_figures(run)
    pressed = pressed_run(run)
    if pressed is not None:
        found += [
            ("largest pressure in a contact", float(samples["peak_pressure_so_far"][-1]), "Pa"),
            ("energy balance lacks, of the work done", pressed.energies.closure, "1"),
        ]
    return found


def story(case: CrossCase, samples: Samples) -> Sequence[str]:
    """The case, what happened and why to trust it, in a few sentences."""
    return told(case, samples, run_of(case, samples))


def _clear(spectrum: Spectrum, most: int = 3) -> np.ndarray:
    """Dominant frequencies whose amplitudes are not small beside the highest, Hz."""
    found = spectrum.dominant(most)
    sizes = np.interp(found, spectrum.frequency, spectrum.amplitude)
    return np.asarray(found[sizes > FAINT * sizes.max(initial=0.0)])


def tables(case: CrossCase, samples: Samples) -> Sequence[Table]:
    """Whether it holds, what came out, and what went in."""
    results = [(name, shown(value, unit)) for name, value, unit in key_figures(case, samples)]
    results += _frequency_rows(case, samples)
    return [
        Table("Checks", ("check", "found", "limit", "verdict"), checks(case, samples)),
        Table("Results", ("quantity", "value"), results),
        *driving_table(run_of(case, samples)),
        Table("Inputs", ("quantity", "value"), _inputs(case, samples)),
    ]


def _frequency_rows(case: CrossCase, samples: Samples) -> list[tuple[str, str]]:
    run = run_of(case, samples)
    found = {"natural frequencies of the bridge": natural(case)}
    found["dominant in the acceleration"] = _clear(run.spectrum("acceleration", case.place))
    pressed = pressed_run(run)
    if pressed is not None:
        found["dominant in the force under wheel 1"] = _clear(pressed.force_spectrum())
    return [(name, f"{listed(values)} Hz") for name, values in found.items() if values.size]


def checks(case: CrossCase, samples: Samples) -> list[tuple[str, str, str, str]]:
    """Whether the run is right, and whether it is one of small deflections that its samples show."""
    return [*_agreements(case, samples), *_premises(case, samples)]


def _premises(case: CrossCase, samples: Samples) -> list[tuple[str, str, str, str]]:
    """What the theory leaves out, and how often the bridge is looked at."""
    run = run_of(case, samples)
    rows = [_row("largest slope of the bridge", steepest(run)[0], STEEPEST, 1.0)]
    if pressed_run(run) is not None:
        words = "bend of the bridge under a wheel, of the wheel's curvature"
        rows.append(_row(words, most_bent(run)[0], NOTICED))
    often = _in_a_swing(case, run)
    verdict = "passed" if often >= FEW else "coarse: choose more time.samples"
    rows.append(("samples in a swing of the bridge", significant(often, 2), f"at least {FEW}", verdict))
    return rows


def _in_a_swing(case: CrossCase, run: Crossing) -> float:
    """Samples in a period of the lowest mode."""
    return 1.0 / (float(natural(case)[0]) * run.dt)


def notices(case: CrossCase, samples: Samples) -> Sequence[str]:
    """What makes the result a rough one."""
    run = run_of(case, samples)
    found, often = [*deflection_notices(run), *case.roughened], _in_a_swing(case, run)
    if often < FEW:
        found.append(
            f"a swing of the bridge has {significant(often, 2)} samples, {FEW} at least show it: key figures "
            "of the bridge miss its peaks; choose more time.samples."
        )
    return found


def _agreements(case: CrossCase, samples: Samples) -> list[tuple[str, str, str, str]]:
    """Energy, Hertz's theory, rigid wheels; each apart from what it checks."""
    run = run_of(case, samples)
    pressed = pressed_run(run)
    if pressed is None:
        if not isinstance(run, ModalCrossing):
            exact = other_contact(case, samples, "rigid")
            return [_row(FROM_MODES, deflections_apart(run, exact, case.place), AGREEMENT, 1.0)]
        return [_row("work of the axles less energy and loss, of the largest", energy_error(run), 1e-3, 1.0)]
    energies = pressed.energies
    rows = [_row("energy that the balance lacks, of the work done", energies.closure, BALANCE, 1.0)]
    if run.method != "condensed":
        words = "energy that the method itself adds or takes, of the work done"
        rows.insert(0, _row(words, energies.drift, OWN_ENERGY, 1.0))
    rows += [_row(words, found, limit, 1.0) for words, found, limit in driving_checks(run)]
    if pressed.solved and _described_by_hertz(case):
        rows += _against_hertz(case, samples, pressed)
    if case.model.type == "modes":
        rigid = other_contact(case, samples, "rigid")
        found, known = (abs(deepest(one, case.place).value) for one in (run, rigid))
        rows.append(_row("largest deflection, against rigid wheels", abs(found / known - 1.0), LIKE_RIGID))
    return rows


def _against_hertz(case: CrossCase, samples: Samples, run: ContactResults) -> list[tuple[str, str, str, str]]:
    contact = run.contacts[0]
    rest = contact.patch(contact.static)
    rows = [
        _row(
            "approach at rest, against Hertz", abs(contact.static / contact.hertz.approach - 1.0), LIKE_HERTZ
        ),
        _row(
            "peak pressure at rest, against Hertz",
            abs(rest.peak_pressure / contact.hertz.peak_pressure - 1.0),
            LIKE_HERTZ,
        ),
    ]
    if case.model.type == "modes" and case.model.method is None:
        other = other_contact(case, samples, "hertz")
        every = (other.t.size - 1) // (run.t.size - 1)
        loads = np.array([one.load for one in run.contacts])
        apart = np.abs(run.contact_forces - other.contact_forces[::every]) / loads
        rows.append(_row("forces under all wheels, against Hertz", float(apart.max()), LIKE_HERTZ))
    return rows


def _row(words: str, found: float, limit: float, percent: float = 100.0) -> tuple[str, str, str, str]:
    verdict = "passed" if found <= limit else "large"
    if percent == 1.0:
        return words, f"{found:.1e}", f"{limit:g}", verdict
    return words, f"{significant(percent * found, 2)} %", f"{percent * limit:g} %", verdict


def _described_by_hertz(case: CrossCase) -> bool:
    """Whether wheels and rail are paraboloids, and no wheel has lifted."""
    shapes = [case.wheel, *(axle.wheel for axle in case.axle or [] if axle.wheel is not None)]
    return case.rail.surface is None and all(shape.surface is None for shape in shapes)


def _inputs(case: CrossCase, samples: Samples) -> list[tuple[str, str]]:
    run, model = run_of(case, samples), case.model
    words = f"{model.number} {model.type}"
    if model.type == "modes" and model.residual is not False:
        words += " with the flexibility of those left out"
    contact = {"rigid": "rigid", "hertz": "Hertz", "half-space": "half space"}[case.contact]
    pressed = pressed_run(run)
    grid = None if pressed is None else pressed.contacts[0].grid
    if grid is not None:
        size = f"{quantity(grid.dx, 'm')} x {quantity(grid.dy, 'm')}"
        contact += f", {grid.nx} x {grid.ny} elements of {size}"
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
        ("model", f"{words}, {run.method}"),
        ("steps", f"of {quantity(_step(case), 's')}"),
        ("place that is looked at", quantity(case.place, "m")),
        ("time", f"{quantity(float(run.t[-1]), 's')}, {case.time.samples} samples"),
    ]


def _step(case: CrossCase) -> float:
    times = case.steps().times
    return float(times[1] - times[0])


def figures(case: CrossCase, samples: Samples) -> Sequence[tuple[str, str, Figure]]:
    """Deflection, forces, spectra, patches, energies, and the bridge in space and time."""
    from traction.view import figures as view
    from traction.view.bridges import crossing_map, crossing_plot

    run, x = run_of(case, samples), case.place
    pressed = pressed_run(run)
    figure = view.blank_figure(8.0)
    crossing_plot(run, x, figure.add_subplot(), at_rest=case.at_rest)
    words = f"Deflection at x = {x:g} m over time, drawn downwards"
    words += "; dashes: under the same forces at rest." if case.at_rest else "."
    drawn = [("deflection", words, figure)]
    if isinstance(run, VehicleResults):
        drawn.append(_forces(case, samples))
    drawn += driving_drawn(run)
    drawn.append(_spectra(case, run, pressed))
    if pressed is not None:
        drawn += [_patches(pressed), _energies(pressed)]
    figure = view.blank_figure(7.0, 5.4)
    crossing_map(run, figure.add_subplot())
    drawn.append(("map", "Deflection of the bridge over place and time; lines are the axles.", figure))
    return drawn


def _forces(case: CrossCase, samples: Samples) -> tuple[str, str, Figure]:
    from traction.view import figures as view
    from traction.view.wheel_forces import wheel_force_plot

    run: Any = run_of(case, samples)
    figure = view.blank_figure(9.0, 6.6 if len(run.train.wheels) > 1 else 4.4)
    count = min(run.contact_forces.shape[1], len(view.CYCLE))
    axes = figure.subplots(2 if count > 1 else 1, 1, squeeze=False)[:, 0]
    named = {_named(case.contact): run}
    words = "Force under the first wheel"
    if pressed_run(run) is not None and case.model.type == "modes" and case.model.method is None:
        others = {kind: other_contact(case, samples, kind) for kind in ("hertz", "rigid")}
        if others["rigid"].lost_contact:
            del others["rigid"]  # it lands by impulses, beside which no other force is seen
        named |= {_named(kind): other for kind, other in others.items() if kind != case.contact}
        words += ", with detailed and with simpler contact"
    wheel_force_plot(named, axes[0], title="Force under wheel 1")
    if count > 1:
        wheel_force_plot(run, axes[1], wheels=range(count), title="Forces under all wheels")
        words += (
            "; below, all wheels" if count == run.contact_forces.shape[1] else "; below, the first wheels"
        )
    return "wheel_forces", f"{words}. Zero where one has lifted.", figure


def _named(contact: str) -> str:
    return {"rigid": "rigid", "hertz": "Hertz", "half-space": "half space"}[contact]


def _spectra(case: CrossCase, run: Crossing, pressed: ContactResults | None) -> tuple[str, str, Figure]:
    from traction.view import figures as view
    from traction.view.wheel_forces import spectrum_plot

    figure = view.blank_figure(11.0 if pressed is not None else 8.0, 4.2)
    axes = figure.subplots(1, 2 if pressed is not None else 1, squeeze=False)[0]
    frequencies = natural(case)
    top = min(1.3 * float(frequencies[-1]), 0.4 / run.dt)
    given: dict[str, Any] = {"natural": frequencies, "highest": top}
    spectrum_plot(
        run.spectrum("acceleration", case.place), axes[0], si="m/s2", **given,
        title=f"Of the acceleration at x = {case.place:g} m",
    )  # fmt: skip
    words = "Amplitudes over frequency; dashes are natural frequencies of the bridge, dots the dominant ones"
    if pressed is not None:
        found = pressed.force_spectrum()
        top = max(top, min(1.4 * float(found.dominant(1).max(initial=0.0)), 0.4 / run.dt))
        spectrum_plot(
            found, axes[1], si="N", natural=frequencies, highest=top, title="Of the force under wheel 1"
        )
    return "spectrum", f"{words}.", figure


def _patches(run: ContactResults) -> tuple[str, str, Figure]:
    from traction.view import figures as view
    from traction.view.patches import PatchPanel, patch_plot

    forces = run.contact_forces[:, 0]
    rows = np.array(sorted({0, int(np.argmin(forces)), int(np.argmax(forces))}))
    figure = view.blank_figure(11.0, 4.2)
    first, second = figure.subplots(1, 2, width_ratios=[1.2, 1.0])
    patch_plot(run, run.t[rows], first, title="Along the rail")
    highest = int(np.argmax(forces))
    PatchPanel(second, run, np.array([highest])).show(0)
    words = "Pressure under the first wheel: at the start, where its force is least and where it is largest"
    return "patch", f"{words}; right, the patch at the largest force, seen from above.", figure


def _energies(run: ContactResults) -> tuple[str, str, Figure]:
    from traction.view import figures as view
    from traction.view.wheel_forces import crossing_energy_plot

    figure = view.blank_figure(8.0)
    crossing_energy_plot(run, figure.add_subplot())
    return "energy", "Energies since the start; all of them together add up, as the checks say.", figure


def extras(case: CrossCase, samples: Samples, folder: Path) -> Sequence[Extra]:
    """An animation of the crossing."""
    from traction.view.animations.crossing_animation import animate_crossing

    file, run = folder / ANIMATION, run_of(case, samples)
    animate_crossing(run, file, frames=FRAMES, fps=FRAMES_PER_SECOND, x=case.place)
    words = "The crossing: the bridge bends (magnified) under the wheels"
    if pressed_run(run) is not None:
        words += "; below, the force under the first wheel (drawn full) and its contact patch,"
        words += " which grows and shrinks with the force (dashes: at rest)"
    return [(file, f"{words}.")]


REPORT = KindReport(tables, figures, extras, story)
