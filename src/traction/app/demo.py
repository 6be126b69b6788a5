"""`python -m traction.app.demo`: a railway wheel on a rail, computed and compared with Hertz."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Printed

from traction.app.wheel_on_rail import (
    PAIR,
    RAIL_ARCS,
    ROLLING_RADIUS,
    TOLERANCE,
    Case,
    rail_radius,
    solve_case,
)
from traction.contact.normal import NormalContact
from traction.errors import ConvergenceError, TractionError
from traction.quantities import quantity, significant, unit_for
from traction.view import figures
from traction.view.report import Table, write_report

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORCE = 100e3  #: wheel load, N
WARM_UP_CELLS = 64  #: per side; fewer would not use the coarser grids
CASES = (("mid-crown", 0.0), ("crown edge", 1.0 / 30.0))
TITLE = "Railway wheel on a rail: where Hertz holds and where it does not"
SUMMARY = (
    "A wheel with a straight coned tread is pressed on a rail head of three arcs. With the tread parallel "
    "to the top of the rail the contact lies in the middle of the crown arc and is the one Hertz predicts.",
    "With the tread inclined 1:30 the first point of contact lies near the edge of the crown arc. Hertz "
    "knows the curvature in that one point only; part of the real contact lies on the next, sharper arc, "
    "where the pressure is higher than Hertz expects.",
)


#: conditions of contact, each relative to what it is measured by
CHECKS: dict[str, Callable[[NormalContact], float]] = {
    "overlap / approach": lambda n: n.certificate.penetration / n.approach,
    "tension / peak pressure": lambda n: abs(n.certificate.tension) / n.peak_pressure,
    "distance in contact": lambda n: n.certificate.residual,
    "pressure across a gap": lambda n: n.certificate.complementarity,
    "force error": lambda n: n.certificate.force_error,
}


@dataclass(frozen=True)
class Comparison:
    """One line of the table: a computed number (SI), Hertz's, and the SI unit of both."""

    name: str
    computed: float
    hertz: float
    si: str

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """The line as text, both numbers in the same unit."""
        unit = unit_for([self.computed, self.hertz], self.si)
        numbers = (significant(value / unit.factor) for value in (self.computed, self.hertz))
        # adding zero takes the sign off a rounded zero
        difference = round(100.0 * (self.computed / self.hertz - 1.0), 2) + 0.0
        return (f"{self.name} ({unit.name})", *numbers, f"{difference:+.2f} %")  # type: ignore[return-value]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demonstration; returns the exit code: 0 done, 2 bad input, 3 no convergence."""
    parser = argparse.ArgumentParser(
        prog="python -m traction.app.demo", description="A railway wheel on a rail, compared with Hertz."
    )
    parser.add_argument("--out", default="demo-output", metavar="DIR", help="folder for figures and report")
    out = Path(parser.parse_args(arguments).out)
    try:
        require_writable(out)
        run(out, Console())
    except OSError as error:
        return _fail(f"cannot write to {out}: {error.strerror or error}. Give another folder by --out.", 2)
    except ConvergenceError as error:
        return _fail(str(error), 3)
    except TractionError as error:
        return _fail(str(error), 2)
    return 0


def run(out: Path, console: Console) -> None:
    """Solve both cases, print the tables, and write figures and report into `out`."""
    began = perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("wheel on rail", total=2 * len(CASES) + 2)

        def step(words: str, work: Callable[..., Any], *inputs: Any) -> Any:
            progress.update(task, description=words)
            answer = work(*inputs)
            progress.advance(task)
            return answer

        # the kernels are compiled once, on first use; the times of the solver should not contain that
        step("loading kernels", solve_case, *CASES[0], FORCE, WARM_UP_CELLS)
        cases = [step(f"contact, {name}", solve_case, name, tilt, FORCE) for name, tilt in CASES]
        planes = [step(f"stress, {case.name}", stress_of, case) for case in cases]
        command = f"python -m traction.app.demo --out {out}"
        compared = [compare(case, plane) for case, plane in zip(cases, planes, strict=True)]
        files = step(
            "figures",
            lambda: write_report(
                out / "report.html",
                TITLE,
                summary=SUMMARY,
                tables=[inputs(), *results(cases, compared), *checked(cases)],
                figures=drawn(cases, planes),
                command=command,
            ),
        )
    print_tables(console, cases, compared)
    console.print(f"\ndone in {perf_counter() - began:.1f} s; written:")
    for file in files:
        console.print(f"  {file}", highlight=False, soft_wrap=True)


def stress_of(case: Case) -> figures.StressPlane:
    """Stress in the rail, in the lateral plane through the contact."""
    return figures.stress_plane(case.contact, 2, along="y")


def compare(case: Case, plane: figures.StressPlane) -> list[Comparison]:
    """Computed contact against Hertz's."""
    contact, theory = case.contact, case.hertz
    depths = np.linspace(0.0, 2.0 * min(theory.semi_axes), 2001)
    below = theory.stress_on_axis(depths, PAIR.lower.poisson_ratio).von_mises
    (a, b), (hertz_a, hertz_b) = contact.semi_axes, theory.semi_axes
    return [
        Comparison("semi-axis along x", a, hertz_a, "m"),
        Comparison("semi-axis along y", b, hertz_b, "m"),
        Comparison("contact area", contact.contact_area, np.pi * hertz_a * hertz_b, "m2"),
        Comparison("peak pressure", contact.peak_pressure, theory.peak_pressure, "Pa"),
        Comparison("approach", contact.approach, theory.approach, "m"),
        Comparison("force", contact.force, theory.force, "N"),
        Comparison("stiffness", contact.stiffness, theory.stiffness, "N/m"),
        Comparison("max von Mises", plane.peak, float(below.max()), "Pa"),
        Comparison("at depth", -plane.peak_z, float(depths[below.argmax()]), "m"),
    ]


def inputs() -> Table:
    """What was computed, in engineering units."""
    arcs = [(f"rail radius up to |y| = {quantity(y, 'm')}", quantity(r, "m", 3)) for r, y in RAIL_ARCS]
    tilts = [
        (f"tread to rail head, {name}", f"{1e3 * tilt:.1f} mrad, where the rail radius is {radius}")
        for name, tilt in CASES
        for radius in [quantity(rail_radius(tilt), "m", 3)]
    ]
    steel = PAIR.lower
    return Table(
        "Inputs",
        ("quantity", "value"),
        [
            ("wheel load", quantity(FORCE, "N")),
            ("rolling radius", quantity(ROLLING_RADIUS, "m", 3)),
            *arcs,
            *tilts,
            ("Young's modulus, both", quantity(steel.youngs_modulus, "Pa")),
            ("Poisson ratio, both", f"{steel.poisson_ratio:g}"),
        ],
    )


def results(cases: Sequence[Case], compared: Sequence[list[Comparison]]) -> list[Table]:
    """Computed against Hertz, a table per case."""
    header = ("quantity", "computed", "Hertz", "difference")
    return [
        Table(f"Results: {case.name}", header, [line.cells for line in lines])
        for case, lines in zip(cases, compared, strict=True)
    ]


def checked(cases: Sequence[Case]) -> list[Table]:
    """The certificates, and what the solver needed."""
    rows = []
    for name, measure in CHECKS.items():
        values = [measure(case.contact) for case in cases]
        verdict = "passed" if max(values) <= 1.01 * TOLERANCE else "failed"
        rows.append((name, *(f"{value:.1e}" for value in values), f"{TOLERANCE:.0e}", verdict))
    solver = [
        (
            case.name,
            f"{case.contact.grid.nx} x {case.contact.grid.ny}",
            f"{case.contact.iterations}",
            f"{case.contact.seconds:.3f} s",
        )
        for case in cases
    ]
    return [
        Table("Certificate", ("check", *(case.name for case in cases), "limit", "verdict"), rows),
        Table("Solver", ("case", "elements", "iterations", "time"), solver),
    ]


def drawn(cases: Sequence[Case], planes: Sequence[figures.StressPlane]) -> list[tuple[str, str, Figure]]:
    """The four figures, the cases side by side."""
    first_touch = (0.0, 0.0)

    def panels(height: float, draw: Callable[[Case, figures.StressPlane, Any], Any]) -> Figure:
        figure = figures.blank_figure(11.0, height)
        for case, plane, ax in zip(cases, planes, figure.subplots(1, len(cases)), strict=True):
            draw(case, plane, ax)
            ax.set_title(case.name.capitalize(), loc="left", fontweight="bold", fontsize=12)
        return figure

    def compared(figure: Figure) -> Figure:
        """The same scales in all panels."""
        shown = [ax for ax in figure.axes if ax.get_title(loc="left")]
        peak = max(case.contact.peak_pressure for case in cases)
        for ax in shown:
            for image in ax.images:
                image.set_clim(0.0, peak / unit_for(peak, "Pa").factor)
        for name in ("xlim", "ylim"):
            limits = [getattr(ax, f"get_{name}")() for ax in shown]
            for ax in shown:
                ax.set(**{name: (min(low for low, _ in limits), max(high for _, high in limits))})
        return figure

    return [
        (
            "pressure",
            "Pressure on the contact, with Hertz's ellipse around the first point of contact; x is the "
            "rolling direction, y lateral.",
            compared(
                panels(
                    4.0,
                    lambda case, _, ax: figures.pressure_map(
                        case.contact, ax, hertz=case.hertz, hertz_center=first_touch
                    ),
                )
            ),
        ),
        (
            "section",
            "Pressure across the rail.",
            compared(
                panels(
                    3.8,
                    lambda case, _, ax: figures.section(
                        case.contact, case.hertz, "y", ax, hertz_center=first_touch
                    ),
                )
            ),
        ),
        (
            "deformed",
            "Surfaces across the rail, y = 0 at first touch; the whole gap is drawn on the wheel (body 1), "
            "heights are magnified.",
            panels(3.8, lambda case, _, ax: figures.deformed_section(case.contact, "y", ax)),
        ),
        (
            "stress",
            "Von Mises stress in the rail over the peak pressure p₀, in the plane across the rail.",
            panels(4.0, lambda case, plane, ax: figures.von_mises_map(case.contact, 2, ax, plane=plane)),
        ),
    ]


def print_tables(console: Console, cases: Sequence[Case], compared: Sequence[list[Comparison]]) -> None:
    """The same tables as in the report, on the terminal."""
    load, radius = quantity(FORCE, "N", 3), quantity(ROLLING_RADIUS, "m", 3)
    console.print(f"\n[bold]{TITLE}[/bold]\nsteel on steel, wheel load {load}, rolling radius {radius}")
    for table in (*results(cases, compared), *checked(cases)):
        shown = Printed(title=table.title, title_justify="left", title_style="bold")
        for number, name in enumerate(table.header):
            shown.add_column(name, justify="right" if number else "left")
        for row in table.rows:
            shown.add_row(*row)
        console.print()
        console.print(shown)


def require_writable(folder: Path) -> None:
    """Make the folder and a file in it, so that a bad place is known before the work is done."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def _fail(message: str, code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
