"""A problem in compiled code: functions, matrices as numbers or small arrays, counted work.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

from typing import NamedTuple

from traction.integrators.core.kernels.step_solver import Traits


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
