"""`PointResponse`: dynamic response of a structure at the struck point.

`ModalStructure`: given by its modes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam_description import Damping, check_damping, rates
from traction.errors import InputError


@dataclass(frozen=True, eq=False)
class PointResponse:
    """Deflection of the struck point under the force f there: w = sum phi_i q_i + r f + Y (impulse of f).

    Each mode satisfies q'' + c q' + omega^2 q = phi f.
    """

    frequencies: np.ndarray  #: omega, rad/s; zero for a mode without stiffness
    rates: np.ndarray  #: c, 1/s
    shapes: np.ndarray  #: phi at the struck point, 1/sqrt(kg)
    residual_flexibility: float = 0.0  #: r of the neglected modes, m/N
    mobility: float = 0.0  #: Y, m/(N s), of waves radiated into an unbounded plate

    def __post_init__(self) -> None:
        checks.keep_checked(self, checks.not_negative, residual_flexibility="m/N", mobility="m/(N s)")
        for name in ("frequencies", "rates", "shapes"):
            values = checks.finite_array(name, getattr(self, name))
            if values.shape != np.shape(self.frequencies) or values.ndim != 1:
                raise InputError(f"{name} has shape {values.shape}: give one number for each mode.")
            if name != "shapes" and (values < 0.0).any():
                raise InputError(f"{name} has the negative value {values.min():g}; it must not be negative.")
            checks.keep(self, **{name: values})

    def __len__(self) -> int:
        return int(self.frequencies.size)

    @property
    def table(self) -> np.ndarray:
        """Rows (omega, c, phi), as arguments of the kernels."""
        return np.ascontiguousarray(np.stack((self.frequencies, self.rates, self.shapes), axis=1))

    @property
    def flexibility(self) -> float:
        """Static deflection under 1 N of the modes with stiffness and the neglected ones, m/N."""
        held = self.frequencies > 0.0
        return float((self.shapes[held] ** 2 / self.frequencies[held] ** 2).sum()) + self.residual_flexibility


ShapeFunction = Callable[[float], ArrayLike]  #: one number per mode at x (m)


@dataclass(frozen=True, init=False, eq=False)
class ModalStructure:
    """Structure given by its modes, q'' + c q' + omega^2 q = phi f.

    Parameters
    ----------
    frequencies
        Natural frequencies omega, rad/s.
    shapes
        Mode shapes phi, 1/sqrt(kg), of modal mass 1: one number per mode at the struck point; (modes,
        places) at the coordinates `places`, interpolated by a cubic spline; or a function of x that
        returns one per mode.
    places
        Coordinates of the shapes, m.
    damping
        Ratio zeta, ratios per mode, or `tr.Rayleigh`.
    residual_flexibility
        Static flexibility of the missing modes at the struck point, m/N.

    Examples
    --------
    >>> tower = tr.ModalStructure([30.0, 190.0], [0.05, 0.07], damping=0.01)
    >>> hit = tr.impact(tower, None, tr.Striker(10.0, 1.0, law=tr.PowerLaw(1e8, 1.5)))
    >>> print(f"{hit.contacts[0].peak / 1e3:.2f} kN")
    6.91 kN
    """

    frequencies: np.ndarray  #: natural frequencies, rad/s
    damping: Damping  #: ratio, ratios per mode, or Rayleigh damping
    residual_flexibility: float  #: of the missing modes, m/N
    places: np.ndarray | None  #: coordinates of the shapes, m
    _shapes: np.ndarray | ShapeFunction = field(repr=False)

    def __init__(
        self,
        frequencies: ArrayLike,
        shapes: ArrayLike | ShapeFunction,
        *,
        places: ArrayLike | None = None,
        damping: Damping = 0.0,
        residual_flexibility: float = 0.0,
    ) -> None:
        omega = checks.finite_array("frequencies", frequencies, unit="rad/s").ravel()
        if omega.size == 0:
            raise InputError(
                "frequencies is empty: a structure without modes cannot be struck; give one at least."
            )
        if (omega < 0.0).any():
            raise InputError(f"frequencies has the negative value {omega.min():g} rad/s.")
        checks.keep(
            self,
            frequencies=omega,
            damping=check_damping(damping),
            residual_flexibility=checks.at_least("residual_flexibility", residual_flexibility, 0.0, "m/N"),
            places=None if places is None else checks.finite_array("places", places, unit="m").ravel(),
        )
        checks.keep(self, _shapes=self._checked(shapes))

    def _checked(self, shapes: ArrayLike | ShapeFunction) -> np.ndarray | ShapeFunction:
        if callable(shapes):
            return shapes
        n = self.frequencies.size
        shape = (n,) if self.places is None else (n, self.places.size)
        values = checks.finite_array("shapes", shapes, shape, "1/sqrt(kg)", "one row for each mode.")
        if self.places is not None and (self.places.size < 4 or (np.diff(self.places) <= 0.0).any()):
            raise InputError("places must be four or more, increasing.")
        return values

    @property
    def spans(self) -> bool:
        """Whether the shapes are given along x."""
        return self.places is not None or callable(self._shapes)

    def shapes(self, x: ArrayLike) -> np.ndarray:
        """Return phi at positions `x` (m), (modes, shape of x)."""
        if not self.spans:
            raise InputError("shapes are given at the struck point only; give places=, or a function of x.")
        x = np.asarray(x, dtype=float)
        if self.places is None:
            assert callable(self._shapes)
            columns = [checks.finite_array("shapes(x)", self._shapes(float(v))).ravel() for v in x.ravel()]
            return np.array(columns).T.reshape((self.frequencies.size, *x.shape))
        from scipy.interpolate import CubicSpline

        if x.size and not self.places[0] <= x.min() <= x.max() <= self.places[-1]:
            raise InputError(
                f"x must lie between {self.places[0]:g} and {self.places[-1]:g} m, the ends of places."
            )
        return np.asarray(CubicSpline(self.places, self._shapes, axis=1)(x))

    def point_response(self, at: object, modes: int | None = None) -> PointResponse:
        """Return the first `modes`, or all, at x = `at`.

        None where shapes are numbers at the struck point.
        """
        if not self.spans and at is not None:
            raise InputError(
                f"at = {checks.shown(at)} must be None: shapes are given at the struck point only."
            )
        phi = self.shapes(checks.finite("at", at, "m")) if self.spans else np.asarray(self._shapes)
        n = self.frequencies.size if modes is None else checks.count("modes", modes)
        if n > self.frequencies.size:
            raise InputError(f"modes = {n} is more than the structure has, {self.frequencies.size}.")
        omega = self.frequencies[:n]
        return PointResponse(omega, rates(self.damping, omega), phi[:n], self.residual_flexibility)
