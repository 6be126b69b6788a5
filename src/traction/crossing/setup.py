"""`CrossingSetup`: a crossing in elastic contact, checked and ready to march."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.beams.exact.residual_flexibility import ResidualFlexibility
from traction.crossing.bridge_models.bridge_model import bridge_model
from traction.crossing.bridge_models.wheels_at_edges import ROUNDED, TrackEdges, WheelsAtEdges
from traction.crossing.bridge_models.wheels_on_bridge import WheelsOnBridge
from traction.crossing.choices import CONDENSED, CONTACT_METHODS, MODELS, SIZES, check_residual
from traction.crossing.packed_train import PackedCars, Schedule, pack_cars, schedule
from traction.crossing.results.crossing_motion import ModalBasis, NodalBasis
from traction.crossing.small_deflections import curvature_at_rest, deflection_of_ends, require_straight
from traction.crossing.time_step import FEWEST, TRIAL, condensed_step, default_step, flaw_step, resolving_step
from traction.crossing.wheel_contact import SOLVES, WheelContact, contact_period, wheel_contacts
from traction.errors import InputError
from traction.grid import Grid
from traction.integrators.core.method import Method
from traction.integrators.method_table import method as method_of
from traction.laws.contact_law import ContactLaw
from traction.laws.half_space_law import HalfSpaceLaw
from traction.trains.bridge import Bridge
from traction.trains.irregularity import Irregularity
from traction.trains.train import Train
from traction.trains.travel import Travel
from traction.trains.vehicle import Wheel

PER_CONTACT_PERIOD = 20  #: steps in a period of a wheel on its contact
OF_LIMIT = 0.9  #: of the stability limit of a method, the longest step that is chosen
HIGHEST = 4.0  #: times the deflection of an end under all wheels at rest, the step that wheels may meet there
FORCE_ERROR = 1e-2  #: error of the half space's forces, relative to that of its distances


@dataclass(frozen=True, eq=False)
class CrossingSetup:
    """Checked input of a crossing, complete before its first step."""

    beam: Beam
    cars: Train
    packed: PackedCars
    contacts: tuple[WheelContact, ...]
    times: Schedule
    model: str
    size: int
    method: str  #: "condensed", or one of `tr.methods()`
    options: dict[str, object]  #: of that method
    allow_unstable: bool  #: whether steps may be above the stability limit of the method
    irregularity: Irregularity | None
    residual: bool  #: whether the residual of the neglected modes is in the results
    felt: bool  #: whether the wheels feel it
    curvature: float  #: of the bridge under the train at rest, 1/m

    def with_step(self, dt: float) -> CrossingSetup:
        """The same in steps of `dt` (s)."""
        times = schedule(self.beam, self.cars, self.times.travel, dt, float(self.times.t[-1]))
        return replace(self, times=times)

    @property
    def soft_ends(self) -> tuple[bool, bool]:
        """Which ends of the bridge may move, so that the track has a step there."""
        first, last = self.beam.supports[0], self.beam.supports[-1]
        return first.deflection < math.inf, last.deflection < math.inf

    @cached_property
    def wheels(self) -> WheelsOnBridge:
        """Bridge, vehicles and contacts as one system, for methods."""
        felt = self.felt or self.model == "elements"
        model = bridge_model(self.beam, self.model, self.size, felt)
        given = model, self.cars, self.packed, self.contacts, self.times, self.irregularity
        if not any(self.soft_ends):
            return WheelsOnBridge(*given)
        wheels = WheelsAtEdges(*given)
        radii = np.array([one.wheel.radius * np.array(self.soft_ends) for one in self.contacts])
        width = ROUNDED * np.array([one.static for one in self.contacts])
        highest = HIGHEST * deflection_of_ends(self.beam, float(sum(self.packed.load)))
        wheels.edges = TrackEdges(self.beam.ends[[0, -1]], radii, width, highest)
        return wheels

    @cached_property
    def basis(self) -> ModalBasis | NodalBasis:
        """Meaning of the coordinates of the bridge."""
        if self.model == "modes":
            return ModalBasis.of(self.beam, self.size)
        discrete = self.wheels.model.discrete
        assert discrete is not None
        return NodalBasis(discrete)

    @cached_property
    def flexibility(self) -> ResidualFlexibility | None:
        """Residual flexibility of the neglected modes, if it is in the results."""
        modal = self.residual and self.model == "modes"
        return ResidualFlexibility.of(self.beam, self.size) if modal else None

    @cached_property
    def chosen_method(self) -> Method:
        """The method with its options, and a tolerance consistent with that of a solved contact."""
        options, tol = dict(self.options), max(one.law.tol for one in self.contacts)
        if tol and method_of(self.method).implicit and "tol" not in options:
            options["tol"] = FORCE_ERROR * tol
        return method_of(self.method, **options)


def prepare_crossing(
    bridge: Bridge,
    cars: Train,
    way: Travel,
    gravity: float,
    *,
    contact: str | ContactLaw,
    wheel: Wheel | None,
    grid: Grid | None,
    solve: str = SOLVES[0],
    model: str,
    size: int | None,
    method: str | None,
    dt: float | None,
    end: float | None,
    irregularity: Irregularity | None,
    residual: bool | None,
    options: dict[str, object],
) -> CrossingSetup:
    """Check the input of `tr.cross` before the first step."""
    if grid is not None and contact != "half-space":
        given = f'"{contact}"' if isinstance(contact, str) else "a law"
        raise InputError(f'grid is given, but contact = {given} has none; use contact="half-space".')
    model = checks.choice("model", model, MODELS)
    n = SIZES[model] if size is None else checks.count("size", size)
    name = CONTACT_METHODS[model] if method is None else method
    if not isinstance(name, str | Method):
        raise InputError(f"method = {checks.shown(name)} must be a name, such as {CONDENSED!r} or 'newmark'.")
    allow_unstable = checks.flag("allow_unstable", options.get("allow_unstable", False))
    if name != CONDENSED:
        options = {key: value for key, value in options.items() if key != "allow_unstable"}
    corrected = _check_residual(model, name, residual, options)
    packed = pack_cars(cars, gravity)
    if name != CONDENSED and not (packed.mass > 0.0).all():
        raise InputError(
            f"method = {name!r} needs a mass of every wheel and body, but the train has one without; give "
            'it a mass, or leave method out with model="modes".'
        )
    contacts = wheel_contacts(contact, bridge, cars, packed.load, wheel, grid, _checked_solve(solve, contact))
    curvature = curvature_at_rest(bridge.beam, cars, gravity)
    require_straight(curvature, contacts)
    if dt is None:
        modes = n if model == "modes" else SIZES["modes"]
        pairs = _count_pairs(bridge.beam, packed) if residual is True else 0
        step = (  # the compliance between pairs of wheels is stored for each step
            condensed_step(bridge.beam, cars, modes, way, end, beside=pairs)
            if name == CONDENSED
            else resolving_step(bridge.beam, cars, modes, way, end)
        )
        step = min(step, _contact_step(packed, contacts), flaw_step(irregularity, cars, way, end))
    else:
        step = checks.positive("dt", dt, "s")
    setup = CrossingSetup(
        bridge.beam, cars, packed, contacts, schedule(bridge.beam, cars, way, step, end), model, n, name,
        options, allow_unstable, irregularity, corrected, residual is True, curvature,
    )  # fmt: skip
    if dt is not None or name == CONDENSED or allow_unstable:
        return setup
    limit = OF_LIMIT * longest_stable_step(setup)
    return setup if step <= limit else replace(setup, times=schedule(bridge.beam, cars, way, limit, end))


def _contact_step(packed: PackedCars, contacts: tuple[WheelContact, ...]) -> float:
    """Step that resolves wheels on their contacts, s."""
    return contact_period(packed.mass[packed.coordinate], contacts) / PER_CONTACT_PERIOD


def longest_trial(setup: CrossingSetup) -> float:
    """First step of a search for one that is short enough, of wheels on modes, s."""
    one, way, end = setup, setup.times.travel, float(setup.times.t[-1])
    longest = default_step(one.beam, one.cars, one.size, way, end, FEWEST)
    flaw = flaw_step(one.irregularity, one.cars, way, end)
    return min(longest, TRIAL * flaw, TRIAL * _contact_step(one.packed, one.contacts))


def _checked_solve(solve: object, contact: str | ContactLaw) -> str:
    """One of SOLVES; refuses another than the first for contacts that are not solved."""
    chosen = str(checks.choice("solve", solve, SOLVES))
    if chosen != SOLVES[0] and contact != "half-space" and not isinstance(contact, HalfSpaceLaw):
        given = f'"{contact}"' if isinstance(contact, str) else "this law"
        raise InputError(f'solve = "{chosen}" is for contact="half-space"; {given} is not solved: omit it.')
    return chosen


def longest_stable_step(setup: CrossingSetup) -> float:
    """Longest step at which oscillations stay bounded, contacts as stiff as at rest, s."""
    chosen = setup.chosen_method
    if np.isinf(chosen.stability_limit):
        return math.inf
    if chosen.stability_limit == 0.0:
        raise InputError(f"method = {chosen.name!r} is unstable for oscillations at every step; use another.")
    return chosen.stability_limit / setup.wheels.largest_frequency()


def require_stable(setup: CrossingSetup) -> None:
    """Refuse steps above the stability limit of a method, unless they are allowed."""
    if setup.allow_unstable:
        return
    dt, limit = float(setup.times.t[1]), longest_stable_step(setup)
    if dt > limit:
        omega = setup.chosen_method.stability_limit / limit
        raise InputError(
            f"dt = {dt:.6g} s is above the stability limit {limit:.6g} s of method {setup.method!r}: bridge, "
            f"vehicles and contact oscillate with up to {omega:.6g} rad/s. Take a smaller dt, or "
            'method="newmark".'
        )


def _count_pairs(beam: Beam, packed: PackedCars) -> int:
    """Pairs of wheels that are on the beam at the same time."""
    apart = np.abs(packed.behind[:, None] - packed.behind)
    return int(np.count_nonzero(np.triu(apart < beam.length, 1)))


def _check_residual(model: str, method: str, residual: bool | None, options: dict[str, object]) -> bool:
    """Whether the residual is included; refuses options that do not belong to model and method."""
    takes_part = check_residual(model, residual, True)
    if method == CONDENSED and model != "modes":
        raise InputError(
            f'method = "condensed" needs model="modes"; model = {model!r} has {CONTACT_METHODS[model]!r}.'
        )
    if method == CONDENSED and options:
        raise InputError(f"unknown options {sorted(options)}; the condensed march has none.")
    return takes_part


def setup_notices(setup: CrossingSetup) -> list[str]:
    """Notices of conditions that make contact forces inaccurate, known before the march.

    Wheels would feel the neglected modes of others, which extend half a wave of the last mode kept. They are
    coupled with each other, but not with plain forces.
    """
    if not setup.felt:
        return []
    apart = np.abs(setup.times.behind[: len(setup.cars.forces), None] - setup.packed.behind)
    near, half = float(apart.min(initial=np.inf)), setup.beam.length / setup.size
    if near >= half:
        return []
    return [
        f"a wheel {near:.4g} m from another axle is nearer than half a wave of the last mode, {half:.4g} m, "
        "and feels the neglected modes under that one, which residual=True does not include: use more "
        "modes, or omit residual."
    ]
