"""Problems in compiled code, and the operations of steps from the few that differ between numbers and
vectors.

A problem has functions, matrices as numbers or small arrays, and counted work.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

from types import SimpleNamespace
from typing import NamedTuple

from traction.compiled.kernel import compile_function
from traction.integrators.core.kernels.step_solver import FORCES, JACOBIANS, Traits


def part(function):
    """A part of kernels, never called by itself: without inlining references are counted in every call."""
    return compile_function(function, forceinline=True)


def whole(function):
    """A part of kernels that is called at several places."""
    return compile_function(function)


class Functions(NamedTuple):
    """The user's functions, or what stands for them."""

    force: object  #: f(t, q, v)
    jacobian: object  #: (df/dq, df/dv) at (t, q, v)
    potential: object  #: V(t, q), of the force alone
    gap: object  #: at (t, q)


class Matrices(NamedTuple):
    """M, its inverse and largest number, C and K."""

    mass: object
    inverse: object
    heaviest: float
    damping: object
    stiffness: object


class CompiledProblem(NamedTuple):
    """All of a problem."""

    functions: Functions
    traits: Traits
    matrices: Matrices
    work: object  #: number of forces, jacobians, factors and iterations


def make_operations(basic):
    """The operations of `methods.kernels`; `basic` is `scalar_operations` or `vector_operations`."""
    made = {**make_forces(basic), **make_equations(basic)}
    own = {
        "IS_INTERPRETED": False,
        "guard": lambda residual: residual,  # what is not finite is not a number
        "given_mean_force": None,  # systems that have one are interpreted
        "part": part,
        "whole": whole,
        "move_stages": made["move"],
    }
    return SimpleNamespace(**{**own, **made, **vars(basic)})


def make_forces(basic):
    """Forces of a problem and the accelerations that they make, by name."""
    product = basic.product

    @part
    def force(problem, t, q, v):
        problem.work[FORCES] += 1
        return problem.functions.force(t, q, v)

    @part
    def split_force(problem, t, q, v, damped):
        """F - C v - K q with another velocity for the damping."""
        total = force(problem, t, q, v)
        if problem.traits.is_damped:
            total = total - product(problem.matrices.damping, damped)
        if problem.traits.is_sprung:
            total = total - product(problem.matrices.stiffness, q)
        return total

    @part
    def net_force(problem, t, q, v):
        return split_force(problem, t, q, v, v)

    @part
    def resistance(problem, q, v):
        """C v + K q."""
        return product(problem.matrices.damping, v) + product(problem.matrices.stiffness, q)

    @part
    def inertia(problem, q, a):
        return product(problem.matrices.mass, a)

    @part
    def acceleration(problem, t, q, v):
        return product(problem.matrices.inverse, net_force(problem, t, q, v))

    @part
    def potential(problem, t, q):
        return problem.functions.potential(t, q)

    return {name: value for name, value in locals().items() if name not in ("basic", "product")}


def make_equations(basic):
    """Matrices of a step and solutions with them, by name."""
    product, divide, differences = basic.product, basic.divide, basic.differences

    @part
    def divide_damped(problem, q, h, r):
        """(M + h C)^-1 times a force."""
        if problem.traits.is_damped:
            return divide(problem.matrices.mass + h * problem.matrices.damping, r)
        return product(problem.matrices.inverse, r)

    @part
    def constant_tangents(problem):
        return problem.matrices.stiffness, problem.matrices.damping

    @part
    def tangents(problem, t, q, v, a, dt):
        """K - df/dq and C - df/dv, by the jacobian or by differences."""
        problem.work[JACOBIANS] += 1
        if problem.traits.has_jacobian:
            by_q, by_v = problem.functions.jacobian(t, q, v)
        else:
            by_q, by_v = differences(problem, t, q, v, a, dt)
        return problem.matrices.stiffness - by_q, problem.matrices.damping - by_v

    @part
    def solve(problem, q, weights, tangents, r):
        """(w0 M + w1 C + w2 K)^-1 r."""
        stiffness, damping = tangents
        matrix = weights[0] * problem.matrices.mass + weights[1] * damping + weights[2] * stiffness
        return divide(matrix, r)

    @part
    def move(x, part, dx):
        return x + part * dx

    @part
    def zero_matrix(problem):
        return 0.0 * problem.matrices.mass

    @part
    def combine(a, one, b, other):
        return a * one + b * other

    @part
    def is_dense(problem, tangents):
        return True

    found = locals()
    return {name: value for name, value in found.items() if name != "basic" and name not in vars(basic)}
