"""A driven wheel as it is stored, and restored: pressure, tractions, rotation, and the work of friction."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact, recover_contact
from traction.crossing.driving.driven_wheel import DrivenWheel, WheelState
from traction.crossing.driving.driven_wheels import RollState
from traction.kinds.friction.stored_friction import StoredMaterial, restore_friction


@dataclass(frozen=True)
class StoredTractions:
    """Tractions under a wheel, on the grid and on the material."""

    traction: np.ndarray
    creepage: tuple[float, float, float]
    friction: float
    pressure: np.ndarray | None  #: where it is not that of the wheel: of unlike bodies, tractions change it
    material: StoredMaterial | None


@dataclass(frozen=True)
class StoredWheel:
    """A driven wheel at a sample."""

    work: float  #: of friction from the start, J
    turning: float
    slope: float
    pressed: dict[str, np.ndarray]  #: the last contact; nothing after a flight
    before: StoredTractions | None

    @classmethod
    def of(cls, state: RollState) -> StoredWheel:
        """As values that a file can hold."""
        wheel, before, tractions = state.wheel, state.wheel.before, None
        if before is not None:
            own = None if before.normal is wheel.pressed else before.normal.pressure
            material = StoredMaterial.of(before.state)
            tractions = StoredTractions(
                before.traction, before.creepage, float(before.friction), own, material
            )
        pressed = {} if wheel.pressed is None else {k: np.array(v) for k, v in wheel.pressed.state.items()}
        return cls(state.work, wheel.turning, wheel.slope, pressed, tractions)

    def restore(self, wheel: DrivenWheel) -> RollState:
        """The state that was stored."""
        pressed: NormalContact | None = None
        if self.pressed:
            pressure, moved = self.pressed["pressure"], self.pressed["displacement"]
            pressed = recover_contact(pressure, wheel.gap, wheel.grid, wheel.pair, displacement=moved)
        before = None if self.before is None or pressed is None else _restore_tractions(self.before, pressed)
        return RollState(WheelState(before, pressed, self.turning, self.slope), self.work)


def _restore_tractions(stored: StoredTractions, pressed: NormalContact) -> TangentialContact:
    normal = pressed
    if stored.pressure is not None:
        normal = replace(pressed, pressure=stored.pressure, _displacement=None)
    material = None if stored.material is None else stored.material.restore(normal, stored.friction)
    return restore_friction(
        normal, stored.friction, stored.traction, creepage=stored.creepage, state=material
    )
