"""What a report tells of a bouncing body: key figures, tables, figures and an animation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.bouncing.bounce_history import BounceHistory, bounce_history
from traction.integrators.core.state import State
from traction.integrators.integrate import integrate
from traction.kinds.registry import KeyFigure
from traction.kinds.tables.body_tables import material_words, surface_words
from traction.quantities import LADDERS, quantity, significant, unit_for
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from traction.kinds.bounce.schema import BounceCase

Samples = dict[str, Any]
MOST_ROWS = 12  #: of contacts in a table
FRAMES, FRAMES_PER_SECOND = 60, 15
ANIMATION = "bounce.gif"
ENERGIES = {
    "gravitational": "gravitational_energy",
    "kinetic": "kinetic_energy",
    "elastic": "elastic_energy",
    "total": "energy",
}


def key_figures(case: BounceCase, samples: Samples) -> Sequence[KeyFigure]:
    """Numbers of the first contact that is complete at a sample, and of the whole run."""
    found: list[KeyFigure] = [
        ("contacts", int(samples["contacts"][-1]), "1"),
        ("deepest penetration", float(samples["deepest"][-1]), "m"),
        ("largest contact force", float(samples["largest_force"][-1]), "N"),
    ]
    complete = np.flatnonzero(np.isfinite(samples["contact_time"]))
    if complete.size:
        first = complete[0]
        into, out = (float(samples[name][first]) for name in ("impact_speed", "rebound_speed"))
        found += [
            ("contact time", float(samples["contact_time"][first]), "s"),
            ("restitution", out / into, "1"),
            ("rebound height", out**2 / (2.0 * case.fall.gravity), "m"),
        ]
    periods = samples["between_touches"][np.isfinite(samples["between_touches"])]
    if periods.size:
        found.append(("period, touch to touch", float(periods[0]), "s"))
    energy = samples["energy"]
    found.append(("energy at the end over that at the start", float(energy[-1] / energy[0]), "1"))
    return found


def tables(case: BounceCase, samples: Samples) -> Sequence[Table]:
    """What went in, what came out, and every contact that a sample tells of."""
    results = [(name, shown(value, unit)) for name, value, unit in key_figures(case, samples)]
    shown_tables = [
        Table("Inputs", ("quantity", "value"), _inputs(case)),
        Table("Results", ("quantity", "value"), results),
    ]
    rows = _contact_rows(samples)
    if rows:
        header = ("contact", "duration", "penetration", "largest force", "speed in", "speed out")
        title = "Contacts" if len(rows) < MOST_ROWS else f"The first {MOST_ROWS} contacts"
        shown_tables.append(Table(title, header, rows))
    if case.body.damping == 0.0:
        drift = float(np.abs(samples["energy"] / samples["energy"][0] - 1.0).max())
        verdict = "passed" if drift <= 1e-3 else "large: choose shorter steps, or another method"
        check = ("largest change of the energy", f"{drift:.1e}", "0.001", verdict)
        shown_tables.append(Table("Checks", ("check", "found", "limit", "verdict"), [check]))
    return shown_tables


def _inputs(case: BounceCase) -> list[tuple[str, str]]:
    pair, fall, time, body = case.pair, case.fall, case.time, case.body
    shape = (
        [("ball", f"radius {quantity(case.ball.radius, 'm')}")]
        if case.ball is not None
        else [(f"surface {k + 1}", surface_words(table)) for k, table in enumerate(case.surface or [])]
    )
    law = "Hertz"
    grid = body.law.grid
    if grid is not None:
        size = f"{quantity(grid.dx, 'm')} x {quantity(grid.dy, 'm')}"
        law = f"half space, {grid.nx} x {grid.ny} elements of {size}"
    loss = "none" if body.damping == 0.0 else f"damping {significant(body.damping)} s/m"
    if case.contact.restitution is not None:
        loss += f", for a restitution of {case.contact.restitution:g}"
    steps = "by their error" if case.time.dt == "auto" else f"of {shown(case.time.dt, 's')}"
    options = "".join(f", {name} = {value}" for name, value in time.options.items())
    return [
        ("body", material_words(pair.upper)),
        ("ground", material_words(pair.lower)),
        ("effective modulus E*", quantity(pair.effective_modulus, "Pa")),
        *shape,
        ("mass", shown(body.mass, "kg")),
        ("height", quantity(fall.height, "m")),
        ("speed at the start, downwards", shown(fall.speed, "m/s")),
        ("gravity", shown(fall.gravity, "m/s2")),
        ("contact", law),
        ("loss in the contact", loss),
        ("method", f"{time.method}{options}"),
        ("steps", f"{steps}{', contacts located' if time.locate_events else ', contacts not located'}"),
        ("time", f"{shown(case.t_end, 's')}, {time.samples} samples"),
    ]


def _contact_rows(samples: Samples) -> list[tuple[str, ...]]:
    """A row for each complete contact; of several between two samples, the last one."""
    ends = samples["touch_time"] + samples["contact_time"]
    columns = {
        "contact_time": "s",
        "contact_depth": "m",
        "contact_peak": "N",
        "impact_speed": "m/s",
        "rebound_speed": "m/s",
    }
    rows: list[tuple[str, ...]] = []
    last = np.nan
    for k in np.flatnonzero(np.isfinite(ends)):
        inside = samples["penetration"][k] > 0.0
        if samples["contact_time"][k] == last or inside:
            continue
        last = samples["contact_time"][k]
        values = (shown(float(samples[name][k]), unit) for name, unit in columns.items())
        rows.append((str(int(samples["contacts"][k])), *values))
        if len(rows) == MOST_ROWS:
            break
    return rows


def figures(case: BounceCase, samples: Samples) -> Sequence[tuple[str, str, Figure]]:
    """Height and energies of the samples; the first contact, marched once more with all its steps."""
    from traction.view import figures as view
    from traction.view.motion import contact_plot, surface_plot

    t, length = samples["time"], unit_for(samples["height"], "m")
    figure = view.blank_figure(8.0)
    axes = figure.add_subplot()
    axes.axhline(0.0, color=view.DARK, lw=0.8)
    axes.plot(t, length.of(samples["height"]), color=view.BLUE, lw=1.8)
    axes.set_xlim(t[0], t[-1])
    view.style_axes(axes, "time (s)", f"height ({length.name})", "Height of the lowest point")
    drawn = [("height", "Height of the body's lowest point above the undeformed ground.", figure)]
    figure = view.blank_figure(8.0)
    axes = figure.add_subplot()
    for (name, field), color in zip(ENERGIES.items(), _energy_colours(), strict=True):
        axes.plot(t, samples[field], color=color, lw=1.8, label=name)
    axes.set_xlim(t[0], t[-1])
    axes.set_ylim(top=1.2 * float(max(samples[field].max() for field in ENERGIES.values())))
    view.draw_legend(axes, loc="upper center", ncols=4)
    view.style_axes(axes, "time (s)", "energy (J)", "Energies")
    words = "Energies at the samples; a contact is short, so that only some samples fall in one."
    drawn.append(("energy", words, figure))
    history = first_contact(case) if samples["contacts"][-1] else None
    if history is not None:
        figure = view.blank_figure(7.0)
        figure.set_figheight(6.0)
        contact_plot(history, [figure.add_subplot(2, 1, k) for k in (1, 2)])
        words = "Force and penetration during the first contact, with every step of the march."
        drawn.append(("contact", words, figure))
        figure = view.blank_figure(8.0)
        deepest = float(history.t[np.argmin(history.q)])
        surface_plot(history, deepest, figure.add_subplot(), title="Surfaces at the deepest point")
        words = "Body and ground, deformed, when the first contact is deepest."
        drawn.append(("surface", words, figure))
    return drawn


def extras(case: BounceCase, samples: Samples, folder: Path) -> Sequence[tuple[Path, str]]:
    """An animation of the first contact."""
    from traction.view.animations.bounce_animation import animate_bounce

    history = first_contact(case) if samples["contacts"][-1] else None
    if history is None:
        return []
    file = folder / ANIMATION
    animate_bounce(history, file, frames=FRAMES, fps=FRAMES_PER_SECOND)
    return [(file, "Body and ground during the first contact.")]


def first_contact(case: BounceCase) -> BounceHistory | None:
    """The motion until the top after the first contact, by the same steps as in the run; None without one."""
    control, body = case.control(), case.built()
    touched = False

    def falls_again(state: State) -> bool:
        nonlocal touched
        inside = body.gap(state.t, float(state.q[0])) < 0.0 or bool((state.touching > 0.0).any())
        touched = touched or inside
        return touched and not inside and float(state.v[0]) <= 1e-9 * state.largest[1]

    history = integrate(
        body.system(case.fall.height, case.fall.speed),
        case.time.chosen,
        "auto" if control.dt is None else control.dt,
        control.t_end,
        locate_events=control.locate,
        rtol=control.rtol,
        stop=falls_again,
    )
    return bounce_history(history, body) if touched else None


def shown(value: float, unit: str) -> str:
    """A number with its unit, for people."""
    if unit in LADDERS:
        return quantity(value, unit)
    if isinstance(value, int):
        return str(value)
    digits = 6 if unit == "1" else 4
    return significant(value, digits) + ("" if unit == "1" else f" {unit}".replace("s2", "s²"))


def _energy_colours() -> tuple[str, ...]:
    from traction.view import figures as view

    return view.GREEN, view.SKY, view.ORANGE, view.DARK
