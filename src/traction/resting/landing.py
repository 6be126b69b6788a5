"""`land`: a beam that falls on an obstacle and comes to rest there.

M a + C v + K q = f - B' lambda of finite elements, with contact forces lambda >= 0 of a mortar space and B
q <= g. A step of length dt is a theta method, theta = 1/2 + chi, under a force that keeps its end out of
the obstacle,

    M (v~ - v)/dt + C d/dt + K (q + theta d) + B' lambda = f,    d = q+ - q = dt ((1 - theta) v + theta v~),
    lambda >= 0,    B q+ <= g,    lambda (B q+ - g) = 0,

and an impact that removes the velocity along the touching constraints from v~ (Moreau's law without rebound),

    v+ = v~ - M^-1 B_a' (B_a M^-1 B_a')^-1 B_a v~.

The energy changes by -d' C d/dt - chi (d' K d + |v~ - v|^2) - lambda (g - B q) in the first part, with the
norm of the kinetic energy, and the second is a projection in that norm: none is created, for any step. At
rest the equations are those of the static contact, without drift. chi damps vibrations that the steps do not
resolve. An impact of one element loses energy, the less the lighter it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve_banded, cholesky_banded

from traction import checks
from traction.beams.beam import Beam
from traction.beams.discrete.beam_elements import BeamElements
from traction.beams.discrete.discrete_frequencies import full_band, multiply_band
from traction.beams.exact.modes import rigid_motions
from traction.beams.obstacle.active_set import find_active_set
from traction.beams.obstacle.beam_line import Load, sample_load
from traction.beams.obstacle.multipliers import Mortar, load_vector, make_mortar
from traction.beams.obstacle.obstacle_problem import ObstacleProblem
from traction.beams.obstacle.obstacle_shapes import ObstacleInput
from traction.errors import ConvergenceError, InputError
from traction.outputs.beam_result import BeamResult, places_axis, times_axis
from traction.outputs.variable import Variable, data, figure

STEPS_PER_PERIOD = 200  #: of the lowest vibration
STEPS_PER_FALL = 50  #: through the gap
WEAK = 1e-9  #: of the lowest square of a frequency, that holds a loose beam at rest
MOST_STEPS = 2_000_000
MOST_CHANGES = 200  #: of the active set in one step
SLACK = 1e-12  #: of the gap, within which it is not closed
MOST_ELEMENTS = 2000  #: contact forces are solved for with full matrices


@dataclass(frozen=True, eq=False, repr=False)
class Landing(BeamResult):
    """Result of `tr.land`; deflections are positive downwards."""

    _rows, _drawn = ("time",), "force"

    model: BeamElements  #: finite-element model
    mortar: Mortar  #: contact forces and gap
    t: np.ndarray  #: times, s
    q: np.ndarray  #: displacements, (times, size)
    v: np.ndarray  #: velocities
    contact: np.ndarray  #: values of the contact force in the step that ends at t, (times, forces)
    energy: np.ndarray  #: kinetic and elastic energy and the potential of the load, J
    damped: np.ndarray  #: energy dissipated by damping and by the method until t, J
    lost: np.ndarray  #: energy dissipated by impacts until t, J
    dt: float  #: time step, s
    loads: np.ndarray  #: nodal forces f of the load

    def _headline(self) -> str:
        return f"{self.t.size} times, t = {self.t[0]:g} to {self.t[-1]:g} s"

    def _default_places(self) -> np.ndarray:
        return self.model.beam.midspans

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        yield figure("peak_force", float(self.force.max()), "N", "largest contact force")
        yield figure("energy_lost", float(self.lost[-1]), "J", "energy lost in contacts")
        yield times_axis(self.t)
        yield places_axis(x)
        yield data("deflection", self.deflection(x), "m", "deflection of the beam", "time", "x")
        yield data("velocity", self.velocity(x), "m/s", "velocity of the beam", "time", "x")
        yield data("force", self.force, "N", "force of the obstacle", "time")
        yield data("energy", self.energy, "J", "kinetic, elastic and load energy", "time")
        yield data("damped", self.damped, "J", "energy dissipated by damping", "time")
        yield data("lost", self.lost, "J", "energy lost in contacts", "time")

    def deflection(self, x: ArrayLike) -> np.ndarray:
        """Return the deflection w (m) at all times (first axis) and positions `x` (m)."""
        return self.model.deflection(self.q, x)

    def velocity(self, x: ArrayLike) -> np.ndarray:
        """Return the velocity of the deflection (m/s) at all times and positions `x` (m)."""
        return self.model.deflection(self.v, x)

    @property
    def force(self) -> np.ndarray:
        """Force of the obstacle on the beam at all times, upwards, N."""
        return np.asarray(self.contact @ self.mortar.weights)

    @property
    def kinetic_energy(self) -> np.ndarray:
        """Kinetic energy at all times, J."""
        return np.array([0.5 * v @ multiply_band(self.model.mass, v) for v in self.v])

    @cached_property
    def resting_state(self) -> np.ndarray:
        """Static displacements of the same elements on the obstacle."""
        return _LandingSteps.of(self.model, self.mortar, self.loads, math.inf).at_rest()

    @property
    def distance_from_rest(self) -> np.ndarray:
        """Largest difference of nodal deflections from the static ones at all times, m."""
        sampler = self.model.sampler("deflection", self.model.nodes)
        return np.abs(sampler @ (self.q - self.resting_state).T).max(axis=0)


def land(
    beam: Beam,
    load: Load,
    obstacle: ObstacleInput,
    elements: int,
    *,
    t_end: float,
    dt: float | None = None,
    velocity: float = 0.0,
    multiplier: str = "dual",
    dissipation: float = 0.05,
    samples: int = 400,
) -> Landing:
    """Simulate a beam that falls on an obstacle under a load, until it comes to rest.

    Theta method with theta = 1/2 + chi and Moreau's impact law without rebound; the energy never grows.

    Parameters
    ----------
    beam
        The beam, initially straight; its damping is none or `tr.Rayleigh`.
    load, obstacle, multiplier
        As in `tr.obstacle.solve`.
    elements
        Number of finite elements.
    t_end
        Duration, s.
    dt
        Time step, s; by default 1/200 of the lowest period or 1/50 of the time of fall, whichever is shorter.
    velocity
        Initial downward velocity, m/s, where no support holds the beam.
    dissipation
        Numerical damping chi of the method, 0 to 0.5.
    samples
        Largest number of stored steps.

    Returns
    -------
    Landing
        Deflection, contact force and energies over time.

    Raises
    ------
    InputError
        If an argument is out of range.
    ConvergenceError
        If the contact does not settle in a step.

    Examples
    --------
    >>> beam = tr.Beam(1.0, 100.0, 2.0, supports=("clamped", "clamped"), damping=tr.Rayleigh(5.0, 1e-4))
    >>> fall = tr.land(beam, 500.0, 2e-3, 16, t_end=0.05)
    >>> print(f"{fall.deflection(0.5)[-1] * 1e3:.2f} mm")
    2.00 mm
    """
    count = checks.count("elements", elements, 2)
    if count > MOST_ELEMENTS:
        raise InputError(f"elements = {count} must be at most {MOST_ELEMENTS} here.")
    problem = ObstacleProblem.checked(beam, load, obstacle, above=None, forces=(), multiplier=multiplier)
    end, kept = checks.positive("t_end", t_end, "s"), checks.count("samples", samples, 1, MOST_STEPS)
    speed = checks.finite("velocity", velocity, "m/s")
    chi = checks.at_least("dissipation", dissipation, 0.0)
    if chi > 0.5:
        raise InputError(f"dissipation = {chi} must be at most 0.5, that of backward Euler.")
    model = beam.elements(count)
    problem.check_gap(problem.below, "obstacle", model.nodes)
    if model.modal_damping[1].size:
        raise InputError(
            "damping of a landing beam must be tr.Rayleigh(alpha, beta), or none; ratios apply to modes only."
        )
    step = _default_step(problem, model, end) if dt is None else checks.positive("dt", dt, "s")
    total = math.ceil(end / step * (1.0 - 1e-12))
    if total > MOST_STEPS:
        raise InputError(
            f"dt = {step} s makes {total} steps until t_end; at most {MOST_STEPS}. Take longer ones."
        )
    mortar = make_mortar((model,), model.nodes, multiplier, problem.below)
    loads = load_vector(model, load)
    steps = _LandingSteps.of(model, mortar, loads, end / total, chi)
    start = model.state_of(np.full(model.nodes.size, speed), np.zeros(model.nodes.size))
    return steps.march(start, total, math.ceil(total / kept))


def _default_step(problem: ObstacleProblem, model: BeamElements, end: float) -> float:
    """The shorter of a 200th of the lowest period and a 50th of the time to fall through the gap."""
    x = model.nodes
    load = sample_load(problem.load, x)
    mass = max(segment.mass_per_length for segment in problem.beam.segments)
    push = float(np.abs(load).max())
    fall = math.sqrt(2.0 * float(problem.below(x).min()) * mass / push) if push > 0.0 else math.inf
    return min(2.0 * math.pi / _lowest_frequency(model) / STEPS_PER_PERIOD, fall / STEPS_PER_FALL, end)


def _lowest_frequency(model: BeamElements) -> float:
    """The lowest natural frequency that is not zero, rad/s."""
    omega = model.frequencies(min(3, model.size))
    return float(omega[omega > 1e-6 * omega.max()].min())


@dataclass(eq=False)
class _LandingSteps:
    """Matrices of a step; `dt` is infinite for the static problem."""

    model: BeamElements
    mortar: Mortar
    loads: np.ndarray
    dt: float
    theta: float
    B: np.ndarray  # (forces, displacements)
    step_factor: tuple[np.ndarray, bool]
    mass_factor: tuple[np.ndarray, bool]
    flexibility: np.ndarray  # B A^-1 B'
    mobility: np.ndarray  # B M^-1 B'

    @classmethod
    def of(
        cls, model: BeamElements, mortar: Mortar, loads: np.ndarray, dt: float, chi: float = 0.0
    ) -> _LandingSteps:
        theta, (alpha, beta) = 0.5 + chi, model.rayleigh
        if math.isinf(dt):
            loose = len(rigid_motions(model.beam))
            A = model.stiffness + (WEAK * _lowest_frequency(model) ** 2 if loose else 0.0) * model.mass
        else:
            A = (1.0 / (theta * dt**2) + alpha / dt) * model.mass + (theta + beta / dt) * model.stiffness
        B = np.asarray(mortar.works[0].todense()) / mortar.weights[:, None]
        factor, mass = _factor_band(A), _factor_band(model.mass)
        flexibility, mobility = B @ cho_solve_banded(factor, B.T), B @ cho_solve_banded(mass, B.T)
        return cls(model, mortar, loads, dt, theta, B, factor, mass, flexibility, mobility)

    @cached_property
    def gaps(self) -> np.ndarray:
        """Mean gap of each force, m; infinite where a force moves no displacement."""
        moved = np.abs(self.B).sum(axis=1) > 0.0
        return np.where(moved, self.mortar.gaps / self.mortar.weights, np.inf)

    def at_rest(self) -> np.ndarray:
        """The static displacements."""
        start = np.zeros(self.gaps.size, dtype=np.int64)
        return self._push_out(self.loads, start)[0]

    def _push_out(self, right: np.ndarray, state: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q with A q = right - B' lambda outside the obstacle, lambda and the active forces."""
        free = cho_solve_banded(self.step_factor, right)
        depth = self.B @ free

        def solve(active: np.ndarray) -> tuple[np.ndarray, np.ndarray, None]:
            force = np.zeros(depth.size)
            on = np.flatnonzero(active)
            if on.size:
                force[on] = np.linalg.solve(self.flexibility[np.ix_(on, on)], depth[on] - self.gaps[on])
            return force, depth - self.flexibility @ force, None

        finite = self.gaps[np.isfinite(self.gaps)]
        nothing = np.full(depth.size, np.inf)
        settled = find_active_set(
            solve, state, (self.gaps, nothing), SLACK * float(finite.max()), MOST_CHANGES
        )
        if not settled.converged:
            raise ConvergenceError(
                f"the contact did not settle within {MOST_CHANGES} changes in one step; take a shorter dt.",
                settled,
            )
        force = solve(settled.state)[0]
        return free - cho_solve_banded(self.step_factor, self.B.T @ force), force, settled.state

    def march(self, v: np.ndarray, total: int, every: int) -> Landing:
        """All steps; each `every`th is stored, and the last."""
        model, dt, theta = self.model, self.dt, self.theta
        q, state = np.zeros(model.size), np.zeros(self.gaps.size, dtype=np.int64)
        alpha, beta = model.rayleigh
        rows: list[tuple[float, np.ndarray, np.ndarray, np.ndarray, float, float, float]] = []
        damped = lost = 0.0
        energy = self._energy(q, v)
        rows.append((0.0, q, v, np.zeros(self.gaps.size), energy, 0.0, 0.0))
        for n in range(1, total + 1):
            inertia = multiply_band(model.mass, (q / dt + v) / (theta * dt) + alpha / dt * q)
            right = self.loads + inertia + (beta / dt - (1.0 - theta)) * multiply_band(model.stiffness, q)
            after, force, state = self._push_out(right, state)
            step = after - q
            change = (step / dt - v) / theta
            damped += (beta / dt + theta - 0.5) * float(step @ multiply_band(model.stiffness, step))
            damped += alpha / dt * float(step @ multiply_band(model.mass, step))
            damped += (theta - 0.5) * float(change @ multiply_band(model.mass, change))
            q, v = after, self._stop_contacts(v + change, state)
            energy = self._energy(q, v)
            if not math.isfinite(energy):
                raise ConvergenceError(f"the energy is {energy} at t = {n * dt:.6g} s; take a shorter dt.")
            lost = rows[0][4] - energy - damped
            if n % every == 0 or n == total:
                rows.append((n * dt, q, v, force / self.mortar.weights, energy, damped, lost))
        t, states, velocities, forces, energies, taken, gone = map(np.array, zip(*rows, strict=True))
        return Landing(
            model, self.mortar, t, states, velocities, forces, energies, taken, gone, dt, self.loads
        )

    def _stop_contacts(self, v: np.ndarray, state: np.ndarray) -> np.ndarray:
        """Velocities without their part along the touching constraints."""
        on = np.flatnonzero(state)
        if on.size == 0:
            return v
        impulse = np.linalg.solve(self.mobility[np.ix_(on, on)], self.B[on] @ v)
        return v - cho_solve_banded(self.mass_factor, self.B[on].T @ impulse)

    def _energy(self, q: np.ndarray, v: np.ndarray) -> float:
        return float(self.model.energy(q, v)) - float(self.loads @ q)


def _factor_band(band: np.ndarray) -> tuple[np.ndarray, bool]:
    """Cholesky's factor of a positive definite band, as `cho_solve_banded` takes it."""
    full = full_band(band)
    return cholesky_banded(full.bands[full.upper :], lower=True), True
