"""Vibration of a beam from an initial shape and velocity, free or under F sin(Omega t).

Shapes are given by a user as a function of x, values or a beam at rest, and projected on the modes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam_description import BeamDescription, rates
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.beams.discrete.discrete_frequencies import multiply_band
from traction.beams.discrete.discrete_march import march_beam
from traction.beams.exact.modes import Modes, natural_modes
from traction.beams.exact.residual_flexibility import HarmonicForce, ResidualVibration
from traction.beams.exact.statics import Bending
from traction.beams.kernels.oscillator import move_freely
from traction.errors import InputError
from traction.integrators.core.method import Method
from traction.outputs.beam_result import BeamResult, places_axis, times_axis
from traction.outputs.variable import Variable, counter, data, figure

STENCIL = 1e-4  #: distance of the five points of a derivative, of the length of the beam
NEAR_ZERO = 1e-6  #: of the largest deflection, at a support that holds it

ShapeInput = ArrayLike | Callable[[np.ndarray], ArrayLike] | Bending | None  #: as given by a user
Function = Callable[[np.ndarray], np.ndarray]
GAUSS = 16  #: points on each part
EXACT = 1e-12  #: change of the coefficients relative to the norm, below which parts are no longer halved
MAX_HALVINGS = 6
SHOWN_MODES = 10  #: modal coordinates of a discrete beam
MOST_TIMES = 10_000_000


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


GivenShapes = tuple[GivenShape | None, GivenShape | None]  #: initial deflection and velocity


@dataclass(frozen=True, eq=False, repr=False)
class Vibration(BeamResult):
    """Result of `Beam.vibrate`; quantities over time have the shape (times, shape of x)."""

    _rows, _drawn = ("time",), "deflection"

    beam: BeamDescription  #: the beam
    t: np.ndarray  #: times, s

    def _headline(self) -> str:
        return f"{self.t.size} times, t = {self.t[0]:g} to {self.t[-1]:g} s"

    def _default_places(self) -> np.ndarray:
        return self.beam.midspans

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        most = np.abs(self.deflection(self._default_places())).max()
        yield figure("peak_deflection", float(most), "m", "largest midspan deflection")
        yield figure("frequency_1", self.frequencies[0] / (2.0 * np.pi), "Hz", "lowest natural frequency")
        yield times_axis(self.t)
        yield places_axis(x)
        yield counter("mode", self.frequencies.size, "number of the mode")
        yield data("angular_frequency", self.frequencies, "rad/s", "natural angular frequency", "mode")
        for name, unit in (("deflection", "m"), ("velocity", "m/s"), ("moment", "N m")):
            yield data(name, getattr(self, name)(x), unit, name, "time", "x")
        yield data("modal", lambda: self.modal, "m kg^0.5", "modal coordinate", "time", "mode")
        yield data("energy", lambda: self.energy, "J", "kinetic and elastic energy", "time")

    @property
    @abstractmethod
    def frequencies(self) -> np.ndarray:
        """Natural frequencies that belong to `modal`, rad/s."""

    @property
    @abstractmethod
    def modal(self) -> np.ndarray:
        """Modal coordinates over time, (times, modes), sqrt(kg) m."""

    @property
    @abstractmethod
    def energy(self) -> np.ndarray:
        """Kinetic and elastic energy over time, J."""

    @abstractmethod
    def _sample(self, quantity: str, x: ArrayLike, rate: bool = False) -> np.ndarray:
        """The "deflection" or "moment" at positions x, or its rate."""

    def deflection(self, x: ArrayLike) -> np.ndarray:
        """Return the deflection w (m) over time at positions `x` (m)."""
        return self._sample("deflection", x)

    def velocity(self, x: ArrayLike) -> np.ndarray:
        """Return the velocity w_t (m/s) over time at positions `x` (m)."""
        return self._sample("deflection", x, rate=True)

    def moment(self, x: ArrayLike) -> np.ndarray:
        """Return the bending moment M (N m) over time at positions `x` (m)."""
        return self._sample("moment", x)


@dataclass(frozen=True, eq=False, repr=False)
class ModalVibration(Vibration):
    """Vibration by natural modes, exact in time.

    Under a harmonic force the residual of the neglected modes is added to deflection and moment (`rest`), not
    to the energy.
    """

    modes: Modes = field(repr=False)
    coordinates: np.ndarray = field(repr=False)
    speeds: np.ndarray = field(repr=False)  #: of the coordinates
    initial: Projection = field(repr=False)  #: of the initial shape on the modes
    initial_speed: Projection = field(repr=False)
    load: HarmonicForce | None = None
    rest: ResidualVibration | None = field(default=None, repr=False)

    @property
    def frequencies(self) -> np.ndarray:
        """Natural frequencies of the modes, rad/s."""
        return self.modes.frequencies

    @property
    def modal(self) -> np.ndarray:
        """Coordinates of the modes over time."""
        return self.coordinates

    @cached_property
    def energy(self) -> np.ndarray:
        """Kinetic and elastic energy of the modes over time, J."""
        squares = self.speeds**2 + (self.modes.frequencies * self.coordinates) ** 2
        return np.asarray(0.5 * squares.sum(axis=1))

    def _sample(self, quantity: str, x: ArrayLike, rate: bool = False) -> np.ndarray:
        places = checks.finite_array("x", x, unit="m").reshape(np.shape(x))
        coordinates = self.speeds if rate else self.coordinates
        total = np.tensordot(coordinates, getattr(self.modes, quantity)(places), axes=1)
        if self.rest is not None and self.load is not None:
            driven = self.load.frequency
            wave = driven * np.cos(driven * self.t) if rate else np.sin(driven * self.t)
            total = total + np.multiply.outer(wave, self.rest.at(quantity, places))
        return np.asarray(total)


@dataclass(frozen=True, eq=False, repr=False)
class DiscreteVibration(Vibration):
    """Vibration of a discrete model, by time integration."""

    model: DiscreteBeam = field(repr=False)
    q: np.ndarray = field(repr=False)  #: states, (times, size)
    v: np.ndarray = field(repr=False)

    @cached_property
    def _shapes(self) -> tuple[np.ndarray, np.ndarray]:
        return self.model.shapes(min(SHOWN_MODES, self.model.size))

    @property
    def frequencies(self) -> np.ndarray:
        """Lowest natural frequencies of the discrete beam, rad/s."""
        return self._shapes[0]

    @cached_property
    def modal(self) -> np.ndarray:
        """Coordinates of the lowest modes of the discrete beam, Phi' M q."""
        momentum = np.stack([multiply_band(self.model.mass, shape) for shape in self._shapes[1].T], axis=1)
        return self.q @ momentum

    @cached_property
    def energy(self) -> np.ndarray:
        """Kinetic and elastic energy of the discrete beam over time, J."""
        return self.model.energy(self.q, self.v)

    def _sample(self, quantity: str, x: ArrayLike, rate: bool = False) -> np.ndarray:
        sampled = getattr(self.model, quantity)(self.v if rate else self.q, x)
        return np.asarray(sampled)


def uniform_times(t: ArrayLike | None, t_end: float | None, dt: float | None) -> np.ndarray:
    """Times as given, or from their end and step."""
    if checks.exactly_one(t=t, t_end=t_end) == "t":
        if dt is not None:
            raise InputError("dt belongs to t_end; t has its own steps.")
        times_ = checks.finite_array("t", t, unit="s")
        if times_.ndim != 1 or not times_.size:
            raise InputError(f"t has shape {times_.shape}, expected (times,).")
        return times_
    end = checks.positive("t_end", t_end, "s")
    if dt is None:
        raise InputError("dt is missing: give the step to t_end, in s.")
    steps = int(np.ceil(end / checks.positive("dt", dt, "s") * (1.0 - 1e-12)))
    if steps > MOST_TIMES:
        raise InputError(f"dt = {dt} s makes {steps} steps, at most {MOST_TIMES}.")
    return float(dt) * np.arange(steps + 1)


def vibrate_modes(
    beam: BeamDescription, shapes: GivenShapes, t: np.ndarray, n: int, load: HarmonicForce | None
) -> ModalVibration:
    """Vibrate by the n lowest modes, from a shape and a velocity, free or under a force."""
    modes = natural_modes(beam, n)
    omega, rate = modes.frequencies, rates(beam.damping, modes.frequencies)
    first, second = (project_shape(shape, beam, modes) for shape in shapes)
    q, v = oscillate_freely(t, omega, rate, first.coefficients, second.coefficients)
    rest = None
    if load is not None:
        rest = ResidualVibration.of(load, beam, modes)
        push = load.force * modes.deflection(load.place)
        dq, dv = oscillate_under_sine(t, omega, rate, push, load.frequency)
        q, v = q + dq, v + dv
    return ModalVibration(beam, t, modes, q, v, first, second, load, rest)


def vibrate_discrete(
    model: DiscreteBeam,
    shapes: GivenShapes,
    t: np.ndarray,
    load: HarmonicForce | None,
    method: str | Method = "newmark",
    **options: Any,
) -> DiscreteVibration:
    """Vibrate a discrete beam by time integration."""
    places, forces = np.zeros((t.size, 0)), np.zeros((t.size, 0))
    if load is not None:
        places = np.full((t.size, 1), load.place)
        forces = load.force * np.sin(load.frequency * t)[:, None]
    q0, v0 = (
        None if shape is None else model.state_of(shape.deflection(model.nodes), shape.rotation(model.nodes))
        for shape in shapes
    )
    if t.size < 2 or t[0] != 0.0:
        raise InputError(f"t begins at {t[0]} s; a march needs at least two times, from 0 on.")
    q, v, _ = march_beam(model, t, places, forces, method, q0=q0, v0=v0, **options)
    return DiscreteVibration(model.beam, t, model, q, v)


def oscillate_freely(
    t: np.ndarray, omega: np.ndarray, rate: np.ndarray, q0: np.ndarray, v0: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """q and its velocity, (times, oscillators), without a force."""
    q, v = np.empty((t.size, omega.size)), np.empty((t.size, omega.size))
    move_freely(omega, rate, np.stack((q0, v0)), t, q, v)
    return q, v


def oscillate_under_sine(
    t: np.ndarray, omega: np.ndarray, rate: np.ndarray, force: np.ndarray, driven: float
) -> tuple[np.ndarray, np.ndarray]:
    """q and its velocity from rest at t = 0 under f sin(Omega t), Omega = `driven` (rad/s)."""
    q, v = np.empty((t.size, omega.size)), np.empty((t.size, omega.size))
    damped = rate != 0.0
    if damped.any():  # the steady motion Im(P e^(i Omega t)) plus the free one that makes it start at rest
        own, c = omega[damped], rate[damped]
        P = force[damped] / (own**2 - driven**2 + 1j * c * driven)
        steady = P * np.exp(1j * driven * t[:, None])
        free = oscillate_freely(t, own, c, -P.imag, -driven * P.real)
        q[:, damped], v[:, damped] = steady.imag + free[0], driven * steady.real + free[1]
    if not damped.all():
        q[:, ~damped], v[:, ~damped] = _oscillate_undamped(t, omega[~damped], force[~damped], driven)
    return q, v


def _oscillate_undamped(
    t: np.ndarray, omega: np.ndarray, force: np.ndarray, driven: float
) -> tuple[np.ndarray, np.ndarray]:
    """f (sin Omega t - (Omega/omega) sin omega t)/(omega^2 - Omega^2), without division by zero at resonance.

    With the mean and half the difference of the two frequencies, sums of sines become products.
    """
    time = t[:, None]
    mean, half = 0.5 * (omega + driven), 0.5 * (omega - driven)
    beat = time * np.sinc(half * time / np.pi)  # sin(half t)/half
    v = force * driven / (2.0 * mean) * beat * np.sin(mean * time)
    with np.errstate(divide="ignore", invalid="ignore"):
        q = 0.5 * (np.sin(driven * time) + np.sin(omega * time)) - mean * beat * np.cos(mean * time)
        q *= force / (2.0 * mean * omega)
    still = omega == 0.0
    q[:, still] = force[still] * (time / driven - np.sin(driven * time) / driven**2)
    return q, v
