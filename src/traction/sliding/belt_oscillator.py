"""`belt_oscillator`: a mass on a spring that a moving belt drags along, stick-slip by falling friction.

Where its equilibrium is unstable, the motion ends in a limit cycle in which it sticks and slips by turns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from traction import checks
from traction.errors import ConvergenceError, InputError, StepWarning, warn_user
from traction.friction_laws.falling_law import FallingLaw
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.kernels.coefficients import friction_coefficient
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.integrators.core.state import State
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.history import History
from traction.integrators.integrate import integrate
from traction.integrators.method_table import method as find_method
from traction.outputs.variable import Variable, counter, data, figure, number
from traction.status import Status

STICK, BEHIND, AHEAD = "stick", "slip", "slip ahead"  #: slower than the belt, and faster
MOST_PHASES = 100_000
STILL = 1e-12  #: of the speed of the belt: slower slips are none
MOST_PERIODS = 10_000  #: of the spring, that may be simulated
STIFF = 50.0  #: damping over the critical one, above which explicit methods need too short steps
FIRST_ORDER = ("euler-forward", "euler-backward", "symplectic-euler")
SHORT = 2000  #: steps of such a method in a period of the spring
EXPLICIT = ("rk4", "euler-forward", "symplectic-euler", "verlet")
USUAL_PERIODS = 40  #: of the spring, that are simulated unless t_end is given
FEWEST_STEPS = 40  #: in a period of the spring; fewer are warned of


class Phase(NamedTuple):
    """A time in which the mass sticks or slips."""

    kind: str  #: "stick", "slip" (slower than the belt) or "slip ahead" (faster)
    start: float  #: s
    end: float  #: s; the last phase ends with the history


@dataclass(frozen=True)
class BeltOscillator:
    """A mass on a spring and a belt; SI units."""

    mass: float  #: m, kg
    stiffness: float  #: k, N/m
    damping: float  #: c, N s/m
    load: float  #: N, N
    law: FrictionLaw  #: of friction
    belt_speed: float  #: V, m/s

    @property
    def equilibrium(self) -> float:
        """Position at which the mass rests on the moving belt, N mu(V)/k, m."""
        return self.load * float(self.law.coefficient(self.belt_speed)) / self.stiffness

    @property
    def effective_damping(self) -> float:
        """Damping of small oscillations about the equilibrium, c + N mu'(V), N s/m; unstable below 0."""
        return self.damping + self.load * float(self.law.derivative(self.belt_speed))

    @property
    def stick_end(self) -> float:
        """Position at which the belt drags the mass no further, (N mu(0) - c V)/k, m."""
        return (self.load * self.law.static - self.damping * self.belt_speed) / self.stiffness

    def phase_at(self, q: float, v: float) -> str:
        """Whether the mass sticks or slips from a state on."""
        slip = self.belt_speed - v
        if abs(slip) > STILL * self.belt_speed:
            return BEHIND if slip > 0.0 else AHEAD
        held = self.stiffness * q + self.damping * self.belt_speed
        if abs(held) <= self.load * self.law.static * (1.0 - STILL):
            return STICK
        return BEHIND if held > 0.0 else AHEAD

    def slide(self, sign: float, q0: float, v0: float) -> SecondOrderSystem:
        """The motion of a mass that slips with one sign, from t = 0 on; its gap turns where the slip ends."""
        law, V, N = self.law.compiled(), self.belt_speed, self.load
        # the gap grows while the mass slips: no more than this keeps it open, and its rate free of rounding
        far = abs(q0) + abs(self.stick_end) + V * math.sqrt(self.mass / self.stiffness)

        def force(t: float, q: float, v: float) -> float:
            return sign * N * float(friction_coefficient(law, max(0.0, sign * (V - v)))[0])

        def gap(t: float, q: float) -> float:
            return far + sign * (V * t - (q - q0))

        c, k = self.damping, self.stiffness
        return SecondOrderSystem(self.mass, force, q0, v0, damping=c, stiffness=k, gap=gap)


@dataclass(frozen=True, eq=False, repr=False)
class BeltHistory(History):
    """Result of `tr.belt_oscillator`: position over time, and when the mass sticks.

    At the start and the end of a phase of sticking, where the acceleration jumps, a time stands twice.
    """

    _drawn = "position"
    _coordinate = ("m", "position")
    _names = ("position", "velocity", "acceleration")

    oscillator: BeltOscillator = field(kw_only=True)  #: mass, spring, law of friction and belt
    phases: tuple[Phase, ...] = field(kw_only=True)  #: in which it sticks or slips, in their order

    @property
    def sticks(self) -> np.ndarray:
        """Start and end of each time in which the mass sticks, s, (n, 2)."""
        return np.array([(one.start, one.end) for one in self.phases if one.kind == STICK]).reshape(-1, 2)

    @cached_property
    def cycle(self) -> tuple[float, float]:
        """Start and end of the last whole cycle, s: from one beginning of slip to the next.

        Without two of them, of the last oscillation between two crossings of the equilibrium, upwards.
        """
        begins = [
            one.start
            for before, one in zip(self.phases, self.phases[1:], strict=False)
            if before.kind == STICK and one.kind == BEHIND
        ]
        if len(begins) < 2:
            begins = self._crossings(
                self.q - self.oscillator.equilibrium, self.at, self.oscillator.equilibrium
            )
        if len(begins) < 2:
            raise InputError("the history has no whole cycle; take a longer t_end.")
        return begins[-2], begins[-1]

    @property
    def frequency(self) -> float:
        """Frequency of the last whole cycle, Hz."""
        start, end = self.cycle
        return 1.0 / (end - start)

    @cached_property
    def amplitude(self) -> float:
        """Half the way between the extremes of the last whole cycle, m."""
        start, end = self.cycle
        turns = [t for t in self._turns() if start <= t <= end]
        reached = self.at(np.array([start, end, *turns]))
        return 0.5 * float(reached.max() - reached.min())

    @property
    def stick_share(self) -> float:
        """Part of the last whole cycle in which the mass sticks."""
        start, end = self.cycle
        held = sum(
            max(0.0, min(one.end, end) - max(one.start, start)) for one in self.phases if one.kind == STICK
        )
        return held / (end - start)

    def _turns(self) -> list[float]:
        """Times at which the mass turns."""
        return self._crossings(self.v, self.velocity_at) + self._crossings(-self.v, self.velocity_at)

    def _crossings(
        self, values: np.ndarray, function: Callable[[float], np.ndarray], level: float = 0.0
    ) -> list[float]:
        """Times at which values at the nodes rise through zero, and their function through a level."""
        places = np.flatnonzero((values[:-1] < 0.0) & (values[1:] >= 0.0) & (np.diff(self.t) > 0.0))
        return [
            float(brentq(lambda t: float(function(t)) - level, self.t[k], self.t[k + 1], xtol=1e-15))
            if values[k + 1] != 0.0
            else float(self.t[k + 1])
            for k in places
        ]

    @property
    def _knows_energy(self) -> bool:
        return False

    def _headline(self) -> str:
        return f"{len(self.sticks)} times of sticking in {self.t[-1]:.4g} s"

    def _contact_variables(self) -> Iterator[Variable]:
        oscillator = self.oscillator
        yield figure("equilibrium", oscillator.equilibrium, "m", "position of equilibrium")
        yield figure("effective_damping", oscillator.effective_damping, "N s/m", "damping at equilibrium")
        yield number("belt_speed", oscillator.belt_speed, "m/s", "speed of the belt")
        yield counter("stick", len(self.sticks), "number of the time of sticking")
        for k, name in enumerate(("start", "end")):
            yield data(f"stick_{name}", self.sticks[:, k], "s", f"{name} of sticking", "stick")


def belt_oscillator(
    mass: float,
    stiffness: float,
    load: float,
    friction: float | FrictionLaw,
    belt_speed: float,
    *,
    damping: float = 0.0,
    t_end: float | None = None,
    q0: float = 0.0,
    v0: float = 0.0,
    method: str = "rk4",
    dt: float | str = "auto",
    rtol: float = 1e-7,
) -> BeltHistory:
    """Simulate a mass on a spring that is dragged along by a moving belt: stick-slip, squeal.

    Parameters
    ----------
    mass, stiffness
        Mass m, kg, and stiffness k of its spring, N/m.
    load
        Normal force N between mass and belt, N.
    friction
        Coefficient of friction, or a law of `tr.friction` without memory.
    belt_speed
        Speed V of the belt, m/s.
    damping
        Damping c beside the spring, N s/m.
    t_end
        Duration, s; by default 40 periods of the spring.
    q0
        Initial position, m; the spring is relaxed at 0.
    v0
        Initial velocity, m/s.
    method
        Integration method while it slips, one of `tr.methods()`.
    dt
        Time step, s, or "auto" for error control; methods of first order need a step.
    rtol
        Tolerance of dt="auto".

    Returns
    -------
    BeltHistory
        Position, velocity and acceleration, the phases of sticking, amplitude and frequency of the cycle.

    Raises
    ------
    InputError
        If a value is out of range, or the law has a memory.
    ConvergenceError
        If a step fails.

    Notes
    -----
    m a + c v + k q = N mu(|V - v|) sign(V - v) while the mass slips. Its capture by the belt, V = v, is
    located on the steps of the method; sticking is exact, v = V until k q + c V = N mu(0). The equilibrium
    k q = N mu(V) is unstable where c + N mu'(V) < 0, which is `oscillator.effective_damping`.

    Examples
    --------
    >>> law = tr.friction.exponential(0.25, (0.15, 0.05))
    >>> h = tr.belt_oscillator(1.0, 1e3, 10.0, law, 0.1, t_end=1.5)
    >>> print(f"{h.frequency:.3f} Hz, amplitude {h.amplitude * 1e3:.3f} mm, sticks {h.stick_share:.0%}")
    4.751 Hz, amplitude 4.262 mm, sticks 22%
    """
    if isinstance(friction, ThermalFriction | InclinedFriction | TrackFriction):
        raise InputError(
            "belt_oscillator takes a coefficient of friction or a law of the slip speed: the mass is a "
            "point, without temperature or place."
        )
    if not isinstance(friction, FrictionLaw):
        friction = FallingLaw("linear", checks.zero_or_positive("friction", friction), (0.0, 1.0))
    if friction.memory is not None:
        raise InputError("belt_oscillator takes no memory of friction; give the law without memory.")
    oscillator = BeltOscillator(
        checks.positive("mass", mass, "kg"),
        checks.positive("stiffness", stiffness, "N/m"),
        checks.not_negative("damping", damping, "N s/m"),
        checks.positive("load", load, "N"),
        friction,
        checks.positive("belt_speed", belt_speed, "m/s"),
    )
    period = 2.0 * math.pi * math.sqrt(oscillator.mass / oscillator.stiffness)
    end = checks.positive("t_end", USUAL_PERIODS * period if t_end is None else t_end, "s")
    times = oscillator.damping / (2.0 * math.sqrt(oscillator.mass * oscillator.stiffness))
    name = find_method(method).name
    step = dt if isinstance(dt, str) else checks.positive("dt", dt, "s", 'give seconds, or dt="auto".')
    if times > STIFF and name in EXPLICIT:
        raise InputError(
            f"damping = {oscillator.damping:g} N s/m is {times:.3g} times the critical one, too stiff for "
            f'method = "{name}"; take method="radau-iia".'
        )
    if step == "auto" and name in FIRST_ORDER:
        raise InputError(
            f'dt = "auto" controls errors relative to the motion, which a method of first order, "{name}", '
            f"cannot keep where it begins from rest; give a step, such as dt={period / SHORT:.1e}, or a "
            'method of higher order, such as "rk4".'
        )
    if end > MOST_PERIODS * period:
        raise InputError(
            f"t_end = {end:.6g} s has {end / period:.3g} periods of the spring, at most {MOST_PERIODS}: "
            "take a shorter time."
        )
    if not isinstance(step, str) and step > period / FEWEST_STEPS:
        warn_user(
            f"dt = {step:.4g} s is more than 1/{FEWEST_STEPS} of the spring's period, {period:.4g} s: phases "
            'of stick and slip are missed. Take shorter steps, or dt="auto".',
            StepWarning,
        )
    start = (0.0, checks.finite("q0", q0, "m"), checks.finite("v0", v0, "m/s"))
    options = {"method": method, "dt": step, "rtol": rtol}
    return _follow_phases(oscillator, start, end, options)


def _follow_phases(
    oscillator: BeltOscillator, start: tuple[float, float, float], end: float, options: dict[str, Any]
) -> BeltHistory:
    """The motion phase by phase."""
    t, q, v = start
    parts, phases = list[np.ndarray](), list[Phase]()
    counts = {"steps": 0.0, "seconds": 0.0}
    while t < end:
        if len(parts) == MOST_PHASES:
            raise ConvergenceError(
                f"the mass changed {MOST_PHASES} times between stick and slip until t = {t:.6g} s; "
                "take a shorter t_end."
            )
        kind = oscillator.phase_at(q, v)
        if kind == STICK:
            part = _stick(oscillator, t, q, end)
        else:
            part, stats = _slip(oscillator, q, v, 1.0 if kind == BEHIND else -1.0, end - t, options)
            part[0] += t
            counts = {name: counts[name] + stats[name] for name in counts}
        parts.append(part)
        began = phases.pop().start if phases and phases[-1].kind == kind else t
        phases.append(Phase(kind, began, float(part[0, -1])))
        t, q, v = (float(one) for one in part[:3, -1])
        if t >= end * (1.0 - STILL):
            break
    times, positions, velocities, accelerations = np.concatenate(parts, axis=1)
    last = oscillator.slide(1.0, start[1], start[2])
    state, status = State(t, positions[-1:], velocities[-1:], accelerations[-1:]), Status.CONVERGED
    return BeltHistory(
        times, positions, velocities, accelerations, last, str(options["method"]), status, str(status),
        counts, state, oscillator=oscillator, phases=tuple(phases),
    )  # fmt: skip


def _stick(oscillator: BeltOscillator, t: float, q: float, end: float) -> np.ndarray:
    """Times, positions, velocities and accelerations of the mass while it moves with the belt, (4, 2)."""
    V, last = oscillator.belt_speed, oscillator.stick_end
    until = t + max(0.0, last - q) / V
    if until < end:
        return np.array([[t, until], [q, last], [V, V], [0.0, 0.0]])
    return np.array([[t, end], [q, q + V * (end - t)], [V, V], [0.0, 0.0]])


def _slip(
    oscillator: BeltOscillator, q: float, v: float, sign: float, duration: float, options: dict[str, Any]
) -> tuple[np.ndarray, dict[str, float]]:
    """The mass slips until it is as fast as the belt, or to the end.

    Times from 0, positions, velocities and accelerations, (4, n), and what it took.
    """
    system, V = oscillator.slide(sign, q, v), oscillator.belt_speed

    def over(speed: float) -> bool:
        return sign * (speed - V) > STILL * V

    def stop(state: State) -> bool:
        return state.just_switched or over(float(state.v[0]))

    slipped = integrate(system, t_end=duration, stop=stop, **options)
    part = np.array([slipped.t, slipped.q, slipped.v, slipped.a])
    if slipped.status is Status.STOPPED:
        # a capture at the end of a step, to within rounding, is no event: it is at the closer end
        if over(part[2, -1]) and part.shape[1] > 2 and abs(part[2, -2] - V) < abs(part[2, -1] - V):
            part = part[:, :-1]
        part[2, -1] = V  # what the location leaves is rounding
    return part, slipped.stats
