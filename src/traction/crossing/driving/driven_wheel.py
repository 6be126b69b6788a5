"""`DrivenWheel`: friction under one wheel, part by part of its path."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from traction.contact.friction.shift import shift
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact, solve_press
from traction.contact.rolling.transient_rolling import roll
from traction.crossing.driving.shaft_torsion import ShaftPart, Torsion, WheelTorque
from traction.crossing.results.wheel_rolling import jump_notices
from traction.errors import ConvergenceError, StepWarning, warn_user
from traction.friction_laws.track_friction import TrackFriction
from traction.grid import Grid
from traction.materials import Pair
from traction.trains.drive import Demand, Drive
from traction.trains.shaft import Shaft

LEAST = 1e-6  #: of the load at rest, below which the wheel is in the air
FULL = 1.0 - 1e-6  #: of the friction bound, from which a given force makes the wheel slide
SLID = 4.0  #: rigid slip that makes all of a patch slip, over the largest elastic displacement
SLOWEST = 1e-6  #: speed of rolling from which a friction law knows slip speeds, m/s
STILL = 1e-6  #: way of a part, in elements, over which a wheel that stands is rolled
GONE = 1e-6  #: traction over the largest bound, below which there is none
ROUNDING = 1e-12  #: of a speed
RUN_IN = 5.0  #: contact lengths rolled before the bridge, after which rolling is steady
CLOSE = 1e-5  #: forces that turn a wheel, over the friction bound
MOST_STEPS = 60  #: of the search for its creepage
NARROW = 1e-8  #: interval of creepages xi within which a force that still changes jumps, over 1 + |xi|
KALKER = 4.0  #: about C11


class PartDemand(NamedTuple):
    """Prescribed motion of a wheel over a part of its path."""

    distance: float  #: m
    seconds: float
    force: float  #: contact force at its end, N
    demand: Demand


class WheelState(NamedTuple):
    """State of a wheel between two parts of its path."""

    before: TangentialContact | None  #: tractions; None where there are none
    pressed: NormalContact | None  #: the last contact; None after a flight
    turning: float  #: angular velocity, rad/s, of a wheel with a torque or a shaft
    slope: float  #: dF_x/d(xi) of it, N
    torsion: Torsion | None = None  #: of its shaft

    def see_shaft(self, shaft: Shaft | None) -> tuple[float, float]:
        """Torque of its shaft (N m) and angular velocity of the rotor (rad/s); NaN without a shaft."""
        if shaft is None or self.torsion is None:
            return math.nan, math.nan
        return shaft.torque(self.torsion.twist, self.torsion.rotor - self.turning), self.torsion.rotor


@dataclass(frozen=True, eq=False)
class RolledPart:
    """Rolling of a wheel over a part of its path."""

    contact: TangentialContact | None  #: at its end; None in the air, and where the wheel rolls free
    creepage: tuple[float, float, float]
    dissipation: float  #: J; where a given force slides the wheel, with the least slip that makes it slide
    sliding: bool = False
    driven_over: bool = False  #: whether a given force was more than the friction
    free: bool = False  #: whether nothing was asked and nothing left: no tractions, and no contact solved
    jump: float = 0.0  #: of the force where the wheel turns, over the friction bound

    @property
    def force(self) -> tuple[float, float]:
        """F_x, F_y at its end, N."""
        return (0.0, 0.0) if self.contact is None else self.contact.force

    @property
    def moment(self) -> float:
        """M_z at its end, N m."""
        return 0.0 if self.contact is None else self.contact.moment

    @property
    def stick(self) -> float:
        """Fraction of the contact area that sticks at its end; 0 in the air."""
        if self.contact is None:
            return float(self.free)
        return float(self.contact.stick.sum()) / float(self.contact.normal.contact.sum())

    @property
    def kept(self) -> TangentialContact | None:
        """The contact without data for the next step; no slip where it is undetermined."""
        if self.contact is None:
            return None
        # the data of the next step and of derivatives are most of its memory
        made: dict[str, Any] = {
            one.name: None for one in fields(self.contact) if callable(getattr(self.contact, one.name))
        }
        light = replace(self.contact, state=None, heat=None, **made)
        if not self.driven_over:
            return light
        touches = self.contact.normal.contact
        slip = np.where(touches, np.nan, 0.0) * np.ones((2, 1, 1))
        return replace(light, slip=slip, creepage=self.creepage, dissipation=math.nan)


FREE = RolledPart(None, (0.0, 0.0, 0.0), 0.0, free=True)
#: rotation of a wheel under a torque
Rotate = Callable[[WheelTorque], tuple[WheelState, RolledPart]]


class DrivenWheel:
    """A wheel on a grid; `roll_part` goes from one state to the next."""

    def __init__(
        self, gap: np.ndarray, grid: Grid, pair: Pair, load: float, radius: float, drive: Drive
    ) -> None:
        self.gap, self.grid, self.pair = gap, grid, pair
        self.load, self.radius, self.drive = load, radius, drive
        self.rolls = self.products = 0
        self._jumped = False

    def run_in(self, force: float, demand: Demand, speed: float) -> tuple[WheelState, RolledPart]:
        """From free rolling to steady rolling before the bridge, under the contact force there, N."""
        normal = self._press(force, None)
        length = float(normal.contact.any(axis=0).sum()) * self.grid.dx
        slope = -KALKER * self.pair.shear_modulus * 0.25 * length * length
        turning, shaft = speed / self.radius, self.drive.shaft
        if self._free(demand):
            still = None if shaft is None else Torsion(turning, 0.0)
            return WheelState(None, normal, turning, slope, still), FREE
        if self.drive.kind == "torque":
            demand = demand._replace(along=demand.along / self.radius)
        kind = "creepage" if self.drive.kind == "creepage" else "force"
        start = self._without_traction(normal, demand)
        done = self._roll(start, normal, RUN_IN * length, demand, kind, speed)
        assert done.contact is not None
        done = self._roll(done.contact, normal, self.grid.dx, demand, kind, speed)
        turning = 0.0 if done.driven_over else speed * (1.0 - done.creepage[0]) / self.radius
        torsion = None if shaft is None else Torsion(turning, self.radius * done.force[0] / shaft.stiffness)
        return WheelState(done.contact, normal, turning, slope, torsion), done

    def roll_part(self, state: WheelState, asked: PartDemand) -> tuple[WheelState, RolledPart]:
        """Roll over a part of the path."""
        least = STILL * self.grid.dx
        if asked.distance >= least:
            return self._roll_loaded(state, asked)
        state, done = self._roll_loaded(state, asked._replace(distance=least))
        return state, replace(done, creepage=(math.nan, math.nan, math.nan))

    def _roll_loaded(self, state: WheelState, asked: PartDemand) -> tuple[WheelState, RolledPart]:
        """Roll over a part that is not too short."""
        demand, turns = asked.demand, self.drive.turns
        if asked.force <= LEAST * self.load:
            return self._fly(state, asked)
        if state.before is None and self._free(demand) and not (turns and self._lags(state, asked)):
            return state, FREE
        normal = self._press(asked.force, state.pressed)
        before = state.before
        if before is None:
            before = self._without_traction(normal if state.pressed is None else state.pressed, demand)
        if turns:
            return self._turn(
                state, asked, lambda torque: self._find_rotation(state, before, normal, asked, torque)
            )
        speed = asked.distance / asked.seconds
        done = self._roll(before, normal, asked.distance, demand, self.drive.kind, speed)
        left = done.contact
        if self._free(demand) and left is not None:  # are there tractions left?
            left = None if np.abs(left.traction).max() <= GONE * left.bound.max() else left
        return WheelState(left, normal, state.turning, state.slope), done

    def _fly(self, state: WheelState, asked: PartDemand) -> tuple[WheelState, RolledPart]:
        """In the air: tractions are lost, a torque turns the wheel alone."""
        if self.drive.turns:
            return self._turn(state, asked, lambda torque: self._spin(state, asked, torque))
        xi = asked.demand.along if self.drive.kind == "creepage" else math.nan
        return WheelState(None, None, state.turning, state.slope), _lose(asked.demand, xi)

    def _spin(
        self, state: WheelState, asked: PartDemand, torque: WheelTorque
    ) -> tuple[WheelState, RolledPart]:
        """Rotation in the air; a brake on the wheel itself holds it once it stands."""
        assert self.drive.inertia is not None
        kept = self.drive.inertia / asked.seconds
        turning = (kept * state.turning + torque.free) / (kept + torque.slope)
        if self.drive.shaft is None:
            turning = max(0.0, turning)
        xi = 1.0 - turning * self.radius * asked.seconds / asked.distance
        return WheelState(None, None, turning, state.slope), _lose(asked.demand, xi)

    def _roll(
        self,
        before: TangentialContact,
        normal: NormalContact,
        way: float,
        demand: Demand,
        kind: str,
        speed: float,
    ) -> RolledPart:
        """Roll over a distance (m) at a speed (m/s), with the force or the creepage along x given."""
        mu, rest, layer = demand.friction, (demand.lateral, demand.spin), self.drive.layer
        law, seen = self.drive.law, None if self.drive.law is None else max(speed, SLOWEST)
        if isinstance(law, TrackFriction):
            before = replace(before, position=demand.place - way)
            mu = self._find_limit(law, normal, demand.place)

        def roll_at(along: float | None, force: float | None = None) -> RolledPart:
            rolled = roll(
                before, mu if law is None else law, distance=way, creepage=(along, *rest),
                force=(force, None), speed=seen, layer=layer, normal=normal,
            )  # fmt: skip
            self.rolls += 1
            self.products += rolled.products
            return RolledPart(rolled, rolled.creepage, rolled.dissipation, sliding=not rolled.stick.any())

        if kind == "creepage":
            return roll_at(demand.along)
        if abs(demand.along) < FULL * mu * normal.force:
            return roll_at(None, demand.along)
        # more than there is: any slip will do that is far larger than what is elastic
        a, b = normal.semi_axes
        is_strip = math.isinf(b)
        reach = mu * normal.peak_pressure * (a if is_strip else max(a, b)) / self.pair.shear_modulus
        xi = -math.copysign(SLID * reach / min(way, self.grid.dx), demand.along)
        done = roll_at(xi)
        # at which all slips: Carter's for a strip, mu a/R with R = a E*/(2 p0), else Johnson and Vermeulen's
        least = 2.0 * mu * normal.peak_pressure / self.pair.effective_modulus
        if not is_strip:
            least = 3.0 * mu * normal.force / (KALKER * self.pair.shear_modulus * a * b)
        lost = mu * normal.force * least * way
        return replace(done, creepage=(math.nan, *rest), dissipation=lost, driven_over=True)

    def _find_limit(self, law: TrackFriction, normal: NormalContact, place: float) -> float:
        """Largest force over the contact force, with the friction around a place (m) along the track."""
        mean = law.mean(place + self.grid.x, self.grid.dx) * law.largest / max(law.values)
        total = float(normal.pressure.sum())
        return float((normal.pressure * mean).sum()) / total if total > 0.0 else float(mean.max())

    def _turn(self, state: WheelState, asked: PartDemand, rotate: Rotate) -> tuple[WheelState, RolledPart]:
        """Rotation under a torque, its own or that of its shaft.

        Of a braked rotor, ways of turning are tried until one is right; where a contact force that jumps
        leaves none, the last of them stays.
        """
        if self.drive.shaft is None:
            return rotate(WheelTorque(asked.demand.along))
        part, tried = self._shaft_part(state, asked), set[int]()
        while True:
            after, done = rotate(part.torque)
            tried.add(part.way)
            way = part.see_way(after.turning)
            if way in tried:
                return after._replace(torsion=part.end(after.turning)), done
            part = replace(part, way=way)

    def _shaft_part(self, state: WheelState, asked: PartDemand) -> ShaftPart:
        """The shaft over a part; a braked rotor turns as it did before, or is held where it stood."""
        shaft, given, torsion = self.drive.shaft, asked.demand.along, state.torsion
        assert shaft is not None
        assert self.drive.inertia is not None
        assert torsion is not None
        if self.drive.kind == "creepage":
            given = (1.0 - given) * asked.distance / (asked.seconds * self.radius)
        way = int(np.sign(torsion.rotor))
        return ShaftPart(shaft, self.drive.inertia, torsion, state.turning, asked.seconds, given, way)

    def _find_rotation(
        self,
        state: WheelState,
        before: TangentialContact,
        normal: NormalContact,
        asked: PartDemand,
        torque: WheelTorque,
    ) -> tuple[WheelState, RolledPart]:
        """Rotation under a torque T: I (omega - omega_0)/h = T - R F_x(xi) with omega = (1 - xi) V/R.

        The force decreases with the creepage, or increases by less than the inertia resists, so that there is
        one solution. It is found by secants within a bracket; a brake that locks the wheel, xi = 1, holds it.
        A force that jumps, as steps with a steep law are divided from some creepage on or the contact itself
        does, passes the one that is looked for at the jump.
        """
        demand, R, h, inertia = asked.demand, self.radius, asked.seconds, self.drive.inertia
        assert inertia is not None
        V, slope = asked.distance / h, state.slope
        resists = inertia / h + torque.slope
        stiff = resists * V / (R * R)
        given = (torque.free - resists * V / R + inertia * state.turning / h) / R
        bound = demand.friction * normal.force
        most = 1.0 if self.drive.shaft is None else math.inf
        low, high, old = -math.inf, math.inf, 1.0 - state.turning * R / V
        xi = min(most, (before.force[0] - slope * old - given) / (stiff - slope))
        last: tuple[float, float] | None = None
        for _ in range(MOST_STEPS):
            done = self._roll(before, normal, asked.distance, demand._replace(along=xi), "creepage", V)
            assert done.contact is not None
            force = done.contact.force[0]
            left = force - stiff * xi - given
            low, high = (xi, high) if left > 0.0 else (low, xi)
            locks = xi == most and left > 0.0
            jumped = abs(left) - stiff * (high - low)
            jumps = not locks and high - low <= NARROW * (1.0 + abs(xi)) and jumped > CLOSE * bound
            if jumps or locks or abs(left) <= CLOSE * bound:
                done = replace(done, jump=self._note_jump(jumped / bound) if jumps else 0.0)
                return WheelState(done.contact, normal, (1.0 - xi) * V / R, slope), done
            if last is not None and xi != last[0]:
                slope = min(0.0, (force - last[1]) / (xi - last[0]))
            last = xi, force
            xi = min(most, xi + left / (stiff - slope))
            if not low < xi <= high:
                xi = min(most, _divide(low, high, 2.0 * abs(left) / stiff))
        raise ConvergenceError(f"no creepage found at which the wheel turns as demanded, near {xi:.6g}.")

    def _note_jump(self, share: float) -> float:
        """Warn once of a force that jumps by this share of the friction bound."""
        for notice in () if self._jumped else jump_notices(share, self.drive):
            self._jumped = True
            warn_user(f"{notice}.", StepWarning)
        return share

    def _free(self, demand: Demand) -> bool:
        """Whether there are no tractions; between unlike bodies pressure alone causes some."""
        return demand.nothing and self.pair.mismatch == 0.0

    def _lags(self, state: WheelState, asked: PartDemand) -> bool:
        """Whether a wheel or its rotor turns slower or faster than it rolls, or its shaft is twisted."""
        speed, torsion = asked.distance / asked.seconds, state.torsion
        turns = [state.turning] if torsion is None else [state.turning, torsion.rotor]
        twisted = torsion is not None and torsion.twist != 0.0
        return twisted or any(abs(speed - one * self.radius) > ROUNDING * speed for one in turns)

    def _press(self, force: float, start: NormalContact | None) -> NormalContact:
        return solve_press(self.gap, self.grid, self.pair, force=force, start=start)

    def roll_freely(self, force: float, demand: Demand) -> TangentialContact:
        """The contact under a force (N) without tractions."""
        return self._without_traction(self._press(force, None), demand)

    def _without_traction(self, normal: NormalContact, demand: Demand) -> TangentialContact:
        return shift(normal, demand.friction, displacement=(0.0, 0.0, 0.0))


def _lose(demand: Demand, along: float) -> RolledPart:
    """A part in the air, with a creepage along x."""
    return RolledPart(None, (along, demand.lateral, demand.spin), 0.0)


def _divide(low: float, high: float, far: float) -> float:
    """A place between two bounds, or so far beyond one where the other is infinite."""
    if math.isfinite(low) and math.isfinite(high):
        return 0.5 * (low + high)
    return high - far if math.isfinite(high) else low + far
