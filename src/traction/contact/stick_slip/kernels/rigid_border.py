"""Unknown rigid shifts in the linear problem of a Newton step: their slips and the forces that are given.

Vectors hold the tractions or slips of all elements, and then the shifts or forces.

Units: tractions in Pa, slips and shifts in m, pushes in Pa/m; forces scaled to slips, in m, `forces` in m/Pa.
"""

from traction.compiled import kernel
from traction.contact.stick_slip.kernels.krylov_vectors import scalar_product

SINGULAR = 1e-12  #: relative size below which two shifts are the same


@kernel
def invert_pushes(forces, pushes, result):
    """Shifts for given forces, (M, M) with M = 1 or 2, from the tractions that a unit of each shift asks for.

    Where that matrix is singular, the inverse of the part it is made of.
    """
    a = scalar_product(forces[0], pushes[0])
    if len(forces) == 1:
        if a != 0.0:
            result[0, 0] = 1.0 / a
        return
    b, c = scalar_product(forces[0], pushes[1]), scalar_product(forces[1], pushes[0])
    d = scalar_product(forces[1], pushes[1])
    size, determinant = a * a + b * b + c * c + d * d, a * d - b * c
    if abs(determinant) > SINGULAR * size:
        result[0, 0], result[0, 1] = d / determinant, -b / determinant
        result[1, 0], result[1, 1] = -c / determinant, a / determinant
    elif size > 0.0:  # of rank one
        result[0, 0], result[0, 1], result[1, 0], result[1, 1] = a / size, c / size, b / size, d / size


@kernel
def add_rigid_slip(x, rigid, forces, slip, result):
    """Add to a slip that of the shifts in x, and put the forces of the tractions in x into `result`."""
    number, size = forces.shape
    for m in range(number):
        shift = x[size + m]
        for i in range(size):
            slip[i] += shift * rigid[m, i]
        result[size + m] = scalar_product(forces[m], x)


@kernel
def make_up_forces(r, forces, pushes, shifts, result):
    """Shifts that make up for forces which the tractions in `result` do not bring, and their tractions."""
    number, size = forces.shape
    for m in range(number):
        result[size + m] = 0.0
    for k in range(number):
        missing = scalar_product(forces[k], result) - r[size + k]
        for m in range(number):
            result[size + m] += shifts[m, k] * missing
    for m in range(number):
        shift = -result[size + m]
        for i in range(size):
            result[i] += shift * pushes[m, i]
