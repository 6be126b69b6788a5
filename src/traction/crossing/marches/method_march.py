"""Crossings by a method of `tr.methods()`, with a step end wherever an axle passes an end of a segment.

Where springs hold the bridge its ends are not level with the rigid track beside them: coordinates and
velocities go on, accelerations jump. Within a step each axle stays on the bridge or off it, so that a method
sees a smooth track in all of its stages; at a passage its accelerations begin anew on the other side.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.crossing.bridge_models.bridge_model import bridge_model
from traction.crossing.bridge_models.flexibility import flexibility
from traction.crossing.marches.energy_balance import SystemLedger
from traction.crossing.marches.path_work import Rows
from traction.crossing.marches.rigid_wheels import PackedCars, plain_forces
from traction.crossing.marches.wheels_on_bridge import WheelsOnBridge, require_stable, solvable
from traction.crossing.results.contact_crossing import ContactCrossing, DiscreteContactCrossing
from traction.crossing.schedule import Schedule
from traction.crossing.wheel_contact import WheelContact
from traction.errors import ConvergenceError, InputError
from traction.integrators.core.method import Method
from traction.integrators.core.motion import StepError
from traction.integrators.core.state import State
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.march.step_control import Control
from traction.integrators.march.time_march import March
from traction.integrators.method_table import method as method_of
from traction.status import Status
from traction.trains.irregularity import Irregularity
from traction.trains.train import Train


@dataclass(frozen=True, eq=False)
class MethodMarch:
    """Steps of a method over the `fine` times of a crossing; all that matters is in the states."""

    wheels: WheelsOnBridge
    method: Method
    force: Any  #: of the wheels, as the system takes it; it may remember

    @cached_property
    def march(self) -> March:
        """One step after the other."""
        w, times = self.wheels, self.wheels.times
        w.enter(self.on[0])
        q0, v0 = w.start()
        system = SecondOrderSystem(
            w.mass, self.force, q0, v0, damping=w.damping, stiffness=w.stiffness,
            jacobian=w.jacobian, energy=w.energy, mean_force=w.mean_force,
        )  # fmt: skip
        try:
            return March(system, self.method, Control(float(times.t[-1]), float(times.t[1])))
        except StepError as error:
            raise InputError(f"the march cannot begin: {error}.") from error

    @cached_property
    def on(self) -> np.ndarray:
        """Which axles are on the bridge in each step, (steps + 1, axles); the last row is that of the end."""
        within = self.wheels.times.within(self.wheels.model.ends)
        return np.concatenate([within, within[-1:]])

    def begin(self) -> State:
        """Before the first step."""
        march = self.march
        self.wheels.enter(self.on[0])
        try:
            return march.begin()
        except StepError as error:
            raise InputError(f"the march cannot begin: {error}.") from error

    def advance(self, state: State, first: int, last: int) -> list[State]:
        """States at the times `first` to `last`, the given one the first of them."""
        passed = [state]
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is found, and said
            for n in range(first, last):
                try:
                    passed.append(self._next(passed[-1], n))
                except StepError as error:
                    now, end = passed[-1].t, float(self.wheels.times.t[-1])
                    words = Status.STEP_FAILED.format(t=now, t_end=end, reason=str(error).rstrip("."))
                    until = self.rows(passed, first)
                    raise ConvergenceError(f"{words[0].upper()}{words[1:]}.", until) from error
        return passed

    def rows(self, passed: list[State], first: int) -> Rows:
        """Of states from the time `first` on, for the ledger."""
        t, q, v = (np.array([getattr(one, name) for one in passed]) for name in ("t", "q", "v"))
        return Rows(t, q, v, self.on[first : first + t.size], self.method.name)

    def _next(self, state: State, n: int) -> State:
        """The state after step n, ready for the one that follows."""
        times, march = self.wheels.times, self.march
        self.wheels.enter(self.on[n])
        if times.fine[n + 1] < times.t[state.interval + 1]:  # a passage between two kept times
            cut = float(times.fine[n + 1])
            end = march.stepping.single(state, cut - state.t).accepted_after(state).but(t=cut)
            march.steps += 1
        else:
            end = march.advance(state).states[-1]
        return end if np.array_equal(self.on[n], self.on[n + 1]) else self._beyond(end, n + 1)

    def _beyond(self, state: State, n: int) -> State:
        """The same state on the track of step n. What a method's accelerations lag behind, they still do."""
        motion = self.march.motion
        self.wheels.enter(self.on[n])
        motion.memory = state.memory
        a = motion.acceleration(state.t, state.q, state.v)
        x = state.x + (a - state.a) if state.x.size else state.x
        return state.but(a=a, x=x, memory=motion.memory).sized(state)


def cross_by_method(
    beam: Beam,
    cars: Train,
    packed: PackedCars,
    contacts: tuple[WheelContact, ...],
    times: Schedule,
    *,
    model: str,
    size: int,
    method: str,
    irregularity: Irregularity | None,
    residual: bool,
    felt: bool,
    allow_unstable: bool = False,
    **options: Any,
) -> ContactCrossing | DiscreteContactCrossing:
    """March by a method of `tr.methods()`; see `tr.cross`."""
    began = time.perf_counter()
    bridge = bridge_model(beam, model, size, felt)
    wheels = WheelsOnBridge(bridge, cars, packed, contacts, times, irregularity)
    chosen = method_of(method, **solvable(method, contacts, options))
    if not checks.flag("allow_unstable", allow_unstable):
        require_stable(wheels, chosen, float(times.t[1]))
    steps = MethodMarch(wheels, chosen, wheels.force)
    passed = steps.advance(steps.begin(), 0, times.fine.size - 1)
    ledger = SystemLedger.of(wheels, steps.rows(passed, 0), times.kept)
    q, v, a = (np.array([getattr(passed[k], name) for k in times.kept]) for name in ("q", "v", "a"))
    forces, plain, n = ledger.forces, plain_forces(cars, times), wheels.model.size
    common: dict[str, Any] = {
        "t": times.t, "beam": beam, "places": times.places, "model": model, "method": chosen.name,
        "forces": np.concatenate([plain[0], forces], axis=1),
        "stats": {**steps.march.counts, "seconds": time.perf_counter() - began},
        "train": cars, "vehicle": q[:, n:], "vehicle_velocity": v[:, n:],
        "contact_forces": forces, "in_contact": forces > 0.0,
        "approach": ledger.approaches, "contacts": wheels.contacts_now, "ledger": ledger,
    }  # fmt: skip
    if wheels.model.modal is None:
        return DiscreteContactCrossing(
            **common, discrete=wheels.model.discrete, q=q[:, :n], v=v[:, :n], a=a[:, :n]
        )
    return ContactCrossing(
        **common, modes=beam.modes(size), modal=q[:, :n], modal_velocity=v[:, :n],
        force_rates=np.concatenate([plain[1:], np.zeros((2, *forces.shape))], axis=2),
        motion=times.motion, bridge=wheels.model.modal, cars=packed,
        flexibility=flexibility(beam, wheels.model.modal.omega) if residual else None,
    )  # fmt: skip
