"""Storing and restoring friction: tractions on the contact's grid and on the material."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from traction.contact.friction.pressed_displacement import PressedDisplacement
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_grid import MaterialElements
from traction.contact.rolling.material_state import MaterialState
from traction.contact.stick_slip.friction_certificate import FrictionCertificate
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.halfspace.half_space import HalfSpace
from traction.status import Status

ELEMENT_ARRAYS = ("row", "cell", "low", "high", "edge", "shape", "run", "left", "right", "bound")
Creepage = tuple[float, float, float]


@dataclass(frozen=True)
class StoredMaterial:
    """Tractions on the material under a contact; the contact itself is stored elsewhere."""

    traction: np.ndarray
    travelled: float
    fineness: int
    owed: float
    bound: np.ndarray
    element: dict[str, np.ndarray]
    up_to: tuple[np.ndarray, ...]
    displacement: np.ndarray | None

    @classmethod
    def of(cls, state: object) -> StoredMaterial | None:
        """Of the state of a contact that rolls; None where its scheme keeps no tractions on the material."""
        if not isinstance(state, MaterialState):
            return None
        return cls(
            state.traction,
            float(state.travelled),
            state.fineness,
            state.owed,
            state.patch.bound,
            {name: getattr(state.elements, name) for name in ELEMENT_ARRAYS},
            tuple(state.elements.up_to),
            state.displacement,
        )

    def restore(self, contact: NormalContact, friction: float) -> MaterialState:
        """The state of the contact."""
        whole = FrictionPatch.over(contact, friction)
        patch = replace(whole.divide_cells(self.bound.shape[1] // whole.grid.nx), bound=self.bound)
        half_space = HalfSpace(patch.grid, patch.pair)
        elements = MaterialElements(half_space, **self.element, up_to=self.up_to)
        return MaterialState(
            elements,
            self.traction,
            self.travelled,
            patch,
            self.fineness,
            displacement=self.displacement,
            pressed=PressedDisplacement.of(contact, self.fineness),
            owed=self.owed,
        )


@dataclass(frozen=True)
class StoredTractions:
    """Tractions of a step that the next one begins from."""

    traction: np.ndarray
    creepage: Creepage
    friction: float
    pressure: np.ndarray | None  #: where it is not that of the contact: of unlike bodies, tractions change it
    material: StoredMaterial | None

    @classmethod
    def of(cls, t: TangentialContact, pressure: np.ndarray | None) -> StoredTractions:
        """Fields of a step with its own pressure."""
        return cls(t.traction, t.creepage, float(t.friction), pressure, StoredMaterial.of(t.state))

    def restore(self, contact: NormalContact) -> TangentialContact:
        """The step, on the contact that it had."""
        if self.pressure is not None:
            contact = replace(contact, pressure=self.pressure, _displacement=None)
        material = None if self.material is None else self.material.restore(contact, self.friction)
        return restore_friction(contact, self.friction, self.traction, creepage=self.creepage, state=material)


def restore_friction(
    normal: NormalContact,
    friction: float,
    traction: np.ndarray,
    *,
    stick: np.ndarray | None = None,
    creepage: Creepage = (0.0, 0.0, 0.0),
    state: MaterialState | None = None,
) -> TangentialContact:
    """Friction from its stored tractions, to resume from or to draw; it is not certified again."""
    return TangentialContact(
        normal=normal,
        friction=friction,
        traction=traction,
        slip=np.zeros_like(traction),
        stick=np.zeros(normal.grid.shape, dtype=bool) if stick is None else stick,
        creepage=creepage,
        dissipation=0.0,
        status=Status.CONVERGED,
        message=str(Status.CONVERGED),
        certificate=FrictionCertificate(0.0, 0.0, 0.0, 0.0),
        iterations=0,
        state=state,
    )
