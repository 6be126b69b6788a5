"""The quintic through q, v and a at both ends of a step.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

from numpy import ndarray as Vector  # noqa: N812  or a number


def quintic_coefficients(
    dt: Vector | float, q0: Vector, v0: Vector, a0: Vector, q1: Vector, v1: Vector, a1: Vector
) -> tuple[Vector, Vector, Vector, Vector, Vector, Vector]:
    """Coefficients over the part s of a step dt, of numbers or arrays."""
    p, v0, v1, a0, a1 = q1 - q0, dt * v0, dt * v1, dt * dt * a0, dt * dt * a1
    return (
        q0,
        v0,
        0.5 * a0,
        10.0 * p - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
        -15.0 * p + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
        6.0 * p - 3.0 * (v0 + v1) - 0.5 * (a0 - a1),
    )
