"""The contact force as a density, linear over each element, and point forces at nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_banded

from traction.beams.obstacle import beam_line as lines
from traction.beams.obstacle.contact_zones import NodeZone
from traction.beams.obstacle.obstacle_problem import LineSolution


@dataclass(frozen=True, eq=False)
class ForceDensity:
    """In SI, upwards."""

    nodes: np.ndarray  #: m
    values: np.ndarray  #: at both ends of each element, N/m, (elements, 2)
    points: np.ndarray  #: force at each node, N

    def at(self, x: np.ndarray) -> np.ndarray:
        """Density at positions `x` (m), N/m."""
        element, t = lines.find_elements(self.nodes, x)
        left, right = self.values[element, 0], self.values[element, 1]
        return np.asarray(left + (right - left) * t)

    def up_to(self, x: np.ndarray, *, closed: bool) -> np.ndarray:
        """Force from the left end to x, N, with the point force at x where `closed`."""
        lengths = np.diff(self.nodes)
        element, t = lines.find_elements(self.nodes, x)
        before = np.r_[0.0, np.cumsum(lengths * self.values.mean(axis=1))]
        left, right = self.values[element, 0], self.values[element, 1]
        inside = lengths[element] * t * (left + 0.5 * (right - left) * t)
        count = np.searchsorted(self.nodes, x, side="right" if closed else "left")
        return np.asarray(before[element] + inside + np.r_[0.0, np.cumsum(self.points)][count])

    def force_of(self, zone: NodeZone) -> float:
        """Force of the elements of a zone and beside it, and of its nodes, N."""
        first, last = max(zone.first - 1, 0), min(zone.last + 1, len(self.values))
        lengths = np.diff(self.nodes)[first:last]
        spread = float(lengths @ self.values[first:last].mean(axis=1))
        return spread + float(self.points[zone.first : zone.last + 1].sum())

    def points_of(self, zone: NodeZone) -> tuple[tuple[float, float], ...]:
        """Point forces (N, position in m) of a zone."""
        inside = [k for k in range(zone.first, zone.last + 1) if self.points[k] != 0.0]
        return tuple((float(self.points[k]), float(self.nodes[k])) for k in inside)


def contact_density(solution: LineSolution, zones: Sequence[NodeZone], fitted: bool) -> ForceDensity:
    """The density of each space as a function: constant, or linear over each element.

    The forces of "point" and "dual" belong to nodes. Where a zone is fitted, the density is the continuous
    linear function with the same weighted means; else each force is spread over the neighbourhood of its
    node.
    """
    line, space, balance = solution.system.line, solution.system.space, solution.balance
    values, points = np.zeros((line.count, 2)), np.zeros(line.count + 1)
    if space.name == "constant":
        values[:] = balance.densities[:-1, None]
        points[:] = balance.points
    elif space.name == "linear":
        values[:, 0] = balance.densities[:-1] * (space.shapes[:, 0, 0] != 0.0)
        values[:, 1] = balance.densities[1:] * (space.shapes[:, 1, 1] != 0.0)
        points[:] = balance.points
    elif fitted:
        for zone in zones:
            _fill_consistent(solution, zone, values, points)
    else:  # the force of each node over half of both elements beside it
        density = solution.node_forces / lines.sum_at_nodes(0.5 * line.lengths, 0.5 * line.lengths)
        values[:, 0], values[:, 1] = density[:-1], density[1:]
    unit = line.scales
    return ForceDensity(line.nodes * unit.length, values * unit.density, points * unit.state[lines.V])


def _fill_consistent(solution: LineSolution, zone: NodeZone, values: np.ndarray, points: np.ndarray) -> None:
    """The linear density on a zone whose means, weighted by hats, are the forces of its nodes."""
    nodes = slice(zone.first, zone.last + 1)
    forces = solution.node_forces[nodes].copy()
    if zone.is_point:
        points[zone.first] = forces[0]
        return
    h = solution.system.line.lengths[zone.first : zone.last]
    if solution.system.space.name == "dual":
        points[nodes] = solution.balance.points[nodes]
        forces = forces - points[nodes]
    else:
        _separate_points(solution, zone, forces, points)
    band = np.zeros((3, h.size + 1))
    band[1] = lines.sum_at_nodes(h / 3.0, h / 3.0)
    band[0, 1:] = band[2, :-1] = h / 6.0
    density = solve_banded((1, 1), band, forces)
    values[zone.first : zone.last, 0], values[zone.first : zone.last, 1] = density[:-1], density[1:]


def _separate_points(solution: LineSolution, zone: NodeZone, forces: np.ndarray, points: np.ndarray) -> None:
    """Separate the Euler-Bernoulli point forces from the shares of the density at their nodes.

    They take the whole shear force of the free part: behind them a beam on a smooth obstacle has next to
    none.
    """
    line, balance = solution.system.line, solution.balance
    for end, node, shear in (
        (0, zone.first, -balance.left[zone.first, lines.V]),
        (-1, zone.last, balance.states[zone.last, lines.V]),
    ):
        if 0 < node < line.count and not line.compliance[node] > 0.0:
            points[node] = shear
            forces[end] -= shear
