"""Reduced creep forces of one ellipse at any reduced creepages, solved in batches.

Forces over mu N depend on reduced creepages alone, so all is solved for G = N = mu = 1. Slip turns around the
pole of rotation, where the traction of whole elements jumps; elements of elongated ellipses are therefore
less elongated than these, those far towards full sliding are finer, and full sliding itself is integrated.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from traction.contact.batch.batch import Batch
from traction.contact.normal.press import NormalContact, solve_press
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.simplified.kalker import KalkerCoefficients, kalker_coefficients
from traction.contact.tables.reduced_creepages import polar_creepages
from traction.contact.tables.sliding import slide
from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.materials import Material, Pair
from traction.surfaces import Paraboloid
from traction.theory import hertz

MARGIN = 4  #: elements more than the ellipse has along each axis
#: power of the longer axis over the shorter by which there are more elements along it than across, where a is
#: the longer one and where b is: under spin the forces of wide contacts rise in steps with the pole's row
LONG, WIDE = 0.15, 0.3
FAR = 0.83  #: s above which elements are finer
FINER, FINEST = 1.4, 36  #: how much, up to so many elements across
TOLERANCE = 1e-5  #: of the solutions
LARGEST_ERROR = 2e-4  #: of the friction law, over the largest bound, that a node may have


class EllipseSolutions:
    """Reduced forces of steady rolling of an ellipse a/b, with about `cells` elements across each axis.

    share: power of a/b by which there are more along the longer axis; `LONG` or `WIDE` unless given.
    """

    def __init__(
        self, ratio: float, poisson_ratio: float, cells: int, device: str, share: float | None = None
    ) -> None:
        self.ratio, self.cells, self.device = ratio, cells, device
        self.share = share if share is not None else LONG if ratio > 1.0 else WIDE
        self.coefficients: KalkerCoefficients = kalker_coefficients(ratio, poisson_ratio)
        material = Material.from_shear_modulus(1.0, poisson_ratio)
        self.pair = Pair(material, material)
        self.solved = 0  # contacts so far

    @cached_property
    def normal(self) -> NormalContact:
        """The contact under the load 1."""
        radii = 1.0, hertz.radius_ratio(1.0 / self.ratio)
        a, b = hertz.ellipse(*radii, self.pair, force=1.0).semi_axes
        nx, ny = (max(8, round(self.cells * self.ratio**power)) for power in (self.share, -self.share))
        grid = Grid(nx + MARGIN, ny + MARGIN, 2.0 * a / nx, 2.0 * b / ny)
        return solve_press(Paraboloid(*radii), grid, self.pair, force=1.0, tol=1e-8)

    @cached_property
    def batch(self) -> Batch:
        """What solves many at once."""
        return Batch(self.normal.grid, self.pair, self.device, "mixed")

    @property
    def count(self) -> int:
        """Contacts that were solved, with all elements."""
        return self.solved + (self.finer.solved if "finer" in self.__dict__ and self.finer is not self else 0)

    def release(self) -> None:
        """Give the memory of the matrices back; they are filled again where more is solved."""
        self.__dict__.pop("batch", None)
        if "finer" in self.__dict__ and self.finer is not self:
            self.finer.release()

    @cached_property
    def size(self) -> float:
        """c = sqrt(a b) of Hertz's ellipse."""
        radii = 1.0, hertz.radius_ratio(1.0 / self.ratio)
        return math.sqrt(math.prod(hertz.ellipse(*radii, self.pair, force=1.0).semi_axes))

    @cached_property
    def reducing(self) -> np.ndarray:
        """Coefficients (C11, C22, Cs) that reduce the creepages.

        Cs = sqrt(b/a C11^2 + a/b C22^2)/3 makes w the reduced slip that spin alone causes at the ends of the
        axes, so that ellipses of any a/b slide from about the same reduced creepages on.
        """
        k, ratio = self.coefficients, self.ratio
        return np.array([k.C11, k.C22, math.hypot(k.C11 / math.sqrt(ratio), k.C22 * math.sqrt(ratio)) / 3.0])

    @cached_property
    def unit_scales(self) -> np.ndarray:
        """Creepages (xi, eta, phi) of x = 1, y = 1 and w = 1 where G = N = mu = c = 1."""
        return np.array([3.0, 3.0, 1.0]) / self.reducing

    @cached_property
    def scales(self) -> np.ndarray:
        """Creepages (xi, eta, phi) of x = 1, y = 1 and w = 1."""
        return self.unit_scales / np.array([self.size**2, self.size**2, self.size**3])

    @cached_property
    def finer(self) -> EllipseSolutions:
        """The same with the elements that are used far towards full sliding."""
        cells = max(self.cells, min(round(FINER * self.cells), FINEST))
        return self if cells == self.cells else self.with_cells(cells)

    def with_cells(self, cells: int, share: float | None = None) -> EllipseSolutions:
        """The same ellipse with another number of elements."""
        return EllipseSolutions(self.ratio, self.coefficients.poisson_ratio, cells, self.device, share)

    @cached_property
    def linear(self) -> np.ndarray:
        """Derivatives of the reduced forces by (x, y, w) at rest, on the same elements, (3, 3)."""
        rest = roll_steady(self.normal, 1.0, creepage=(0.0, 0.0, 0.0))
        return np.asarray(rest.tangent) * self.scales / np.array([[1.0], [1.0], [self.size]])

    def forces(self, reduced: np.ndarray) -> np.ndarray:
        """(F_x, F_y, M_z) at reduced creepages (m, 3), (m, 3)."""
        found = self.batch.roll_steady(self.normal, 1.0, reduced * self.scales, tol=TOLERANCE)
        self.solved += len(reduced)
        wrong = ~(found.error <= LARGEST_ERROR)
        if wrong.any():
            place = ", ".join(f"{part:.4g}" for part in reduced[wrong][0])
            raise ConvergenceError(
                f"{int(wrong.sum())} nodes of a/b = {self.ratio:.4g} did not converge, one at reduced "
                f"creepages ({place}); ask for another error, which changes the elements."
            )
        return np.column_stack((found.force, found.moment / self.size))

    def polar_values(self, places: np.ndarray, radius: float) -> np.ndarray:
        """Forces over s at polar coordinates (s, azimuth, latitude), (m, 3); limits at s = 0 and 1."""
        s, azimuth, latitude = places.T
        found = np.empty_like(places)
        rest, sliding = s <= 0.0, s >= 1.0
        units = polar_creepages(np.full(s.size, 0.5), azimuth, latitude, 1.0)
        found[rest] = radius * units[rest] @ self.linear.T
        found[sliding] = slide(self.ratio, units[sliding] * self.unit_scales)
        far = (s > FAR) & ~sliding & (self.finer is not self)
        for solutions, part in ((self, ~(rest | far | sliding)), (self.finer, far)):
            if part.any():
                creepages = polar_creepages(s[part], azimuth[part], latitude[part], radius)
                found[part] = solutions.forces(creepages) / s[part, None]
        return found
