"""What a report shows of an impact: tables, figures and an animation."""

from __future__ import annotations

import math
from pathlib import Path

from traction.kinds.impact.run import ImpactFindings
from traction.kinds.impact.schema import ImpactCase
from traction.kinds.kind import Extras, Figures, KindReport, Tables, Words
from traction.kinds.report_tables import check_limit, check_table, format_value, input_table, result_table
from traction.kinds.tables.body_tables import material, material_words
from traction.laws.damped_law import DampedLaw
from traction.laws.plastic_law import PlasticLaw
from traction.laws.power_law import PowerLaw
from traction.quantities import quantity
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view import impact as draw
from traction.view.animations.impact_animation import film_impact
from traction.view.report import Table

MOST_ROWS = 12
MOMENTUM, ENERGY = 1e-9, 1e-6  #: limits of the checks
FRAMES_PER_SECOND = 15
#: of the contact laws, for people
LAWS = {PowerLaw: "Hertz", DampedLaw: "Hertz with damping", PlasticLaw: "elastic-plastic"}


class ImpactReport(KindReport[ImpactCase, ImpactFindings]):
    """A ball that strikes a structure."""

    kept = ImpactFindings

    def tables(self) -> Tables:
        """What went in, what came out, every contact, and where the energy went."""
        found = self.found
        header = ("contact", "start", "end", "peak", "time of the peak", "impulse")
        tables = [
            input_table(_list_inputs(self.case, self.run, found)),
            result_table(self.run.key_figures),
            Table("Contacts", header, _list_contacts(found)),
        ]
        if len(found.modal_energy):
            rows = [
                (str(k + 1), format_value(float(omega) / (2.0 * math.pi), "Hz"), f"{energy:.4g} J")
                for k, (omega, energy) in enumerate(found.modal_energy)
            ]
            title = "Energy of the modes after the last contact"
            tables.append(Table(title, ("mode", "frequency", "energy"), rows))
        checks = [check_limit("impulse against momentum", found.momentum_error, MOMENTUM)]
        if found.energy_error is not None:
            checks.append(check_limit("energy", found.energy_error, ENERGY))
        return [*tables, check_table(*checks)]

    def figures(self) -> Figures:
        """Force, motion, and shapes of the structure."""
        found = self.found
        figure = view.blank_figure(8.0)
        draw.draw_forces({"": found.force}, [self.case.time.method], figure.add_subplot())
        yield "force", "Contact force over time.", figure
        figure = view.blank_figure(8.0)
        draw.impact_motion_plot(found.motion, figure.add_subplot())
        yield "motion", "Striker and struck point; contacts are shaded.", figure
        if found.beam is not None:
            figure = view.blank_figure(8.0)
            draw.draw_beam(found.beam.shapes, figure.add_subplot())
            yield "shape", "The beam during the first contact and later.", figure
        if found.plate is not None:
            figure = view.blank_figure(8.0)
            draw.draw_plate(found.plate, figure.add_subplot())
            yield "waves", "The plate at the peak of the force.", figure

    def extras(self, folder: Path) -> Extras:
        """An animation of a struck beam."""
        beam, file = self.found.beam, folder / "impact.gif"
        if beam is None:
            return []
        film_impact(beam.film, file, FRAMES_PER_SECOND, self.case.time.method)
        return [(file, "The beam and the striker during the impact.")]


def _list_inputs(case: ImpactCase, run: StoredRun, found: ImpactFindings) -> Words:
    table, striker = case.structure, case.striker
    sizes = [
        (name, quantity(getattr(table, name), "m"))
        for name in ("length", "width", "thickness")
        if getattr(table, name) is not None
    ]
    held = [("supports", ", ".join(table.supports or ("pinned", "pinned")))] if table.type == "beam" else []
    return [
        ("structure", table.type),
        *sizes,
        *held,
        ("modes", str(found.modes)),
        ("damping ratio", f"{table.damping:g}"),
        ("ball", f"radius {quantity(case.ball.radius, 'm')}, {material_words(material(case.upper))}"),
        ("mass", format_value(striker.mass, "kg")),
        ("speed", format_value(striker.speed, "m/s")),
        *([("struck at", ", ".join(quantity(x, "m") for x in found.place))] if found.place else []),
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
            f"{row[4]:.5g} N s",
        )
        for k, row in enumerate(found.contacts[:MOST_ROWS])
    ]
