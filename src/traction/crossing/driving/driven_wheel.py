"""`DrivenWheel`: friction under one wheel, part by part of its way."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from traction.contact.friction.shift import shift
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact, press
from traction.contact.rolling.transient_rolling import roll
from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.materials import Pair
from traction.trains.drive import Demand, Drive

LEAST = 1e-6  #: of the load at rest, below which the wheel is in the air
FULL = 1.0 - 1e-6  #: of the friction bound, from which a given force makes the wheel slide
SLID = 4.0  #: rigid slip that makes all of a patch slip, over the largest elastic displacement
STILL = 1e-6  #: way of a part, in elements, over which a wheel that stands is rolled
GONE = 1e-6  #: traction over the largest bound, below which there is none
ROUNDING = 1e-12  #: of a speed
RUN_IN = 5.0  #: contact lengths rolled before the bridge, after which rolling is steady
CLOSE = 1e-5  #: forces that turn a wheel, over the friction bound
MOST_STEPS = 60  #: of the search for its creepage
KALKER = 4.0  #: about C11


class Asked(NamedTuple):
    """A part of a way."""

    distance: float  #: m
    seconds: float
    force: float  #: contact force at its end, N
    demand: Demand


class Footing(NamedTuple):
    """What a wheel stands on, between two parts."""

    before: TangentialContact | None  #: tractions; None where there are none
    pressed: NormalContact | None  #: the last contact; None after a flight
    turning: float  #: angular velocity, rad/s, of a wheel with a torque
    slope: float  #: dF_x/d(xi) of it, N


@dataclass(frozen=True, eq=False)
class Trodden:
    """What a part of a way did."""

    contact: TangentialContact | None  #: at its end; None in the air, and where the wheel rolls free
    creepage: tuple[float, float, float]
    dissipation: float  #: J; 0 where it is not known
    sliding: bool = False
    driven_over: bool = False  #: whether a given force was more than the friction
    free: bool = False  #: whether nothing was asked and nothing left: no tractions, and no contact solved

    @property
    def kept(self) -> TangentialContact | None:
        """The contact without what only the next step needs; no slip where it is not known."""
        if self.contact is None:
            return None
        light = _light(self.contact)
        if not self.driven_over:
            return light
        touches = self.contact.normal.contact
        slip = np.where(touches, np.nan, 0.0) * np.ones((2, 1, 1))
        return replace(light, slip=slip, creepage=self.creepage, dissipation=math.nan)


def _light(contact: TangentialContact) -> TangentialContact:
    """Without what the next step and derivatives need, which is most of its memory."""
    made: dict[str, Any] = {one.name: None for one in fields(contact) if callable(getattr(contact, one.name))}
    return replace(contact, state=None, **made)


FREE = Trodden(None, (0.0, 0.0, 0.0), 0.0, free=True)


class DrivenWheel:
    """A wheel on a grid; `tread` goes from one footing to the next."""

    def __init__(
        self, gap: np.ndarray, grid: Grid, pair: Pair, load: float, radius: float, drive: Drive
    ) -> None:
        self.gap, self.grid, self.pair = gap, grid, pair
        self.load, self.radius, self.drive = load, radius, drive
        self.rolls = self.products = 0

    def run_in(self, force: float, demand: Demand, speed: float) -> tuple[Footing, Trodden]:
        """From rolling free to steady rolling before the bridge, under the contact force there, N."""
        normal = self._pressed(force, None)
        length = float(normal.contact.any(axis=0).sum()) * self.grid.dx
        slope = -KALKER * self.pair.shear_modulus * 0.25 * length * length
        footing = Footing(None, normal, speed / self.radius, slope)
        if self._free(demand):
            return footing, FREE
        if self.drive.kind == "torque":
            demand = demand._replace(along=demand.along / self.radius)
        kind = "creepage" if self.drive.kind == "creepage" else "force"
        start = self._unloaded(normal, demand)
        done = self._rolled(start, normal, RUN_IN * length, demand, kind)
        assert done.contact is not None
        done = self._rolled(done.contact, normal, self.grid.dx, demand, kind)
        turning = 0.0 if done.driven_over else speed * (1.0 - done.creepage[0]) / self.radius
        return Footing(done.contact, normal, turning, slope), done

    def tread(self, footing: Footing, asked: Asked) -> tuple[Footing, Trodden]:
        """Over a part of the way."""
        least = STILL * self.grid.dx
        if asked.distance >= least:
            return self._trodden(footing, asked)
        footing, done = self._trodden(footing, asked._replace(distance=least))
        return footing, replace(done, creepage=(math.nan, math.nan, math.nan))

    def _trodden(self, footing: Footing, asked: Asked) -> tuple[Footing, Trodden]:
        """Over a part that is not too short to be rolled."""
        demand, turns = asked.demand, self.drive.kind == "torque"
        if asked.force <= LEAST * self.load:
            return self._flown(footing, asked)
        if footing.before is None and self._free(demand) and not (turns and self._lags(footing, asked)):
            return footing, FREE
        normal = self._pressed(asked.force, footing.pressed)
        before = footing.before
        if before is None:
            before = self._unloaded(normal if footing.pressed is None else footing.pressed, demand)
        if turns:
            return self._turned(footing, before, normal, asked)
        done = self._rolled(before, normal, asked.distance, demand, self.drive.kind)
        left = None if self._free(demand) and _gone(done.contact) else done.contact
        return Footing(left, normal, footing.turning, footing.slope), done

    def _flown(self, footing: Footing, asked: Asked) -> tuple[Footing, Trodden]:
        """In the air: tractions are lost, a torque turns the wheel alone."""
        demand, xi = asked.demand, math.nan
        turning = footing.turning
        if self.drive.kind == "torque":
            assert self.drive.inertia is not None
            turning = max(0.0, turning + asked.seconds * demand.along / self.drive.inertia)
            xi = 1.0 - turning * self.radius * asked.seconds / asked.distance
        elif self.drive.kind == "creepage":
            xi = demand.along
        gone = Trodden(None, (xi, demand.lateral, demand.spin), 0.0)
        return Footing(None, None, turning, footing.slope), gone

    def _rolled(
        self, before: TangentialContact, normal: NormalContact, way: float, demand: Demand, kind: str
    ) -> Trodden:
        """Over a way (m), with the force or the creepage along x given."""
        mu, rest = demand.friction, (demand.lateral, demand.spin)
        if kind == "creepage":
            return self._done(roll(before, mu, distance=way, creepage=(demand.along, *rest), normal=normal))
        if abs(demand.along) < FULL * mu * normal.force:
            force = (demand.along, None)
            return self._done(
                roll(before, mu, distance=way, creepage=(None, *rest), force=force, normal=normal)
            )
        # more than there is: any slip will do that is far larger than what is elastic
        reach = mu * normal.peak_pressure * max(normal.semi_axes) / self.pair.shear_modulus
        xi = -math.copysign(SLID * reach / min(way, self.grid.dx), demand.along)
        done = self._done(roll(before, mu, distance=way, creepage=(xi, *rest), normal=normal))
        return replace(done, creepage=(math.nan, *rest), dissipation=0.0, driven_over=True)

    def _turned(
        self, footing: Footing, before: TangentialContact, normal: NormalContact, asked: Asked
    ) -> tuple[Footing, Trodden]:
        """Under a torque T: I (omega - omega_0)/h = T - R F_x(xi) with omega = (1 - xi) V/R.

        The force falls with the creepage, so that there is one solution. It is sought by secants within what
        is known to hold it; a brake that locks the wheel, xi = 1, holds it.
        """
        demand, R, h, inertia = asked.demand, self.radius, asked.seconds, self.drive.inertia
        assert inertia is not None
        V, slope = asked.distance / h, footing.slope
        stiff = inertia * V / (R * R * h)
        given = (demand.along - inertia * (V / R - footing.turning) / h) / R
        limit = CLOSE * demand.friction * normal.force
        low, high, old = -math.inf, 1.0, 1.0 - footing.turning * R / V
        xi = min(1.0, (before.force[0] - slope * old - given) / (stiff - slope))
        last: tuple[float, float] | None = None
        for _ in range(MOST_STEPS):
            done = self._rolled(before, normal, asked.distance, demand._replace(along=xi), "creepage")
            assert done.contact is not None
            force = done.contact.force[0]
            left = force - stiff * xi - given
            if abs(left) <= limit or (xi == 1.0 and left > 0.0):
                return Footing(done.contact, normal, (1.0 - xi) * V / R, slope), done
            low, high = (xi, high) if left > 0.0 else (low, xi)
            if last is not None and xi != last[0]:
                slope = min(0.0, (force - last[1]) / (xi - last[0]))
            last = xi, force
            xi = min(1.0, xi + left / (stiff - slope))
            if not low < xi <= high:
                xi = 0.5 * (low + high) if math.isfinite(low) else high - 2.0 * abs(left) / stiff
        raise ConvergenceError(f"no creepage found at which {demand.along:.6g} N m turn the wheel.")

    def _free(self, demand: Demand) -> bool:
        """Whether nothing makes tractions: of unlike bodies, pressure alone does."""
        return demand.nothing and self.pair.mismatch == 0.0

    def _lags(self, footing: Footing, asked: Asked) -> bool:
        """Whether a wheel does not turn as fast as it rolls."""
        speed = asked.distance / asked.seconds
        return abs(speed - footing.turning * self.radius) > ROUNDING * speed

    def _pressed(self, force: float, start: NormalContact | None) -> NormalContact:
        return press(self.gap, self.grid, self.pair, force=force, start=start)

    def unloaded(self, force: float, demand: Demand) -> TangentialContact:
        """The contact under a force (N) without tractions."""
        return self._unloaded(self._pressed(force, None), demand)

    def _unloaded(self, normal: NormalContact, demand: Demand) -> TangentialContact:
        return shift(normal, demand.friction, displacement=(0.0, 0.0, 0.0))

    def _done(self, contact: TangentialContact) -> Trodden:
        self.rolls += 1
        self.products += contact.products
        return Trodden(contact, contact.creepage, contact.dissipation, sliding=not contact.stick.any())


def _gone(contact: TangentialContact | None) -> bool:
    """Whether there are no tractions left."""
    assert contact is not None
    return bool(np.abs(contact.traction).max() <= GONE * contact.bound.max())
