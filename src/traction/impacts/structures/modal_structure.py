"""What a striker feels of a structure, `PointResponse`; `ModalStructure`: one that is known by its modes."""

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

    Each mode moves by q'' + c q' + omega^2 q = phi f.
    """

    frequencies: np.ndarray  #: omega, rad/s; zero for a mode without stiffness
    rates: np.ndarray  #: c, 1/s
    shapes: np.ndarray  #: phi at the struck point, 1/sqrt(kg)
    residual_flexibility: float = 0.0  #: r of the modes left out, m/N
    mobility: float = 0.0  #: Y, m/(N s): of waves that run away in an unbounded plate

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
        """Rows (omega, c, phi), as the kernels take them."""
        return np.ascontiguousarray(np.stack((self.frequencies, self.rates, self.shapes), axis=1))

    @property
    def flexibility(self) -> float:
        """Static deflection under 1 N of the modes with stiffness and of those left out, m/N."""
        held = self.frequencies > 0.0
        return float((self.shapes[held] ** 2 / self.frequencies[held] ** 2).sum()) + self.residual_flexibility


ShapeFunction = Callable[[float], ArrayLike]  #: one number per mode at x (m)


@dataclass(frozen=True, init=False, eq=False)
class ModalStructure:
    """Modes q'' + c q' + omega^2 q = phi f with shapes phi (1/sqrt(kg), of modal mass 1).

    `shapes` is one number per mode, at the struck point; or (modes, places) with the coordinates `places`
    (m), between which a cubic spline runs; or a function of x that returns one number per mode. What the
    modes lack, in m/N at the struck point, is `residual_flexibility`.
    """

    frequencies: np.ndarray  #: rad/s
    damping: Damping
    residual_flexibility: float
    places: np.ndarray | None
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
            raise InputError("places must be four or more, ascending.")
        return values

    @property
    def spans(self) -> bool:
        """Whether the shapes are known along x."""
        return self.places is not None or callable(self._shapes)

    def shapes(self, x: ArrayLike) -> np.ndarray:
        """phi at places x (m), (modes, shape of x)."""
        if not self.spans:
            raise InputError("shapes are known at the struck point only; give places=, or a function of x.")
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
        """The first `modes`, or all, at x = `at`; None where shapes are numbers at the struck point."""
        if not self.spans and at is not None:
            raise InputError(
                f"at = {checks.shown(at)} must be None: shapes are known at the struck point only."
            )
        phi = self.shapes(checks.finite("at", at, "m")) if self.spans else np.asarray(self._shapes)
        n = self.frequencies.size if modes is None else checks.count("modes", modes)
        if n > self.frequencies.size:
            raise InputError(f"modes = {n} is more than the structure has, {self.frequencies.size}.")
        omega = self.frequencies[:n]
        return PointResponse(omega, rates(self.damping, omega), phi[:n], self.residual_flexibility)
