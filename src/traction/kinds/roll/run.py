"""The march of a body that rolls: a sample before the first step and one after each.

What a step needs of the one before is its tractions, on the contact's grid and, for schemes that keep their
elements in the material, those on the material's cells; and the pressure, which of unlike bodies belongs to
the tractions. All are in the state, so that stopping at any step changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.contact.friction.pressure_coupling import Sideways
from traction.contact.friction.shift import shift
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_grid import MaterialElements
from traction.contact.rolling.material_step import MaterialState
from traction.contact.rolling.transient_rolling import roll
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.halfspace.half_space import HalfSpace
from traction.kinds.friction.run import (
    CREEPAGE,
    FORCES,
    LOST,
    QUALITY,
    STICK,
    FrictionStepper,
    measured,
    named,
    sample_of,
)
from traction.kinds.tables.contact_tables import State
from traction.results.field import Field

if TYPE_CHECKING:
    from traction.kinds.roll.schema import RollCase

MATERIAL, ELEMENT = "material.", "element."
ELEMENT_ARRAYS = ("row", "cell", "low", "high", "edge", "shape", "run", "lead", "bound")
DISTANCE = Field("distance", "m", "distance rolled", labels_samples=True)
#: before the first step there is none
ROLLING = tuple(replace(field, may_be_nan=True) for field in CREEPAGE)


class RollStepper(FrictionStepper[Any]):
    """One step after the other, from where the one before ended."""

    case: RollCase

    @property
    def numbers(self) -> tuple[Field, ...]:
        """The numbers of every sample."""
        return (DISTANCE, *ROLLING, *measured((*FORCES, LOST, STICK, *QUALITY), self.case))

    @property
    def total(self) -> int:
        """The start, and every step."""
        return len(self.steps) + 1

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """The start, or the next step."""
        step = int(state["step"])
        if step == 0:
            t, rolled, creepage = self._begun(), 0.0, (np.nan,) * 3
        else:
            given = self.steps[step - 1]
            length = float(given["length"])  # type: ignore[arg-type]
            t, rolled = self._rolled(self._before(state), given, length), float(state["rolled"]) + length
            creepage = t.creepage
        after = {
            "step": np.array(step + 1),
            "rolled": np.array(rolled),
            "creepage": np.array(t.creepage if step else np.zeros(3)),
            "traction": np.array(t.traction),
            "pressure": np.array(t.normal.pressure),
            **packed(t.state),
        }
        return after, {DISTANCE.name: rolled, **named(ROLLING, creepage), **sample_of(t)}

    def _begun(self) -> TangentialContact:
        """The contact that is about to roll."""
        case = self.case
        contact = self.pressed({"load": case.first_load})
        t = self.rebuilt(contact, np.zeros((2, *self.grid.shape)), stick=contact.contact.copy())
        for number, given in enumerate(case.start_steps):
            moves, force = case.start.prescribed(given)  # type: ignore[union-attr]
            previous = t if number else None
            t = shift(
                contact, case.friction, displacement=moves, force=force, previous=previous, tol=case.tol
            )
        return t

    def _before(self, state: State) -> TangentialContact:
        """The contact that a state holds."""
        done = int(state["step"]) - 1  # steps of rolling
        contact = self.pressed(self.steps[done - 1] if done else {"load": self.case.first_load})
        if self.case.pair.mismatch != 0.0:
            contact = replace(contact, pressure=state["pressure"].copy(), _displacement=None)
        xi, eta, phi = state["creepage"].tolist()
        known = unpacked(state, contact, self.case.friction)
        return self.rebuilt(contact, state["traction"].copy(), creepage=(xi, eta, phi), state=known)

    def _rolled(self, before: TangentialContact, given: Any, length: float) -> TangentialContact:
        case = self.case
        creepage, force = case.rolling.prescribed(given)
        contact = self.pressed(given)
        if contact.force == before.normal.force:
            contact = before.normal  # the pressure of unlike bodies hardly changes from step to step
        return roll(
            before,
            case.friction,
            distance=length,
            creepage=creepage,
            force=force,
            normal=contact,
            tol=case.tol,
            **case.rolling.options,
        )


def packed(state: Any) -> State:
    """Tractions on the material as arrays; nothing where a scheme keeps none."""
    if not isinstance(state, MaterialState):
        return {}
    arrays = {
        "traction": state.traction,
        "travelled": float(state.travelled),
        "fineness": state.fineness,
        "owed": state.owed,
        "bound": state.patch.bound,
        **{ELEMENT + name: getattr(state.elements, name) for name in ELEMENT_ARRAYS},
    }
    if state.elements.up_to:
        arrays["up_to"] = np.array(state.elements.up_to)
    if state.displacement is not None:
        arrays["displacement"] = state.displacement
    return {MATERIAL + name: np.array(array) for name, array in arrays.items()}


def unpacked(state: State, contact: NormalContact, friction: float) -> MaterialState | None:
    """Tractions on the material of a contact."""
    if MATERIAL + "traction" not in state:
        return None
    kept = {name: array for name, array in state.items() if name.startswith(MATERIAL)}
    arrays = {name.removeprefix(MATERIAL): array.copy() for name, array in kept.items()}
    bound, patch = arrays["bound"], FrictionPatch.whole(contact, friction)
    parts = bound.shape[1] // patch.grid.nx
    grid = replace(patch.grid, nx=parts * patch.grid.nx, dx=patch.grid.dx / parts)
    elements = MaterialElements(
        HalfSpace(grid, patch.pair),
        **{name: arrays[ELEMENT + name] for name in ELEMENT_ARRAYS},
        up_to=tuple(arrays["up_to"]) if "up_to" in arrays else (),
    )
    return MaterialState(
        elements,
        arrays["traction"],
        float(arrays["travelled"]),
        replace(patch, grid=grid, bound=bound),
        int(arrays["fineness"]),
        displacement=arrays.get("displacement"),
        sideways=Sideways.of(contact, int(arrays["fineness"])),
        owed=float(arrays["owed"]),
    )
