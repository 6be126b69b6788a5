"""Driving and braking: friction under the wheels of a crossing, by transient rolling.

Normal and tangential contact of like bodies do not depend on each other, so that tractions follow once the
contact forces are known; of unlike bodies, tractions change the approach under a force, which the march
leaves out. Between two times of the march a wheel rolls over the way of the train; its contact
force is taken as linear between them, and the way cut into parts of one element at most, so that steps of
any length do. Each part is a step of `tr.roll`, which is right for any ratio of way and element. Tractions
bend no bridge and change no speed: the train's is prescribed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import press
from traction.crossing.driving.driven_wheel import Asked, DrivenWheel, Trodden
from traction.crossing.driving.wheel_rolling import WheelRolling
from traction.crossing.wheel_contact import WheelContact
from traction.errors import ConvergenceError, InputError
from traction.grid import Grid
from traction.materials import Pair
from traction.resting.patch_grid import ROOM, enlarge_grid, hertz_patch
from traction.surfaces import gap_on
from traction.trains.drive import Demand, Drive
from traction.trains.travel import Travel

ELEMENTS = 24  #: of a grid that is chosen, per direction
LONGEST = 1.0  #: part of a way, in elements
ATTEMPTS = 4  #: at a grid that holds the largest patch


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of the ways between the times of a crossing."""

    step: np.ndarray  #: that each belongs to
    t: np.ndarray  #: end, s
    distance: np.ndarray  #: m
    seconds: np.ndarray
    force: np.ndarray  #: contact force at the end, N

    @classmethod
    def of(cls, t: np.ndarray, ways: np.ndarray, forces: np.ndarray, longest: float) -> Parts:
        """Parts of at most `longest` m each; `forces` (N) are linear between the times."""
        counts = np.maximum(1, np.ceil(ways / longest - 1e-9)).astype(int)
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

    def asked(self, n: int, demand: Demand) -> Asked:
        """Of the wheel, in part n."""
        return Asked(float(self.distance[n]), float(self.seconds[n]), float(self.force[n]), demand)


def require_drivable(
    drives: tuple[Drive | None, ...], contacts: tuple[WheelContact, ...], t: np.ndarray
) -> None:
    """Refuse what friction cannot be solved for, before the march to the times t (s)."""
    for k, (drive, contact) in enumerate(zip(drives, contacts, strict=True)):
        if drive is None:
            continue
        if drive.elements is not None and contact.grid is not None and contact.grid.is_line:
            raise InputError(
                f"elements = {drive.elements} of the drive of wheel {k} is for patches; its contact is on a "
                "line grid, whose elements are used: leave it out."
            )
        drive.kept_of(t)
        asked = drive.demands(t)[0]
        limit = asked.friction * contact.load * contact.wheel.radius
        if drive.kind == "torque" and abs(asked.along) >= limit:
            raise InputError(
                f"torque = {asked.along:.6g} N m of wheel {k} at t = 0 must be below mu P R = {limit:.6g} "
                "N m, so that it can have rolled before the bridge: let it grow over time."
            )


def driven(crossing: Any, drives: tuple[Drive | None, ...], travel: Travel) -> Any:
    """The crossing with the tractions of its driven wheels; see `tr.cross`."""
    if not any(drives):
        return crossing
    found = tuple(
        None if drive is None else _rolled(crossing, k, drive, travel) for k, drive in enumerate(drives)
    )
    return replace(crossing, driven=found)


def _rolled(crossing: Any, k: int, drive: Drive, travel: Travel) -> WheelRolling:
    """Friction under one wheel over the whole crossing."""
    began = time.perf_counter()
    t, forces, contact = crossing.t, crossing.contact_forces[:, k], crossing.contacts[k]
    grid = friction_grid(contact, drive, float(forces.max()))
    wheel = driven_wheel(contact, drive, grid)
    parts = Parts.of(t, np.diff(travel.place(t)), forces, LONGEST * grid.dx)
    demands, at_times, speed = drive.demands(parts.t), drive.demands(t), np.asarray(travel.speed(t))
    record = _Record(t.size, drive.kept_of(t))
    footing, trodden = wheel.run_in(float(forces[0]), at_times[0], float(speed[0]))
    record.keep(0, [trodden])
    done: list[Trodden] = []
    ends = np.r_[np.diff(parts.step) > 0, True]
    for n, step in enumerate(parts.step.tolist()):
        try:
            footing, trodden = wheel.tread(footing, parts.asked(n, demands[n]))
        except ConvergenceError as error:
            raise ConvergenceError(
                f"tractions of wheel {k} at t = {parts.t[n]:.6g} s: {error}", crossing
            ) from error
        done.append(trodden)
        if ends[n]:
            record.keep(step + 1, done)
            done = []
    for n in record.free:
        record.contacts[n] = wheel.unloaded(float(forces[n]), at_times[n])
    stats = {"rolls": wheel.rolls, "products": wheel.products, "seconds": time.perf_counter() - began}
    friction = np.array([one.friction for one in at_times])
    return WheelRolling(
        t=t, drive=drive, radius=contact.wheel.radius, speed=speed, contact_force=forces, friction=friction,
        force=record.force, moment=record.moment, creepage=record.creepage, stick=record.stick,
        sliding=record.sliding, dissipated=np.cumsum(record.lost), kept=record.kept,
        contacts=tuple(record.contacts[n] for n in record.kept), stats=stats,
    )  # fmt: skip


class _Record:
    """Numbers of all times, filled as the wheel rolls."""

    def __init__(self, times: int, kept: np.ndarray) -> None:
        self.force, self.moment, self.creepage = np.zeros((times, 2)), np.zeros(times), np.zeros((times, 3))
        self.stick, self.sliding = np.zeros(times), np.zeros(times, dtype=bool)
        self.lost = np.zeros(times)  #: J, in each step
        self.kept = kept
        self.contacts: dict[int, TangentialContact | None] = dict.fromkeys(kept.tolist())
        self.free: list[int] = []  #: kept times without tractions

    def keep(self, n: int, parts: list[Trodden]) -> None:
        """A step that ends at the time n, in its parts, which are of one length."""
        last = parts[-1]
        self.creepage[n] = np.mean([one.creepage for one in parts], axis=0)
        self.sliding[n] = any(one.sliding for one in parts)
        self.lost[n] = 0.0 if n == 0 else sum(one.dissipation for one in parts)
        self.stick[n] = float(last.free)
        contact = last.contact
        if contact is not None:
            self.force[n], self.moment[n] = contact.force, contact.moment
            self.stick[n] = float(contact.stick.sum()) / float(contact.normal.contact.sum())
        if n in self.contacts:
            self.contacts[n] = last.kept
            if last.free:
                self.free.append(n)


def driven_wheel(contact: WheelContact, drive: Drive, grid: Grid) -> DrivenWheel:
    """A wheel with its gap on a grid."""
    surface, pair = _surface(contact), Pair(contact.wheel.material, contact.bridge.material)
    return DrivenWheel(gap_on(surface, grid), grid, pair, contact.load, contact.wheel.radius, drive)


def friction_grid(contact: WheelContact, drive: Drive, peak: float) -> Grid:
    """That of the contact, or one which holds the patch under the largest force of the run, N."""
    if drive.elements is None and contact.grid is not None:
        return contact.grid
    n = ELEMENTS if drive.elements is None else drive.elements
    force = max(peak, contact.load)
    a, b = hertz_patch(contact.wheel, contact.bridge, force).semi_axes
    chosen = Grid(n, n, 2.0 * ROOM * a / n, 2.0 * ROOM * b / n)
    pair, surface = Pair(contact.wheel.material, contact.bridge.material), _surface(contact)
    for attempt in range(ATTEMPTS):
        grid = enlarge_grid(chosen, attempt)
        if press(surface, grid, pair, force=force, on_failure="return").ok:
            return grid
    raise ConvergenceError(
        f"no grid of {n} x {n} elements holds the patch under {force:.6g} N; give the drive more elements, "
        'or use contact="half-space" with a grid.'
    )


def _surface(contact: WheelContact) -> Any:
    rail = contact.bridge.rail_profile
    return contact.wheel.tread if rail is None else contact.wheel.tread + rail
