"""The classical discretisation: slip at the element centres, displacements by exact influence coefficients.

It is that of CONTACT (Kalker, Vollebregt), digit for digit. Steady rolling proceeds by one element per
step, and the rotation of the rigid slip is evaluated at x + dq/6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.elements.friction_step import FrictionStep, fill_rigid_fields
from traction.contact.elements.shift_way import ShiftWay
from traction.contact.normal.part_interaction import PartInteraction
from traction.contact.stick_slip.interface import Carried
from traction.contact.stick_slip.kernels.sliding_states import SlidingRule
from traction.contact.stick_slip.lagged_friction import AT_REST, UNSETTLED, Unrest, count_unrest, lag_friction
from traction.contact.stick_slip.slip_equation import RollingWaves, SlipEquation
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import TangentialInfluence, TangentialInverse

ALONE = np.ones((1, 1))  #: how much the only part of a contact interacts with itself
SPIN_OFFSET = 1.0 / 6.0  #: of the step, at which the rigid slip of rotation is taken


@dataclass(frozen=True, eq=False)
class WholeCells(FrictionStep):
    """A shift or a step of rolling from earlier displacements, or steady rolling by steps of one element."""

    direction: int = 0  #: of rolling, +1 or -1 along x; 0 for a shift
    distance: float | None = None  #: rolled in the step, m; 1 for a shift, None for steady rolling
    earlier: np.ndarray | None = None  #: displacements, m, (2, ny, nx), and the shear of a layer
    carried: Carried | None = None  #: memory of the particles before the step
    way: ShiftWay | None = None  #: of a shift, whose duration follows from it
    #: coefficients at the same places of the contact before a step of rolling, (ny, nx)
    friction_before: np.ndarray | None = None
    unrest: Unrest = AT_REST  #: of the steps before it

    @cached_property
    def equation(self) -> SlipEquation:
        """s = A p - earlier + W, or s = A p - A' p + W, where A' is evaluated one element upstream.

        A layer between the bodies adds its compliance to A.
        """
        patch, grid, steady = self.patch, self.patch.grid, self.distance is None
        half_space = HalfSpace(grid, patch.pair)
        influence = TangentialInfluence(half_space, grid.shape, beyond=int(steady))
        numbers = influence.own - influence.next if steady else influence.own
        own = np.empty((2, *grid.shape))
        own[:] = numbers[:, None, None]
        ahead = 2 if self.direction > 0 else 0
        layer = 0.0 if patch.interface is None else patch.interface.compliance
        displace = patch.share_influence(influence.product if layer == 0.0 else _add_layer(influence, layer))
        own += layer

        def over_a_step(u: np.ndarray) -> np.ndarray:
            return u[:, :, 1:-1] - u[:, :, ahead : ahead + grid.nx]

        known = patch.displace_by_pressure(beyond=int(steady))
        inverse = TangentialInverse(half_space, grid.shape, layer)
        rule = self._rule
        plain = steady and rule is None and layer == 0.0
        equation = SlipEquation(
            bound=patch.bound,
            known=over_a_step(known) if steady else known - (0.0 if self.earlier is None else self.earlier),
            product=(lambda p: over_a_step(displace(p))) if steady else displace,
            inverse=inverse,
            own=own,
            rho=2.0 / own.sum(axis=0) if steady else choose_step_rho(own, int(np.count_nonzero(patch.bound))),
            upstream=self.direction if steady else 0,
            rule=rule,
            waves=join_waves(influence, inverse, patch.parts) if plain else None,
        )
        equation = equation.prescribe_slip(self.rigid_fields, self.rigid, grid.cell_area)
        before = self.friction_before
        if before is None:
            return equation
        return lag_friction(
            equation, patch.interface, lambda *_: self.unrest.steps < UNSETTLED, lambda: before
        )

    @property
    def _rule(self) -> SlidingRule | None:
        """By which the bound depends on the slip; None where it does not."""
        interface, patch, rolled = self.patch.interface, self.patch, self.distance
        if interface is None:
            return None
        upstream, distance = (self.direction, patch.grid.dx) if rolled is None else (0, rolled)
        time = (distance if self.way is None else self.way.length) / interface.speed
        return interface.rule(patch.weighted_pressure, time, upstream=upstream, carried=self.carried)

    def last_longer(self, part: int | None, force: float, size: float) -> WholeCells:
        """The step with the duration of a shift that is `size` further."""
        way = None if self.way is None else self.way.change(part, force, size)
        return self if way is self.way else replace(self, way=way)

    def count_unrest(self, speed: np.ndarray) -> Unrest:
        """The unrest after the step; none of a shift and of steady rolling."""
        if self.friction_before is None:
            return AT_REST
        return count_unrest(self.equation, self.patch.interface, speed, self.unrest)

    @property
    def rigid_fields(self) -> np.ndarray:
        """Slip over a step for a unit of each part, with the rotation evaluated ahead of the centres."""
        (x, y), way = self.patch.mesh, self.patch.grid.dx if self.distance is None else self.distance
        return fill_rigid_fields(way, np.ones_like(x), x + self.direction * SPIN_OFFSET * way, y)


def _add_layer(influence: TangentialInfluence, layer: float) -> Callable[[np.ndarray], np.ndarray]:
    """Displacements with the shear of a layer (m/Pa) under the tractions."""
    inside = slice(influence.beyond, influence.beyond + influence.shape[1])

    def displace(traction: np.ndarray) -> np.ndarray:
        u = influence.product(traction)
        u[:, :, inside] += layer * traction
        return u

    return displace


def join_waves(
    influence: TangentialInfluence, inverse: TangentialInverse, parts: PartInteraction | None
) -> RollingWaves | None:
    """Tables of both where they are sums of waves, as on a small window."""
    if influence.waves is None or inverse.waves is None:
        return None
    part, share = np.zeros(influence.shape[0], dtype=np.int64), ALONE
    if parts is not None:
        part, share = np.ascontiguousarray(parts.part), parts.share
    return RollingWaves((*influence.waves, part, share), inverse.waves)


def choose_step_rho(own: np.ndarray, elements: int) -> np.ndarray:
    """Rho of a step that is the half space itself, Pa/m, from the self-influence of elements, (2, ...), m/Pa.

    It lies between that of the smallest displacement per traction, of a single element, and that of the
    largest, of all of them.
    """
    across = 0.125 * np.sqrt(elements) + 1.0
    rho: np.ndarray = 4.0 / (own.sum(axis=0) * across)
    return rho
