"""Shapes given by a user (a function of x, values, a beam at rest), and their modal coordinates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam_description import BeamDescription
from traction.beams.exact.modes import Modes
from traction.beams.exact.statics import Bending
from traction.errors import InputError

STENCIL = 1e-4  #: distance of the five points of a derivative, of the length of the beam
NEAR_ZERO = 1e-6  #: of the largest deflection, at a support that holds it

ShapeInput = ArrayLike | Callable[[np.ndarray], ArrayLike] | Bending | None  #: as given by a user
Function = Callable[[np.ndarray], np.ndarray]
GAUSS = 16  #: points on each part
EXACT = 1e-12  #: change of the coefficients relative to the norm, below which parts are no longer halved
MAX_HALVINGS = 6


@dataclass(frozen=True)
class GivenShape:
    """Deflection and rotation along a beam."""

    deflection: Function
    rotation: Function  #: of the sections; the slope, unless it is given
    breaks: np.ndarray  #: positions of possible kinks, m


def read_shape(name: str, value: ShapeInput, beam: BeamDescription) -> GivenShape | None:
    """The shape given by a user; None is no deflection."""
    if value is None:
        return None
    if isinstance(value, Bending):
        shape = GivenShape(value.deflection, value.rotation, value.shape.breaks)
    elif callable(value):
        function = _check_values(name, value)
        shape = GivenShape(function, _differentiate(function, beam.length), beam.ends)
    elif not isinstance(value, list | tuple | np.ndarray) or (
        isinstance(value, np.ndarray) and not value.ndim
    ):
        if checks.finite(name, value) != 0.0:
            raise InputError(
                f"{name} = {value} must be a function of x, values along the beam, or a tr.Bending."
            )
        return None
    else:
        shape = _interpolate(name, value, beam.length)
    _require_held(name, shape, beam)
    return shape


def _check_values(name: str, function: Callable[[np.ndarray], ArrayLike]) -> Function:
    def checked(x: np.ndarray) -> np.ndarray:
        given = function(x)
        values = checks.finite_array(f"{name}(x)", given)
        if values.size == 1 and np.ndim(given) == 0:
            return np.full(x.shape, float(values.ravel()[0]))
        if values.shape != x.shape:
            raise InputError(f"{name}(x) has shape {values.shape}, expected {x.shape}: one value for each x.")
        return values

    return checked


def _interpolate(name: str, value: ArrayLike, length: float) -> GivenShape:
    from scipy.interpolate import CubicSpline

    values = checks.finite_array(name, value)
    if values.ndim != 1 or values.size < 4:
        raise InputError(f"{name} has shape {values.shape}; give at least 4 values from end to end.")
    x = np.linspace(0.0, length, values.size)
    spline = CubicSpline(x, values)
    return GivenShape(spline, spline.derivative(), x)


def _differentiate(function: Function, length: float) -> Function:
    """Of a smooth function, by the quartic through five points on the beam."""
    h = STENCIL * length
    powers = np.linalg.inv(np.vander(np.arange(-2.0, 3.0), increasing=True))

    def derivative(x: np.ndarray) -> np.ndarray:
        centre = np.clip(x, 2.0 * h, length - 2.0 * h)
        values = np.stack([function(centre + k * h) for k in range(-2, 3)])
        c = np.tensordot(powers, values, axes=1)
        s = (x - centre) / h
        return np.asarray((c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * 4.0 * c[4]))) / h)

    return derivative


def _require_held(name: str, shape: GivenShape, beam: BeamDescription) -> None:
    """Refuse a deflection where a support prevents it."""
    size = float(np.abs(shape.deflection(np.linspace(0.0, beam.length, 101))).max())
    for x, held in zip(beam.ends, beam.supports, strict=True):
        value = float(shape.deflection(np.array([x]))[0])
        if np.isinf(held.deflection) and abs(value) > NEAR_ZERO * size:
            raise InputError(
                f"{name} is {value:.6g} at x = {x:.6g} m, at a rigid support, where it must be 0."
            )


@dataclass(frozen=True)
class Projection:
    """Modal coordinates of a shape."""

    coefficients: np.ndarray  #: integral of m u w_i + rho I u' psi_i, sqrt(kg) m for deflections
    captured: float  #: share of the integral of m u^2 + rho I u'^2 in the modes; 1 if complete
    error: float  #: quadrature error of the coefficients, relative to their norm


def project_shape(shape: GivenShape | None, beam: BeamDescription, modes: Modes) -> Projection:
    """Project a shape on the modes; parts are halved until the coefficients are stationary."""
    if shape is None:
        return Projection(np.zeros(len(modes)), 1.0, 0.0)
    # the parts of the last mode are short against its waves
    breaks = np.unique(np.concatenate((modes.shapes[-1].parts, shape.breaks, beam.ends)))
    a, norm = _integrate_products(shape, beam, modes, breaks)
    error = np.inf
    for _ in range(MAX_HALVINGS):
        breaks = np.sort(np.concatenate((breaks, 0.5 * (breaks[1:] + breaks[:-1]))))
        before = a
        a, norm = _integrate_products(shape, beam, modes, breaks)
        error = float(np.abs(a - before).max() / np.sqrt(norm)) if norm else 0.0
        if error <= EXACT:
            break
    return Projection(a, float(a @ a / norm) if norm else 1.0, error)


def _integrate_products(
    shape: GivenShape, beam: BeamDescription, modes: Modes, breaks: np.ndarray
) -> tuple[np.ndarray, float]:
    """Integrals with each mode, and of the shape with itself."""
    points, weights = np.polynomial.legendre.leggauss(GAUSS)
    half = 0.5 * np.diff(breaks)
    x = (0.5 * (breaks[1:] + breaks[:-1])[:, None] + half[:, None] * points).ravel()
    w = (half[:, None] * weights).ravel()
    which = np.clip(np.searchsorted(beam.ends, x, side="right") - 1, 0, len(beam.segments) - 1)
    mass, rotary = beam.sections[which, 1] * w, beam.sections[which, 3] * w
    u = shape.deflection(x)
    a, norm = modes.deflection(x) @ (mass * u), float(mass @ u**2)
    if rotary.any():
        turned = shape.rotation(x)
        a = a + modes.rotation(x) @ (rotary * turned)
        norm += float(rotary @ turned**2)
    return a, norm
