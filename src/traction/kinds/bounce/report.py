"""What a report shows of a bouncing body: tables, figures and an animation."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from traction.kinds.bounce.run import FirstContact
from traction.kinds.bounce.schema import BounceCase
from traction.kinds.kind import Extras, Figures, KindReport, Tables, Words
from traction.kinds.report_tables import (
    check_limit,
    check_table,
    format_value,
    grid_words,
    input_table,
    result_table,
)
from traction.kinds.tables.body_tables import material_words, surface_words
from traction.quantities import quantity, significant, unit_for
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view.animations.bounce_animation import film_bounce
from traction.view.motion import draw_contacts, draw_surfaces
from traction.view.report import Table

MOST_ROWS = 12  #: of contacts in a table
DRIFT = 1e-3  #: of the energy, limit of the check
FRAMES_PER_SECOND = 15
#: fields, by the names and with the colours of their curves
ENERGIES = {
    "gravitational": ("gravitational_energy", view.GREEN),
    "kinetic": ("kinetic_energy", view.SKY),
    "elastic": ("elastic_energy", view.ORANGE),
    "total": ("energy", view.DARK),
}
#: of complete contacts, and their units
CONTACT = {
    "contact_time": "s",
    "contact_depth": "m",
    "contact_peak": "N",
    "impact_speed": "m/s",
    "rebound_speed": "m/s",
}


class BounceReport(KindReport[BounceCase, FirstContact]):
    """A bouncing body."""

    kept = FirstContact

    def tables(self) -> Tables:
        """What went in, what came out, and every contact that a sample shows."""
        tables = [input_table(_list_inputs(self.case)), result_table(self.run.key_figures)]
        rows = _list_contacts(self.run)
        if rows:
            header = ("contact", "duration", "penetration", "largest force", "speed in", "speed out")
            title = "Contacts" if len(rows) < MOST_ROWS else f"The first {MOST_ROWS} contacts"
            tables.append(Table(title, header, rows))
        if self.case.body.damping == 0.0:
            drift = float(np.abs(self.run["energy"] / self.run["energy"][0] - 1.0).max())
            remedy = "large: choose shorter steps, or another method"
            tables.append(check_table(check_limit("largest change of the energy", drift, DRIFT, remedy)))
        return tables

    def figures(self) -> Figures:
        """Height and energies of the samples; the first contact with all steps of the march."""
        run, t, length = self.run, self.run["time"], unit_for(self.run["height"], "m")
        figure = view.blank_figure(8.0)
        axes = figure.add_subplot()
        axes.axhline(0.0, color=view.DARK, lw=0.8)
        axes.plot(t, length.of(run["height"]), color=view.BLUE, lw=1.8)
        axes.set_xlim(t[0], t[-1])
        view.style_axes(axes, "time (s)", f"height ({length.name})", "Height of the lowest point")
        yield "height", "Height of the body's lowest point above the undeformed ground.", figure
        figure = view.blank_figure(8.0)
        axes = figure.add_subplot()
        for name, (field, color) in ENERGIES.items():
            axes.plot(t, run[field], color=color, lw=1.8, label=name)
        axes.set_xlim(t[0], t[-1])
        axes.set_ylim(top=1.2 * float(max(run[field].max() for field, _ in ENERGIES.values())))
        view.draw_legend(axes, loc="upper center", ncols=4)
        view.style_axes(axes, "time (s)", "energy (J)", "Energies")
        words = "Energies at the samples; a contact is short, so that only some samples fall in one."
        yield "energy", words, figure
        if run.findings:
            yield from self._draw_first_contact()

    def _draw_first_contact(self) -> Figures:
        figure = view.blank_figure(7.0)
        figure.set_figheight(6.0)
        axes = [figure.add_subplot(2, 1, k) for k in (1, 2)]
        draw_contacts({"": self.found.curve}, [self.case.time.method], axes)
        words = "Force and penetration during the first contact, with every step of the march."
        yield "contact", words, figure
        figure = view.blank_figure(8.0)
        draw_surfaces(self.found.deepest, figure.add_subplot(), title="Surfaces at the deepest point")
        yield "surface", "Body and ground, deformed, when the first contact is deepest.", figure

    def extras(self, folder: Path) -> Extras:
        """An animation of the first contact."""
        if not self.run.findings:
            return []
        file = film_bounce(self.found.film, folder / "bounce.gif", FRAMES_PER_SECOND)
        return [(file, "Body and ground during the first contact.")]


def _list_inputs(case: BounceCase) -> Words:
    pair, fall, time, body = case.pair, case.fall, case.time, case.body
    shape = (
        [("ball", f"radius {quantity(case.ball.radius, 'm')}")]
        if case.ball is not None
        else [(f"surface {k + 1}", surface_words(table)) for k, table in enumerate(case.surface or [])]
    )
    law = "Hertz" if body.law.grid is None else f"half space, {grid_words(body.law.grid)}"
    loss = "none" if body.damping == 0.0 else f"damping {significant(body.damping)} s/m"
    if case.contact.restitution is not None:
        loss += f", for a restitution of {case.contact.restitution:g}"
    steps = "by their error" if case.time.dt == "auto" else f"of {format_value(case.time.dt, 's')}"
    options = "".join(f", {name} = {value}" for name, value in time.options.items())
    return [
        ("body", material_words(pair.upper)),
        ("ground", material_words(pair.lower)),
        ("effective modulus E*", quantity(pair.effective_modulus, "Pa")),
        *shape,
        ("mass", format_value(body.mass, "kg")),
        ("height", quantity(fall.height, "m")),
        ("speed at the start, downwards", format_value(fall.speed, "m/s")),
        ("gravity", format_value(fall.gravity, "m/s2")),
        ("contact", law),
        ("loss in the contact", loss),
        ("method", f"{time.method}{options}"),
        ("steps", f"{steps}{', contacts located' if time.locate_events else ', contacts not located'}"),
        ("time", f"{format_value(case.t_end, 's')}, {time.samples} samples"),
    ]


def _list_contacts(run: StoredRun) -> list[tuple[str, ...]]:
    """A row for each complete contact; of several between two samples, the last one."""
    ends = run["touch_time"] + run["contact_time"]
    rows: list[tuple[str, ...]] = []
    last = np.nan
    for k in np.flatnonzero(np.isfinite(ends)):
        inside = run["penetration"][k] > 0.0
        if run["contact_time"][k] == last or inside:
            continue
        last = run["contact_time"][k]
        values = (format_value(float(run[name][k]), unit) for name, unit in CONTACT.items())
        rows.append((str(int(run["contacts"][k])), *values))
        if len(rows) == MOST_ROWS:
            break
    return rows
