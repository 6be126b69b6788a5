"""What a report shows of an impact: tables, figures and an animation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from traction.kinds.impact.run import ImpactFindings
from traction.kinds.impact.schema import ImpactCase
from traction.kinds.kind import Drawn, Extra, KindReport
from traction.kinds.report_tables import check_limit, check_table, format_value, input_table, result_table
from traction.kinds.tables.body_tables import material, material_words
from traction.quantities import quantity
from traction.results.stored_run import StoredRun
from traction.state_arrays import unflatten_state
from traction.view.report import Table

MOST_ROWS = 12
MOMENTUM, ENERGY = 1e-9, 1e-6  #: limits of the checks
ANIMATION = "impact.gif"
FRAMES_PER_SECOND = 15


def make_tables(case: ImpactCase, run: StoredRun) -> Sequence[Table]:
    """What went in, what came out, every contact, and where the energy went."""
    found = unflatten_state(ImpactFindings, run.findings)
    header = ("contact", "start", "end", "peak", "time of the peak", "impulse")
    tables = [
        input_table(_list_inputs(case, run, found)),
        result_table(run.key_figures),
        Table("Contacts", header, _list_contacts(found)),
    ]
    if len(found.modal_energy):
        rows = [
            (str(k + 1), format_value(float(omega) / (2.0 * math.pi), "Hz"), f"{energy:.4g} J")
            for k, (omega, energy) in enumerate(found.modal_energy)
        ]
        tables.append(
            Table("Energy of the modes after the last contact", ("mode", "frequency", "energy"), rows)
        )
    checks = [check_limit("impulse against momentum", found.momentum_error, MOMENTUM)]
    if found.energy_error is not None:
        checks.append(check_limit("energy", found.energy_error, ENERGY))
    return [*tables, check_table(*checks)]


def _list_inputs(case: ImpactCase, run: StoredRun, found: ImpactFindings) -> list[tuple[str, str]]:
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
        ("contact law", type(striker.law).__name__),
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


def draw_figures(case: ImpactCase, run: StoredRun) -> Sequence[Drawn]:
    """Force, motion, and shapes of the structure."""
    from traction.view import figures as view
    from traction.view import impact as draw

    found = unflatten_state(ImpactFindings, run.findings)
    figure = view.blank_figure(8.0)
    draw.draw_forces({"": found.force}, [case.time.method], figure.add_subplot())
    drawn = [("force", "Contact force over time.", figure)]
    figure = view.blank_figure(8.0)
    draw.impact_motion_plot(found.motion, figure.add_subplot())
    drawn.append(("motion", "Striker and struck point; contacts are shaded.", figure))
    if found.beam is not None:
        figure = view.blank_figure(8.0)
        draw.draw_beam(found.beam.shapes, figure.add_subplot())
        drawn.append(("shape", "The beam during the first contact and later.", figure))
    if found.plate is not None:
        figure = view.blank_figure(8.0)
        draw.draw_plate(found.plate, figure.add_subplot())
        drawn.append(("waves", "The plate at the peak of the force.", figure))
    return drawn


def write_extras(case: ImpactCase, run: StoredRun, folder: Path) -> Sequence[Extra]:
    """An animation of a struck beam."""
    from traction.view.animations.impact_animation import film_impact

    found = unflatten_state(ImpactFindings, run.findings)
    if found.beam is None:
        return []
    file = film_impact(found.beam.film, folder / ANIMATION, FRAMES_PER_SECOND, case.time.method)
    return [(file, "The beam and the striker during the impact.")]


REPORT = KindReport(make_tables, draw_figures, write_extras)
