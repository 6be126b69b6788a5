"""`MethodMarch`: crossings by a method of `tr.methods()`; bridge, vehicles and contacts are one system.

Steps end wherever an axle passes an end of a segment. Within a step each axle stays on the bridge or outside
it, so that a method sees a smooth track in all of its stages; at a passage its accelerations restart on the
other side. Where springs support the bridge its ends are not level with the rigid track beside them: wheels
near them count as on the bridge on both sides and roll over the step (`wheels_at_edges`); steps are not
compiled there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np

from traction.crossing.bridge_models.wheels_at_edges import WheelsAtEdges
from traction.crossing.bridge_models.wheels_on_bridge import WheelsOnBridge
from traction.crossing.marches.march_part import ElasticMarch, MarchColumns, MarchPart
from traction.crossing.marches.method_energies import (
    ContactStates,
    MethodEnergies,
    PassedStates,
    PathRows,
    all_closed,
    ask_contacts,
    rows_of,
    sunk_by,
)
from traction.crossing.marches.nodal_steps import NodalSteps, marches_compiled
from traction.crossing.setup import require_stable
from traction.errors import ConvergenceError, InputError
from traction.integrators.core.kernels.step_solver import FORCES, ITERATIONS
from traction.integrators.core.motion import StepError
from traction.integrators.core.state import State
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.march.stepping import Control
from traction.integrators.march.time_march import TimeMarch
from traction.integrators.methods.alpha_family import SAME_STEP, AlphaMethod
from traction.status import Status

AT_ONCE = 4096  #: compiled steps after which progress is shown
ON_KINK = 1e-3  #: of the width over which a maximum is rounded, by which a wheel may be off its ends
CLOSE = 0.1 * ON_KINK  #: how closely these ends are located
MOST_CHANGE = 0.0625  #: of the share of the bridge in a part of a step
AIMED_CHANGE = 0.9 * MOST_CHANGE  #: in parts that are cut, so that few are cut twice
LEAST_CHANGE = 0.1 * MOST_CHANGE  #: in parts that are cut; shorter ones are lengthened
SHORTEST_PART = 1e-6  #: of a step: parts end, however shares change
MOST_TRIALS = 30  #: steps to find an end of a change


class RememberedForce:
    """The force of wheels on a bridge; its memory is that of the contact laws.

    Setting it also discards the last responses: equal memories return equal ones, to the last bit.
    """

    def __init__(self, wheels: WheelsOnBridge) -> None:
        self.wheels = wheels

    def __call__(self, t: float, q: np.ndarray) -> np.ndarray:
        """On all coordinates, N."""
        return self.wheels.force(t, q)

    @property
    def memory(self) -> dict[str, np.ndarray]:
        """Memories of all laws."""
        return {
            f"{k}.{name}": np.array(value)
            for k, memory in enumerate(self.wheels.memories)
            for name, value in memory.items()
        }

    @memory.setter
    def memory(self, stored: Mapping[str, np.ndarray]) -> None:
        memories: list[dict[str, np.ndarray]] = [{} for _ in self.wheels.contacts]
        for name, value in stored.items():
            wheel, part = name.split(".", 1)
            memories[int(wheel)][part] = value
        self.wheels.recall(memories)


@dataclass(frozen=True, eq=False)
class MethodState:
    """State passed from step to step."""

    step: int  #: steps behind it
    motion: State
    contacts: np.ndarray  #: their responses on the track of the step that follows, see `ContactStates`

    def pressure(self, wheel: int) -> np.ndarray | None:
        """Pressure of a wheel's patch as last solved, Pa; None for closed forms."""
        return self.motion.memory.get(f"{wheel}.pressure")


@dataclass(frozen=True, eq=False)
class MethodMarch(ElasticMarch[MethodState]):
    """A crossing by a method, some steps at a time."""

    def __post_init__(self) -> None:
        require_stable(self.setup)

    @property
    def wheels(self) -> WheelsOnBridge:
        """The system."""
        return self.setup.wheels

    @cached_property
    def march(self) -> TimeMarch:
        """Steps, with counters."""
        w, times = self.wheels, self.setup.times
        w.enter(self.on[0])
        q0, v0 = w.start()
        force = w.force if all_closed(w) else RememberedForce(w)  # closed forms have no memory
        system = SecondOrderSystem(
            w.mass, force, q0, v0, damping=w.damping, stiffness=w.stiffness, jacobian=w.jacobian,
            energy=w.energy, mean_force=w.mean_force,
        )  # fmt: skip
        try:
            return TimeMarch(system, self.setup.chosen_method, Control(float(times.t[-1]), float(times.t[1])))
        except StepError as error:
            raise InputError(f"the march cannot begin: {error}.") from error

    @cached_property
    def on(self) -> np.ndarray:
        """Axles on the bridge in each step, (steps + 1, axles); the last row is that of the end."""
        within = self.setup.times.within(self.wheels.model.ends)
        plain = len(self.setup.cars.forces)
        within[:, plain:] |= self._near
        return np.concatenate([within, within[-1:]])

    @cached_property
    def _near(self) -> np.ndarray:
        """Wheels near a soft end of the bridge in each step, which they may touch from the ground too."""
        middles = self.setup.times.middles[:, len(self.setup.cars.forces) :]
        wheels = self.wheels
        if isinstance(wheels, WheelsAtEdges):
            return wheels.edges.meets(middles)
        return np.zeros(middles.shape, dtype=np.bool_)

    def begin(self) -> MethodState:
        """State before the first step."""
        march = self.march
        self.wheels.enter(self.on[0])
        try:
            motion = march.begin()
        except StepError as error:
            raise InputError(f"the march cannot begin: {error}.") from error
        return MethodState(0, motion, self._ask(motion, self.on[0]))

    @cached_property
    def nodal(self) -> NodalSteps | None:
        """Compiled steps, where there are some for model, method and contacts."""
        method = self.setup.chosen_method
        if isinstance(method, AlphaMethod) and marches_compiled(self.wheels, method):
            return NodalSteps(self.wheels, method)
        return None

    def advance(self, state: MethodState, until: int) -> tuple[MethodState, MarchPart]:
        """March to the stored time number `until`; returns the state and the steps to it."""
        began, last = perf_counter(), int(self.setup.times.kept[until])
        passed, now = PassedStates(state.motion, state.contacts), state
        with np.errstate(over="ignore", invalid="ignore"):  # found and reported
            while now.step < last:
                try:
                    now = self._run(now, last, passed) or self._single(now, passed)
                except StepError as error:
                    raise self._failed(error, state.step, passed) from error
                if self.told is not None:
                    self.told(now.step, last)
        starts = passed.starts
        rows, a = self._rows(state.step, passed)
        energies = MethodEnergies(self.wheels, self.setup.method, rows, starts, passed.ends)
        columns = self._columns(rows, a, starts)
        counts = {**self.march.counts, "seconds": perf_counter() - began}
        return now, MarchPart(state.step, columns, energies, self.wheels.contacts_now, counts)

    def _single(self, state: MethodState, passed: PassedStates) -> MethodState:
        """The state after one step."""
        n = state.step
        motion = self._take_step(state.motion, n)
        end = start = self._ask(motion, self.on[n])
        if not np.array_equal(self.on[n + 1], self.on[n]):
            start = self._ask(motion, self.on[n + 1])
        passed.add(rows_of(motion), end[None], start[None])
        return MethodState(n + 1, motion, start)

    def _run(self, state: MethodState, last: int, passed: PassedStates) -> MethodState | None:
        """The state after as many compiled steps as are alike, up to step `last`; None if there is none."""
        n, times, march = state.step, self.setup.times, self.march
        if self.nodal is None or self._near[n].any():
            return None
        t, lengths, changes = self._alike
        stop = min(last, n + AT_ONCE, int(changes[np.searchsorted(changes, n, side="right")]))
        run = self.nodal.march(state.motion, state.contacts, t[n + 1 : stop + 1], self.on[n], lengths[n])
        step = n + len(run.q)
        if step == n:
            return None
        march.steps += step - n
        for kind, count in ((FORCES, run.iterations), (ITERATIONS, run.iterations)):
            march.motion.work[kind] += count
        behind = int(np.searchsorted(times.kept, step, side="right")) - 1
        motion, start = run.end.but(interval=behind), run.contacts[-1]
        if not np.array_equal(self.on[step], self.on[step - 1]):
            motion = self._pass_over(motion, step)
            start = self._ask(motion, self.on[step])
            run.a[-1] = motion.a
        starts = np.concatenate([run.contacts[:-1], start[None]])
        passed.add((t[n + 1 : step + 1], run.q, run.v, run.a), run.contacts, starts)
        return MethodState(step, motion, start)

    @cached_property
    def _alike(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Times of all ends of steps, their lengths, and the numbers of steps that differ from the last one.

        Steps are alike if they have one length and the same axles are on the bridge; the last number is that
        of all steps.
        """
        times, control = self.setup.times, self.march.control
        t = times.fine.copy()
        t[times.kept] = [control.grid(k) for k in range(times.kept.size)]
        lengths, whole = np.diff(t), float(times.t[1])
        lengths[np.abs(lengths - whole) <= SAME_STEP * whole] = whole
        near = np.asarray(self._near.any(axis=1))
        other = (self.on[1:-1] != self.on[:-2]).any(axis=1) | (lengths[1:] != lengths[:-1])
        other |= near[1:] != near[:-1]
        return t, lengths, np.append(np.flatnonzero(other) + 1, lengths.size)

    def _take_step(self, state: State, n: int) -> State:
        """The state after step n, ready for the one that follows."""
        self.wheels.enter(self.on[n])
        end = self._reach_end(state, n)
        takes_means = self.setup.method == "energy-conserving"  # of forces over its steps: kinks are no loss
        if self._near[n].any() and isinstance(self.wheels, WheelsAtEdges) and not takes_means:
            while (part := self._find_part(self.wheels, state, end)) is not None:
                state, end = part, self._reach_end(part, n)
        return end if np.array_equal(self.on[n], self.on[n + 1]) else self._pass_over(end, n + 1)

    def _reach_end(self, state: State, n: int) -> State:
        """The state at the end of step n, on one track."""
        times, march = self.setup.times, self.march
        if times.fine[n + 1] < times.t[state.interval + 1]:  # a passage between two kept times
            return self._cut_step(state, float(times.fine[n + 1]))
        return march.advance(state).states[-1]

    def _cut_step(self, state: State, t: float) -> State:
        """The state after a shorter step, to the time t."""
        self.march.steps += 1
        return self.march.stepping.single(state, t - state.t).accepted_after(state).but(t=t)

    def _find_part(self, wheels: WheelsAtEdges, state: State, end: State) -> State | None:
        """The state at the end of the first part of a step over which shares change; None of a whole step.

        Between two kinks the share of the bridge may change within less than a step: parts resolve it.
        """
        part, longer, shortest = end, end, SHORTEST_PART * float(self.setup.times.t[1])
        while part.t - state.t > shortest and (rate := self._change_over(wheels, state, part)) > 0.0:
            longer = part
            part = self._cut_step(state, state.t + max(shortest, AIMED_CHANGE / rate * (part.t - state.t)))
        if part is not end:
            part = self._lengthen_part(wheels, state, part, longer)
        kink = self._find_kink(wheels, state, part)
        if kink is None and part is not end:
            return part
        return kink

    def _lengthen_part(self, wheels: WheelsAtEdges, state: State, part: State, longer: State) -> State:
        """The part, or one between it and a `longer` one, over which shares change about as aimed at.

        From rest, shares change with the square of the time: their rate over a whole step, which limits the
        part, may be ten thousand times that over the part.
        """
        start = wheels.transitions(state.t, state.q)
        for _ in range(MOST_TRIALS):
            small, large = (wheels.transitions(one.t, one.q) - start for one in (part, longer))
            if np.max(_share_changes(start, start + small), initial=0.0) >= LEAST_CHANGE:
                break
            wheel = int(np.argmax(np.where(np.abs(start) <= 1.0 + ON_KINK, np.abs(large), 0.0)))
            changes = 0.5 * abs(small[wheel]), 0.5 * abs(large[wheel])
            trial = self._cut_step(
                state, state.t + _find_length(part.t - state.t, longer.t - state.t, changes)
            )
            if self._change_over(wheels, state, trial) > 0.0:
                longer = trial
            else:
                part = trial
        return part

    def _change_over(self, wheels: WheelsAtEdges, state: State, end: State) -> float:
        """Change of the share over a part if it went on as it begins, where it is more than the most; else 0.

        A share ends at 0 or 1, and what changes it goes on: beyond these it counts in full.
        """
        start, stop = (wheels.transitions(one.t, one.q) for one in (state, end))
        inside = np.abs(start) <= 1.0 + ON_KINK
        large = _share_changes(start, stop) > MOST_CHANGE
        return float(np.max(0.5 * np.abs(stop - start)[inside & large], initial=0.0))

    def _find_kink(self, wheels: WheelsAtEdges, state: State, end: State) -> State | None:
        """The state in a step at which the share of the bridge first begins, or ceases, to change.

        There the derivative of the force jumps: a step over it is of a lower order. None where it does not.
        """
        start, stop = (wheels.transitions(one.t, one.q) for one in (state, end))
        a, b = (np.concatenate((one + 1.0, one - 1.0)) for one in (start, stop))
        crossed = np.flatnonzero((a * b < 0.0) & (np.abs(a) > ON_KINK) & (np.abs(b) > CLOSE))
        if not crossed.size:
            return None
        first = crossed[np.argmin(a[crossed] / (a[crossed] - b[crossed]))]
        wheel, level = first % start.size, -1.0 if first < start.size else 1.0
        low, high, before, after, side = state.t, end.t, a[first], b[first], 0
        for _ in range(MOST_TRIALS):
            t = float((low * after - high * before) / (after - before))
            trial = self._cut_step(state, t)
            off = wheels.transitions(t, trial.q)[wheel] - level
            if not abs(off) > CLOSE:
                break
            # an end that stays twice counts half, so that it moves too (Illinois)
            if off * before > 0.0:
                low, before, after, side = t, off, after if side <= 0 else 0.5 * after, 1
            else:
                high, after, before, side = t, off, before if side >= 0 else 0.5 * before, -1
        return trial

    def _pass_over(self, state: State, n: int) -> State:
        """The same state on the track of step n. The lag of a method's accelerations is kept."""
        motion = self.march.motion
        self.wheels.enter(self.on[n])
        motion.memory = state.memory
        a = motion.acceleration(state.t, state.q, state.v)
        x = state.x + (a - state.a) if state.x.size else state.x
        return state.but(a=a, x=x, memory=motion.memory).sized(state)

    def _ask(self, state: State, on: np.ndarray) -> np.ndarray:
        """The contacts at a state with these axles on the bridge, from their memories there."""
        self.march.motion.memory = state.memory
        return ask_contacts(self.wheels, state, on)

    def _rows(self, first: int, passed: PassedStates) -> tuple[PathRows, np.ndarray]:
        """States from step `first` on, and their accelerations."""
        t, q, v, a = passed.motion
        return PathRows(t, q, v, self.on[first : first + t.size]), a

    def _failed(self, error: StepError, first: int, passed: PassedStates) -> ConvergenceError:
        """The error of a failed step, with the motion until then."""
        rows, end = self._rows(first, passed)[0], float(self.setup.times.t[-1])
        words = Status.STEP_FAILED.describe(t=float(rows.t[-1]), t_end=end, reason=str(error).rstrip("."))
        return ConvergenceError(f"{words[0].upper()}{words[1:]}.", rows)

    def _columns(self, rows: PathRows, a: np.ndarray, contacts: ContactStates) -> MarchColumns:
        n, forces = self.wheels.model.size, contacts.force
        inner = contacts.approach - sunk_by(self.wheels, rows, contacts)
        nodal = None if self.setup.model == "modes" else a[:, :n]
        bridge, vehicles = (rows.q[:, :n], rows.v[:, :n], nodal), (rows.q[:, n:], rows.v[:, n:])
        return MarchColumns(*bridge, *vehicles, forces, inner, forces > 0.0)


def _share_changes(start: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Changes of the shares of the bridge between two transitions u/c of the wheels."""
    return 0.5 * np.abs(np.clip(stop, -1.0, 1.0) - np.clip(start, -1.0, 1.0))


def _find_length(short: float, long: float, changes: tuple[float, float]) -> float:
    """Length of a part with the change aimed at, by the power law between two; else their geometric mean."""
    low, high = changes
    if not 0.0 < low < AIMED_CHANGE < high:
        return math.sqrt(short * long)
    return short * (long / short) ** (math.log(AIMED_CHANGE / low) / math.log(high / low))
