"""Certificate that tractions and slips obey Coulomb's law, computed from the solution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from traction.contact.stick_slip.kernels import stick_slip_states as kernels

MOST_HEATED = 2.5e-4  #: difference of a coefficient from that of its temperature, over the largest one


@dataclass(frozen=True)
class FrictionCertificate:
    """Errors of the conditions of stick and slip, relative to the largest bound.

    They are those of the elements that were solved. In transient rolling these lie in the material, and the
    fields of a result are means of them over the cells of the grid: a cell that sticks in part may slip below
    its bound, and next to the edges one in which a layer yields may be above the yield stress (see
    `tr.Layer`). `averaging` states by how much the means are off the law, which is no error of the solution.
    """

    bound: float  #: largest traction above its bound
    stick: float  #: largest slip of an element below its bound, as a traction
    direction: float  #: largest angle between slip and minus the traction, as a traction
    force: float  #: error of given forces over mu Fn
    pressure: float = 0.0  #: remaining change of the pressure by the tractions, over its peak
    #: of steady rolling: effect on the forces, over mu Fn, of what elements were taken to stick and glide by
    shares: float = 0.0
    averaging: float = 0.0  #: largest deviation of fields that are means from the law, over the largest bound
    #: of friction by temperature: largest difference of a coefficient from that of the temperature found,
    #: over the largest one
    temperature: float = 0.0

    @property
    def largest(self) -> float:
        """The largest error of the elements that were solved; NaN if one is."""
        errors = self.bound, self.stick, self.direction, self.force, self.pressure, self.shares
        return math.nan if math.isnan(sum(errors)) else max(errors)

    def holds(self, tol: float) -> bool:
        """Return whether all errors are within `tol`, with a little room for rounding.

        That of the temperature, which is iterated around the solution, has its own limit.
        """
        return bool(self.largest <= 1.01 * tol + 1e-13 and self.is_settled)

    @property
    def is_settled(self) -> bool:
        """Whether the coefficients are those of the temperature that was found."""
        return self.temperature <= MOST_HEATED

    def explain_unsettled(self) -> str:
        """Why friction and temperature may not agree, and what to do."""
        return (
            "friction and temperature did not settle: the coefficients differ from those of the temperature "
            f"by {self.temperature:.1e} of the largest, at most {MOST_HEATED:g}. With friction that rises, "
            "or a force near its limit, there may be no steady state: give the creepage, or a law with memory"
        )

    def explain_shares(self) -> str:
        """Why elements and solution may not agree, where only the shares are off, and what to do."""
        return (
            "; the law holds at each element, but the shares by which they stick and glide did not settle "
            f"({self.shares:.1e} of the friction limit): where friction falls more steeply with the slip "
            "than elements resist, they hold and slide by turns. Use whole cells, or a larger tol"
        )

    def __str__(self) -> str:
        warm = f", temperature {self.temperature:.1e}" if self.temperature > 0.0 else ""
        means = f"; means over cells of the grid {self.averaging:.1e}" if self.averaging > 0.0 else ""
        return (
            f"relative errors: bound {self.bound:.1e}, slip in stick {self.stick:.1e}, "
            f"direction {self.direction:.1e}, force {self.force:.1e}, pressure {self.pressure:.1e}, "
            f"shares {self.shares:.1e}{warm}{means}"
        )


def certify_friction(
    traction: np.ndarray,
    slip: np.ndarray,
    bound: np.ndarray,
    rho: np.ndarray,
    force_error: float,
    pressure_error: float = 0.0,
) -> FrictionCertificate:
    """Certificate of tractions (Pa), slips (m) and bounds.

    A slip counts as the traction rho * slip that the iteration would add, and its direction as no more than
    the bound: a wrong angle turns a traction, but does not increase it.
    """
    largest, n = float(bound.max()) or 1.0, bound.size
    fields = (np.ascontiguousarray(field).reshape(2, n) for field in (traction, slip))
    over, stick, direction = kernels.find_violations(*fields, bound.reshape(n), rho.reshape(n))
    broken = over / largest, stick / largest, direction / largest
    return FrictionCertificate(*broken, force_error, pressure_error)


def measure_averaging(traction: np.ndarray, slip: np.ndarray, bound: np.ndarray, stick: np.ndarray) -> float:
    """Largest deviation of means from the law, over the largest bound.

    It is a traction above the bound, as that of a layer that yields, or of cells that slip one below it or
    along the slip.
    """
    n = bound.size
    worst, largest = kernels.find_deviation(
        traction.reshape(2, n), slip.reshape(2, n), bound.reshape(n), stick.reshape(n)
    )
    return float(worst / largest) if largest > 0.0 else 0.0


def find_worst(certificates: Sequence[FrictionCertificate]) -> FrictionCertificate:
    """The certificate of several steps: the worst of each condition."""
    if len(certificates) == 1:
        return certificates[0]
    # not the built-in: what is not a number must stay
    return FrictionCertificate(*np.max([astuple(one) for one in certificates], axis=0).tolist())
