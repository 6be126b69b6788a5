"""`ThermalFriction`: a coefficient of friction that depends on the temperature of the surfaces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw, Memory, check_memory
from traction.friction_laws.piecewise import check_points


@dataclass(frozen=True)
class ThermalFriction:
    """Friction that is piecewise linear in the temperature; made by `tr.friction.thermal`."""

    temperatures: tuple[float, ...]  #: K, or degrees Celsius as `bulk`, increasing
    coefficients: tuple[float, ...]  #: mu at these; constant below the first and above the last
    bulk: tuple[float, float] = (0.0, 0.0)  #: temperatures of body 1 and 2 far from the contact
    share: str | float = "equal"  #: of the heat, as `tr.flash_temperature` takes it
    #: distance and speed by which coefficients approach those of the temperature
    memory: Memory | None = None
    law: FrictionLaw | None = None  #: of the slip speed, whose coefficients these multiply

    def __post_init__(self) -> None:
        places, values = check_points("temperatures", self.temperatures, self.coefficients, "K")
        share = self.share
        if isinstance(share, str):
            checks.choice("share", share, ("equal",))
        elif not 0.0 <= checks.finite("share", share) <= 1.0:
            raise InputError(f"share = {share} must lie between 0 and 1.")
        if self.law is not None and not isinstance(self.law, FrictionLaw):
            raise InputError(
                f"law = {checks.shown(self.law)} must be a law of the slip speed, such as "
                "tr.friction.exponential(0.2, (0.1, 1.0)), whose coefficients those of the temperature "
                "multiply."
            )
        checks.keep(
            self,
            temperatures=places,
            coefficients=values,
            bulk=checks.point("bulk", self.bulk, "K"),
            memory=check_memory(self.memory),
        )

    @property
    def largest(self) -> float:
        """Largest coefficient at any temperature, and any slip speed of a law."""
        return max(self.coefficients) * (1.0 if self.law is None else self.law.largest)

    @property
    def largest_factor(self) -> float:
        """Largest of the coefficients, or of the factors of a law."""
        return max(self.coefficients)

    @property
    def parts(self) -> tuple[float, float]:
        """Shares of the heat that each body is given; both 1 where they divide it by equal temperatures."""
        return (1.0, 1.0) if isinstance(self.share, str) else (self.share, 1.0 - self.share)

    def coefficient(self, temperature: ArrayLike) -> np.ndarray:
        """Return the coefficients of friction at a `temperature` (K); of a law, its factors."""
        given = checks.finite_points("temperature", temperature, "K")
        return np.asarray(np.interp(given, self.temperatures, self.coefficients))

    def derivative(self, temperature: ArrayLike) -> np.ndarray:
        """Return their derivatives by the `temperature`, 1/K; at a corner, that of the warmer side."""
        given = checks.finite_points("temperature", temperature, "K")
        slopes = np.diff(self.coefficients) / np.diff(self.temperatures)
        place = np.searchsorted(self.temperatures, given, side="right")
        return np.asarray(np.concatenate(([0.0], slopes, [0.0]))[place])
