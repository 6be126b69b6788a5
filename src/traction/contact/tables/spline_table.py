"""`SplineTable`: the numbers of a creep-force table, all that an evaluation in any language needs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction.errors import InputError

POLAR, BOX = "polar", "box"
ORDER = 4  #: functions of a cubic spline that are not zero at a place

#: what the compiled functions take: numbers, knots of log(a/b), coefficients of log C, knots, coefficients
PackedTable = tuple[np.ndarray, np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class SplineTable:
    """Cubic B-splines of reduced creep forces over three coordinates and log(a/b).

    With c = sqrt(a b) and the limit mu N, creepages are reduced to

        x = G c^2 C11 xi/(3 mu N),  y = G c^2 C22 eta/(3 mu N),  w = G c^3 Cs phi/(mu N)

    by Kalker's C11 and C22 and a scale of spin Cs, Kalker's C23 or another, and forces to F_x/(mu N),
    F_y/(mu N) and M_z/(mu N c). Stored are x, y >= 0 and w of both signs: F_x turns
    its sign with x alone; F_y and M_z turn theirs where y and w do.

    Polar coordinates are s = r/(r + radius) with r = |(x, y, w)|, the azimuth atan2(y, x), 0 to pi/2, and the
    latitude atan2(w, hypot(x, y)), -pi/2 to pi/2; the forces are s times the splines. Box coordinates are
    u(x), u(y) and u(w) with u = x for |x| <= 1 and sign(x) (2 - 1/|x|) beyond; the forces are the splines.
    """

    coordinates: str  #: "polar" or "box"
    radius: float  #: r at which s = 1/2; not used by "box"
    knots: tuple[np.ndarray, np.ndarray, np.ndarray]  #: of the three coordinates, n + 4 of n functions
    coefficients: np.ndarray  #: (n0, n1, n2, n3, 3): log(a/b), three coordinates, (F_x, F_y, M_z)
    ratios: np.ndarray  #: a/b of the nodes, (n0,), ascending
    ratio_knots: np.ndarray  #: of log(a/b), (n0 + 4,), or (0,) with one ratio
    scales: np.ndarray  #: B-spline coefficients of log C11, log C22, log Cs over log(a/b), (3, n0)
    shear_modulus: float  #: combined G, Pa
    poisson_ratio: float  #: combined nu
    slack: float = 1e-3  #: relative difference from the ratios that is allowed

    def __post_init__(self) -> None:
        _require_sound(self)
        for array in (*self.knots, self.coefficients, self.ratios, self.ratio_knots, self.scales):
            array.setflags(write=False)

    @property
    def limits(self) -> tuple[float, float]:
        """Least and largest a/b."""
        return float(self.ratios[0]) / (1.0 + self.slack), float(self.ratios[-1]) * (1.0 + self.slack)

    @cached_property
    def packed(self) -> PackedTable:
        """What the compiled functions take."""
        low, high = np.log(self.limits)
        kind = 0.0 if self.coordinates == POLAR else 1.0
        numbers = np.array([kind, self.radius, self.shear_modulus, low, high])
        first, second, third = self.knots
        return numbers, self.ratio_knots, self.scales, (first, second, third), self.coefficients

    def creepage_scales(self, a: ArrayLike, b: ArrayLike, load: ArrayLike, friction: ArrayLike) -> np.ndarray:
        """Creepages (xi, eta, phi) that x = 1, y = 1 and w = 1 stand for, (..., 3)."""
        from scipy.interpolate import BSpline

        along, across, pushed, mu = np.broadcast_arrays(
            *(np.asarray(one, dtype=float) for one in (a, b, load, friction))
        )
        c = np.sqrt(along * across)
        place = np.clip(np.log(along / across), *np.log(self.ratios[[0, -1]]))
        logs = [
            BSpline(self.ratio_knots, one, 3)(place) if self.ratio_knots.size else np.full(c.shape, one[0])
            for one in self.scales
        ]
        unit = mu * pushed / (self.shear_modulus * c * c)
        factors = (3.0, 3.0, 1.0 / c)
        return np.stack([f * unit / np.exp(log) for f, log in zip(factors, logs, strict=True)], axis=-1)


def _require_sound(table: SplineTable) -> None:
    """Shapes and order of knots have to be those that evaluations read without looking."""
    arrays = {
        "coefficients": table.coefficients, "ratios": table.ratios, "ratio_knots": table.ratio_knots,
        "scales": table.scales, **{f"knots[{k}]": one for k, one in enumerate(table.knots)},
    }  # fmt: skip
    for name, array in arrays.items():
        if array.dtype != np.float64 or not array.flags.c_contiguous or not np.isfinite(array).all():
            _refuse(f"{name} must be finite numbers of double precision")
    for name in ("radius", "shear_modulus"):
        if not 0.0 < getattr(table, name) < math.inf:
            _refuse(f"{name} = {getattr(table, name)} must be positive")
    if not -1.0 < table.poisson_ratio <= 0.5:
        _refuse(f"poisson_ratio = {table.poisson_ratio} must be above -1 and at most 0.5")
    if not 0.0 <= table.slack < 1.0:
        _refuse(f"slack = {table.slack} must be from 0 to below 1")
    shape, count = table.coefficients.shape, table.ratios.size
    if len(shape) != 5 or shape[0] != count or shape[-1] != 3:
        _refuse(f"coefficients has shape {shape}, expected ({count}, n1, n2, n3, 3)")
    if table.ratios.ndim != 1 or not count or table.ratios[0] <= 0.0 or (np.diff(table.ratios) <= 0.0).any():
        _refuse(f"ratios = {table.ratios} must be positive and ascend")
    if table.scales.shape != (3, count):
        _refuse(f"scales has shape {table.scales.shape}, expected (3, {count})")
    if count > 1:
        _require_knots("ratio_knots", table.ratio_knots, count)
    elif table.ratio_knots.size:
        _refuse("one ratio has no ratio_knots")
    for k, one in enumerate(table.knots):
        _require_knots(f"knots[{k}]", one, shape[1 + k])


def _require_knots(name: str, knots: np.ndarray, count: int) -> None:
    """Knots of so many cubic functions."""
    if count < ORDER or knots.shape != (count + ORDER,):
        _refuse(f"{name} has shape {knots.shape}, expected ({count + ORDER},) and at least {2 * ORDER} knots")
    if (np.diff(knots) < 0.0).any() or (np.diff(knots[ORDER - 1 : 1 - ORDER]) <= 0.0).any():
        _refuse(f"{name} must ascend")


def _refuse(fault: str) -> None:
    raise InputError(f"the splines of a creep table are not sound: {fault}; make the table anew.")
