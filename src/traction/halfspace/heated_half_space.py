"""`HeatedHalfSpace`: the surface temperature of a half space that moves under a field of heat flux."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.fft
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import UndefinedError
from traction.grid import Grid
from traction.halfspace.convolution import find_fast_length
from traction.halfspace.moving_source import compute_heat_lags, compute_line_heat_lags
from traction.materials import Material, thermal_constants

APART = 0.01  #: of the logarithms of velocities between which influences are interpolated


@dataclass(frozen=True)
class HeatedHalfSpace:
    """Half space that moves along x under heat flux on a grid: its steady surface temperature, by FFT.

    The flux is constant in each element, the surface insulated outside. Influence coefficients are integrals
    of the moving point source Q exp(-v (r - x)/(2 kappa))/(2 pi k r) over an element (Jaeger 1942; Carslaw
    and Jaeger 1959, section 10.7), exact to rounding for any velocity: from 1/r at rest to conduction into
    the depth only at high speed. For line contact they are Jaeger's closed form.

    Parameters
    ----------
    grid
        Elements that absorb the heat, at rest.
    material
        Material of the half space, with density, specific heat and conductivity.
    velocity
        Velocity v of the material along +x over the grid, m/s; 0 for a body at rest. In a contact that rolls
        along +x the material moves through it along -x.

    Raises
    ------
    InputError
        If the material has no thermal constants, or an argument is of another kind.
    UndefinedError
        If a half plane (line contact) is at rest, whose temperature rises without end.

    Examples
    --------
    >>> grid = tr.Grid(20, 20, 0.5e-3, 0.5e-3)
    >>> rail = tr.HeatedHalfSpace(grid, tr.STEEL, velocity=-30.0)
    >>> rise = rail.rise(np.full(grid.shape, 1e8))
    >>> print(f"{rise.max():.1f} K, {rail.peclet:.0f} is the Peclet number of an element")
    153.1 K, 530 is the Peclet number of an element
    """

    grid: Grid
    material: Material
    velocity: float = 0.0

    def __post_init__(self) -> None:
        checks.instance("grid", self.grid, Grid)
        thermal_constants("material", self.material)
        checks.keep(self, velocity=checks.finite("velocity", self.velocity, "m/s"))
        if self.grid.is_line and self.velocity == 0.0:
            raise UndefinedError(
                "a half plane at rest has no steady temperature: heated along a line it warms up without "
                "end. Give a velocity, or a grid of the true length of the contact."
            )

    @property
    def peclet(self) -> float:
        """Peclet number of an element, |v| dx/(2 kappa)."""
        return abs(self.velocity) * self.grid.dx / (2.0 * self.material.diffusivity)

    @cached_property
    def lags(self) -> np.ndarray:
        """Temperature per flux, K m2/W, at (j dy, i dx): 0 <= j < ny, -nx < i < nx, (ny, 2 nx - 1)."""
        grid, drift = self.grid, 0.5 * self.peclet
        if grid.is_line:
            found = compute_line_heat_lags(grid.nx, drift)
        else:
            found = compute_heat_lags(grid.shape, grid.dy / grid.dx, drift)
        if self.velocity < 0.0:
            found = found[:, ::-1]
        return np.asarray(found * (grid.dx / thermal_constants("material", self.material)[1]))

    @cached_property
    def spectrum(self) -> np.ndarray:
        """Transform of the influence on a torus on which no element meets another one around it."""
        (ny, nx), (ly, lx) = self.grid.shape, self._lengths
        torus = np.zeros((ly, lx))
        torus[:ny, :nx] = self.lags[:, nx - 1 :]
        if nx > 1:
            torus[:ny, -(nx - 1) :] = self.lags[:, : nx - 1]
        if ny > 1:
            torus[-(ny - 1) :] = torus[ny - 1 : 0 : -1]
        return np.asarray(scipy.fft.rfft2(torus))

    @property
    def _lengths(self) -> tuple[int, int]:
        ny, nx = self.grid.shape
        return (1 if ny == 1 else find_fast_length(2 * ny - 1)), find_fast_length(2 * nx - 1)

    def rise(self, flux: ArrayLike) -> np.ndarray:
        """Return the rise of the surface temperature, K, (ny, nx), by a heat `flux` into the body, W/m2."""
        return self.filter(checks.finite_array("flux", flux, self.grid.shape, "W/m2"), self.spectrum)

    def filter(self, field: np.ndarray, spectrum: np.ndarray) -> np.ndarray:
        """Return the product of a `field` over the grid with the influence that has the `spectrum`."""
        ny, nx = self.grid.shape
        found = scipy.fft.irfft2(scipy.fft.rfft2(field, self._lengths) * spectrum, self._lengths)
        return np.asarray(found[:ny, :nx])

    def rise_directly(self, flux: ArrayLike) -> np.ndarray:
        """Return the same by a `flux` (W/m2), summed over all pairs of elements, without transforms."""
        (ny, nx), given = self.grid.shape, checks.finite_array("flux", flux, self.grid.shape, "W/m2")
        found = np.zeros((ny, nx))
        for j in range(ny):
            across = self.lags[np.abs(np.arange(ny) - j)]
            for i in range(nx):
                found[j, i] = float((across[:, nx - 1 + i - np.arange(nx)] * given).sum())
        return found


@dataclass(frozen=True)
class NearbyHalfSpace(HeatedHalfSpace):
    """The same by influences of nearby velocities, which are kept: for many velocities that differ little.

    They are interpolated linearly in the logarithm of the velocity, within 1e-5.
    """

    @cached_property
    def spectrum(self) -> np.ndarray:
        """Transform of the influence on a torus on which no element meets another one around it."""
        place = math.log(abs(self.velocity)) / APART if self.velocity != 0.0 else 0.0
        low = math.floor(place)
        if self.velocity == 0.0 or place == low:
            return HeatedHalfSpace(self.grid, self.material, self.velocity).spectrum
        near = (math.copysign(math.exp(APART * k), self.velocity) for k in (low, low + 1))
        below, above = (HeatedHalfSpace(self.grid, self.material, v).spectrum for v in near)
        return np.asarray(below + (place - low) * (above - below))
