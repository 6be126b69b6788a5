"""The steps of a contact that follows its approach, in compiled code; fields are (ny, nx) over one window.

Units: pressures in Pa, rates in Pa/m, lengths in m; sums in Pa and Pa m, to be multiplied by an area.
"""

import numpy as np

from traction.compiled import kernel


@kernel
def predict_pressure(pressure, rate, change):
    """Pressure after a change of the approach on the same contact, cut off at zero; whether any is left."""
    ny, nx = pressure.shape
    predicted = np.empty((ny, nx))
    largest = 0.0
    for j in range(ny):
        for i in range(nx):
            predicted[j, i] = max(0.0, pressure[j, i] + rate[j, i] * change)
            largest = max(largest, predicted[j, i])
    return predicted, largest > 0.0


@kernel
def sum_contact(fields, rate, approach):
    """Sums of pressure and of energy over a contact's fields, with errors of second order.

    With the residual s = approach - gap - A p in the contact, the pressure is short of A^-1 s; its sum is
    r.s, since the rate is r = A^-1 1. The energy p.(approach - gap) - p.A p/2 is greatest at the solution.
    """
    gap, pressure, displacement, contact = fields
    ny, nx = gap.shape
    force, energy = 0.0, 0.0
    for j in range(ny):
        for i in range(nx):
            if contact[j, i]:
                depth = approach - gap[j, i]
                force += pressure[j, i] + rate[j, i] * (depth - displacement[j, i])
                energy += pressure[j, i] * (depth - 0.5 * displacement[j, i])
    return force, energy
