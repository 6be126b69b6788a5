"""Kalker's linear theory: rolling at creepages so small that the whole contact sticks (Kalker 1967).

The coefficients of its forces (`KalkerCoefficients.force`) depend on a/b and Poisson's ratio only. Kalker's
printed tables have three digits; the table here is computed from the exact tangent of `roll_steady` at rest,
on two grids and extrapolated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.normal.press import solve_press
from traction.contact.rolling.steady_rolling import roll_steady
from traction.errors import InputError
from traction.grid import Grid
from traction.materials import Material, Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number
from traction.surfaces import Paraboloid
from traction.theory import hertz

TABLE = Path(__file__).with_name("kalker_coefficients.csv")
RATIOS = 10.0 ** (np.arange(-8, 9) / 8.0)  #: a/b of the table
POISSON_RATIOS = np.linspace(0.0, 0.5, 5)  #: of the table
TABLE_CELLS = 36  #: across each axis of the ellipse on the coarser grid of the table
WIDEST = 100.0  #: a/b, or its inverse, that is computed
MARGIN = 4  #: cells more than the ellipse has
ORDER = 2.0  #: at which the coefficients converge
NAMES = ("C11", "C22", "C23", "C33")

MOST_CELLS = 400  #: along x and y


@dataclass(frozen=True, repr=False)
class KalkerCoefficients(Result):
    """Creep coefficients of an elliptical contact; all positive and dimensionless."""

    _drawn = "coefficients"

    ratio: float  #: a/b, a along the rolling direction
    poisson_ratio: float  #: combined Poisson ratio nu
    C11: float  #: longitudinal force by longitudinal creepage
    C22: float  #: lateral force by lateral creepage
    C23: float  #: lateral force by spin, and spin moment by lateral creepage
    C33: float  #: spin moment by spin

    def _headline(self) -> str:
        return f"a/b = {self.ratio:.4g}, Poisson's ratio {self.poisson_ratio:.4g}"

    def _variables(self) -> Iterator[Variable]:
        values = [getattr(self, name) for name in NAMES]
        for name, value in zip(NAMES, values, strict=True):
            yield figure(name, value, "1", name)
        yield number("ratio", self.ratio, "1", "ratio a/b of the semi-axes")
        yield number("poisson_ratio", self.poisson_ratio, "1", "Poisson's ratio")
        yield axis("coefficient", np.array(NAMES), "", "coefficient")
        yield data("coefficients", values, "1", "creep coefficients of Kalker", "coefficient")

    def force(
        self, creepage: ArrayLike, semi_axes: tuple[float, float], shear_modulus: float
    ) -> tuple[float, float, float]:
        """Return (F_x, F_y, M_z) on body 1 of the linear theory, N and N m, without a friction limit.

        Parameters
        ----------
        creepage
            (xi, eta, phi): creepages (-) and spin (rad/m).
        semi_axes
            (a, b) along x and y, m.
        shear_modulus
            Combined shear modulus G, Pa, as `pair.shear_modulus`.

        Notes
        -----
        F_x = -G c^2 C11 xi, F_y = -G c^2 (C22 eta + c C23 phi), M_z = -G c^3 (-C23 eta + c C33 phi), c =
        sqrt(a b).

        Examples
        --------
        >>> k = tr.kalker_coefficients(1.0, 0.25)
        >>> print(f"{k.force((1e-5, 0, 0), (5e-3, 5e-3), 82e9)[0]:.1f} N")
        -84.3 N
        """
        xi, eta, phi = checks.finite_array("creepage", creepage, (3,))
        both = checks.pair("semi_axes", semi_axes, "two numbers (a, b), m")
        a, b = (checks.positive(f"semi_axes[{k}]", one, "m") for k, one in enumerate(both))
        c = math.sqrt(a * b)
        scale = checks.positive("shear_modulus", shear_modulus, "Pa") * c * c
        fx = -scale * self.C11 * xi
        fy = -scale * (self.C22 * eta + c * self.C23 * phi)
        mz = -scale * c * (-self.C23 * eta + c * self.C33 * phi)
        return float(fx), float(fy), float(mz)


def kalker_coefficients(
    ratio: float, poisson_ratio: float, *, cells: int | None = None
) -> KalkerCoefficients:
    """Return Kalker's creep coefficients of an elliptical contact.

    Parameters
    ----------
    ratio
        a/b of the semi-axes, a along the rolling direction; 0.1 to 10.
    poisson_ratio
        Combined Poisson ratio nu, 0 to 0.5.
    cells
        Compute the coefficients on grids of this many and twice as many cells across each axis, instead of
        interpolating in the built-in table; a/b may then be 0.01 to 100.

    Returns
    -------
    KalkerCoefficients
        C11, C22, C23 and C33, within 0.2 % (C33 of ellipses elongated along the rolling direction: 0.5 %).

    Raises
    ------
    InputError
        If a value is outside the table.

    Notes
    -----
    Linear theory of rolling contact (Kalker 1967): the slopes of the creep-force curves at zero creepage.

    Examples
    --------
    >>> k = tr.kalker_coefficients(1.0, 0.25)
    >>> print(f"C11 = {k.C11:.2f}, C22 = {k.C22:.2f}, C23 = {k.C23:.2f}")
    C11 = 4.11, C22 = 3.67, C23 = 1.47
    """
    shape = checks.positive("ratio", ratio, "", "it is a/b, of the semi-axes along x and y.")
    nu = checks.poisson_ratio("poisson_ratio", poisson_ratio)
    if nu < 0.0:
        raise InputError(f"poisson_ratio = {nu} must be 0 to 0.5.")
    if cells is not None:
        _require_within("ratio", shape, 1.0 / WIDEST, WIDEST, "use tr.carter for a line contact.")
        return compute_coefficients(
            shape, nu, checks.count("cells", cells, 8, MOST_CELLS, "the cost grows with its fourth power.")
        )
    _require_within("ratio", shape, RATIOS[0], RATIOS[-1], "give cells, as in cells=36, to compute them.")
    values = [math.exp(float(spline(math.log(shape), nu)[0, 0])) for spline in _fit_splines()]
    return KalkerCoefficients(shape, nu, *values)


def compute_coefficients(ratio: float, poisson_ratio: float, cells: int = TABLE_CELLS) -> KalkerCoefficients:
    """Coefficients from grids of `cells` and twice as many across each axis, extrapolated."""
    coarse, fine = (compute_on_grid(ratio, poisson_ratio, n) for n in (cells, 2 * cells))
    return KalkerCoefficients(ratio, poisson_ratio, *(fine + (fine - coarse) / (2.0**ORDER - 1.0)))


def compute_on_grid(
    ratio: float, poisson_ratio: float, cells: int, *, discretisation: str = "covered"
) -> np.ndarray:
    """C11, C22, C23 (the mean of that of F_y and of M_z), C33 on one grid, (4,)."""
    material = Material.from_shear_modulus(1.0, poisson_ratio)
    pair = Pair(material, material)
    radii = 1.0, hertz.radius_ratio(1.0 / ratio)
    a, b = hertz.ellipse(*radii, pair, force=1.0).semi_axes
    grid = Grid(cells + MARGIN, cells + MARGIN, 2.0 * a / cells, 2.0 * b / cells)
    contact = solve_press(Paraboloid(*radii), grid, pair, force=1.0, tol=1e-9)
    # without creepage everything sticks, and the tangent is that of the linear theory
    rest = roll_steady(contact, 1.0, creepage=(0.0, 0.0, 0.0), discretisation=discretisation)
    (xx, *_), (_, yy, ys), (_, sy, ss) = rest.tangent
    c = math.sqrt(a * b)
    return np.array([-xx / c**2, -yy / c**2, 0.5 * (sy - ys) / c**3, -ss / c**4])


def write_table(path: Path = TABLE) -> None:
    """Recompute the table; takes minutes."""
    rows = [
        "# Creep coefficients of Kalker's linear theory, computed by `kalker.write_table`:",
        f"# covered elements, {TABLE_CELLS} and {2 * TABLE_CELLS} cells across each axis, extrapolated.",
        ",".join(("a/b", "poisson_ratio", *NAMES)),
    ]
    for ratio in RATIOS:
        for nu in POISSON_RATIOS:
            found = compute_coefficients(float(ratio), float(nu))
            numbers = (ratio, nu, *(getattr(found, name) for name in NAMES))
            rows.append(",".join(f"{number:.7g}" for number in numbers))
    path.write_text("\n".join(rows) + "\n", encoding="ascii")


@lru_cache(maxsize=1)
def _fit_splines() -> tuple[Callable[[float, float], np.ndarray], ...]:
    """Logarithm of each coefficient over that of a/b and over Poisson's ratio."""
    from scipy.interpolate import RectBivariateSpline

    table = np.loadtxt(TABLE, delimiter=",", skiprows=3)
    shape = (RATIOS.size, POISSON_RATIOS.size)
    return tuple(
        RectBivariateSpline(np.log(RATIOS), POISSON_RATIOS, np.log(table[:, k].reshape(shape)), kx=3, ky=4)
        for k in range(2, 6)
    )


def _require_within(name: str, value: float, low: float, high: float, remedy: str) -> None:
    slack = 1e-9
    if not low * (1.0 - slack) <= value <= high * (1.0 + slack):
        raise InputError(f"{name} = {value:.6g} must be {low:g} to {high:g}; {remedy}")
