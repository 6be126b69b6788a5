"""A creep table as arrays that a run keeps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact.tables.creep_table import CreepTable
from traction.contact.tables.spline_table import BOX, POLAR, SplineTable

Triple = tuple[np.ndarray, np.ndarray, np.ndarray]


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
