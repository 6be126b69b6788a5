"""The half space of a pair of bodies on a grid: displacement difference u = u1 - u2 from tractions on body 1.

With the combined constants of the pair (Kalker 1990, section 1.6; brackets are integrals over an element)

    A_xx = ((1 - nu) [1/r] + nu [x^2/r^3]) / (pi G)     A_xy = A_yx = nu [x y/r^3] / (pi G)
    A_zz = (1 - nu) [1/r] / (pi G)                      A_zx = -A_xz = K [x/r^2] / (pi G)

and the same with x and y exchanged. Pressure moves body 1 up and body 2 down, so that u_z > 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.grid import Grid
from traction.halfspace.convolution import (
    InfluenceSpectrum,
    SpectrumCache,
    build_spectrum,
    convolve,
    find_fast_length,
)
from traction.halfspace.kernels import surface_influence as integrals
from traction.halfspace.periodic_influence import (
    compute_lattice_lags,
    compute_line_row_lags,
    compute_row_lags,
)
from traction.materials import RIGID, Pair

FREE = (False, False)
DIRECTIONS = ("x", "y", "z")
FFT_COST = 20  #: of an element of the torus, in summed pairs of elements
SMALL_TORUS = 1 << 22  #: elements of a torus that costs little in any case
_spectra = SpectrumCache()


@dataclass(frozen=True)
class Component:
    """One of the six kinds of influence: integral over the element, and its symmetry.

    With `second`, it is (1 - nu) times the first integral plus nu times the second.
    """

    integral: int
    second: int | None = None
    odd_x: bool = False
    odd_y: bool = False

    def weights(self, nu: float) -> tuple[tuple[int, float], ...]:
        """Integrals and their factors."""
        if self.second is None:
            return ((self.integral, 1.0),)
        return ((self.integral, 1.0 - nu), (self.second, nu))


_XY = Component(integrals.X_Y, odd_x=True, odd_y=True)
_XZ = Component(integrals.X, odd_x=True)
_YZ = Component(integrals.Y, odd_y=True)
COMPONENTS = {
    ("x", "x"): Component(integrals.INVERSE, integrals.X_X),
    ("y", "y"): Component(integrals.INVERSE, integrals.Y_Y),
    ("z", "z"): Component(integrals.INVERSE),
    ("x", "y"): _XY,
    ("y", "x"): _XY,
    ("x", "z"): _XZ,
    ("z", "x"): _XZ,
    ("y", "z"): _YZ,
    ("z", "y"): _YZ,
}


@dataclass(frozen=True)
class HalfSpace:
    """Elastic half space under tractions on a grid: surface displacements by FFT, direct, and at points.

    Influence coefficients of uniformly loaded rectangles with the combined constants of the pair (Love 1929;
    Kalker 1990, section 1.6). Components are named "x", "y" and "z": `product("z", "z", p)` is the normal
    displacement under a pressure.

    Parameters
    ----------
    grid
        Elements that carry the tractions.
    pair
        Materials of the two bodies.
    periodic
        Whether the grid repeats along x and along y; for normal loads only.

    Raises
    ------
    InputError
        If an argument is of another kind, or a quantity is asked for that a periodic half space does not
        have.

    Examples
    --------
    >>> grid = tr.Grid(16, 16, 1e-3, 1e-3)
    >>> half_space = tr.HalfSpace(grid, tr.Pair(tr.STEEL, tr.RIGID))
    >>> u = half_space.product("z", "z", np.full(grid.shape, 1e6))
    >>> print(f"{u.max() * 1e6:.4f} um")
    0.0787 um
    """

    grid: Grid
    pair: Pair
    periodic: tuple[bool, bool] = FREE

    def __post_init__(self) -> None:
        checks.instance("grid", self.grid, Grid)
        checks.instance("pair", self.pair, Pair, "give both bodies, such as tr.Pair(tr.STEEL, tr.STEEL).")
        for along in checks.pair("periodic", self.periodic, "two of True and False, along x and y"):
            checks.flag("periodic", along)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Computed once: tables are looked up by half spaces in every step of a march."""
        return hash((self.grid, self.pair, self.periodic))

    @classmethod
    def of_body(cls, grid: Grid, pair: Pair, body: int) -> HalfSpace:
        """Return the half space of one `body` (1 or 2) of `pair` on `grid`; products are +u1 or -u2."""
        material = pair.body(body)
        return cls(grid, Pair(material, RIGID) if body == 1 else Pair(RIGID, material))

    def product(self, i: str, j: str, traction: np.ndarray) -> np.ndarray:
        """Return displacement `i` (u1 - u2, m) over the grid under a `traction` along `j` (Pa), by FFT."""
        self._require_length(i, j)
        field = checks.finite_array("traction", traction, self.grid.shape, "Pa")
        spectrum = self.spectrum(i, j, self.grid.shape)
        return self.factor(i, j) * convolve(field, spectrum)

    def on_grid(self, i: str, j: str, traction: np.ndarray, target: Grid) -> np.ndarray:
        """Return displacement `i` (m) on the grid `target` under a `traction` along `j` (Pa).

        By FFT where the elements align with these and are near, otherwise direct.
        """
        self._require_length(i, j)
        field = checks.finite_array("traction", traction, self.grid.shape, "Pa")
        shift = _find_alignment(self.grid, checks.instance("target", target, Grid))
        if shift is not None:
            ny, nx = self._reach(field.shape, shift, target.shape)
            pairs = np.count_nonzero(field) * target.nx * target.ny
            if FFT_COST * 4 * ny * nx <= pairs + FFT_COST * SMALL_TORUS:
                return self.shifted(i, j, field, shift, target.shape)
        return self.at_points(i, j, field, *target.mesh())

    def shifted(
        self, i: str, j: str, traction: np.ndarray, shift: tuple[int, int], shape: tuple[int, int]
    ) -> np.ndarray:
        """Return displacement `i` (m) on shifted elements under a `traction` along `j` (Pa).

        There are `shape` of them, the first `shift` (rows, columns) from the first loaded element. Where
        a reference length is needed and not given, it is 1 m: differences are right, values are not.
        """
        spectrum = self.spectrum(i, j, self._reach(traction.shape, shift, shape))
        return self.factor(i, j) * convolve(traction, spectrum, offset=shift, shape=shape)

    def _reach(
        self, source: tuple[int, ...], shift: tuple[int, int], shape: tuple[int, int]
    ) -> tuple[int, int]:
        """Number of distances, along y and x, between loaded elements and targets; all of a period."""
        rows, columns = (
            n if repeats else max(n + s, m - s)
            for n, m, s, repeats in zip(shape, source, shift, self.periodic[::-1], strict=True)
        )
        return rows, columns

    def direct(self, i: str, j: str, traction: np.ndarray) -> np.ndarray:
        """Return displacement `i` (m) under a `traction` along `j` (Pa) by direct summation, for checks."""
        component = _find_component(i, j)
        rows, columns = (  # those up to half a period stand for all distances
            np.minimum(np.arange(n), n - np.arange(n)) if repeats else np.arange(n)
            for n, repeats in zip(self.grid.shape, self.periodic[::-1], strict=True)
        )
        lags = np.ascontiguousarray(self._lags(component, self.grid.shape)[np.ix_(rows, columns)])
        field = checks.finite_array("traction", traction, self.grid.shape, "Pa")
        total = integrals.correlate_directly(field, lags, component.odd_x, component.odd_y)
        return self.factor(i, j) * total

    def at_points(self, i: str, j: str, traction: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return displacement `i` (m) at surface points (`x`, `y`), m, under a `traction` along `j` (Pa)."""
        self._require_free("displacement at points off the grid")
        grid = self.grid
        self._require_length(i, j)
        places = checks.finite_points("x", x), checks.finite_points("y", y)
        try:
            xs, ys = (np.array(v).ravel() for v in np.broadcast_arrays(*places))
        except ValueError:
            raise InputError(
                f"x and y have shapes {places[0].shape} and {places[1].shape}, which do not broadcast."
            ) from None
        field = checks.finite_array("traction", traction, grid.shape, "Pa").copy()  # no read-only one
        total = np.zeros(xs.size)
        points, centres = (xs / grid.dx, ys / grid.dx), (grid.x / grid.dx, grid.y / grid.dx)
        for which, weight in _find_component(i, j).weights(self.pair.poisson_ratio):
            if grid.is_line:
                strips = points[0], centres[0], field[0], (grid.length or 1.0) / grid.dx
                total += weight * integrals.sum_strips_at(which, *strips)
            else:
                elements = points, centres, field, grid.dy / grid.dx
                total += weight * integrals.sum_rectangles_at(which, *elements)
        return self.factor(i, j) * total.reshape(np.broadcast_shapes(np.shape(x), np.shape(y)))

    def factor(self, i: str, j: str) -> float:
        """Return the factor (m/Pa) of the dimensionless influence of traction `j` on displacement `i`."""
        _find_component(i, j)
        nu, mismatch = self.pair.poisson_ratio, self.pair.mismatch
        scale = self.grid.dx / (math.pi * self.pair.shear_modulus)
        if i == j:
            return scale * (1.0 - nu) if i == "z" else scale
        if "z" not in (i, j):
            return scale * nu
        return scale * (mismatch if i == "z" else -mismatch)

    def spectrum(self, i: str, j: str, reach: tuple[int, int]) -> InfluenceSpectrum:
        """Return the spectrum of the dimensionless influence of `j` on `i` within `reach` (rows, columns)."""
        component = _find_component(i, j)
        grid, (repeats_x, repeats_y) = self.grid, self.periodic
        lengths = (_choose_torus(reach[0], grid.ny, repeats_y), _choose_torus(reach[1], grid.nx, repeats_x))
        key: tuple[object, ...] = (component.integral, component.second, reach, lengths, grid.dy / grid.dx)
        if component.second is not None:
            key = (*key, self.pair.poisson_ratio)
        if grid.is_line or repeats_x or repeats_y:
            key = (*key, grid.is_line, self.periodic, grid.dx, grid.length, grid.shape)

        def build() -> InfluenceSpectrum:
            lags = self._lags(component, reach)
            return build_spectrum(lags, lengths, odd_x=component.odd_x, odd_y=component.odd_y)

        return _spectra.get(key, build)

    def _lags(self, component: Component, reach: tuple[int, int]) -> np.ndarray:
        """Dimensionless influence (element width 1) at distances >= 0."""
        if component != COMPONENTS["z", "z"]:
            self._require_free("influence of or on tangential directions")
        weights = component.weights(self.pair.poisson_ratio)
        return sum((w * self._integral_lags(which, reach) for which, w in weights), start=np.zeros(()))

    def _integral_lags(self, which: int, reach: tuple[int, int]) -> np.ndarray:
        grid, (ny, nx) = self.grid, reach
        aspect = grid.dy / grid.dx
        reference = (grid.length or 1.0) / grid.dx
        if grid.is_line:
            if self.periodic[0]:
                return compute_line_row_lags(grid.nx)
            return integrals.compute_line_lags(which, nx, reference)
        if self.periodic == (True, True):
            return compute_lattice_lags(grid.ny, grid.nx, 1.0, aspect)
        if self.periodic == (True, False):
            return compute_row_lags(ny, grid.nx, 1.0, aspect, reference)
        if self.periodic == (False, True):
            return compute_row_lags(nx, grid.ny, aspect, 1.0, reference).T.copy()
        return integrals.compute_rectangle_lags(which, ny, nx, 1.0, aspect)

    @property
    def needs_length(self) -> bool:
        """Whether displacements are those of a strip of the reference length `grid.length`."""
        return not self.periodic[0] if self.grid.is_line else sum(self.periodic) == 1

    def _require_length(self, i: str, j: str) -> None:
        _find_component(i, j)
        if i == j and self.needs_length:
            self.grid.reference_length("displacement")

    def _require_free(self, quantity: str) -> None:
        if any(self.periodic):
            raise InputError(f"the {quantity} is for a free half space, not a periodic one.")


def _find_component(i: str, j: str) -> Component:
    try:
        return COMPONENTS[i, j]
    except (KeyError, TypeError):
        wrong = j if isinstance(i, str) and i in DIRECTIONS else i
        raise InputError(
            f"direction {checks.shown(wrong)} is not known; choose from 'x', 'y' and 'z'."
        ) from None


def _choose_torus(reach: int, n: int, repeats: bool) -> int:
    """Length of the torus for distances below `reach`, or one period of n elements."""
    if repeats or reach == 1:
        return n if repeats else 1
    return find_fast_length(2 * reach - 1)


def _find_alignment(grid: Grid, target: Grid) -> tuple[int, int] | None:
    """(rows, columns) from the first element of `grid` to that of `target`, None if they do not line up."""
    if (grid.dx, grid.dy, grid.is_line) != (target.dx, target.dy, target.is_line):
        return None
    rows, columns = (target.y[0] - grid.y[0]) / grid.dy, (target.x[0] - grid.x[0]) / grid.dx
    if max(abs(rows - round(rows)), abs(columns - round(columns))) > 1e-9:
        return None
    return round(rows), round(columns)
