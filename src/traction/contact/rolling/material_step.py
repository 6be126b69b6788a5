"""One step of transient rolling on the grid of the material: its equation, and its way back to the grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from traction.contact.elements.element_influence import ElementInfluence, Loads
from traction.contact.elements.friction_step import FrictionStep, fill_rigid_fields
from traction.contact.elements.whole_cells import choose_step_rho
from traction.contact.friction.pressed_displacement import PressedDisplacement
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.kernels import material_rows as kernels
from traction.contact.rolling.material_grid import MaterialElements, RowLoads
from traction.contact.rolling.material_state import Displaced, LaggingFriction, MaterialState, see_in_contact
from traction.contact.rolling.stick_tips import StickTips
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.interface import Carried, Interface, count_memories, find_coefficient
from traction.contact.stick_slip.kernels.sliding_states import SlidingRule
from traction.contact.stick_slip.lagged_friction import has_long_memory, lag_friction
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip, combine_fields
from traction.errors import UndefinedError
from traction.halfspace.tangential_influence import TangentialInverse

SHORT_WAY = 0.5  #: cells, up to which steps of laws with a memory begin from the friction before
FASTER = 2.0  #: slip speed that elasticity may bring about, over the rigid one
LEAST_HELD = 1e-3  #: of the bound of an element whose friction is held
LITTLE = 1e-4  #: of a memory distance, over which nothing is forgotten
BEYOND = 1e-6  #: cells beyond the trailing edge at which what particles remember of the contact ends


@dataclass(frozen=True, eq=False)
class MaterialStep(FrictionStep):
    """The equation of a step from an earlier state."""

    before: MaterialState
    elements: MaterialElements
    loads: RowLoads  #: of the contact at the end of the step
    travelled: float  #: at the end of the step, cells
    direction: int
    whole: bool = False  #: whether elements are whole cells, and particles enter them at the end of a step
    pressed: PressedDisplacement | None = None  #: what the pressure at the end displaces unlike bodies by
    tips: StickTips | None = None  #: of the stick zone, by which tractions bend
    held: bool = False  #: whether its edges were held where those of its pressure make other elements
    interface: Interface | None = None  #: law of friction and layer, where there are
    guess: np.ndarray | None = None  #: tractions as shares of the bound before the step, (2, n), if known

    @property
    def memory(self) -> MaterialState:
        """The state that it begins from."""
        return self.before

    @property
    def averages(self) -> bool:
        """Whether fields over the grid are means: of the parts of elements that a cell covers."""
        return True

    @property
    def distance(self) -> float:
        """Rolled in the step, cells."""
        return abs(self.travelled - self.before.travelled)

    @cached_property
    def entered(self) -> tuple[np.ndarray, np.ndarray]:
        """Which elements entered during the step, and the part of it that they have been inside."""
        return self._entries[:2]

    @cached_property
    def _entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Those, and the places before and after the step at which their displacement on entry is seen.

        In the frame of the contact a particle that enters is where the edge is then. Of a contact that rolls
        and hardly grows, these are the edges themselves; of one that grows and hardly rolls, the particle.
        """
        elements, old = self.elements, self.before.elements
        part, seen = np.ones(elements.row.size), np.array([elements.middle] * 2)
        entered = np.zeros(part.size, dtype=bool)
        if self.whole:
            return entered, part, seen
        moved, points = self.travelled - self.before.travelled, (elements.run, elements.middle)
        kernels.find_entries(points, elements.runs, old.runs, moved, entered, part, seen)
        return entered, part, seen

    @cached_property
    def influence(self) -> ElementInfluence:
        """s = [u(m) - u(entry)]/part + W: over the step, or over the part since a particle entered.

        What a particle was displaced by when it entered lies between the displacements before and after the
        step, at the places where it is seen.
        """
        elements, part = self.elements, self.entered[1]
        middle = elements.row, elements.middle, 1.0 / part
        return ElementInfluence(elements, [middle, (elements.row, self._entries[2][1], 1.0 - 1.0 / part)])

    @cached_property
    def _loads_of_bound(self) -> Loads:
        """Loads that do not depend on the unknown tractions: where these fall from the bound at a tip."""
        return self.elements.load(self.influence, np.zeros((2, self.elements.row.size)))

    @cached_property
    def _below_bound(self) -> np.ndarray:
        """Displacements at the points of the influence by these loads, m, (2, points)."""
        loads = self._loads_of_bound
        return self.influence.gather(loads, self.influence.displace_cells(loads))

    @cached_property
    def _then(self) -> np.ndarray:
        """Where the particles were before the step, or those that entered are seen, in cells."""
        return self._entries[2][0]

    def _displace_before(self) -> np.ndarray:
        """What the memory displaces particles by, m, (2, n): known at the middles of elements that stayed."""
        before, elements, old = self.before, self.elements, self.before.elements
        u = np.zeros((2, elements.row.size))
        if not old.row.size:
            return u
        if before.displaced.elements is None:
            return before.displace((elements.row, self._then, np.ones(elements.row.size)))
        seen, known = (old.row, old.cell, old.middle), np.ascontiguousarray(before.displaced.elements)
        new = np.empty(elements.row.size, dtype=bool)
        kernels.known_before(seen, known, (elements.row, elements.cell, self._then), u, new)
        rest = np.flatnonzero(new)
        if rest.size:
            target = elements.row[rest], self._then[rest], np.ones(rest.size)
            u[:, rest] = before.displace(target)
        return u

    def slip_by_pressure(self) -> np.ndarray:
        """Slip by the pressures before and after the step, which draw unlike bodies sideways; m, (2, n).

        Like that by tractions, over the step or over the part since a particle entered.
        """
        elements, total = self.elements, np.zeros((2, self.elements.row.size))
        entered, part = self.entered
        if self.pressed is not None:
            total += self.pressed.at(elements.row, elements.middle - self.travelled) / part
            fresh = np.flatnonzero(entered)
            then = self.pressed.at(elements.row[fresh], self._entries[2][1, fresh] - self.travelled)
            total[:, fresh] -= (1.0 / part[fresh] - 1.0) * then
        if self.before.pressed is not None:
            total -= self.before.pressed.at(elements.row, self._then - self.before.travelled)
        return total

    @cached_property
    def equation(self) -> SlipEquation:
        """The equation for tractions on the elements of the window."""
        elements, shape = self.elements, self.elements.window
        own = self.influence.own()
        own = np.maximum(own, 1e-3 * own.max())
        plain, layer = self.influence.on_window(shape, elements.place), self._layer
        product: Callable[[np.ndarray], np.ndarray] = plain
        inverse = TangentialInverse(elements.half_space, shape, layer)
        known = self.slip_by_pressure() - self._displace_before()
        if self.elements.falling.size:
            known += self.influence.sum_points(self._below_bound)
        if layer > 0.0:
            product, own = _add_shear(product, self._spread(self._shear)), own + self._shear
            known -= self._shear_before()
        rho = np.full(elements.row.size, choose_step_rho(own, elements.row.size))
        fields = self._spread(np.stack((elements.bound, rho, *known, *own)))
        equation = SlipEquation(
            bound=fields[0],
            known=fields[2:4],
            product=product,
            inverse=inverse,
            own=fields[4:6],
            rho=np.where(fields[1] > 0.0, fields[1], 1.0),
            rule=self._rule,
            newton=plain.iterate_with(inverse) if layer == 0.0 else None,
        )
        equation = equation.prescribe_slip(self.rigid_fields, self.rigid, self.patch.grid.cell_area)
        remembers = partial(has_long_memory, fastest=self._fastest)
        return lag_friction(equation, self.interface, remembers, self._see_friction)

    @property
    def _fastest(self) -> float:
        """Highest slip speed that the step may have, m/s; infinite where forces are given."""
        if self.rigid.unknown or self.interface is None:
            return math.inf
        slip = combine_fields(self.rigid.complete((0.0, 0.0)), self.rigid_fields)
        time = self.distance * self.patch.grid.dx / self.interface.speed
        return FASTER * float(np.hypot(*slip).max()) / time

    def _see_friction(self) -> np.ndarray:
        """Coefficients before the step at the same places of the contact, on the window."""
        assert self.interface is not None
        rest, known = self.interface.law.static, self.before.friction_in_contact
        if known is None:
            return self._spread(np.full(self.elements.row.size, rest))
        return self._spread(known.see_from(self.elements, self.travelled, rest))

    def _lag_on(self, mu: np.ndarray) -> LaggingFriction | None:
        """Coefficients after the step at the places of the contact, by those that particles remember.

        None where the law is followed at once.
        """
        rule, known = self.equation.rule, self.before.friction_in_contact
        if rule is None or rule.lag == 0.0:
            return None
        place = self.elements.place
        now = LaggingFriction.on(self.elements, self.travelled, find_coefficient(rule, mu)[place])
        return now if known is None else known.follow(now, rule.seen[self.elements.place])

    def _see_at_place(self, values: np.ndarray, off: np.ndarray | float = 0.0) -> np.ndarray:
        """Values of elements before the step at the same places of the contact, (n,); 0 in rows without.

        Or some cells off them.
        """
        old, elements = self.before.elements, self.elements
        seen = old.row, old.middle - self.before.travelled, values
        return see_in_contact(seen, elements.row, elements.middle - self.travelled + off)

    def pass_evenly(self, remembered: np.ndarray, instants: int) -> list[np.ndarray]:
        """What particles at the places of the contact remember in instants of the step, on the window.

        It changes evenly from before the step; in the first step of a law it does not.
        """
        assert self.interface is not None
        if self.before.carried is None:
            return [remembered] * instants
        rest = self.interface.law.static
        before = self._spread(rest + self._see_at_place(self.before.carried.mu - rest))
        return [before + (k + 0.5) / instants * (remembered - before) for k in range(instants)]

    @cached_property
    def place_speed_before(self) -> np.ndarray | None:
        """Slip speed before the step at the same places of the contact, m/s, on the window, if known.

        A speed is the mean of a step, which belongs to the place that a particle had in its middle.
        """
        carried, middle = self.before.carried, self._to_middle * self.entered[1]
        if carried is None or carried.speed is None:
            return None
        return self._spread(self._see_at_place(carried.speed, middle - self.before.ahead))

    @property
    def _to_middle(self) -> float:
        """Way of the contact back to the middle of the step as a particle sees it, cells along x."""
        return 0.5 * self.direction * self.distance

    @property
    def _layer(self) -> float:
        """Compliance of a layer between the bodies, m/Pa."""
        return 0.0 if self.interface is None else self.interface.compliance

    @property
    def _shear(self) -> np.ndarray:
        """Slip by the layer for a unit traction, over the step or since a particle entered; m/Pa, (n,)."""
        return self._layer / (self.elements.width * self.entered[1])

    def _shear_before(self) -> np.ndarray:
        """Shear of the layer under the particles before the step, m, (2, n): none where they enter."""
        local = self.before.traction / self.before.elements.width
        u = self._layer * self._see_before(local, np.zeros(2))
        u[:, self.entered[0]] = 0.0
        return u

    def _see_before(self, values: np.ndarray, entry: np.ndarray) -> np.ndarray:
        """Values of the particles before the step, (k, n), from those at the middles of elements then.

        `entry` are those where particles enter, (k,), which also hold where there was no contact.
        """
        return interpolate_rows(self.before.elements, values, entry, self.direction, self._particles)

    @property
    def _particles(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and places of the particles at the middles of the elements."""
        return self.elements.row, self.elements.middle

    @property
    def _rule(self) -> SlidingRule | None:
        """By which the bound depends on the slip; None where it does not."""
        interface, elements, state = self.interface, self.elements, self.before
        if interface is None or interface.is_constant:
            return None
        rest = np.array((interface.law.static, interface.yield_stress))
        found = np.repeat(rest[:, None], elements.row.size, axis=1)
        if state.carried is not None:
            yields = math.isfinite(interface.yield_stress)
            known = np.array((state.carried.mu, state.carried.yielding))[: 1 + yields]
            found[: 1 + yields] = self._see_before(known, rest[: 1 + yields])
            found[:, self.entered[0]] = rest[:, None]
        mu, tau = self._spread(found)
        pressure = self._spread(elements.bound / self.patch.friction)
        time = self.distance * self.patch.grid.dx / interface.speed
        reach = np.ones(elements.window)
        reach[elements.place] = self.entered[1]
        rule = interface.rule(pressure, time, reach=reach, carried=Carried(mu, tau))
        if rule is None or self.whole or interface.law.is_constant:
            return rule
        return rule._replace(gained=self._expect_gain(rule))

    def _expect_gain(self, rule: SlidingRule) -> np.ndarray:
        """Slip speed at which the law is taken less the mean of the step, m/s, on the window.

        It is the speed at the end of the step, as it was before; with a memory that of the mean age of what
        is remembered of the step.

        The slip of a step is that half of it ahead of where particles are at its end, and speeds hardly
        change at the places of the contact. One that rises evenly, from rest at least, at most doubles: what
        stuck gains nothing.
        """
        carried = self.before.carried
        if carried is None or carried.speed is None:
            return np.zeros(self.elements.window)
        mean = self._see_at_place(carried.speed)
        end = self._see_at_place(carried.speed, -self._to_middle * self.entered[1])
        gain = np.minimum(end - mean, mean)
        if rule.distance > 0.0:
            gain *= 1.0 - 2.0 * _find_age(count_memories(rule, mean, self.entered[1] * rule.time))
        return self._spread(gain)

    def hold_friction(self) -> SlipEquation | None:
        """The equation with coefficients that the particles had before; None where they do not matter.

        That is where friction does not fall, and over longer ways with a memory.
        """
        equation, rule, interface = self.equation, self.equation.rule, self.interface
        if rule is None or interface is None or interface.law.is_constant:
            return None
        if rule.distance > 0.0 and self.distance > SHORT_WAY:
            return None
        bound = np.minimum(find_coefficient(rule, rule.mu_before) * rule.pressure, rule.yield_before)
        bound = np.where(equation.bound > 0.0, np.maximum(bound, LEAST_HELD * equation.bound), 0.0)
        return replace(equation, rule=None, bound=bound)

    def keep_memory(self, start: object, remembered: Carried | None) -> MaterialState:
        """A state at the end of the step with the memory of its particles, on the window."""
        assert isinstance(start, MaterialState)
        trend = start.find_trend(self.before)
        if remembered is None:
            return replace(start, layer=self._layer, trend=trend)
        carried, lagging = remembered.at(self.elements.place), self._lag_on(remembered.mu)
        ahead = float(self._to_middle)
        return replace(start, carried=carried, layer=self._layer, trend=trend, lagging=lagging, ahead=ahead)

    @cached_property
    def speed_before(self) -> np.ndarray | None:
        """Slip speed of the particles before the step, m/s, on the window; None where it is not known."""
        carried = self.before.carried
        if carried is None or carried.speed is None:
            return None
        speed = self._see_before(carried.speed[None], np.zeros(1))[0]
        return self._spread(np.where(self.entered[0], 0.0, speed))

    def estimate_traction(self, like: MaterialState) -> np.ndarray:
        """Tractions on the window to start from: as a state nearby continues."""
        guess = self.guess
        if guess is None or like is not self.before:
            guess = like.guess_on(self.elements, self.travelled)
        return self._spread(like.continue_on(self.elements, self.travelled, guess))

    def measure_slip(self, answer: StickSlip) -> tuple[np.ndarray, Displaced]:
        """Slip over the step by a product of its own, m, and the displacements by the tractions."""
        elements, influence, equation = self.elements, self.influence, self.equation
        (_, bound), *rest = self._loads_of_bound
        traction = elements.pick(answer.traction)
        loads = [(influence, traction + bound), *rest]
        cells = influence.displace_cells(loads)
        u = influence.gather(loads, cells)
        slip = influence.sum_points(u - self._below_bound if rest else u) + elements.pick(equation.known)
        if self._layer > 0.0:
            slip += self._shear * traction
        for shift, rigid in zip(answer.shifts, equation.rigid, strict=True):
            slip += shift * elements.pick(rigid)
        known = u[:, : elements.row.size], cells if influence.is_plain else None
        return self._spread(slip), Displaced(*known)

    def remember(self, traction: np.ndarray, product: object = None) -> MaterialState:
        """The state that tractions on the window are, with the displacements by them where known."""
        known = product if isinstance(product, Displaced) else Displaced()
        p, fineness = self.elements.pick(traction), self.before.fineness
        place = self.travelled, self.patch, fineness, self.loads
        return MaterialState(self.elements, p, *place, known, self.pressed, tips=self.tips)

    def repeat_at(self, contact: NormalContact, memory: object) -> MaterialStep:
        """The same step to another pressure, from another state."""
        assert isinstance(memory, MaterialState)
        times, patch = memory.fineness, FrictionPatch.over(contact, self.patch.friction, self.interface)
        loads = self.loads.hold_edges(patch.bound) if self.held else RowLoads.of(patch, self.direction, times)
        pressed = PressedDisplacement.of(contact, times)
        way, between = (self.distance, self.direction, self.whole), self.interface
        step = take_step(memory, loads, self.rigid, *way, pressed, between)
        if not np.array_equal(step.elements.cell, self.elements.cell):
            raise UndefinedError(
                "the tangent jumps here: an element is about to enter or leave the contact; take "
                "differences of two solutions instead."
            )
        return step

    def differentiate_share(
        self, nearby: Sequence[MaterialStep], traction: np.ndarray, rate: np.ndarray, size: float
    ) -> np.ndarray:
        """Rate of what is shared out over the grid, which changes with the elements too."""
        ahead, back = nearby
        further, behind = ahead.share_out(traction + size * rate), back.share_out(traction - size * rate)
        return (further - behind) / (2.0 * size)

    @property
    def arms(self) -> np.ndarray:
        """x at which the force of each cell of the grid acts, m: its centre."""
        return self.loads.arms

    def share_out(self, traction: np.ndarray) -> np.ndarray:
        """Tractions of the window over the grid."""
        return self._share_by_bound(self.elements.pick(traction) / self.elements.bound)

    def dissipate(self, answer: StickSlip, slip: np.ndarray) -> np.ndarray:
        """Work of friction over the step, J/m2, on the window: by the mean of the tractions at both ends."""
        elements, old = self.elements, self.before.elements
        before = np.zeros((2, elements.row.size))
        seen, unknown = (old.row, old.cell, old.cell.astype(float)), np.empty(elements.row.size, dtype=bool)
        now = elements.row, elements.cell, elements.cell.astype(float)
        kernels.known_before(seen, np.ascontiguousarray(self.before.traction), now, before, unknown)
        mean = 0.5 * (elements.pick(answer.traction) + before)
        moved = self.entered[1] * elements.pick(slip)
        return self._spread(np.maximum(0.0, -(mean * moved).sum(axis=0)))

    def place_work(self, work: np.ndarray) -> np.ndarray:
        """Work of the window over the grid: half where particles are, half where they were before."""
        here = self.share_out(work[None])[0]
        grid = self.loads.covered.patch.grid
        away = self.direction * self.distance / self.before.fineness * grid.dx
        there = np.array([np.interp(grid.x - away, grid.x, row) for row in here])
        return np.where(self.loads.covered.patch.bound > 0.0, 0.5 * (here + there), 0.0)

    def average(self, fields: np.ndarray) -> np.ndarray:
        """Means over the cells of the grid, by the share of the bound of each element."""
        return self._divide_by_bound(self._share_by_bound(self.elements.pick(fields)))

    def bring_to_grid(self, traction: np.ndarray, fields: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Tractions and means of other fields over the grid, both at once."""
        elements = self.elements
        parts = np.concatenate((elements.pick(traction) / elements.bound, elements.pick(fields)))
        total = self._share_by_bound(parts)
        return total[: len(traction)], self._divide_by_bound(total[len(traction) :])

    def _divide_by_bound(self, total: np.ndarray) -> np.ndarray:
        bound = self.loads.covered.patch.bound
        return np.divide(total, bound, out=np.zeros_like(total), where=bound > 0.0)

    def _share_by_bound(self, values: np.ndarray) -> np.ndarray:
        """Numbers of the elements, (k, n), times their bounds on the cells of the contact's own grid.

        Along each row places are counted by the friction bound up to them, from edge to edge, and numbers
        shared out by overlap. Parts of the bound that elements carry thus become tractions with the same
        force, of which no cell gets more than its own bound, or any outside the contact.
        """
        loads, (low, high), parts = self.loads, self.elements.up_to, self.before.fineness
        shares = np.empty((len(values), loads.inside.size))
        kernels.shared_out(loads.up_to, low, high, np.ascontiguousarray(values), shares)
        ny, nx = self.patch.grid.shape
        fields = np.zeros((len(values), ny * nx))
        fields[:, loads.inside] = shares
        if parts == 1:
            return fields.reshape(len(values), ny, nx)
        coarse: np.ndarray = fields.reshape(len(values), ny, nx // parts, parts).mean(axis=3)
        return coarse

    def _spread(self, values: np.ndarray) -> np.ndarray:
        """Numbers of the elements over their window, zero elsewhere."""
        return self.elements.spread(values)

    @property
    def rigid_fields(self) -> np.ndarray:
        """Slip of the step by a unit of each creepage, with the rotation in the middle of the step, m."""
        elements, grid = self.elements, self.patch.grid
        x = grid.x[0] + grid.dx * (elements.middle - self.travelled + 0.5 * self.direction * self.distance)
        one, at, across = self._spread(np.stack((np.ones(x.size), x, grid.y[elements.row])))
        return fill_rigid_fields(grid.dx * self.distance, one, at, across)


def _add_shear(
    product: Callable[[np.ndarray], np.ndarray], shear: np.ndarray
) -> Callable[[np.ndarray], np.ndarray]:
    """A product with the slip of a layer added, m/Pa, (ny, nx)."""

    def with_layer(traction: np.ndarray) -> np.ndarray:
        slip: np.ndarray = product(traction) + shear * traction
        return slip

    return with_layer


def _find_age(passed: np.ndarray) -> np.ndarray:
    """Mean age of what is remembered of a step over so many memory distances, as a part of the step.

    It is 1/2 of a step much shorter than the memory, and nothing of one much longer.
    """
    some = np.maximum(passed, LITTLE)
    return np.where(passed > LITTLE, 1.0 / some + np.exp(-some) / np.expm1(-some), 0.5)


def interpolate_rows(
    elements: MaterialElements,
    values: np.ndarray,
    entry: np.ndarray,
    direction: int,
    particles: tuple[np.ndarray, np.ndarray],
) -> np.ndarray:
    """Values at places in rows, (k, m), linear between the middles of elements, where they are (k, n).

    Towards the edge at which particles enter they become those of `entry`, (k,); towards the other they stay
    as they are. Beyond both they are those of `entry`.
    """
    row, place = particles
    if not elements.row.size or not row.size:
        return np.repeat(entry[:, None], row.size, axis=1)
    first, last = elements.starts[:-1], elements.starts[1:] - 1
    runs, left, right = elements.runs
    lead, trail, end = (right, left, first) if direction > 0 else (left, right, last)
    beyond = trail - direction * BEYOND
    # rows lie behind each other, no further apart than needed: places are exact to rounding
    origin = min(float(left.min()), float(place.min())) - 1.0
    far = max(float(right.max()), float(place.max())) + 1.0 - origin
    nodes = np.concatenate(
        (
            elements.row * far + (elements.middle - origin),
            *(runs * far + (edge - origin) for edge in (lead, trail, beyond)),
        )
    )
    order = np.argsort(nodes, kind="stable")
    found = np.empty((len(values), row.size))
    for k, one in enumerate(values):
        outside = np.full(runs.size, entry[k])
        at = np.concatenate((one, outside, one[end], outside))
        found[k] = np.interp(row * far + (place - origin), nodes[order], at[order])
    return found


def take_step(
    memory: MaterialState,
    loads: RowLoads,
    rigid: RigidSlip,
    distance: float,
    direction: int,
    whole: bool,
    pressed: PressedDisplacement | None,
    interface: Interface | None = None,
) -> MaterialStep:
    """The step over a distance (cells) to a contact with these loads."""
    travelled = memory.travelled + direction * distance
    place = float(round(travelled)) if abs(travelled - round(travelled)) < 1e-9 else travelled
    tips = None if whole or memory.tips is None else memory.find_tips(direction, distance)
    elements = MaterialElements.under(loads, place, whole=whole, tips=tips)
    guess = None
    if tips is not None:
        guess = memory.guess_on(elements, place)
        elements = elements.direct_along(guess)
    return MaterialStep(
        loads.patch,
        rigid,
        memory,
        elements,
        loads,
        place,
        direction,
        whole,
        pressed,
        tips,
        interface=interface,
        guess=guess,
    )
