"""Zones of contact, and the mesh stretched so that nodes lie where the contact truly begins.

At the start of a zone the free part meets the obstacle: with shear compliance without a jump of the slope,
since that would be a point force; by Euler-Bernoulli theory, with a point force, without a jump
of the curvature, since that would be a couple. Where the beam touches at one point only, the mean of the
slopes on both sides is that of the obstacle. Newton's method moves these nodes, and the mesh between them
with them, until this holds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.beams.obstacle import beam_line as lines
from traction.beams.obstacle.contact_equations import ContactEquations
from traction.beams.obstacle.obstacle_problem import LineSolution, ObstacleProblem

MOST_STEPS = 10
REACH = 2.0  #: elements that an edge may move in one fit
CLOSE = 1e-11  #: of the length of the beam, within which a node is stationary
ARTEFACT = 0.3  #: of F h^3/EI + F h/kGA: an opening below this between touching nodes comes from the mesh


@dataclass(frozen=True)
class NodeZone:
    """Nodes from first to last lie on one obstacle."""

    first: int
    last: int
    side: int  #: +1 below, -1 above

    @property
    def is_point(self) -> bool:
        """One node only."""
        return self.first == self.last


@dataclass(frozen=True)
class ZoneEdge:
    """A node that may move: where a zone begins (+1), ends (-1), or the one node of a point contact (0)."""

    node: int
    direction: int
    side: int


def find_zones(solution: LineSolution, state: np.ndarray) -> list[NodeZone]:
    """Runs of touching nodes, joined where only the mesh has separated them."""
    zones: list[NodeZone] = []
    for side in (1, -1):
        touching = (state == side).any(axis=1)
        if solution.system.space.name == "constant":
            touching[1:] |= state[:-1, 1] == side
        marks = np.flatnonzero(np.diff(np.r_[False, touching, False].astype(int)))
        runs = [NodeZone(int(a), int(b) - 1, side) for a, b in zip(marks[::2], marks[1::2], strict=True)]
        joined: list[NodeZone] = []
        for run in runs:
            if joined and _is_mesh_artefact(solution, joined[-1], run):
                joined[-1] = NodeZone(joined[-1].first, run.last, side)
            else:
                joined.append(run)
        zones += joined
    return sorted(zones, key=lambda zone: zone.first)


def _is_mesh_artefact(solution: LineSolution, one: NodeZone, other: NodeZone) -> bool:
    """Whether an opening between two runs is an artefact of the mesh."""
    line, gap = solution.system.line, solution.problem.gap(one.side)
    if other.first - one.last < 2:
        return True
    corners = lines.nearest_nodes(solution.nodes, gap.breaks)
    if one.last in corners or other.first in corners:
        return False
    between = slice(one.last + 1, other.first)
    deflection = one.side * solution.balance.states[between, lines.W]
    opening = float((gap(solution.nodes[between]) - deflection).max())
    h = float(line.lengths[max(one.last - 1, 0) : other.first].max())
    parts = [slice(run.first, min(run.last, run.first + 2) + 1) for run in (one, other)]
    force = max(float(np.abs(solution.node_forces[part]).sum()) for part in parts)
    c = float(line.compliance[one.last])
    return opening <= ARTEFACT * force * (h**3 / line.stiffness[one.last] + h * c)


def movable_edges(zones: list[NodeZone], nodes: np.ndarray, fixed: np.ndarray) -> list[ZoneEdge]:
    """Nodes at the ends of zones that may move: not those at supports, forces, steps or ends."""
    standing = lines.nearest_nodes(nodes, fixed)
    edges = []
    for zone in zones:
        ends = [(zone.first, 0)] if zone.is_point else [(zone.first, 1), (zone.last, -1)]
        edges += [ZoneEdge(node, way, zone.side) for node, way in ends if node not in standing]
    return edges


def shrink_to_points(solution: LineSolution, zones: list[NodeZone]) -> list[NodeZone]:
    """Zones of one element as point contacts at the node with the larger force."""
    force, taken = np.abs(solution.node_forces), []
    for zone in zones:
        if zone.last - zone.first == 1:
            node = zone.first if force[zone.first] >= force[zone.last] else zone.last
            zone = NodeZone(node, node, zone.side)
        taken.append(zone)
    return taken


def touching_state(system: ContactEquations, zones: list[NodeZone]) -> np.ndarray:
    """All points and densities of the zones touch."""
    state = np.zeros((system.line.count + 1, 2), dtype=np.int64)
    for zone in zones:
        last = zone.last if system.space.name != "constant" else max(zone.last - 1, zone.first)
        state[zone.first : last + 1, 1] = zone.side
        state[zone.first : zone.last + 1, 0] = zone.side
        if zone.is_point:
            state[zone.first, 1] = 0
    return np.where(system.possible, state, 0)


def fitted_equations(problem: ObstacleProblem, nodes: np.ndarray, zones: list[NodeZone]) -> ContactEquations:
    """Densities end where the zones do; point forces may act where they must."""
    cut: set[int] = set()
    none: set[int] = set()  # what is left of functions cut beside a zone would weigh the gap with both signs
    atoms: set[int] = set()
    standing, bending_only = lines.nearest_nodes(nodes, problem.fixed), not problem.beam.shears
    for zone in zones:
        if zone.first > 0:
            cut.add(zone.first - 1)
            none.add(zone.first - 1)
        if zone.last < nodes.size - 1:
            cut.add(zone.last)
            none.add(zone.last if problem.multiplier == "constant" else zone.last + 1)
        for node in (zone.first, zone.last):
            free_side = 0 < node < nodes.size - 1
            if zone.is_point or (free_side and (bending_only or node in standing)):
                atoms.add(node)
        if zone.is_point:
            none.add(zone.first)
    return problem.equations(nodes, sorted(cut), sorted(none), sorted(atoms))


def edge_mismatches(solution: LineSolution, edges: list[ZoneEdge]) -> np.ndarray:
    """Residuals at each edge."""
    line, L = solution.system.line, solution.problem.beam.length
    values = np.empty(len(edges))
    for k, edge in enumerate(edges):
        i, x = edge.node, float(solution.nodes[edge.node])
        gap = solution.problem.gap(edge.side)
        before, after = solution.balance.left[i], solution.balance.states[i]
        c0, c1 = line.compliance[max(i - 1, 0)], line.compliance[min(i, line.count - 1)]
        slope = edge.side * gap.slope(x) * L
        left, right = before[lines.PSI] + c0 * before[lines.V], after[lines.PSI] + c1 * after[lines.V]
        if edge.direction == 0:
            values[k] = 0.5 * (left + right) - slope
        elif (c0 if edge.direction > 0 else c1) > 0.0:
            values[k] = (left if edge.direction > 0 else right) - slope
        else:
            EI = line.stiffness[i - 1 if edge.direction > 0 else i]
            values[k] = before[lines.M] + EI * edge.side * gap.curvature(x) * L**2
    return values


@dataclass(frozen=True, eq=False)
class EdgeFit:
    """Nodes after the fit, the number of linear problems, and whether it succeeded."""

    nodes: np.ndarray  #: m
    system: ContactEquations
    steps: int
    converged: bool
    stuck: bool = False  #: an edge would move farther than it may


def stretch_mesh(nodes: np.ndarray, fixed: np.ndarray, numbers: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The mesh with some nodes at new positions, and those between them moved in proportion."""
    anchors = np.unique(np.r_[lines.nearest_nodes(nodes, fixed), numbers].astype(int))
    moved = nodes.copy()
    moved[numbers] = places
    stretched_nodes = np.interp(nodes, nodes[anchors], moved[anchors])
    stretched_nodes[anchors] = moved[anchors]
    return stretched_nodes


def fit_edges(problem: ObstacleProblem, nodes: np.ndarray, zones: list[NodeZone]) -> EdgeFit:
    """Move the nodes at the edges of the zones, each between the edges and fixed nodes beside it."""
    edges = movable_edges(zones, nodes, problem.fixed)
    if not edges:
        return EdgeFit(nodes, fitted_equations(problem, nodes, zones), 0, True)
    numbers = np.array([edge.node for edge in edges], dtype=int)
    trial = _EdgeTrial(problem, nodes, zones, edges, numbers)
    places = nodes[numbers].copy()
    anchors = np.unique(np.r_[problem.fixed, places])
    at = np.searchsorted(anchors, places)
    # far moves are for other nodes: they would press the elements on one side together
    reach = REACH * np.minimum(nodes[numbers + 1] - places, places - nodes[numbers - 1])
    lowest = np.maximum(0.5 * (anchors[at - 1] + places), places - reach)
    highest = np.minimum(0.5 * (anchors[at + 1] + places), places + reach)
    value, system = trial.mismatches(places)
    step = 1e-3 * np.minimum(nodes[numbers + 1] - places, places - nodes[numbers - 1])
    slopes = trial.slopes(places, value, step)
    for _ in range(MOST_STEPS):
        change = -np.linalg.lstsq(slopes, value, rcond=None)[0]
        new = np.clip(places + change, lowest, highest)
        change = new - places
        if float(np.abs(change).max()) <= CLOSE * problem.beam.length:
            stuck = ((places <= lowest) | (places >= highest)).any()
            return EdgeFit(trial.nodes_at(places), system, trial.steps, not stuck, bool(stuck))
        after, system = trial.mismatches(new)
        # Broyden's update keeps the differences of the first step up to date
        slopes = slopes + np.outer(after - value - slopes @ change, change) / (change @ change)
        places, value = new, after
    return EdgeFit(trial.nodes_at(places), system, trial.steps, False)


@dataclass(eq=False)
class _EdgeTrial:
    """Residuals as a function of the positions of the edges."""

    problem: ObstacleProblem
    nodes: np.ndarray
    zones: list[NodeZone]
    edges: list[ZoneEdge]
    numbers: np.ndarray
    steps: int = 0

    def nodes_at(self, places: np.ndarray) -> np.ndarray:
        return stretch_mesh(self.nodes, self.problem.fixed, self.numbers, places)

    def mismatches(self, places: np.ndarray) -> tuple[np.ndarray, ContactEquations]:
        system = fitted_equations(self.problem, self.nodes_at(places), self.zones)
        balance = self.problem.balance(system, touching_state(system, self.zones))
        self.steps += 1
        return edge_mismatches(LineSolution(self.problem, system, balance), self.edges), system

    def slopes(self, places: np.ndarray, value: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Derivatives by differences."""
        slopes = np.empty((places.size, places.size))
        for k in range(places.size):
            moved = places.copy()
            moved[k] += step[k]
            slopes[:, k] = (self.mismatches(moved)[0] - value) / step[k]
        return slopes
