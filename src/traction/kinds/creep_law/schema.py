"""Kind "creep-law": creep forces of elliptical contacts as a table for other programs."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from traction.kinds.tables.body_tables import PairCase

LEAST_RATIO, LARGEST_RATIO = 0.1, 10.0  #: of a/b, those of Kalker's coefficients
LEAST_RANGE = 1.05  #: of the largest a/b over the least, that of `tr.creep_table`
Ratio = Annotated[float, Field(ge=LEAST_RATIO, le=LARGEST_RATIO)]
ExportName = Literal["c", "fmu", "mat", "csv"]


class CreepLawCase(PairCase):
    """Materials, shapes of the ellipse, and the error of the table."""

    title: Annotated[str, Field(max_length=200)] = "Creep forces of rolling ellipses"
    ratios: Ratio | Annotated[list[Ratio], Field(min_length=2, max_length=2)] = 1.0
    """a/b, or its least and largest value"""
    error: Annotated[float, Field(ge=1e-3, le=0.1)] = 5e-3
    """over mu N"""
    device: Literal["cpu", "gpu"] = "cpu"
    exports: list[ExportName] = Field(default_factory=list, max_length=4)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.require_elastic()
        if self.pair.mismatch != 0.0:
            raise ValueError("has bodies of different materials, whose forces depend on the load; choose one")
        if self.pair.poisson_ratio < 0.0:
            ratio = self.pair.poisson_ratio
            raise ValueError(f"has the combined Poisson ratio {ratio:.4g}, where creep tables have 0 to 0.5")
        if isinstance(self.ratios, list):
            low, high = self.ratios
            if low >= high:
                raise ValueError(f"has ratios = {self.ratios}, of which the first must be below the second")
            if high < LEAST_RANGE * low:
                raise ValueError(
                    f"has ratios = {self.ratios}, closer than a factor of {LEAST_RANGE}; give one"
                )
        return self

    @property
    def asked(self) -> float | tuple[float, float]:
        """Ratios as `tr.creep_table` takes them."""
        return (self.ratios[0], self.ratios[1]) if isinstance(self.ratios, list) else self.ratios

    @property
    def shown(self) -> list[float]:
        """Ratios of the curves: the ends, and the middle between them."""
        if not isinstance(self.ratios, list):
            return [self.ratios]
        low, high = self.ratios
        return [low, (low * high) ** 0.5, high]
