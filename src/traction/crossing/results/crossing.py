"""`Crossing`: what a beam did while axles crossed it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.beams.beam_description import place_on
from traction.beams.exact.influence_lines import influence_line
from traction.beams.exact.modes import Modes
from traction.crossing.bridge_models.flexibility import Flexibility
from traction.crossing.bridge_models.modal_bridge import ModalBridge
from traction.crossing.marches.kernels import modal_propagation as kernels
from traction.errors import InputError
from traction.quantities import counted
from traction.signals.peaks import Peak, largest_between, largest_of_smooth
from traction.signals.spectra import Spectrum, low_pass, spectrum
from traction.status import Status

QUANTITIES = ("deflection", "velocity", "acceleration", "moment", "shear")
PLACES = 101  #: along the beam, in envelopes


@dataclass(frozen=True, eq=False)
class Envelope:
    """Least and largest value over time at places along the beam."""

    x: np.ndarray  #: m
    least: np.ndarray
    largest: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Crossing(ABC):
    """A beam under moving axles, over the times `t`; deflections downwards, moments sagging positive."""

    t: np.ndarray  #: s
    beam: Beam
    places: np.ndarray  #: of the axles, from the start of the beam, m, (times, axles)
    forces: np.ndarray  #: of the axles on the beam or the track, N, (times, axles)
    model: str
    method: str
    stats: dict[str, Any] = field(default_factory=dict)
    status: Status = Status.CONVERGED
    message: str = "converged"

    @property
    def ok(self) -> bool:
        """Whether the end was reached."""
        return self.status is Status.CONVERGED

    @property
    def dt(self) -> float:
        """Step between the times, s."""
        return float(self.t[1] - self.t[0])

    @cached_property
    def on_beam(self) -> np.ndarray:
        """Which axles are on the beam, (times, axles)."""
        return (self.places >= 0.0) & (self.places <= self.beam.length)

    def deflection(self, x: Any) -> np.ndarray:
        """w (m) at places x (m): (times,) of one place, (times, places) of several."""
        return self._over_time("deflection", x)

    def velocity(self, x: Any) -> np.ndarray:
        """Of the deflection, m/s."""
        return self._over_time("velocity", x)

    def acceleration(self, x: Any) -> np.ndarray:
        """Of the deflection, m/s2."""
        return self._over_time("acceleration", x)

    def moment(self, x: Any) -> np.ndarray:
        """Bending moment, N m."""
        return self._over_time("moment", x)

    def shear(self, x: Any) -> np.ndarray:
        """Shear force, N; at an axle or a support the value to its right."""
        return self._over_time("shear", x)

    def reactions(self) -> np.ndarray:
        """Upward forces of the supports on the beam, N, (times, supports)."""
        columns = []
        last = len(self.beam.supports) - 1
        for k, (x, held) in enumerate(zip(self.beam.ends, self.beam.supports, strict=True)):
            if np.isfinite(held.deflection):
                columns.append(held.deflection * self.deflection(float(x)))
                continue
            right = self._at("shear", float(x), "right") if k < last else np.zeros(self.t.size)
            left = self._at("shear", float(x), "left") if k > 0 else np.zeros(self.t.size)
            columns.append(right - left)
        return np.stack(columns, axis=1)

    def largest(self, quantity: str, x: float | None = None) -> Peak:
        """Largest magnitude of a quantity over time at x, or over time and along the beam.

        The time lies between the samples: deflections follow a quintic through w, w' and w'', other
        quantities a parabola through three samples.
        """
        checks.choice("quantity", quantity, QUANTITIES)
        if x is None:
            return self._largest_anywhere(quantity)
        place = place_on("x", x, self.beam.length)
        values = self._at(quantity, place, "right")
        if quantity == "deflection":
            found = largest_of_smooth(self.t, values, self.velocity(place), self.acceleration(place))
        else:
            found = largest_between(self.t, values)
        return Peak(*found, place)

    def envelope(self, quantity: str, x: Any = None) -> Envelope:
        """Least and largest value over time at places x, or at 101 along the beam."""
        checks.choice("quantity", quantity, QUANTITIES)
        places = np.linspace(0.0, self.beam.length, PLACES) if x is None else np.atleast_1d(x)
        columns = [self._over_time(quantity, float(one)) for one in places]
        least = np.array([column.min() for column in columns])
        return Envelope(
            np.asarray(places, dtype=float), least, np.array([column.max() for column in columns])
        )

    def at_rest(self, quantity: str, x: float) -> np.ndarray:
        """Deflection, moment or shear force at x if the beam were at rest under the axles at each time."""
        line = influence_line(self.beam, quantity, x)
        total = np.zeros(self.on_beam.shape)
        total[self.on_beam] = self.forces[self.on_beam] * line.at(self.places[self.on_beam])
        return total.sum(axis=1)

    def amplification(self, quantity: str, x: float) -> float:
        """Largest magnitude at x over the largest that the axles cause at rest."""
        largest, _ = largest_between(self.t, self.at_rest(quantity, x))
        if largest == 0.0:
            raise InputError(f"the {quantity} at x = {x} m is zero at rest: it has no amplification.")
        return abs(self.largest(quantity, x).value / largest)

    def spectrum(self, quantity: str, x: float) -> Spectrum:
        """Amplitudes of a quantity at x over frequency."""
        checks.choice("quantity", quantity, QUANTITIES)
        return spectrum(self.t, self._over_time(quantity, x))

    def filtered(self, quantity: str, x: float, cutoff: float = 30.0) -> np.ndarray:
        """A quantity at x without what is faster than `cutoff` (Hz), as bridge codes ask of accelerations."""
        checks.choice("quantity", quantity, QUANTITIES)
        return low_pass(self.t, self._over_time(quantity, x), cutoff)

    def _over_time(self, quantity: str, x: Any) -> np.ndarray:
        places = checks.finite_array("x", x, unit="m").reshape(np.shape(x))
        if places.ndim == 0:
            return self._at(quantity, place_on("x", float(places), self.beam.length), "right")
        columns = [self._at(quantity, place_on("x", float(one), self.beam.length), "right") for one in places]
        return np.stack(columns, axis=1) if columns else np.zeros((self.t.size, 0))

    def _largest_anywhere(self, quantity: str) -> Peak:
        from scipy.optimize import minimize_scalar

        x = np.linspace(0.0, self.beam.length, PLACES)
        sizes = [np.abs(self._at(quantity, float(one), "right")).max() for one in x]
        k = int(np.argmax(sizes))
        low, high = x[max(k - 1, 0)], x[min(k + 1, PLACES - 1)]
        found = minimize_scalar(
            lambda one: -abs(self.largest(quantity, float(one)).value),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-7 * self.beam.length},
        )
        best = self.largest(quantity, float(found.x))
        coarse = self.largest(quantity, float(x[k]))
        return best if abs(best.value) >= abs(coarse.value) else coarse

    @abstractmethod
    def _at(self, quantity: str, x: float, side: str) -> np.ndarray:
        """A quantity at one place over time; `side` of it for the shear force."""

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        words = (
            f"{counted(self.places.shape[1], 'axle')}, {self.model}, {self.method}, {len(self.t) - 1} steps"
        )
        return f"<{type(self).__name__} {words}, t = 0 to {self.t[-1]:.6g} s>"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ModalCrossing(Crossing):
    """A crossing in modal coordinates."""

    modes: Modes
    modal: np.ndarray  #: q, (times, modes), m sqrt(kg)
    modal_velocity: np.ndarray  #: q'
    force_rates: np.ndarray  #: F' and F'' of the axles, (2, times, axles)
    motion: np.ndarray  #: speed and acceleration of the train, (times, 2)
    bridge: ModalBridge
    flexibility: Flexibility | None = field(
        repr=False
    )  #: of the modes left out; None: they count for nothing

    @cached_property
    def modal_forces(self) -> np.ndarray:
        """f, f' and f'' of the modes, (3, times, modes)."""
        found = np.empty((3, *self.modal.shape))
        loads = np.concatenate((self.forces[None], self.force_rates))
        kernels.modal_forces(self.bridge, self.places, self.motion, loads, found)
        return found

    @cached_property
    def modal_acceleration(self) -> np.ndarray:
        """q'' = f - c q' - omega^2 q."""
        bridge = self.bridge
        return self.modal_forces[0] - bridge.rate * self.modal_velocity - bridge.omega**2 * self.modal

    @cached_property
    def energy(self) -> np.ndarray:
        """Kinetic and elastic energy of the modes, J."""
        return 0.5 * (self.modal_velocity**2 + (self.bridge.omega * self.modal) ** 2).sum(axis=1)

    @cached_property
    def power(self) -> np.ndarray:
        """Power of the axles on the modes, W."""
        return (self.modal_forces[0] * self.modal_velocity).sum(axis=1)

    @cached_property
    def dissipation(self) -> np.ndarray:
        """Power that damping takes, W."""
        return (self.bridge.rate * self.modal_velocity**2).sum(axis=1)

    def _at(self, quantity: str, x: float, side: str) -> np.ndarray:
        order = {"velocity": 1, "acceleration": 2}.get(quantity, 0)
        line = quantity if quantity in ("moment", "shear") else "deflection"
        shapes = self._shapes(line, x, side)
        q = (self.modal, self.modal_velocity, self.modal_acceleration)[order]
        if self.flexibility is None:
            return q @ shapes
        values = (q - self.modal_forces[order] * self.flexibility.of_modes) @ shapes
        for factor, influence in self.flexibility.lines(self.beam, line, x, side):
            values += factor * self._at_rest(influence, order)
        return values

    def _shapes(self, line: str, x: float, side: str) -> np.ndarray:
        """Of all modes at x; left of a support, where it is asked for."""
        place = np.nextafter(x, 0.0) if side == "left" else x
        return _shapes_at(self.modes, line, float(place))

    def _at_rest(self, line: Any, order: int) -> np.ndarray:
        """What the axles would do at rest where they are, or its rate of an order."""
        on = self.on_beam
        s, F = self.places[on], self.forces[on]
        values = np.zeros(on.shape)
        if order == 0:
            values[on] = F * line.at(s)
            return values.sum(axis=1)
        v, a = (np.broadcast_to(column[:, None], on.shape)[on] for column in self.motion.T)
        if order == 1:
            values[on] = self.force_rates[0][on] * line.at(s) + F * v * line.slope(s)
        else:
            dF, ddF = self.force_rates[0][on], self.force_rates[1][on]
            turned = F * (v * v * line.curvature(s) + a * line.slope(s))
            values[on] = ddF * line.at(s) + 2.0 * dF * v * line.slope(s) + turned
        return values.sum(axis=1)


@lru_cache(maxsize=1024)
def _shapes_at(modes: Modes, line: str, place: float) -> np.ndarray:
    """Of all modes at a place; crossings of one sample each ask for the same ones again and again."""
    shapes = np.array(getattr(modes, line)(place))
    shapes.flags.writeable = False
    return shapes
