"""Transfer of the state of a beam, (w, psi, M, V), along a vibrating part.

Within a part of length l, y = (w/l, psi, M l/EI, V l^2/EI) obeys y' = A y along x/l, less p l^3/EI in its
last row under a load p:

    A = [[0, 1, 0, sigma], [0, 0, -1, 0], [0, rho, 0, 1], [-kappa, 0, 0, 0]],
    sigma = EI/(kGA l^2),  rho = lambda rho I l^2/EI,  kappa = (lambda m - k) l^4/EI,  lambda = omega^2.

The exponential of A is summed up as a series. Parts are short against the waves (`Segment.parts`), so that it
converges fast for every sign of kappa: no cases, no overflow, one formula for both theories and both spectra.

Sections are rows of EI, m, 1/kGA, rho I, k and the length of a part. Kernels here are written number by
number: what numpy writes in one line takes the compiler a second.

Units: y and the coefficients are pure numbers; lambda = omega^2 in 1/s^2, sections in SI.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel

TERMS = 40  #: of the series, at most
FEWEST_TERMS = 8  #: that are summed in any case
NEGLIGIBLE = 1e-18


class PartNumbers(NamedTuple):
    """Coefficients of A, and their derivatives by lambda."""

    sigma: float
    rho: float
    kappa: float
    drho: float
    dkappa: float


@kernel
def part_numbers(section, square):
    """Coefficients of a part that vibrates with lambda = `square`."""
    EI, m, length = section[0], section[1], section[5]
    l2 = length * length
    drho, dkappa = section[3] * l2 / EI, m * l2 * l2 / EI
    kappa = square * dkappa - section[4] * l2 * l2 / EI
    return PartNumbers(EI * section[2] / l2, square * drho, kappa, drho, dkappa)


@kernel
def times_system(part, y, z):
    """Z = A y for the columns of y, (4, k)."""
    for j in range(y.shape[1]):
        w, psi, moment, shear = y[0, j], y[1, j], y[2, j], y[3, j]
        z[0, j] = psi + part.sigma * shear
        z[1, j] = -moment
        z[2, j] = shear + part.rho * psi
        z[3, j] = -part.kappa * w


@kernel
def transfer(part, reach, load, T, D):
    """T = (exp(A reach), state from zero under the load p l^3/EI), (4, 5), and D = dT/dlambda without load.

    States, loads and `reach` are in units of the part.
    """
    term, grown = np.zeros((4, 5)), np.empty((4, 5))
    slope, risen = np.zeros((4, 4)), np.empty((4, 4))
    for i in range(4):
        for j in range(5):
            T[i, j] = 0.0
        for j in range(4):
            D[i, j] = 0.0
        T[i, i] = term[i, i] = 1.0
    for k in range(1, TERMS):
        times_system(part, slope, risen)
        times_system(part, term, grown)
        if k == 1:
            grown[3, 4] -= load
        going = k <= FEWEST_TERMS
        for j in range(4):
            risen[2, j] += part.drho * term[1, j]
            risen[3, j] -= part.dkappa * term[0, j]
        for i in range(4):
            for j in range(5):
                term[i, j] = grown[i, j] * reach / k
                T[i, j] += term[i, j]
                going = going or abs(term[i, j]) > NEGLIGIBLE * abs(T[i, j])
            for j in range(4):
                slope[i, j] = risen[i, j] * reach / k
                D[i, j] += slope[i, j]
        if not going:
            break


@kernel
def transfer_parts(sections, square, reach, loads, T, D):
    """`transfer` over a share `reach` of a part of each segment under its load (N/m), and its derivative."""
    for s in range(len(sections)):
        load = loads[s] * sections[s, 5] ** 3 / sections[s, 0]
        transfer(part_numbers(sections[s], square), reach, load, T[s], D[s])
