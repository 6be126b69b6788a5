"""`ObstacleProblem`: a beam, its load, obstacles below and above, and the space of its contact force."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam import Beam
from traction.beams.beam_description import check_forces
from traction.beams.exact.modes import rigid_motions
from traction.beams.obstacle import beam_line as lines
from traction.beams.obstacle.active_set import MOST_STEPS, ActiveSet, find_active_set
from traction.beams.obstacle.beam_line import BeamLine, Load
from traction.beams.obstacle.contact_equations import ContactBalance, ContactEquations
from traction.beams.obstacle.multipliers import MultiplierSpace
from traction.beams.obstacle.obstacle_shapes import ObstacleGap, ObstacleInput, read_obstacle
from traction.errors import InputError

BESIDE = 1e-9  #: of the length of an element
SLACK = 1e-11  #: of the largest gap, within which a gap is not closed
WEAK = 1e-6  #: foundation, over EI/L^4, that holds a loose beam while its contact is searched


@dataclass(frozen=True, eq=False)
class ObstacleProblem:
    """Checked input."""

    beam: Beam
    load: Load  #: N/m
    forces: tuple[tuple[float, float], ...]  #: N, m
    below: ObstacleGap
    above: ObstacleGap | None
    multiplier: str
    softness: float = 0.0  #: of points, m/N; zero where they are rigid

    @classmethod
    def checked(
        cls,
        beam: Beam,
        load: Load,
        obstacle: ObstacleInput,
        *,
        above: ObstacleInput | None,
        forces: Sequence[tuple[float, float]],
        multiplier: str,
    ) -> ObstacleProblem:
        """Check the input of a user."""
        checks.instance("beam", beam, Beam)
        if not callable(load):
            load = checks.finite("load", load, "N/m")
        points = tuple(check_forces(forces, beam.length))
        below = read_obstacle("obstacle", obstacle, beam.length)
        over = None if above is None else read_obstacle("above", above, beam.length)
        MultiplierSpace.of(multiplier, 1)
        return cls(beam, load, points, below, over, multiplier)

    @property
    def marks(self) -> tuple[float, ...]:
        """Positions that must be nodes, m."""
        breaks = (*self.below.breaks, *(self.above.breaks if self.above is not None else ()))
        return (*(x for x in breaks if 0.0 < x < self.beam.length), *(x for _, x in self.forces))

    def gap(self, side: int) -> ObstacleGap:
        """The obstacle below (+1) or above (-1)."""
        return self.above if side < 0 and self.above is not None else self.below

    def nodes(self, elements: ArrayLike) -> np.ndarray:
        """Positions of the nodes, m."""
        return lines.spread_nodes(self.beam, elements, self.marks)

    @property
    def fixed(self) -> np.ndarray:
        """Positions of nodes that may not move, m."""
        return np.unique(np.r_[self.beam.ends, self.marks])

    @cached_property
    def loose(self) -> bool:
        """Whether the supports allow a rigid-body motion."""
        return bool(rigid_motions(self.beam))

    def equations(
        self, nodes: np.ndarray, cut: Sequence[int] = (), none: Sequence[int] = (), atoms: Sequence[int] = ()
    ) -> ContactEquations:
        """On nodes (m), without densities on elements `cut` and of nodes `none`, with points on `atoms`."""
        line = BeamLine.of(self.beam, nodes, self.load, self.forces)
        space = MultiplierSpace.of(self.multiplier, line.count)
        halves, points = space.halves.copy(), space.points.copy()
        halves[list(cut)] = False
        for node in none:
            halves[min(node, line.count - 1), 0] &= node >= line.count
            halves[max(node - 1, 0), 1] &= node <= 0 or self.multiplier == "constant"
        self._split_at_corners(nodes, halves, points)
        # what presses at a place is carried there
        points[lines.nearest_nodes(nodes, [x for _, x in self.forces])] = True
        points[list(atoms)] = True
        points &= ~np.isinf(line.springs[:, 0])
        space = replace(space, halves=halves, points=points)
        softness = np.full(nodes.size, self.softness * line.scales.state[3])
        a, b = self.below.line
        return ContactEquations(line, space, softness, (a, b * self.beam.length))

    def _split_at_corners(self, nodes: np.ndarray, halves: np.ndarray, points: np.ndarray) -> None:
        """At a step of the obstacle the higher side carries the density, and its edge a point force."""
        for gap in (self.below,) if self.above is None else (self.below, self.above):
            for x in gap.breaks:
                if not 0.0 < x < self.beam.length:
                    continue
                k = lines.nearest_node(nodes, x)
                points[k] = True
                if self.multiplier in ("linear", "dual"):
                    left, right = gap(x + BESIDE * self.beam.length * np.array([-1.0, 1.0]))
                    halves[k if left < right else k - 1, 0 if left < right else 1] = False

    def limits(self, system: ContactEquations) -> tuple[np.ndarray, np.ndarray]:
        """Largest deflection of each point and density down and up from the reference."""
        nodes = system.line.nodes * self.beam.length
        self.check_gap(self.below, "obstacle", nodes)
        down = np.where(system.possible, self._mean_gaps(system, self.below.deviation), np.inf)
        if self.above is None:
            return down, np.full_like(down, np.inf)
        over = self.above
        self.check_gap(over, "above", nodes)
        a, b = self.below.line

        def room(x: np.ndarray) -> np.ndarray:
            return over(x) + (a + b * x)

        return down, np.where(system.possible, self._mean_gaps(system, room), np.inf)

    def _mean_gaps(self, system: ContactEquations, gap: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Gap at the nodes, and weighted by the densities."""
        nodes = system.line.nodes * self.beam.length
        lengths = np.diff(nodes)
        at = np.asarray(gap(nodes), dtype=float).copy()
        # just beside the nodes, where a step has two values
        at[1:] = np.minimum(at[1:], gap(nodes[1:] - BESIDE * lengths))
        at[:-1] = np.minimum(at[:-1], gap(nodes[:-1] + BESIDE * lengths))
        inside = np.asarray(gap(nodes[:-1, None] + lengths[:, None] * lines.POINTS))
        shapes = system.space.shapes
        values = shapes[:, :, 0, None] + shapes[:, :, 1, None] * lines.POINTS
        shares = system.line.lengths[:, None] * ((values * inside[:, None, :]) @ lines.WEIGHTS)
        return np.stack((at, system.weighted_mean(shares[:, 0], shares[:, 1])), axis=1)

    def check_gap(self, gap: ObstacleGap, name: str, nodes: np.ndarray) -> None:
        """Refuse an obstacle that lies inside the straight beam."""
        places = np.unique(np.r_[nodes, (nodes[:-1, None] + np.diff(nodes)[:, None] * lines.POINTS).ravel()])
        values = checks.finite_array(name, gap(places), unit="m")
        smallest = int(np.argmin(values))
        if not values[smallest] > 0.0:
            raise InputError(
                f"{name} has a gap of {values[smallest]:.6g} m at x = {places[smallest]:.6g} m: it lies "
                "inside the straight beam. The gap must be positive along the whole beam; count it from its "
                "surface."
            )

    def size(self, system: ContactEquations) -> float:
        """The largest gap at the nodes, m."""
        nodes = system.line.nodes * self.beam.length
        gaps = [float(np.abs(gap(nodes)).max()) for gap in (self.below, self.above) if gap is not None]
        return max(gaps)

    def balance(self, system: ContactEquations, state: np.ndarray) -> ContactBalance:
        """The linear problem in which exactly the given forces act."""
        return system.solve(state != 0, _surface_deflections(state, self.limits(system)))

    def settle(
        self, system: ContactEquations, start: np.ndarray, most_steps: int = MOST_STEPS
    ) -> ActiveSet[ContactBalance]:
        """The active set method on one mesh; the solution is a `ContactBalance`."""
        limits = self.limits(system)
        sought, line = system, system.line
        if self.loose:  # weak springs at all nodes, so that every state has a solution
            springs = line.springs.copy()
            springs[:, 0] += WEAK * lines.sum_at_nodes(0.5 * line.lengths, 0.5 * line.lengths)
            sought = replace(system, line=replace(line, springs=springs))

        def linear(state: np.ndarray) -> tuple[np.ndarray, np.ndarray, ContactBalance]:
            balance = sought.solve(state != 0, _surface_deflections(state, limits))
            return np.stack((balance.points, balance.densities), axis=1), balance.deflections, balance

        begun = np.where(system.possible, start, 0)
        ended = find_active_set(linear, begun, limits, SLACK * self.size(system), most_steps)
        if self.loose and ended.state.any():
            answer = system.solve(ended.state != 0, _surface_deflections(ended.state, limits))
            return replace(ended, answer=answer)
        return ended


@dataclass(frozen=True, eq=False)
class LineSolution:
    """The solution of one linear problem, with its input."""

    problem: ObstacleProblem
    system: ContactEquations
    balance: ContactBalance

    @cached_property
    def nodes(self) -> np.ndarray:
        """Positions of the nodes, m."""
        return self.system.line.nodes * self.problem.beam.length

    @cached_property
    def node_forces(self) -> np.ndarray:
        """Contact force of each node: its point force, and its density over its neighbourhood."""
        return self.balance.points + self.balance.densities * self.system.weights


def _surface_deflections(state: np.ndarray, limits: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Deflections of the touching points and densities."""
    below, above = limits
    return np.where(state > 0, below, np.where(state < 0, -above, 0.0))
