"""What particles remember of friction and layer from one step to the next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.stick_slip.interface import Carried, Interface
from traction.errors import InputError
from traction.friction_laws.layer import Layer


def require_layer(before: TangentialContact, layer: Layer | None) -> None:
    """Raise an error where a layer that particles carry tractions on is left out of the next step."""
    known = before.interface
    if layer is None and known is not None and known.interface.layer is not None and before.traction.any():
        raise InputError(
            "previous was solved with a layer between the bodies, whose shear its particles carry: give it "
            "again as layer=..., or begin without a layer by tr.shift."
        )


def carry_along(before: TangentialContact, interface: Interface, way: float) -> Carried:
    """Memory of the particles at the cells of the grid, which were `way` cells along x further before.

    Particles from beyond the grid, and all of a contact without memory, are at rest until then.
    """
    known, rest = before.interface, interface.rest_on(before.normal.grid.shape)
    if known is None:
        return rest
    mu, yielding = shift_field(known.memory, way, rest.mu), shift_field(known.yielding, way, rest.yielding)
    return keep_lasting(before, interface, Carried(mu, yielding))


def keep_lasting(before: TangentialContact, interface: Interface, carried: Carried) -> Carried:
    """What lasts under another law or layer: not a constant coefficient, nor how another layer yields."""
    known = before.interface
    if known is None:
        return carried
    slid, same = not known.interface.law.is_constant, known.interface.layer == interface.layer
    rest = interface.rest_on(carried.mu.shape)
    return replace(
        carried, mu=carried.mu if slid else rest.mu, yielding=carried.yielding if same else rest.yielding
    )


def see_coefficient(before: TangentialContact, interface: Interface) -> np.ndarray:
    """Coefficients that bounded the tractions before, over the grid."""
    known = before.interface
    if known is None or known.interface.law.is_constant:
        return np.full(before.normal.grid.shape, interface.law.static)
    return known.coefficient


def shift_field(field: np.ndarray, way: float, beyond: np.ndarray) -> np.ndarray:
    """A field at places `way` cells along x further, (ny, nx), by linear interpolation."""
    nx = field.shape[1]
    first = int(np.floor(way))
    part = way - first
    columns = np.arange(nx) + first
    result = np.zeros_like(field)
    for step, share in ((0, 1.0 - part), (1, part)):
        if share == 0.0:  # infinite yield stresses elsewhere do not matter
            continue
        at = columns + step
        inside = (at >= 0) & (at < nx)
        values = np.where(inside, field[:, np.clip(at, 0, nx - 1)], beyond)
        result = result + share * values
    return result
