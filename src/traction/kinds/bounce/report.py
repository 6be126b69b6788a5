"""What a report shows of a bouncing body: tables, figures and an animation."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from traction.kinds.bounce.run import FirstContact
from traction.kinds.bounce.schema import BounceCase
from traction.kinds.kind import Figures, Films, KindReport, Tables, Words
from traction.kinds.report_tables import (
    Checks,
    check_limit,
    format_number,
    format_value,
    grid_words,
    result_table,
)
from traction.kinds.tables.body_tables import material_words, surface_words
from traction.quantities import counted, given, quantity, significant, unit_for
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view.animations.bounce_animation import stage_bounce
from traction.view.bouncing.history_curves import draw_contacts
from traction.view.bouncing.surface_pictures import draw_surfaces
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

    @property
    def _shape(self) -> str:
        case = self.case
        if case.ball is not None:
            return f"a ball of radius {given(case.ball.radius, 'm')}"
        return "a body (" + " and ".join(surface_words(table) for table in case.surface or []) + ")"

    @property
    def _law(self) -> str:
        grid = self.case.body.law.grid
        return "Hertz" if grid is None else f"half space, {grid_words(grid)}"

    def computed(self) -> str:
        """Body, ground, height and law."""
        case, fall = self.case, self.case.fall
        law = "of Hertz" if case.body.law.grid is None else "solved on a grid at every step"
        return (
            f"{self._shape.capitalize()} with a mass of {given(case.body.mass, 'kg')} falls from a height of "
            f"{given(fall.height, 'm')} on an elastic ground ({material_words(case.pair.lower)}) and "
            f"bounces. Its motion over {given(case.t_end, 's')} is integrated by {case.time.method}, with "
            f"the contact force {law}."
        )

    def outcome(self) -> str:
        """The first contact, and how many there are."""
        found = {name: value for name, value, _ in self.run.key_figures}
        count = int(self.run["contacts"][-1])
        if not count:
            return "The body does not touch the ground within that time."
        words = (
            f"The body makes {counted(count, 'contact')} with a peak force of "
            f"{quantity(float(found['largest contact force']), 'N')} and a penetration of up to "
            f"{quantity(float(found['deepest penetration']), 'm')}."
        )
        if "contact time" not in found:
            return words
        return (
            f"{words} The first contact lasts {quantity(float(found['contact time']), 's')}; the body "
            f"rebounds to {quantity(float(found['rebound height']), 'm')}, a coefficient of restitution of "
            f"{format_number(float(found['restitution']))}."
        )

    def evidence(self) -> str:
        """What the energy must do."""
        if self.case.body.damping == 0.0:
            return "Nothing is damped, so that the total energy has to stay constant."
        return "The contact is damped, so that the total energy can only fall."

    def results(self) -> Tables:
        """What came out, and every contact that a sample shows."""
        rows = _list_contacts(self.run)
        header = ("contact", "duration", "penetration", "peak force", "speed in", "speed out")
        title = "Contacts" if len(rows) < MOST_ROWS else f"The first {MOST_ROWS} contacts"
        return [result_table(self.run.key_figures), *([Table(title, header, rows)] if rows else [])]

    def checks(self) -> Checks:
        """Whether the energy stays, or only falls where something is lost."""
        energy, remedy = self.run["energy"], "large: choose shorter steps, or another method"
        if self.case.body.damping == 0.0:
            drift = float(np.abs(energy / energy[0] - 1.0).max())
            return [check_limit("largest change of total energy", drift, DRIFT, remedy)]
        gained = float((energy - np.minimum.accumulate(energy)).max() / energy[0])
        return [check_limit("largest gain of total energy", gained, DRIFT, remedy)]

    def inputs(self) -> Words:
        """Bodies, fall, law and steps."""
        return _list_inputs(self.case, self._law)

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

    def films(self, folder: Path) -> Films:
        """The first contact."""
        if self.run.findings:
            words = "Fall, first contact and rebound; time runs slower while body and ground touch."
            yield "bounce", words, stage_bounce(self.found.film, FRAMES_PER_SECOND)


def _list_inputs(case: BounceCase, law: str) -> Words:
    pair, fall, time, body = case.pair, case.fall, case.time, case.body
    shape = (
        [("ball", f"radius {given(case.ball.radius, 'm')}")]
        if case.ball is not None
        else [(f"surface {k + 1}", surface_words(table)) for k, table in enumerate(case.surface or [])]
    )
    loss = "none" if body.damping == 0.0 else f"damping {significant(body.damping)} s/m"
    if case.contact.restitution is not None:
        loss += f", for a restitution of {case.contact.restitution:g}"
    steps = "adaptive" if case.time.dt == "auto" else f"of {format_value(case.time.dt, 's')}"
    options = "".join(f", {name} = {value}" for name, value in time.options.items())
    return [
        ("body", material_words(pair.upper)),
        ("ground", material_words(pair.lower)),
        ("effective modulus E*", given(pair.effective_modulus, "Pa")),
        *shape,
        ("mass", format_value(body.mass, "kg")),
        ("height", given(fall.height, "m")),
        ("speed at the start, downwards", format_value(fall.speed, "m/s")),
        ("gravity", format_value(fall.gravity, "m/s2")),
        ("contact", law),
        ("damping of the contact", loss),
        ("method", f"{time.method}{options}"),
        ("steps", f"{steps}{', contacts located' if time.locate_events else ', contacts not located'}"),
        (
            "time",
            f"{format_value(case.t_end, 's')}, {time.samples} samples, "
            f"{given(case.t_end / (time.samples - 1), 's')} apart; peaks are those of all steps",
        ),
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
