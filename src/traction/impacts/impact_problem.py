"""`ImpactProblem`: an impact, checked, as the methods take it; `ImpactSolution`: what they return."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

from traction import checks
from traction.errors import InputError
from traction.impacts.dense_path import DensePath
from traction.impacts.kernels.collocation_step import StruckPoint
from traction.impacts.striker import Striker
from traction.impacts.structures.point_response import PointResponse
from traction.impacts.structures.struck_structures import Place, Structure, point_response, structure_of
from traction.laws.kernels.law_values import CompiledLaw
from traction.laws.rigid_strike import strike_rigid_ground
from traction.status import Status

#: default end, in contact times on rigid ground and in periods of the structure
CONTACTS, PERIODS = 20.0, 2.0


@dataclass(frozen=True, eq=False)
class ImpactProblem:
    """A striker on a structure."""

    structure: Structure
    striker: Striker
    response: PointResponse
    gravity: float  #: m/s^2
    t_end: float  #: s
    contact_time: float  #: on rigid ground, s
    law: CompiledLaw

    @classmethod
    def checked(
        cls,
        structure: object,
        at: Place,
        striker: Striker,
        t_end: float | None,
        modes: int | None,
        residual: bool,
        gravity: float,
    ) -> ImpactProblem:
        """From what a user gave."""
        target = structure_of(structure)
        checks.instance("striker", striker, Striker)
        g = checks.at_least("gravity", gravity, 0.0, "m/s^2")
        law = striker.law.compiled(0.5 * striker.mass * striker.speed**2)
        contact_time = strike_rigid_ground(law, striker.mass, striker.speed).duration
        end = None if t_end is None else checks.positive("t_end", t_end, "s")
        times = (contact_time, end or CONTACTS * contact_time)
        response = point_response(target, at, modes, checks.flag("residual", residual), times)
        if end is None:
            end = max(times[1], PERIODS * longest_period(response, striker.mass))
        return cls(target, striker, response, g, end, contact_time, law)

    @cached_property
    def point(self) -> StruckPoint:
        """Structure and striker as the kernels take them."""
        return struck_point(self.response, self.striker.mass, self.gravity)

    def require_elastic(self, method: str) -> None:
        """Refuse a law that the approximate methods do not describe."""
        if not self.striker.law.is_elastic:
            raise InputError(
                f'method="{method}" needs an elastic contact law, not a {type(self.striker.law).__name__}; '
                'use method="modal".'
            )

    def require_weightless(self, method: str) -> None:
        """Refuse gravity."""
        if self.gravity > 0.0:
            raise InputError(f'method="{method}" takes no gravity; use method="modal".')


@dataclass(frozen=True, eq=False)
class ImpactSolution:
    """Path of a method and how it ended."""

    path: DensePath
    status: Status = Status.CONVERGED
    message: str = str(Status.CONVERGED)
    stats: dict[str, object] = field(default_factory=dict)


def struck_point(response: PointResponse, mass: float, gravity: float) -> StruckPoint:
    """A struck point and a striker of this mass (kg) in gravity (m/s^2), as the kernels take them."""
    return StruckPoint(response.table, mass, gravity, response.residual_flexibility, response.mobility)


def longest_period(response: PointResponse, mass: float) -> float:
    """Of the lowest vibration, or of the striker on the structure's static stiffness, s."""
    held = response.frequencies[response.frequencies > 0.0]
    own = 2.0 * math.pi / float(held[0]) if held.size else 0.0
    return max(own, 2.0 * math.pi * math.sqrt(mass * response.flexibility))
