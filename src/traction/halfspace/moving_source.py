"""Surface temperature of a half space per heat flux into an element, while the material moves along x.

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
from functools import lru_cache

import numpy as np
from scipy.special import erf

from traction.theory.moving_heat import integrate_band

REACH = 6.0  #: argument beyond which the error function is 1 to rounding
STRIDE = 2.0  #: largest change of its argument in a panel
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)  #: of a panel
BLOCK = 4096  #: nodes taken at a time
LATEST = 1e12  #: of the extent of the grid: where the integral of a body at rest ends, by a term 1/s


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
