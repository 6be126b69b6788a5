"""What a report shows of an impact: tables, figures and an animation."""

from __future__ import annotations

import math
from pathlib import Path

from traction.kinds.impact.run import ImpactFindings
from traction.kinds.impact.schema import ImpactCase
from traction.kinds.kind import Figures, Films, KindReport, Tables, Words
from traction.kinds.report_tables import (
    Checks,
    check_limit,
    format_column,
    format_number,
    format_value,
    result_table,
)
from traction.kinds.tables.body_tables import material, material_words
from traction.laws.damped_law import DampedLaw
from traction.laws.plastic_law import PlasticLaw
from traction.laws.power_law import PowerLaw
from traction.quantities import counted, given, quantity
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view import impact_curves as draw
from traction.view.animations.impact_animation import stage_impact, stage_plate
from traction.view.report import Table

MOST_ROWS = 12
MOMENTUM, ENERGY = 1e-9, 1e-6  #: limits of the checks
FRAMES_PER_SECOND = 15
AFTER = 1.25  #: of the end of the last contact, until which the force is drawn
#: of the contact laws, for people
LAWS = {PowerLaw: "Hertz", DampedLaw: "Hertz with damping", PlasticLaw: "elastic-plastic"}


class ImpactReport(KindReport[ImpactCase, ImpactFindings]):
    """A ball that strikes a structure."""

    kept = ImpactFindings

    def computed(self) -> str:
        """Striker, structure and method."""
        case, striker = self.case, self.case.striker
        name = case.structure.type.replace("-", " ")
        struck = "rigid ground" if name == "rigid" else f"an {name}" if name.startswith("i") else f"a {name}"
        modes = f", which is described by {counted(self.found.modes, 'mode')}" if self.found.modes else ""
        law, end = LAWS[type(striker.law)], given(float(self.run["time"][-1]), "s")
        return (
            f"A ball of radius {given(case.ball.radius, 'm')} and mass {quantity(striker.mass, 'kg')} "
            f"strikes at {given(striker.speed, 'm/s')} {struck}{modes}. Contact force (law: {law}) and "
            f'motion over {end} are computed together, by the method "{case.time.method}".'
        )

    def outcome(self) -> str:
        """Contacts, force and restitution."""
        first, count = self.found.contacts[0], len(self.found.contacts)
        found = {name: float(value) for name, value, _ in self.run.key_figures}
        words = f"The force peaks at {quantity(float(first[2]), 'N')} after {quantity(float(first[3]), 's')}"
        if math.isfinite(float(first[1])):
            words += f"; the first contact lasts {quantity(float(first[1] - first[0]), 's')}"
        words += f", and there {'is one contact' if count == 1 else f'are {count} contacts'}."
        if "restitution" not in found:
            return words
        speed = quantity(found["rebound speed"], "m/s")
        restitution = format_number(found["restitution"])
        return f"{words} The ball rebounds at {speed}, a coefficient of restitution of {restitution}."

    def evidence(self) -> str:
        """What the checks compare with."""
        words = "The impulse of the contact force is compared with the change of the striker's momentum"
        return f"{words}{', and the energy is balanced' if self.found.energy_error is not None else ''}."

    def results(self) -> Tables:
        """What came out, every contact, and where the energy went."""
        found = self.found
        header = ("contact", "start", "end", "peak force", "time of peak", "impulse")
        tables = [result_table(self.run.key_figures), Table("Contacts", header, _list_contacts(found))]
        if len(found.modal_energy):
            frequency, energy = found.modal_energy.T
            (hertz, frequencies), (joule, energies) = (
                format_column(frequency / (2.0 * math.pi), "Hz"), format_column(energy, "J")
            )  # fmt: skip
            rows = [(str(k + 1), *row) for k, row in enumerate(zip(frequencies, energies, strict=True))]
            title = "Energy of the modes after the last contact"
            tables.append(Table(title, ("mode", f"frequency ({hertz})", f"energy ({joule})"), rows))
        return tables

    def checks(self) -> Checks:
        """Whether momentum and energy are balanced."""
        found = self.found
        checks = [check_limit("impulse less change of momentum, relative", found.momentum_error, MOMENTUM)]
        if found.energy_error is not None:
            checks.append(check_limit("energy balance error, relative", found.energy_error, ENERGY))
        return checks

    def inputs(self) -> Words:
        """Structure, striker and method."""
        return _list_inputs(self.case, self.run, self.found)

    def figures(self) -> Figures:
        """Force, motion, and shapes of the structure."""
        found = self.found
        figure = view.blank_figure(8.0)
        curve = found.force.until(AFTER * float(found.contacts[-1][1]))
        draw.draw_forces({"": curve}, [self.case.time.method], figure.add_subplot())
        yield "force", "Contact force over time, until shortly after the last contact.", figure
        figure = view.blank_figure(8.0)
        draw.impact_motion_plot(found.motion, figure.add_subplot())
        yield "motion", "Striker and struck point; contacts are shaded.", figure
        if found.beam is not None:
            figure = view.blank_figure(8.0)
            draw.draw_beam(found.beam.shapes, figure.add_subplot())
            yield "shape", "The beam during the first contact and later.", figure
        if found.plate is not None:
            figure = view.blank_figure(8.0)
            draw.draw_plate(found.plate.shape, figure.add_subplot())
            yield "waves", "The plate at the peak of the force.", figure

    def films(self, folder: Path) -> Films:
        """The struck beam or plate."""
        beam, plate, method = self.found.beam, self.found.plate, self.case.time.method
        if beam is not None:
            scene = stage_impact(beam.film, FRAMES_PER_SECOND, method)
            yield "impact", "Beam and striker during the impact; below, the contact force.", scene
        if plate is not None:
            scene = stage_plate(plate.film, FRAMES_PER_SECOND, method)
            words = "The plate during the impact from above (the dot is struck); below, the contact force."
            yield "impact", words, scene


def _list_inputs(case: ImpactCase, run: StoredRun, found: ImpactFindings) -> Words:
    table, striker = case.structure, case.striker
    sizes = [
        (name, given(getattr(table, name), "m"))
        for name in ("length", "width", "thickness")
        if getattr(table, name) is not None
    ]
    held = [("supports", ", ".join(table.supports or ("pinned", "pinned")))] if table.type == "beam" else []
    return [
        ("structure", table.type.replace("-", " ")),
        *sizes,
        *held,
        ("modes", str(found.modes)),
        ("damping ratio", f"{table.damping:g}"),
        ("ball", f"radius {given(case.ball.radius, 'm')}, {material_words(material(case.upper))}"),
        ("mass", given(striker.mass, "kg")),
        ("speed", given(striker.speed, "m/s")),
        *([("struck at", ", ".join(given(x, "m") for x in found.place))] if found.place else []),
        ("gravity", format_value(case.strike.gravity, "m/s2")),
        ("contact law", LAWS[type(striker.law)]),
        ("method", case.time.method),
        ("time", f"{format_value(float(run['time'][-1]), 's')}, {case.time.samples} samples"),
    ]


def _list_contacts(found: ImpactFindings) -> list[tuple[str, ...]]:
    units = ("s", "s", "N", "s")
    return [
        (
            str(k + 1),
            *(format_value(float(value), unit) for value, unit in zip(row[:4], units, strict=True)),
            quantity(float(row[4]), "N s"),
        )
        for k, row in enumerate(found.contacts[:MOST_ROWS])
    ]
