"""Single steps and marches in compiled code, made from the formulas of a method.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

from collections.abc import Callable
from typing import NamedTuple

from traction.compiled import kernel
from traction.integrators.compiled_march.kernels import scalar_operations, vector_operations
from traction.integrators.compiled_march.kernels.compiled_operations import (
    CompiledProblem,
    Functions,
    Matrices,
    make_operations,
    part,
    whole,
)
from traction.integrators.core.kernels.step_solver import DONE, Formulas, Traits, quintic_coefficients

SCALAR, VECTOR = make_operations(scalar_operations), make_operations(vector_operations)
quintic = part(quintic_coefficients)


class TimeGrid(NamedTuple):
    """Fixed steps ahead."""

    origin: float  #: time from which they are counted
    length: float
    behind: int  #: steps that lie behind
    last: float  #: time after the last of them
    pieces: int  #: into which samples of the gap divide a step, or 0


def make_single_step(step: Formulas) -> Formulas:
    """A step, to be compiled."""

    def take_step(problem, setting, scale, t, dt, y):
        return step(problem, setting, scale, t, dt, y)

    return take_step


def make_march(step: Formulas, norm: Callable[..., float], is_met: Callable[..., bool]) -> Formulas:
    """A march of many steps, to be compiled.

    `columns` are times, coordinates, velocities and accelerations, filled from place 1 on; y is the state at
    place 0 and `largest` the largest |q|, |v|, |a| so far. The march stops before a step that fails, or in
    which the gap changes its sign or its direction: what happens there is located by the caller. Returns how
    many steps were taken, the last y and the largest sizes.
    """

    def march(problem, setting, columns, y, largest, grid):
        times, places, speeds, accelerations = columns
        most_q, most_v, most_a = largest
        t, taken, steps = times[0], 0, len(times) - 1
        for k in range(1, steps):
            times[k] = grid.origin + (grid.behind + k) * grid.length
        times[steps] = grid.last
        for k in range(1, steps + 1):
            dt = times[k] - t
            status, _, z = step(problem, setting, problem.matrices.heaviest * most_a, t, dt, y)
            if status != DONE or is_met(problem.functions.gap, t, dt, y, z, grid.pieces):
                break
            y, t, taken = z, times[k], k
            most_q, most_v, most_a = max(most_q, norm(y[0])), max(most_v, norm(y[1])), max(most_a, norm(y[2]))
            places[k], speeds[k], accelerations[k] = y[0], y[1], y[2]
        return taken, y, (most_q, most_v, most_a)

    return march


def make_built_in_march(march: Formulas, functions: Functions, traits: Traits, is_unit: bool) -> Formulas:
    """A march with the functions and traits of one problem built in, and a mass that is 1.

    A product with zero takes its time, and all that follows waits for it.
    """
    force, jacobian, potential, gap = functions
    n, is_linear, has_jacobian, has_energy, moves, is_damped, is_sprung = traits
    march = part(march)

    def built_in_march(matrices, setting, columns, y, largest, grid, work):
        if is_unit:
            matrices = Matrices(1.0, 1.0, 1.0, matrices.damping, matrices.stiffness)
        known = Traits(n, is_linear, has_jacobian, has_energy, moves, is_damped, is_sprung)
        problem = CompiledProblem(Functions(force, jacobian, potential, gap), known, matrices, work)
        return march(problem, setting, columns, y, largest, grid)

    return built_in_march


@part
def is_unwatched(gap, t, dt, y, z, pieces):
    """A march that meets nothing."""
    return False


@whole
def meets_gap(gap, t, dt, y, z, pieces):
    """Whether a gap changes sign or direction in a step from y to z, or would at constant acceleration."""
    if pieces == 0:
        return False
    nothing = 0.0 * y[0]
    if gap(t, y[0]) > 0.0 and turns(
        gap, t, dt, (y[0], dt * y[1], 0.5 * dt * dt * y[2], nothing, nothing, nothing), pieces
    ):
        return True
    return turns(gap, t, dt, quintic(dt, y[0], y[1], y[2], z[0], z[1], z[2]), pieces)


@whole
def turns(gap, t, dt, path, pieces):
    """Whether a gap changes its sign or its direction on a path, as far as samples and the ends show."""
    c0, c1, c2, c3, c4, c5 = path
    before = gap(t, c0)
    h = 1e-4
    rate = gap(t + h * dt, c0 + h * c1) - gap(t - h * dt, c0 - h * c1)
    last = before
    for k in range(1, pieces + 1):
        s = k / pieces
        distance = gap(t + s * dt, c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5)))))
        if not (before * distance > 0.0 and rate * (distance - last) > 0.0):
            return True
        last = distance
    q, v = c0 + c1 + c2 + c3 + c4 + c5, c1 + 2.0 * c2 + 3.0 * c3 + 4.0 * c4 + 5.0 * c5
    return not rate * (gap(t + dt + h * dt, q + h * v) - gap(t + dt - h * dt, q - h * v)) > 0.0


@kernel
def energies(energy, t, q, v, values):
    """Energy of each state (t, q, v) into values."""
    for k in range(len(values)):
        values[k] = energy(t[k], q[k], v[k])
