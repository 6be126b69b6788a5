"""`Plate`: a thin rectangular plate, simply supported on all edges (Navier; Kirchhoff theory)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks, plausibility
from traction.beams.beam_description import Damping, check_damping, damping_words, rates
from traction.errors import InputError
from traction.impacts.structures.modal_structure import PointResponse
from traction.materials import Material, structural_constants
from traction.quantities import given

SERIES = 20_000  #: terms of Levy's series, whose rest is added as an integral
STRAIGHT = 300.0  #: exponent above which the far edge has no effect
MOST_WAVES = 1_000_000  #: modes of a plate, which are closed forms


def plate_stiffness(material: Material, thickness: float) -> tuple[float, float]:
    """Bending stiffness D = E h^3/(12 (1 - nu^2)) (N m) and mass per area (kg/m^2) of a plate."""
    (E, rho), h = structural_constants(material), checks.positive("thickness", thickness, "m")
    return E * h**3 / (12.0 * (1.0 - material.poisson_ratio**2)), rho * h


@dataclass(frozen=True)
class Plate:
    """Thin rectangular plate, simply supported on all edges (Kirchhoff theory).

    Parameters
    ----------
    length, width
        Sides along x and y, m.
    bending_stiffness
        D = E h^3/(12 (1 - nu^2)), N m.
    mass_per_area
        rho h, kg/m^2.
    damping
        Ratio zeta, ratios per mode, or `tr.Rayleigh`.

    Examples
    --------
    >>> plate = tr.Plate.of(tr.STEEL, 5e-3, length=0.5, width=0.4)
    >>> print(f"{plate.waves(1)[2][0] / (2 * np.pi):.1f} Hz")
    125.2 Hz
    """

    length: float
    width: float
    bending_stiffness: float
    mass_per_area: float
    damping: Damping = 0.0

    def __repr__(self) -> str:
        stiff, mass = given(self.bending_stiffness, "N m"), f"{self.mass_per_area:.4g} kg/m2"
        sides = f"{given(self.length, 'm')} x {given(self.width, 'm')}"
        return f"Plate: {sides}, D = {stiff}, {mass}, {damping_words(self.damping)}"

    def __post_init__(self) -> None:
        units = {"length": "m", "width": "m", "bending_stiffness": "N m", "mass_per_area": "kg/m^2"}
        checks.keep_checked(self, checks.positive, **units)
        checks.keep(self, damping=check_damping(self.damping))

    @classmethod
    def of(
        cls, material: Material, thickness: float, length: float, width: float, *, damping: Damping = 0.0
    ) -> Plate:
        """Return a plate of one material and thickness, simply supported on all edges.

        Parameters
        ----------
        material
            Elastic material with a density.
        thickness
            Thickness h, m.
        length, width
            Sides along x and y, m.
        damping
            Ratio for all modes, ratios per mode, or `tr.Rayleigh`.

        Returns
        -------
        Plate
            With D = E h^3/(12 (1 - nu^2)) and rho h.

        Raises
        ------
        InputError
            If the material is rigid or has no density, or a length is not positive.

        Examples
        --------
        >>> plate = tr.Plate.of(tr.STEEL, 0.005, 0.5, 0.4)
        >>> print(f"{plate.mass:.2f} kg")
        7.85 kg
        """
        plate = cls(length, width, *plate_stiffness(material, thickness), damping)
        plausibility.check_slender("thickness", thickness, min(plate.length, plate.width), "plate")
        return plate

    @property
    def mass(self) -> float:
        """Total mass, kg."""
        return self.mass_per_area * self.length * self.width

    def waves(self, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the half waves along x and y and the frequencies (rad/s) of the `n` lowest modes."""
        count = checks.count("n", n, 1, MOST_WAVES)
        # about a b k^2/(4 pi) modes have a wave number below k, fewer by those along the edges
        highest = math.sqrt(4.0 * math.pi * count / (self.length * self.width))
        while True:
            highest += math.pi * (1.0 / self.length + 1.0 / self.width)
            x = np.arange(1, math.floor(highest * self.length / math.pi) + 1)
            y = np.arange(1, math.floor(highest * self.width / math.pi) + 1)
            i, j = (part.ravel() for part in np.meshgrid(x, y, indexing="ij"))
            square = (i * math.pi / self.length) ** 2 + (j * math.pi / self.width) ** 2
            below = np.flatnonzero(square <= highest**2)
            if below.size >= count:
                break
        i, j, square = i[below], j[below], square[below]
        first = np.argsort(square, kind="stable")[:count]
        omega = square[first] * math.sqrt(self.bending_stiffness / self.mass_per_area)
        return i[first], j[first], omega

    def shapes(self, n: int, x: ArrayLike, y: ArrayLike) -> np.ndarray:
        """Return phi of the `n` lowest modes at positions (`x`, `y`), m, (n, shape of x), 1/sqrt(kg)."""
        i, j, _ = self.waves(n)
        x, y = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        along = _sample_sines(i, math.pi / self.length, x.ravel()) * (2.0 / math.sqrt(self.mass))
        along *= _sample_sines(j, math.pi / self.width, y.ravel())
        return along.reshape((i.size, *x.shape))

    def point_response(self, at: object, modes: int) -> PointResponse:
        """Return the response of the lowest `modes` at `at` = (x, y), m."""
        x, y = self.place(at)
        _, _, omega = self.waves(modes)
        phi = self.shapes(modes, x, y)
        rest = self.flexibility(x, y) - float((phi**2 / omega**2).sum())
        return PointResponse(omega, rates(self.damping, omega), phi, max(0.0, rest))

    def place(self, at: object) -> tuple[float, float]:
        """Return the position `at` = (x, y), m, checked to lie inside the edges."""
        x, y = checks.point("at", at)
        if not (0.0 < x < self.length and 0.0 < y < self.width):
            raise InputError(
                f"at = ({x:g}, {y:g}) m must lie inside the plate, 0 < x < {self.length:g} m and 0 < y < "
                f"{self.width:g} m: its edges are supports, which do not move."
            )
        return x, y

    def flexibility(self, x: float, y: float) -> float:
        """Return the static deflection at (`x`, `y`), m, under 1 N there, m/N.

        Levy's series in x, closed in y: the solution along y for sin(a x) is -(dS/da)/(2 a) with
        S = sinh(a y) sinh(a (b - y))/(a sinh(a b)).
        """
        a = np.arange(1, SERIES + 1) * math.pi / self.length
        near, far = min(y, self.width - y), max(y, self.width - y)
        # S = tanh-like quotients of decaying exponentials; T = sinh(a near) sinh(a far)/sinh(a b)
        e_near, e_far = np.exp(-2.0 * a * near), np.exp(-2.0 * a * far)
        e_both = np.exp(-2.0 * a * self.width)
        T = 0.5 * (1.0 - e_near) * (1.0 - e_far) / (1.0 - e_both)
        # d ln T/da = near coth(a near) + far coth(a far) - b coth(a b); the ones cancel
        slope = 2.0 * (
            near * e_near / (1.0 - e_near)
            + far * e_far / (1.0 - e_far)
            - self.width * e_both / (1.0 - e_both)
        )
        answer = T * (1.0 / a - slope) / (2.0 * a * a)
        total = float((np.sin(a * x) ** 2 * answer).sum())
        # beyond, sin^2 is 1/2 in the mean and the answer 1/(4 a^3)
        last = a[-1] + 0.5 * math.pi / self.length
        total += 0.5 * self.length / math.pi * 0.25 / (2.0 * last**2)
        return 2.0 * total / (self.length * self.bending_stiffness)


def _sample_sines(waves: np.ndarray, number: float, places: np.ndarray) -> np.ndarray:
    """sin(waves number places); waves and places of a grid repeat, so that few sines are computed."""
    own, row = np.unique(waves, return_inverse=True)
    different, column = np.unique(places, return_inverse=True)
    return np.asarray(np.sin(np.outer(own * number, different))[np.ix_(row.ravel(), column.ravel())])
