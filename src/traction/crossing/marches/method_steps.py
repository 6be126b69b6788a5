"""`MethodSteps`: crossings by a method of `tr.methods()`, cut wherever one likes; see `CondensedSteps`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from traction.crossing.bridge_models.bridge_model import bridge_model
from traction.crossing.bridge_models.flexibility import flexibility
from traction.crossing.marches.condensed_steps import COUNTED, ENERGIES, Arrays, CutSteps, at_times
from traction.crossing.marches.energy_balance import SystemLedger
from traction.crossing.marches.method_march import MethodMarch
from traction.crossing.marches.wheels_on_bridge import WheelsOnBridge, require_stable, solvable
from traction.crossing.results.contact_crossing import ContactCrossing, DiscreteContactCrossing, Ledger
from traction.integrators.core.method import Method
from traction.integrators.core.state import State
from traction.integrators.method_table import method as method_of

HEAD = "head."


class RememberedForce:
    """The force of wheels on a bridge; its memory is that of the laws of contact.

    To set it also forgets the last answers: equal memories give equal answers, to the last bit.
    """

    def __init__(self, wheels: WheelsOnBridge) -> None:
        self.wheels = wheels

    def __call__(self, t: float, q: np.ndarray) -> np.ndarray:
        """On all coordinates, N."""
        return self.wheels.force(t, q)

    @property
    def memory(self) -> dict[str, np.ndarray]:
        """Of all laws."""
        return {
            f"{k}.{name}": np.array(value)
            for k, memory in enumerate(self.wheels.memories)
            for name, value in memory.items()
        }

    @memory.setter
    def memory(self, stored: Mapping[str, np.ndarray]) -> None:
        self.wheels.recall(
            [
                {
                    name.removeprefix(f"{k}."): value
                    for name, value in stored.items()
                    if name.startswith(f"{k}.")
                }
                for k in range(len(self.wheels.contacts))
            ]
        )


@dataclass(frozen=True, eq=False)
class MethodSteps(CutSteps):
    """A crossing of `tr.cross` by a method of `tr.methods()`, some steps at a time."""

    options: dict[str, Any]

    @cached_property
    def wheels(self) -> WheelsOnBridge:
        """The system."""
        one = self.setup
        model = bridge_model(one.beam, one.model, one.size, one.felt)
        return WheelsOnBridge(model, one.cars, one.packed, one.contacts, one.times, one.irregularity)

    @cached_property
    def method(self) -> Method:
        """With its options; a step over its limit is refused."""
        one = self.setup
        chosen = method_of(one.method, **solvable(one.method, one.contacts, self.options))
        require_stable(self.wheels, chosen, float(one.times.t[1]))
        return chosen

    @cached_property
    def steps(self) -> MethodMarch:
        """One step after the other."""
        return MethodMarch(self.wheels, self.method, RememberedForce(self.wheels))

    def begin(self) -> Arrays:
        """Before the first step."""
        return self._state([self.steps.begin()], 0, np.zeros(len(ENERGIES)))[0]

    def advance(self, state: Arrays, last: int) -> tuple[Arrays, np.ndarray]:
        """March on to the kept time number `last`; also the forces of the wheels after each step."""
        head = State.from_arrays(
            {name.removeprefix(HEAD): value for name, value in state.items() if name.startswith(HEAD)}
        )
        first, end = (int(self.kept[k]) for k in (head.interval, last))
        return self._state(self.steps.advance(head, first, end), first, state["energies"])

    def columns(self, state: Arrays) -> dict[str, np.ndarray]:
        """Of a crossing, at the time of a state."""
        q, v, a, n = state["head.q"], state["head.v"], state["head.a"], self.wheels.model.size
        forces = state["forces"]
        own: dict[str, np.ndarray] = {"q": q[:n], "v": v[:n], "a": a[:n]}
        if self.wheels.model.modal is not None:
            own = {"modal": q[:n], "modal_velocity": v[:n]}
        return {
            **own, "vehicle": q[n:], "vehicle_velocity": v[n:], "contact_forces": forces,
            "approach": state["approach"], "in_contact": forces > 0.0,
        }  # fmt: skip

    def pressure(self, state: Arrays, wheel: int) -> np.ndarray | None:
        """Of a wheel's patch as it was last solved, Pa; None by Hertz."""
        return state.get(f"head.memory.{wheel}.pressure")

    def crossing(
        self, t: np.ndarray, columns: dict[str, Any], ledger: Ledger
    ) -> ContactCrossing | DiscreteContactCrossing:
        """A crossing at some of the times, from its columns over these."""
        one, model = self.setup, self.wheels.model
        common, modal = at_times(one, t, columns["contact_forces"])
        common |= {"method": one.method, "ledger": ledger, **columns}
        if model.modal is None:
            return DiscreteContactCrossing(**common, discrete=model.discrete)
        return ContactCrossing(
            **common, **modal, bridge=model.modal, cars=one.packed,
            flexibility=flexibility(one.beam, model.modal.omega) if one.residual else None,
        )  # fmt: skip

    def _state(self, passed: list[State], first: int, energies: np.ndarray) -> tuple[Arrays, np.ndarray]:
        """The last of the states from the time `first` on, as arrays, and the forces in the steps."""
        head, motion = passed[-1], self.steps.march.motion

        def recall(n: int) -> None:
            motion.memory = passed[n].memory

        every = np.arange(len(passed))
        ledger = SystemLedger.of(self.wheels, self.steps.rows(passed, first), every, recall)
        counted, forces = ledger.energies(), ledger.forces
        total = np.array([float(getattr(counted, name)[-1]) for name in ENERGIES])
        total[COUNTED] += energies[COUNTED]
        state = {
            **{HEAD + name: value for name, value in head.to_arrays().items()},
            "forces": forces[-1],
            "approach": ledger.approaches[-1],
            "energies": total,
        }
        return state, forces[1:]
