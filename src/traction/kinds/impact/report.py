"""What a report tells of an impact: key figures, tables, figures and an animation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.beams.beam import Beam
from traction.errors import UndefinedError
from traction.impacts.impact_history import ImpactHistory
from traction.impacts.structures.plate import Plate
from traction.kinds.bounce.report import shown
from traction.kinds.registry import KeyFigure
from traction.kinds.tables.body_tables import material_words
from traction.quantities import quantity
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from traction.kinds.impact.schema import ImpactCase

Samples = dict[str, Any]
MOST_ROWS, MOST_MODES = 12, 8
ANIMATION = "impact.gif"
FRAMES, FRAMES_PER_SECOND = 60, 15


def key_figures(case: ImpactCase, samples: Samples) -> Sequence[KeyFigure]:
    """Numbers of the first contact and of the whole impact."""
    history = case.history
    first = history.contacts[0]
    found: list[KeyFigure] = [
        ("contacts", len(history.contacts), "1"),
        ("largest force of the first contact", first.peak, "N"),
        ("time of that force", first.peak_time, "s"),
        ("duration of the first contact", first.duration, "s"),
        ("largest force of all contacts", max(contact.peak for contact in history.contacts), "N"),
        ("impulse of all contacts", sum(contact.impulse for contact in history.contacts), "N s"),
        ("rebound speed", history.rebound_speed, "m/s"),
        ("restitution", history.restitution, "1"),
        ("largest displacement of the struck point", float(samples["structure_displacement"].max()), "m"),
    ]
    return [figure for figure in found if np.isfinite(figure[1])]


def tables(case: ImpactCase, samples: Samples) -> Sequence[Table]:
    """What went in, what came out, every contact, and where the energy went."""
    history = case.history
    results = [(name, shown(value, unit)) for name, value, unit in key_figures(case, samples)]
    made = [
        Table("Inputs", ("quantity", "value"), _inputs(case, history)),
        Table("Results", ("quantity", "value"), results),
        Table("Contacts", ("contact", "start", "end", "peak", "time of the peak", "impulse"), _rows(history)),
    ]
    if isinstance(case.target, Beam | Plate):
        energy = history.modal_energy()
        rows = [
            (str(k + 1), shown(float(history.response.frequencies[k]) / (2.0 * np.pi), "Hz"), f"{e:.4g} J")
            for k, e in enumerate(energy[:MOST_MODES])
        ]
        title = "Energy of the modes after the last contact"
        made.append(Table(title, ("mode", "frequency", "energy"), rows))
    checks = _checks(case, history)
    return [*made, Table("Checks", ("check", "found", "limit", "verdict"), checks)]


def _inputs(case: ImpactCase, history: ImpactHistory) -> list[tuple[str, str]]:
    table, striker = case.structure, case.striker
    sizes = [
        (name, quantity(getattr(table, name), "m"))
        for name in ("length", "width", "thickness")
        if getattr(table, name) is not None
    ]
    held = [("supports", ", ".join(table.supports or ("pinned", "pinned")))] if table.type == "beam" else []
    place = np.atleast_1d(history.at) if history.at is not None else ()
    return [
        ("structure", table.type),
        *sizes,
        *held,
        ("modes", str(len(history.response))),
        ("damping ratio", f"{table.damping:g}"),
        ("ball", f"radius {quantity(case.ball.radius, 'm')}, {material_words(_upper(case))}"),
        ("mass", shown(striker.mass, "kg")),
        ("speed", shown(striker.speed, "m/s")),
        *([("struck at", ", ".join(quantity(float(x), "m") for x in place))] if len(place) else []),
        ("gravity", shown(case.strike.gravity, "m/s2")),
        ("contact law", type(striker.law).__name__),
        ("method", case.time.method),
        ("time", f"{shown(float(history.track.times[-1]), 's')}, {case.time.samples} samples"),
    ]


def _upper(case: ImpactCase) -> Any:
    from traction.kinds.tables.body_tables import material

    return material(case.upper)


def _rows(history: ImpactHistory) -> list[tuple[str, ...]]:
    return [
        (
            str(k + 1),
            shown(contact.start, "s"),
            shown(contact.end, "s"),
            shown(contact.peak, "N"),
            shown(contact.peak_time, "s"),
            f"{contact.impulse:.5g} N s",
        )
        for k, contact in enumerate(history.contacts[:MOST_ROWS])
    ]


def _checks(case: ImpactCase, history: ImpactHistory) -> list[tuple[str, str, str, str]]:
    """Momentum of the striker; energy where nothing damps."""
    striker = case.striker
    t, v = history.track.times, float(history.motion_at(history.track.times[-1:])[0, 1])
    taken = striker.mass * (striker.speed + case.strike.gravity * float(t[-1]) - v)
    impulse = sum(contact.impulse for contact in history.contacts)
    off = abs(impulse / taken - 1.0) if taken else 0.0
    rows = [("impulse against momentum", f"{off:.1e}", "1e-9", "passed" if off <= 1e-9 else "missed")]
    exact = case.time.method == "modal" and case.structure.damping == 0.0 and case.contact.damping is None
    if exact:
        try:
            drift = history.energies.imbalance
        except UndefinedError:
            return rows
        rows.append(("energy", f"{drift:.1e}", "1e-6", "passed" if drift <= 1e-6 else "missed"))
    return rows


def figures(case: ImpactCase, samples: Samples) -> Sequence[tuple[str, str, Figure]]:
    """Force, motion, and shapes of the structure."""
    from traction.view import figures as view
    from traction.view import impact as draw

    history = case.history
    figure = view.blank_figure(8.0)
    draw.impact_force_plot(history, figure.add_subplot())
    drawn = [("force", "Contact force over time.", figure)]
    figure = view.blank_figure(8.0)
    draw.impact_motion_plot(history, figure.add_subplot())
    drawn.append(("motion", "Striker and struck point; contacts are shaded.", figure))
    first = history.contacts[0]
    if isinstance(case.target, Beam):
        end = float(history.track.times[-1])
        times = [0.5 * first.peak_time, first.peak_time, *(np.linspace(first.peak_time, end, 4)[1:])]
        figure = view.blank_figure(8.0)
        draw.beam_shape_plot(history, times, figure.add_subplot())
        drawn.append(("shape", "The beam during the first contact and later.", figure))
    if isinstance(case.target, Plate):
        figure = view.blank_figure(8.0)
        draw.plate_wave_plot(history, first.peak_time, figure.add_subplot())
        drawn.append(("waves", "The plate at the peak of the force.", figure))
    return drawn


def extras(case: ImpactCase, samples: Samples, folder: Path) -> Sequence[tuple[Path, str]]:
    """An animation of a struck beam."""
    if not isinstance(case.target, Beam):
        return []
    from traction.view.impact import animate_impact

    file = folder / ANIMATION
    animate_impact(case.history, file, frames=FRAMES, fps=FRAMES_PER_SECOND)
    return [(file, "The beam and the striker during the impact.")]
