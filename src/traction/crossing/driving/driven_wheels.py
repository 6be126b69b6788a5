"""Driving and braking: friction under the wheels of a crossing, by transient rolling.

Normal and tangential contact of like bodies are independent, so that tractions follow once the contact forces
are known; for unlike bodies, tractions change the approach under a force, which the march neglects. Between
two times of the march a wheel rolls over the path of the train; its contact force is assumed linear between
them, and the path is divided into parts of one element at most, so that steps of any length are allowed.
Shorter steps are joined to parts of up to one element, see `join_steps`: the cost is that of the elements
rolled. Each part is a step of `tr.roll`, which is accurate for any ratio of distance and element. Tractions
do not bend the bridge or change the speed: that of the train is prescribed.

The grid of tractions must contain the largest patch of the whole run, which a divided run does not know: it
is chosen from the largest force of the same crossing condensed with Hertz contact.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import solve_press
from traction.crossing.bridge_models.modal_bridge import with_damped_modes
from traction.crossing.choices import CONDENSED, FRICTION_ELEMENTS, SIZES
from traction.crossing.driving.drive_checks import find_longest, may_jump, may_lag
from traction.crossing.driving.driven_wheel import (
    LEAST,
    STILL,
    DrivenWheel,
    PartDemand,
    RolledPart,
    WheelState,
)
from traction.crossing.marches.condensed_march import CondensedMarch
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.wheel_rolling import WheelRolling
from traction.crossing.setup import CrossingSetup
from traction.crossing.wheel_contact import WheelContact
from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.materials import Pair
from traction.outputs.progress import Tell
from traction.quantities import indexed
from traction.resting.standing_wheels import ROOM, enlarge_grid, hertz_patch
from traction.surfaces import Surface, gap_on
from traction.trains.drive import Demand, Drive
from traction.trains.travel import Travel

LONGEST = 1.0  #: part of a way, in elements
ADHERES = 0.1  #: share of the contact area that sticks, from which a slide has ended
ATTEMPTS = 4  #: at a grid that holds the largest patch
MARGIN = 1.05  #: over the approach under the largest force by Hertz, which the grid holds
CHANGE = 0.02  #: of the load, and of the largest demands: joined steps change them by less


@dataclass(frozen=True, eq=False)
class WayParts:
    """Parts of the path between the times of a crossing."""

    step: np.ndarray  #: that each belongs to
    t: np.ndarray  #: end, s
    distance: np.ndarray  #: m
    seconds: np.ndarray
    force: np.ndarray  #: contact force at the end, N

    @classmethod
    def of(cls, t: np.ndarray, ways: np.ndarray, forces: np.ndarray, fewest: np.ndarray) -> WayParts:
        """Parts between times t (s), with `forces` (N) that are linear between them.

        Each step has at least so many as `fewest`, which may be fractions.
        """
        counts = np.maximum(1, np.ceil(fewest - 1e-9)).astype(int)
        step = np.repeat(np.arange(ways.size), counts)
        number = np.arange(step.size) - np.repeat(np.cumsum(counts) - counts, counts)
        share = (number + 1.0) / counts[step]
        return cls(
            step=step,
            t=t[step] + share * np.diff(t)[step],
            distance=(ways / counts)[step],
            seconds=(np.diff(t) / counts)[step],
            force=forces[step] + share * np.diff(forces)[step],
        )

    def demand(self, n: int, demand: Demand) -> PartDemand:
        """Prescribed motion of the wheel in part n."""
        return PartDemand(float(self.distance[n]), float(self.seconds[n]), float(self.force[n]), demand)


@dataclass(frozen=True, eq=False)
class WheelRoll:
    """The rolling of one driven wheel over a crossing, step by step."""

    number: int  #: of the wheel, from 0
    wheel: DrivenWheel
    travel: Travel
    behind: float  #: distance of the wheel behind the first axle, m

    def demands(self, t: np.ndarray) -> list[Demand]:
        """Prescribed tractions at times t (s), where the wheel then is."""
        return self.wheel.drive.demands(t, self.travel.place(t) - self.behind)

    def begin(self, t: float, force: float) -> RolledStep:
        """Steady rolling before the bridge, under the contact force (N) at time t (s)."""
        at = np.array([t])
        speed = float(np.asarray(self.travel.speed(at))[0])
        state, rolled = self.wheel.run_in(force, self.demands(at)[0], speed)
        return RolledStep((rolled,), np.ones(1), RollState(state, 0.0, int(rolled.sliding), rolled.sliding))

    def times(self, t: np.ndarray, forces: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """Numbers of the times t (s) between which the wheel rolls, the `stops` among them."""
        wheel, demands = self.wheel, np.array(self.demands(t))[:, :4]
        still = np.diff(self.travel.place(t)) < STILL * wheel.grid.dx
        parts = np.concatenate(([0.0], np.cumsum(self._count_parts(t))))
        return join_steps(parts, still, forces / wheel.load, demands, stops)

    def _count_parts(self, t: np.ndarray) -> np.ndarray:
        """Parts, and fractions of one, that each step between times t (s) is to be divided into."""
        parts: np.ndarray = np.diff(self.travel.place(t)) / (LONGEST * self.wheel.grid.dx)
        return np.maximum(parts, np.diff(t) / find_longest(self.wheel.drive))

    def advance(self, state: RollState, t: np.ndarray, forces: np.ndarray) -> Iterator[RolledStep]:
        """The steps that end at t[1:] (s), from the state at t[0], under the contact forces (N) there."""
        wheel, now = self.wheel, state.wheel
        parts = WayParts.of(t, np.diff(self.travel.place(t)), forces, self._count_parts(t))
        ends = np.r_[np.diff(parts.step) > 0, True]
        done: list[RolledPart] = []
        for n, demand in enumerate(self.demands(parts.t)):
            try:
                now, rolled = wheel.roll_part(now, parts.demand(n, demand))
            except ConvergenceError as error:
                words = f"tractions of {indexed('wheel', self.number)} at t = {parts.t[n]:.6g} s: {error}"
                raise ConvergenceError(words) from error
            done.append(rolled)
            if ends[n]:
                state = state.follow(now, done)
                yield RolledStep(tuple(done), parts.distance[n + 1 - len(done) : n + 1], state)
                done = []


def drive_wheels(
    run: ContactCrossing,
    drives: tuple[Drive | None, ...],
    setup: CrossingSetup,
    told: Tell | None = None,
) -> tuple[WheelRolling | None, ...]:
    """The rolling of the driven wheels of a crossing; None for the others."""
    if any(one.grid is not None and one.grid.is_line for one in setup.contacts):
        peaks = run.contact_forces.max(axis=0)  # Hertz has no strip to march with
        deepest = zip(run.contacts, run.approach.max(axis=0).tolist(), strict=True)
        contacts = tuple(_solved_at(one, approach) for one, approach in deepest)
    else:
        own = setup.method == CONDENSED and all(one.grid is None for one in setup.contacts)
        peaks = run.contact_forces.max(axis=0) if own else largest_forces(setup)
        contacts = with_room(setup.contacts, peaks)
    rolls, done = make_rolls(setup, drives, contacts, peaks), 0

    def tell(steps: int) -> None:
        """So many more steps of all driven wheels."""
        nonlocal done
        done += steps
        if told is not None:
            told(done, len(rolls) * run.t.size)

    try:
        return tuple(_roll_whole(run, rolls[k], tell) if k in rolls else None for k in range(len(drives)))
    except ConvergenceError as error:
        raise ConvergenceError(str(error), run) from error


def _solved_at(contact: WheelContact, approach: float) -> WheelContact:
    """A tabulated contact as solved at an approach (m), on a grid that has grown to hold its patch."""
    if contact.table is None:
        return contact
    law = contact.table.solver
    return replace(contact, law=law, memory=law.response(approach, law.begin()).memory)


def make_rolls(
    setup: CrossingSetup,
    drives: tuple[Drive | None, ...],
    contacts: tuple[WheelContact, ...],
    peaks: np.ndarray,
) -> dict[int, WheelRoll]:
    """Rolling of the driven wheels, by number, on grids for the patches under the largest forces, N."""
    found = {}
    for k, (drive, contact) in enumerate(zip(drives, contacts, strict=True)):
        if drive is not None:
            grid = friction_grid(contact, drive, float(peaks[k]))
            pair, gap = Pair(contact.wheel.material, contact.bridge.material), gap_on(_surface(contact), grid)
            wheel = DrivenWheel(gap, grid, pair, contact.load, contact.wheel.radius, drive)
            found[k] = WheelRoll(k, wheel, setup.times.travel, float(setup.packed.behind[k]))
    return found


def largest_forces(setup: CrossingSetup) -> np.ndarray:
    """Largest force of each wheel in the same crossing condensed with Hertz contact, N."""
    modal = setup.model == "modes"
    size = setup.size if modal else SIZES["modes"]
    simple = replace(
        setup, beam=setup.beam if modal else with_damped_modes(setup.beam, size), model="modes", size=size,
        contacts=tuple(one.by_hertz for one in setup.contacts), method=CONDENSED, options={},
    )  # fmt: skip
    march = CondensedMarch(simple)
    _, part = march.advance(march.begin(), setup.times.t.size - 1)
    return np.asarray(part.columns.contact_forces[setup.times.kept].max(axis=0))


def with_room(contacts: tuple[WheelContact, ...], peaks: np.ndarray) -> tuple[WheelContact, ...]:
    """Contacts whose grids have grown for the largest forces (N)."""
    found = []
    for one, peak in zip(contacts, peaks.tolist(), strict=True):
        deepest = MARGIN * one.static * (max(peak, one.load) / one.load) ** (2.0 / 3.0)
        law = one.law if one.table is None else one.table.solver
        found.append(replace(one, law=law, memory=law.response(deepest, law.begin()).memory))
    return tuple(found)


def _roll_whole(run: ContactCrossing, roll: WheelRoll, tell: Callable[[int], None]) -> WheelRolling:
    """One wheel over the whole crossing."""
    began = time.perf_counter()
    t, wheel, drive = run.t, roll.wheel, roll.wheel.drive
    forces, at_times = run.contact_forces[:, roll.number], roll.demands(t)
    first = roll.begin(float(t[0]), float(forces[0]))
    record = RollRecord(t, drive)
    rolled = roll.times(t, forces, record.kept)
    steps = chain((first,), roll.advance(first.state, t[rolled], forces[rolled]))
    for n, more, step in zip(rolled.tolist(), np.diff(rolled, prepend=-1).tolist(), steps, strict=True):
        record.keep(n, step)
        tell(more)
    record.fill_between(t, rolled)
    for n in record.free:
        record.contacts[n] = wheel.roll_freely(float(forces[n]), at_times[n])
    stats = {"rolls": wheel.rolls, "products": wheel.products, "seconds": time.perf_counter() - began}
    return WheelRolling(
        t=t, drive=drive, radius=wheel.radius, speed=np.asarray(roll.travel.speed(t)), contact_force=forces,
        friction=np.array([one.friction for one in at_times]), force=record.force, moment=record.moment,
        creepage=record.creepage, stick=record.stick, sliding=record.sliding, slides=record.slides,
        dissipated=record.work, kept=record.kept, contacts=tuple(record.contacts[n] for n in record.kept),
        shaft_torque=record.shaft_torque, rotor_speed=record.rotor_speed, lag=record.lag,
        jump=record.jump, stats=stats,
    )  # fmt: skip


def friction_grid(contact: WheelContact, drive: Drive, peak: float) -> Grid:
    """The grid of the contact, or one that contains the patch under the largest force of the run, N."""
    if drive.elements is None and contact.grid is not None:
        return contact.grid
    n = FRICTION_ELEMENTS if drive.elements is None else drive.elements
    force = max(peak, contact.load)
    a, b = hertz_patch(contact.wheel, contact.bridge, force).semi_axes
    chosen = Grid(n, n, 2.0 * ROOM * a / n, 2.0 * ROOM * b / n)
    pair, surface = Pair(contact.wheel.material, contact.bridge.material), _surface(contact)
    for attempt in range(ATTEMPTS):
        grid = enlarge_grid(chosen, attempt)
        if solve_press(surface, grid, pair, force=force, on_failure="return").ok:
            return grid
    raise ConvergenceError(
        f"no grid of {n} x {n} elements holds the patch under {force:.6g} N; give the drive more elements, "
        'or use contact="half-space" with a grid.'
    )


def _surface(contact: WheelContact) -> Surface:
    rail = contact.bridge.rail_profile
    return contact.wheel.tread if rail is None else contact.wheel.tread + rail


@dataclass(frozen=True, eq=False)
class RollState:
    """State of a driven wheel at a time of the march."""

    wheel: WheelState
    work: float  #: of friction from the start, J
    slides: int  #: how often all of the patch began to slip so far
    slid: bool  #: whether it has not yet adhered since

    def follow(self, wheel: WheelState, parts: Sequence[RolledPart]) -> RollState:
        """The state after more parts of the path."""
        slides, slid = self.slides, self.slid
        for one in parts:
            slides += one.sliding and not slid
            slid = one.sliding or (slid and one.stick <= ADHERES)
        work = self.work + sum(one.dissipation for one in parts)
        return RollState(wheel, work, slides, slid)


@dataclass(frozen=True, eq=False)
class RolledStep:
    """Rolling of a driven wheel in a step of the march, in parts; before the first one, steady rolling."""

    parts: tuple[RolledPart, ...]
    distances: np.ndarray  #: of the parts, m
    state: RollState  #: at its end

    @property
    def last(self) -> RolledPart:
        """The last part."""
        return self.parts[-1]

    @property
    def lag(self) -> float:
        """Largest distance by which friction lagged behind its law, m."""
        return max(0.0 if one.contact is None else one.contact.lag for one in self.parts)

    @property
    def jump(self) -> float:
        """Largest jump of the force that the rotation could not resolve, over the friction bound."""
        return max(one.jump for one in self.parts)


class RollRecord:
    """Numbers at all times, filled while the wheel rolls."""

    def __init__(self, t: np.ndarray, drive: Drive) -> None:
        times, self.shaft, self.kept = t.size, drive.shaft, drive.kept_of(t)
        self.force, self.moment, self.creepage = np.zeros((times, 2)), np.zeros(times), np.zeros((times, 3))
        self.stick, self.sliding = np.zeros(times), np.zeros(times, dtype=bool)
        self.work, self.slides = np.zeros(times), np.zeros(times, dtype=int)
        self.shaft_torque = None if drive.shaft is None else np.zeros(times)
        self.rotor_speed = None if drive.shaft is None else np.zeros(times)
        self.lag = np.zeros(times) if may_lag(drive) else None
        self.jump = np.zeros(times) if may_jump(drive) else None
        self.contacts: dict[int, TangentialContact | None] = dict.fromkeys(self.kept.tolist())
        self.free: list[int] = []  #: kept times without tractions

    def keep(self, n: int, step: RolledStep) -> None:
        """A step that ends at the time n; its parts are of one length."""
        last = step.last
        self.creepage[n] = np.mean([one.creepage for one in step.parts], axis=0)
        self.sliding[n] = any(one.sliding for one in step.parts)
        self.work[n], self.slides[n] = step.state.work, step.state.slides
        self.force[n], self.moment[n], self.stick[n] = last.force, last.moment, last.stick
        if self.shaft_torque is not None and self.rotor_speed is not None:
            self.shaft_torque[n], self.rotor_speed[n] = step.state.wheel.see_shaft(self.shaft)
        if self.lag is not None:
            self.lag[n] = step.lag
        if self.jump is not None:
            self.jump[n] = step.jump
        if n in self.contacts:
            self.contacts[n] = last.kept
            if last.free:
                self.free.append(n)

    def fill_between(self, t: np.ndarray, rolled: np.ndarray) -> None:
        """Numbers at times t (s) between those rolled: linear, or those of the whole part."""
        if rolled.size == t.size:
            return
        shaft = [one for one in (self.shaft_torque, self.rotor_speed) if one is not None]
        for values in (self.force[:, 0], self.force[:, 1], self.moment, self.stick, self.work, *shaft):
            values[:] = np.interp(t, t[rolled], values[rolled])
        part = rolled[np.searchsorted(rolled, np.arange(t.size))]
        self.creepage, self.sliding, self.slides = self.creepage[part], self.sliding[part], self.slides[part]
        self.lag = None if self.lag is None else self.lag[part]
        self.jump = None if self.jump is None else self.jump[part]


def join_steps(
    parts: np.ndarray, still: np.ndarray, loads: np.ndarray, demands: np.ndarray, stops: np.ndarray
) -> np.ndarray:
    """Numbers of the times between which a wheel is rolled, the first, the last and the `stops` among them.

    `parts` (times) are the longest ones counted from the start, `still` (steps) where the train stands,
    `loads` (times) contact forces over that at rest, `demands` (times, ...) of the drive. Steps are joined
    while they make up one part at most, the wheel touches, and neither load nor demand changes by more than
    `CHANGE`; steps in which the train stands are joined with each other.
    """
    scale = np.maximum(np.abs(demands).max(axis=0), np.finfo(float).tiny)
    states = np.column_stack((loads, demands / scale))
    in_air = loads <= LEAST
    kept, fixed = [0], set(stops.tolist())
    for n in range(1, len(parts) - 1):
        at, ahead = kept[-1], n + 1
        joins = (
            n not in fixed
            and parts[ahead] - parts[at] <= 1.0
            and not (in_air[at] or in_air[n] or in_air[ahead])
            and still[n] == still[n - 1]
            and bool((np.abs(states[ahead] - states[at]) <= CHANGE).all())
        )
        if not joins:
            kept.append(n)
    return np.unique([*kept, len(parts) - 1])
