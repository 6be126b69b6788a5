"""`Warmth`: a step of rolling whose friction depends on the temperature, and the heat it leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from traction.contact.friction.friction_solution import FrictionDemand
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.temperature.heat_history import HeatHistory
from traction.contact.temperature.step_heat import CarriedHeat, StepHeat, find_passing_speed
from traction.contact.temperature.thermal_coupling import settle_temperature
from traction.friction_laws.thermal_friction import ThermalFriction


@dataclass(frozen=True, eq=False)
class Warmth:
    """Heat of the surfaces between two steps."""

    law: ThermalFriction
    carried: CarriedHeat
    discretisation: str  #: "classical" heats as CONTACT does
    temperature: np.ndarray | None = None  #: of the hotter surface, K, (ny, nx)

    @classmethod
    def before(
        cls, before: TangentialContact, demand: FrictionDemand, discretisation: str = "covered"
    ) -> Warmth | None:
        """That of a contact before a step; None where friction does not depend on it.

        After steady rolling with other friction that has always gone on, at the speed of the step; else the
        surfaces are cold.
        """
        law = None if demand.varying is None else demand.varying.thermal
        if law is None or demand.interface is None:
            return None
        if isinstance(before.heat, CarriedHeat):
            return cls(law, before.heat, discretisation)
        carried, speed = CarriedHeat.cold(law, before.normal.grid.shape), demand.interface.speed
        if before.motion == "steady rolling":
            power = speed * before.power_density
            velocities = speed * (before.creepage[0] - before.direction), -speed * before.direction
            passes = find_passing_speed(law, before.normal.pair, velocities, discretisation)
            history = HeatHistory.steady(power, before.direction * passes / before.normal.grid.dx)
            carried = replace(carried, history=history, power=power)
        return cls(law, carried, discretisation)

    def settle(
        self,
        demand: FrictionDemand,
        way: float,
        guess: np.ndarray,
        solve: Callable[[FrictionDemand], SolvedFriction],
    ) -> tuple[SolvedFriction, Warmth]:
        """Solve a step over a way (m, with its sign) together with its temperature.

        `guess` are about the creepages along directions of given forces.
        """
        assert demand.interface is not None
        n, speed = demand.contact, demand.interface.speed
        xi, eta, phi = demand.rigid.complete(guess)
        step = StepHeat(self.law, n, self.carried, way, abs(way) / speed, xi, self.discretisation)
        slip = None
        if not demand.rigid.unknown:
            x, y = n.grid.mesh()
            slip = speed * np.hypot(xi - phi * y, eta + phi * x)

        def solve_warm(mu: np.ndarray, is_last: bool) -> SolvedFriction:
            warm = demand.place_friction(demand.position, mu)
            warm.require_force(n)
            return solve(warm)

        settled = settle_temperature(self.law, solve_warm, step.heat, step.expect(slip), rough=False)
        heat = step.carry(settled.heating, settled.coefficients)
        after = replace(self, carried=heat, temperature=settled.heating.temperature)
        return replace(settled.found, heated=settled.error), after

    def roll_freely(self, way: float, demand: FrictionDemand) -> Warmth:
        """The same after a way (m, with its sign) without contact: no heat, and particles that cool."""
        assert demand.interface is not None
        grid, entry = demand.contact.grid, CarriedHeat.cold(self.law, demand.contact.grid.shape)
        seconds = abs(way) / demand.interface.speed
        history = self.carried.history.add(entry.power, way / grid.dx, seconds)
        return replace(self, carried=replace(entry, history=history), temperature=None)

    def finish(self, result: TangentialContact) -> TangentialContact:
        """The result with its temperature; tangents would have to follow the temperature."""
        return replace(
            result,
            temperature=self.temperature,
            heat=self.carried,
            _tangent=None,
            _approach_tangent=None,
            _friction_change=None,
        )
