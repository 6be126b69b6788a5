"""Method "picard" (Wei, Krishnaprasad and Dayawansa 1993): f <- F(v0 t - (1/m) int int f - w[f]), repeated.

It starts from the half sine of the energy method; the first iterate is in closed form, the others take the
force straight between equally spaced times, with every mode moved exactly. The errors are those of the whole
history against the modal method, over the peak: they may grow before they fall.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.impacts.dense_path import DensePath
from traction.impacts.impact_problem import ImpactProblem, ImpactSolution
from traction.impacts.kernels.collocation_step import P, StruckPoint, Z
from traction.impacts.kernels.half_sines import approach_loss
from traction.impacts.methods.energy_method import HalfSine, find_half_sine
from traction.impacts.methods.modal_method import solve_modal
from traction.laws.kernels.law_values import REMEMBERED, CompiledLaw, contact_force

USUAL_ITERATIONS, USUAL_POINTS = 10, 2000


@dataclass(frozen=True, eq=False)
class PicardIterates:
    """Forces (N) at times (s): the start, then each iterate; and their errors."""

    t: np.ndarray
    forces: np.ndarray  #: (iterates + 1, times)
    errors: np.ndarray  #: largest difference from the modal method over its peak
    path: DensePath  #: under the last

    @property
    def growing(self) -> tuple[int, ...]:
        """Iterates whose error is larger than that of the one before, by more than rounding."""
        return tuple(int(k) + 1 for k in np.flatnonzero(self.errors[1:] > 1.01 * self.errors[:-1]))

    def words(self) -> str:
        """What became of the errors."""
        shown = ", ".join(f"{error:.2g}" for error in self.errors)
        if not self.growing:
            return f"errors over the peak: {shown}"
        grown = ", ".join(map(str, self.growing))
        return f"errors over the peak: {shown}; they grow in iterate {grown}"


def solve_picard(
    problem: ImpactProblem, iterations: int = USUAL_ITERATIONS, points: int = USUAL_POINTS
) -> ImpactSolution:
    """The motion under the last iterate, until the first contact ends."""
    n, many = checks.count("iterations", iterations), checks.count("points", points, 10)
    sine = find_half_sine(problem, "picard")
    exact = solve_modal(problem).path
    released = np.flatnonzero(~exact.touching)
    window = float(exact.times[released[0]]) if released.size else problem.t_end
    found = iterate_forces(problem, sine, exact, np.linspace(0.0, window, many + 1), n)
    stats = {"half_sine": sine, "iterates": found, "errors": found.errors, "growing": found.growing}
    return ImpactSolution(found.path, message=found.words(), stats=stats)


def iterate_forces(
    problem: ImpactProblem, start: HalfSine, exact: DensePath, t: np.ndarray, n: int
) -> PicardIterates:
    """n iterates on equally spaced times t, and their errors against an exact path."""
    point, speed = problem.point, problem.striker.speed
    forces = [start.force(t)]
    free = speed * t - start.amplitude * approach_loss(point, start.duration, t)
    forces.append(_law_forces(problem.law, free))
    for _ in range(n - 1):
        path = drive_straight(point, speed, t, forces[-1])
        forces.append(_law_forces(problem.law, approaches_of(path, forces[-1])))
    found, target = np.array(forces[: n + 1]), exact.force(t)
    errors = np.abs(found - target).max(axis=1) / target.max()
    return PicardIterates(t, found, errors, drive_straight(point, speed, t, found[-1]))


def drive_straight(point: StruckPoint, speed: float, t: np.ndarray, force: np.ndarray) -> DensePath:
    """The motion under a force that is straight between its values at times t."""
    cubics = np.zeros((t.size - 1, 4))
    cubics[:, 0], cubics[:, 1] = force[:-1], np.diff(force)
    return DensePath.driven(point, speed, t, cubics)


def approaches_of(path: DensePath, force: np.ndarray) -> np.ndarray:
    """z - w at the times of a path, m."""
    point, states = path.point, path.states
    deflection = path.steps.q @ point.modes[:, 2] + point.residual * force + point.mobility * states[:, P]
    return np.asarray(states[:, Z] - deflection)


def _law_forces(law: CompiledLaw, approaches: np.ndarray) -> np.ndarray:
    memory = np.zeros(REMEMBERED)
    return np.array([contact_force(law, memory, float(d), 0.0)[0] for d in approaches])
