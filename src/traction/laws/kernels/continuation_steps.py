"""The steps of a contact that follows its approach, in compiled code; fields are (ny, nx) over one window."""

import numpy as np

from traction.compiled import kernel
from traction.contact.normal.kernels.pressure_fields import conjugate, descend, nearest_neighbours
from traction.contact.normal.kernels.small_windows import march
from traction.contact.normal.kernels.window_products import product


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
def settle_pressure(gap, pressure, approach, influence, weights, sides, limits):
    """Iterate on the pressure (in place) from where it stands; see `march` for the arguments.

    Returns the displacement, the contact, iterations, the residual over the depth, whether it converged and
    whether it is crowded.
    """
    tol, patience, most = limits
    displacement, contact = np.empty(gap.shape), pressure > 0.0
    product(pressure, influence[1], influence[2], displacement)
    fields = (gap, pressure, displacement, contact)
    load = (approach, 0.0, False, 0.0)
    # The change of the last step says nothing here: a prediction may need no step at all.
    thresholds = (tol, np.inf, patience, most)
    residuals = np.empty(most + 1)
    _, _, iterations, converged, crowded = march(
        fields, influence, weights, load, sides, thresholds, residuals
    )
    return displacement, contact, iterations, residuals[iterations], converged, crowded


@kernel
def settle_rate(rate, contact, influence, weights, limits):
    """Pressure per approach on a fixed contact by conjugate gradients from where `rate` stands (in place).

    Returns its sum, iterations and whether it converged. With the residual s = 1 - A r the sum
    1.r + r.s is that of the exact rate up to an error of second order, s.A^-1.s.
    """
    tol, most = limits
    ny, nx = rate.shape
    _, tables, factor = influence
    change_of, residual = np.empty((ny, nx)), np.zeros((ny, nx))
    previous, direction = np.zeros((ny, nx)), np.zeros((ny, nx))
    product(rate, tables, factor, change_of)
    largest = 0.0
    for j in range(ny):
        for i in range(nx):
            if contact[j, i]:
                residual[j, i] = 1.0 - change_of[j, i]
                largest = max(largest, abs(residual[j, i]))
    energy, k = 0.0, 0
    while largest > tol and k < most:
        preconditioned = nearest_neighbours(residual, weights)
        energy = conjugate(preconditioned, residual, previous, direction, contact, energy, False)
        product(direction, tables, factor, change_of)
        largest = descend(rate, direction, change_of, residual, contact)
        k += 1
    total = 0.0
    for j in range(ny):
        for i in range(nx):
            total += rate[j, i] * (1.0 + residual[j, i])
    return total, k, largest <= tol


@kernel
def sum_contact(fields, contact, rate, approach):
    """Sums of pressure and of energy over (gap, pressure, displacement), with errors of second order.

    With the residual s = approach - gap - A p in the contact, the pressure is short of A^-1 s; its sum is
    r.s, since the rate is r = A^-1 1. The energy p.(approach - gap) - p.A p/2 is greatest at the solution.
    """
    gap, pressure, displacement = fields
    ny, nx = gap.shape
    force, energy = 0.0, 0.0
    for j in range(ny):
        for i in range(nx):
            if contact[j, i]:
                depth = approach - gap[j, i]
                force += pressure[j, i] + rate[j, i] * (depth - displacement[j, i])
                energy += pressure[j, i] * (depth - 0.5 * displacement[j, i])
    return force, energy


@kernel
def find_penetrating(gap, pressure, approach, influence, margin):
    """Which elements lie deeper than `margin` (m) in the other body, and whether any does."""
    ny, nx = gap.shape
    displacement = np.empty((ny, nx))
    product(pressure, influence[1], influence[2], displacement)
    deep, found = np.zeros((ny, nx), dtype=np.bool_), False
    for j in range(ny):
        for i in range(nx):
            if not approach - gap[j, i] - displacement[j, i] <= margin:  # NaN counts as deep
                deep[j, i] = True
                found = True
    return deep, found
