"""`HeatedHalfSpace`: the surface temperature of a half space that moves under a field of heat flux.

A half space of conductivity k and diffusivity kappa, insulated outside the heated element, moves with the
velocity v along +x under the element dx by dy, which absorbs the flux q. Heat absorbed at one instant spreads
by Gaussians (Carslaw and Jaeger 1959, chapter 10); integrated over the element and over all past times,

    T = q dx/(k sqrt(pi)) int_0^inf X(s) Y(s) ds,      with lengths in dx and m = v dx/(4 kappa)
    X = (erf((x + 1/2)/s - m s) - erf((x - 1/2)/s - m s))/2,   Y = (erf((y + b)/s) - erf((y - b)/s))/2

where b = dy/(2 dx). Both factors are smooth, also where the point lies in the element: nothing is singular.
The places and times separate, so that all distances share the nodes of one quadrature. For line contact Y = 1
and the integral is known (Jaeger 1942):

    T = q dx/(pi k 2 m) (P(2 m (x + 1/2)) - P(2 m (x - 1/2))),   dP/du = exp(u) K0(|u|)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy.fft
from numpy.typing import ArrayLike
from scipy.special import erf

from traction import checks
from traction.errors import UndefinedError
from traction.grid import Grid
from traction.halfspace.convolution import find_fast_length
from traction.materials import Material, thermal_constants
from traction.theory.moving_heat import integrate_band

APART = 0.01  #: of the logarithms of velocities between which influences are interpolated
REACH = 6.0  #: argument beyond which the error function is 1 to rounding
STRIDE = 2.0  #: largest change of its argument in a panel
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)  #: of a panel
BLOCK = 4096  #: nodes taken at a time
LATEST = 1e12  #: of the extent of the grid: where the integral of a body at rest ends, by a term 1/s


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


@lru_cache(maxsize=16)
def compute_heat_lags(shape: tuple[int, int], aspect: float, drift: float) -> np.ndarray:
    """Temperature over q dx/k at distances (j dy, i dx), 0 <= j < ny and -nx < i < nx, (ny, 2 nx - 1).

    `aspect` is dy/dx and `drift` the dimensionless velocity m >= 0, downstream along +x. The array is kept,
    and read-only.
    """
    ny, nx = shape
    edges = np.arange(-nx + 0.5, nx, 1.0)
    sides = aspect * np.arange(-0.5, ny, 1.0)
    nodes, weights = place_nodes(drift, aspect, max(nx, aspect * ny), nx)
    lags = np.zeros((ny, 2 * nx - 1))
    for k in range(0, nodes.size, BLOCK):
        s = nodes[k : k + BLOCK, None]
        along = 0.5 * np.diff(erf(edges / s - drift * s), axis=1)
        across = 0.5 * np.diff(erf(sides / s), axis=1)
        lags += (weights[k : k + BLOCK, None] * across).T @ along
    if drift == 0.0:
        # what comes later: X and Y are then 1/(sqrt(pi) s) and dy/dx of that
        lags += aspect / (math.pi * LATEST * max(nx, aspect * ny))
    lags /= math.sqrt(math.pi)
    lags.setflags(write=False)
    return lags


def place_nodes(drift: float, aspect: float, extent: float, nx: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights over s of the integral, for all distances at once.

    The factor X changes while m s^2, where heat of the age s^2 now is, lies within REACH s of an edge of an
    element; between such times the panels are long.
    """
    end = LATEST * extent if drift == 0.0 else _reaches(drift, nx - 0.5, ahead=False)
    ends = [0.0, min(_reaches(drift, 0.5), 0.5 * aspect / REACH, end)]
    while ends[-1] < end:
        s = ends[-1]
        edge = math.floor(drift * s * s - REACH * s + 0.5) + 0.5  # the first one not yet passed by all heat
        if drift * s * s + REACH * s < edge * (1.0 - 1e-12):
            step = min(_reaches(drift, edge) - s, s * STRIDE / REACH)
        else:
            step = STRIDE / (2.0 * drift + REACH / s)
        ends.append(min(s + step, end))
    low, high = np.array(ends[:-1]), np.array(ends[1:])
    half, middle = 0.5 * (high - low)[:, None], 0.5 * (high + low)[:, None]
    return (middle + half * NODES).ravel(), (half * WEIGHTS).ravel()


def _reaches(drift: float, edge: float, ahead: bool = True) -> float:
    """The s at which the first heat (or, not `ahead`, the last) passes an edge: m s^2 +- REACH s = edge."""
    if drift == 0.0:
        return edge / REACH
    root = math.sqrt(REACH * REACH + 4.0 * drift * edge)
    return 2.0 * edge / (REACH + root) if ahead else (REACH + root) / (2.0 * drift)


def compute_line_heat_lags(nx: int, drift: float) -> np.ndarray:
    """The same of a line contact that moves (m > 0), (1, 2 nx - 1); exact."""
    edges = 2.0 * drift * np.arange(-nx + 0.5, nx, 1.0)
    return np.diff(integrate_band(edges))[None] / (2.0 * math.pi * drift)
