"""`stress_history`: the stress cycle at points of a body over which a contact moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.halfspace.subsurface import COMPONENTS, Stress
from traction.outputs.variable import Variable, axis, data, figure
from traction.quantities import counted

Contact = NormalContact | TangentialContact
A_CONTACT = "give the result of tr.press, tr.shift, tr.roll_steady or tr.roll."


@dataclass(frozen=True, eq=False, repr=False)
class StressHistory(Stress):
    """Result of `tr.stress_history`: stresses over (position of the contact, points of the body)."""

    _rows, _drawn = ("travelled",), "largest_von_mises"

    travelled: np.ndarray  #: x of the contact's origin in the axes of the body, m, (k,)

    def _headline(self) -> str:
        positions, n = self.travelled.size, int(np.prod(self.points.shape[1:-1], dtype=int))
        return f"{counted(n, 'point')} of the body, {counted(positions, 'position')} of the contact"

    def _variables(self) -> Iterator[Variable]:
        k = self.travelled.size
        mises = self.von_mises.reshape(k, -1)
        yield figure("peak_von_mises", float(mises.max()), "Pa", "largest von Mises stress")
        when, where = np.unravel_index(int(mises.argmax()), mises.shape)
        yield figure("peak_travelled", float(self.travelled[when]), "m", "with the contact at")
        place = self.points.reshape(k, -1, 3)[when, where]
        yield figure("peak_z", float(place[2]), "m", "at z")
        yield axis("travelled", self.travelled, "m", "position of the contact along x")
        body = self.points.reshape(k, -1, 3) + self.travelled[:, None, None] * np.array([1.0, 0.0, 0.0])
        for i, name in enumerate("xyz"):
            yield data(name, body[0, :, i], "m", f"position along {name}, in the body", "point")
        for name in COMPONENTS:
            kind = "normal" if name[0] == name[1] else "shear"
            values = getattr(self, name).reshape(k, -1)
            yield data(f"stress_{name}", values, "Pa", f"{kind} stress {name}", "travelled", "point")
        yield data("von_mises", mises, "Pa", "von Mises stress", "travelled", "point")
        yield data(
            "largest_von_mises",
            mises.max(axis=1),
            "Pa",
            "largest von Mises stress at each position",
            "travelled",
        )


def stress_history(
    contacts: Contact | Sequence[Contact], points: ArrayLike, travelled: ArrayLike, *, body: int = 2
) -> StressHistory:
    """Return the stress at points of a body while a contact moves over it along x.

    Parameters
    ----------
    contacts
        One contact that moves unchanged, as in steady rolling; or a sequence of contacts, one for each
        position, as the steps of `tr.roll`.
    points
        Coordinates (x, y, z) in the body, m, shape (..., 3); z >= 0 in body 1 and z <= 0 in body 2.
    travelled
        Positions of the contact's origin along x in the axes of the body, m, (k,).
    body
        1 or 2.

    Returns
    -------
    StressHistory
        `tensor` (k, ..., 3, 3), Pa, and the principal and equivalent stresses over the same axes; its
        `points` are in the axes of the contact, (k, ..., 3).

    Raises
    ------
    InputError
        If points lie outside the body, the body is rigid, or the number of contacts differs from that of
        the positions.

    Notes
    -----
    Positions and points that lie on the lattice of the contact's elements, at any shift against it, are
    computed together by FFT; choose increments of `travelled` of whole elements for speed.

    Examples
    --------
    Below a driving wheel the shear stress reverses, and not evenly:

    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> n = tr.press(tr.Sphere(0.46), tr.Grid(32, 32, 0.5e-3, 0.5e-3), pair, force=1e5)
    >>> t = tr.roll_steady(n, 0.3, creepage=(-1e-3, 0.0, 0.0))
    >>> cycle = tr.stress_history(t, [(0.0, 0.0, -3e-3)], np.linspace(-15e-3, 15e-3, 61))
    >>> low, high = cycle.xz.min(), cycle.xz.max()
    >>> print(f"from {low / n.peak_pressure:.2f} to {high / n.peak_pressure:.2f} of the peak pressure")
    from -0.24 to 0.19 of the peak pressure
    """
    positions = np.atleast_1d(checks.finite_array("travelled", travelled, unit="m"))
    if positions.ndim != 1 or positions.size == 0:
        raise InputError(f"travelled has shape {positions.shape}, expected (k,) with k >= 1: positions in m.")
    material = checks.finite_array("points", points, unit="m")
    if material.ndim == 0 or material.shape[-1] != 3:
        raise InputError(f"points has shape {material.shape}, expected (..., 3): x, y and z, in m.")
    back = positions.reshape(-1, *(1,) * material.ndim) * np.array([1.0, 0.0, 0.0])
    relative = material[None] - back
    if isinstance(contacts, Contact):
        stress = contacts.stress(relative, body=body)
        return StressHistory(stress.points, stress.tensor, positions)
    tensor = np.stack([one.stress(at, body=body).tensor for one, at in _paired(contacts, relative)])
    return StressHistory(relative, tensor, positions)


def _paired(contacts: object, relative: np.ndarray) -> Iterator[tuple[Contact, np.ndarray]]:
    """Each contact with the points as it sees them."""
    if not isinstance(contacts, Sequence):
        raise InputError(f"contacts = {checks.shown(contacts)} is no contact; {A_CONTACT}")
    ones = list(contacts)
    if len(ones) != len(relative):
        raise InputError(
            f"contacts has {len(ones)} entries, travelled {len(relative)}: give one contact for each "
            "position, or a single one that moves unchanged."
        )
    for i, one in enumerate(ones):
        if not isinstance(one, Contact):
            raise InputError(f"contacts[{i}] = {checks.shown(one)} is no contact; {A_CONTACT}")
    return zip(ones, relative, strict=True)
