"""The table, made as a whole and kept as arrays, and curves from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.contact.normal.press import solve_press
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.simplified.fastsim import fastsim
from traction.contact.tables.creep_table import CreepTable
from traction.contact.tables.spline_table import BOX, POLAR, SplineTable
from traction.contact.tables.table_request import creep_table
from traction.grid import Grid
from traction.kinds.creep_law.schema import CreepLawCase
from traction.kinds.kind import KeyFigures, TableStepper
from traction.results.field import Field, Layout
from traction.results.stored_run import StoredRun
from traction.surfaces import Paraboloid
from traction.theory import hertz

Triple = tuple[np.ndarray, np.ndarray, np.ndarray]
POINTS, FARTHEST = 31, 3.0  #: of a curve, and its last reduced creepage
MOTIONS = 3  #: along x, along y, spin
RADIUS, LOAD, FRICTION = 0.5, 8e4, 0.3  #: m, N: a contact in which reduced forces are found
CHECKED, CHECK_CELLS = 6, 40  #: single contacts beside the table, and elements across them
THEORIES = ("", "fastsim_")  #: what curves are computed by: the table, and FASTSIM
FORCES = {
    "force_x": "force along x over mu N",
    "force_y": "force along y over mu N",
    "moment": "moment over mu N c",
}

FIELDS = (
    Field("ratio", "1", "ratio a/b of the semi-axes"),
    Field("motion", "1", "motion: 0 along x, 1 along y, 2 spin", dtype="int64"),
    Field("creepage", "1", "reduced creepage x, y or w"),
    Field("error", "1", "stated error over mu N"),
    *(
        Field(f"{theory}{name}", "1", f"{words}{', by FASTSIM' if theory else ''}")
        for theory in THEORIES
        for name, words in FORCES.items()
    ),
)


@dataclass(frozen=True)
class StoredTable:
    """Numbers of a `CreepTable`."""

    polar: bool
    radius: float
    knots: Triple
    coefficients: np.ndarray
    ratios: np.ndarray
    ratio_knots: np.ndarray
    scales: np.ndarray
    shear_modulus: float
    poisson_ratio: float
    slack: float
    nodes: Triple
    values: np.ndarray
    error: float
    error_map: np.ndarray | None
    cells: int

    @classmethod
    def of(cls, table: CreepTable) -> StoredTable:
        """The numbers of a table."""
        splines = table.splines
        return cls(
            polar=splines.coordinates == POLAR, radius=splines.radius, knots=splines.knots,
            coefficients=splines.coefficients, ratios=splines.ratios, ratio_knots=splines.ratio_knots,
            scales=splines.scales, shear_modulus=splines.shear_modulus, poisson_ratio=splines.poisson_ratio,
            slack=splines.slack, nodes=table.nodes, values=table.values, error=table.error,
            error_map=table.error_map, cells=table.cells,
        )  # fmt: skip

    def restore(self) -> CreepTable:
        """The table."""
        splines = SplineTable(
            coordinates=POLAR if self.polar else BOX, radius=self.radius, knots=self.knots,
            coefficients=self.coefficients, ratios=self.ratios, ratio_knots=self.ratio_knots,
            scales=self.scales, shear_modulus=self.shear_modulus, poisson_ratio=self.poisson_ratio,
            slack=self.slack,
        )  # fmt: skip
        return CreepTable(
            splines, self.nodes, self.values, self.error, self.error_map, cells=self.cells,
            discretisation="covered", origin="a run of the kind creep-law",
        )  # fmt: skip


@dataclass(frozen=True)
class CreepLawFindings:
    """The table, and what single contacts say of it."""

    table: StoredTable
    off: float  #: largest difference from single contacts, over mu N


@dataclass(frozen=True)
class SampleContact:
    """A contact of an ellipse a/b, in which reduced forces are found."""

    ellipse: hertz.EllipseContact

    @classmethod
    def of(cls, case: CreepLawCase, ratio: float) -> SampleContact:
        """The contact of that ratio."""
        return cls(hertz.ellipse(RADIUS, RADIUS * hertz.radius_ratio(1.0 / ratio), case.pair, force=LOAD))

    @property
    def sizes(self) -> tuple[float, float, float, float]:
        """a, b, load and friction."""
        return (*self.ellipse.semi_axes, LOAD, FRICTION)

    @property
    def units(self) -> np.ndarray:
        """mu N, mu N and mu N c."""
        a, b = self.ellipse.semi_axes
        return FRICTION * LOAD * np.array([1.0, 1.0, np.sqrt(a * b)])


class CreepLawStepper(TableStepper[CreepLawCase]):
    """One point of a curve after the other."""

    @cached_property
    def layout(self) -> Layout:
        """Forces at every point of the curves."""
        return Layout(FIELDS, len(self.case.shown) * MOTIONS * POINTS)

    @cached_property
    def table(self) -> CreepTable:
        """The table."""
        case = self.case
        return creep_table(pair=case.pair, ratios=case.asked, error=case.error, device=case.device)

    @cached_property
    def rows(self) -> dict[str, np.ndarray]:
        """All curves."""
        parts = [self._draw_curve(ratio, motion) for ratio in self.case.shown for motion in range(MOTIONS)]
        return {field.name: np.concatenate([part[field.name] for part in parts]) for field in FIELDS}

    def _draw_curve(self, ratio: float, motion: int) -> dict[str, np.ndarray]:
        contact, reduced = SampleContact.of(self.case, ratio), np.linspace(0.0, FARTHEST, POINTS)
        creepage = np.zeros((POINTS, 3))
        creepage[:, motion] = reduced * self.table.creepage_scales(*contact.sizes)[motion]
        simple = [fastsim(contact.ellipse, FRICTION, creepage=one) for one in creepage]
        found = np.stack(self.table.forces(creepage, *contact.sizes), axis=-1) / contact.units
        other = np.array([(*one.force, one.moment) for one in simple]) / contact.units
        numbers = {
            f"{theory}{name}": values[:, k]
            for theory, values in zip(THEORIES, (found, other), strict=True)
            for k, name in enumerate(FORCES)
        }
        return {
            "ratio": np.full(POINTS, ratio),
            "motion": np.full(POINTS, motion),
            "creepage": reduced,
            "error": self.table.error_at(creepage, *contact.sizes),
            **numbers,
        }

    def findings(self, run: StoredRun) -> CreepLawFindings:
        """The table, and its difference from single contacts at creepages that are not its nodes."""
        rng, off = np.random.default_rng(1), 0.0
        for ratio in np.resize(self.case.shown, CHECKED).tolist():
            contact = SampleContact.of(self.case, ratio)
            a, b = contact.ellipse.semi_axes
            grid = Grid(CHECK_CELLS + 4, CHECK_CELLS + 4, 2.0 * a / CHECK_CELLS, 2.0 * b / CHECK_CELLS)
            shape = Paraboloid(RADIUS, RADIUS * hertz.radius_ratio(1.0 / ratio))
            normal = solve_press(shape, grid, self.case.pair, force=LOAD)
            creepage = rng.uniform(-1.5, 1.5, 3) * self.table.creepage_scales(*contact.sizes)
            t = roll_steady(normal, FRICTION, creepage=tuple(creepage.tolist()))
            apart = np.array(self.table.forces(creepage, *contact.sizes)) - (*t.force, t.moment)
            off = max(off, float(np.abs(apart / contact.units).max()))
        return CreepLawFindings(StoredTable.of(self.table), off)

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """Its error and size."""
        found = self.table
        yield "stated error over mu N", float(found.error), "1"
        yield "nodes", int(found.values[..., 0].size), "1"
        yield "elements across a circle", int(found.cells), "1"
        forces = ("force_x", "force_y")  # moments are over mu N c
        apart = max(float(np.abs(run[name] - run[f"fastsim_{name}"]).max()) for name in forces)
        yield "largest difference of FASTSIM over mu N", apart, "1"
