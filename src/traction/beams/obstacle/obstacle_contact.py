"""`ObstacleContact`: solution of a beam on an obstacle, and its certificate.

Its contact force is a density, linear over each element, and point forces at nodes.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_banded

from traction import checks
from traction.beams.beam_description import BeamFields, place_on
from traction.beams.discrete.beam_elements import gauss_rule
from traction.beams.exact.statics import field_variables
from traction.beams.obstacle import beam_line as lines
from traction.beams.obstacle.contact_zones import NodeZone
from traction.beams.obstacle.infinite_beam import ScaledObstacle, with_dimensions
from traction.beams.obstacle.obstacle_problem import LineSolution
from traction.beams.obstacle.obstacle_shapes import Inclined
from traction.errors import UndefinedError
from traction.outputs.beam_result import BeamResult, places_axis
from traction.outputs.variable import Variable, counter, data, figure
from traction.quantities import counted

T, WEIGHTS = gauss_rule(8)
QUANTITIES = {
    "deflection": (lines.W, 1.0),
    "rotation": (lines.PSI, 1.0),
    "moment": (lines.M, -1.0),
    "shear": (lines.V, -1.0),
}
FAR = 20.0  #: shear lengths behind the begin of the contact that a finite model of the benchmark needs


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


@dataclass(frozen=True)
class ContactZone:
    """A stretch of the beam in contact with an obstacle; a point contact has no length."""

    start: float  #: left end, m
    end: float  #: right end, m
    side: int  #: +1 on the obstacle below, -1 on the one above
    force: float  #: force of the obstacle on the beam, upwards, with its point forces, N
    point_forces: tuple[tuple[float, float], ...]  #: upwards (N) and position (m), at the ends of the zone


@dataclass(frozen=True)
class ObstacleCertificate:
    """Errors of the contact conditions, computed from the solution."""

    penetration: float  #: largest into an obstacle, at nodes and within elements, over the gap
    pull: float  #: largest force per length of the wrong sign, over the largest of the right one
    balance: float  #: loads minus reactions and contact forces, over the loads
    moment_balance: float  #: the same for the moments about x = 0


@dataclass(frozen=True, eq=False, repr=False)
class ObstacleContact(BeamResult, LineSolution, BeamFields):
    """Result of `tr.obstacle.solve`: a beam in contact with obstacles.

    Moment and shear force are EI psi' and EI psi'' as in `exact`: positive where the beam curves towards the
    obstacle.
    """

    _rows, _drawn = ("x",), "contact_force"

    contact_nodes: tuple[NodeZone, ...]  #: nodes of each zone
    edges: tuple[tuple[float, float], ...]  #: start and end of each zone, m
    fitted: bool  #: whether nodes lie where the contact begins and ends
    steps: tuple[int, ...]  #: linear problems solved on each mesh, the coarsest first

    def _headline(self) -> str:
        zones = ", ".join(f"{a:.6g} to {b:.6g} m" for a, b in self.edges[:3]) or "nowhere"
        more = f" and {len(self.edges) - 3} more" if len(self.edges) > 3 else ""
        return f"{counted(self.elements, 'element')}, contact {zones}{more}"

    def _default_places(self) -> np.ndarray:
        return self.nodes

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        yield figure("force", self.force, "N", "contact force")
        yield figure("deflection_peak", float(self.deflection(self.nodes).max()), "m", "largest deflection")
        if self.zones:
            yield figure("free_length", self.free_length, "m", "free length")
            yield figure("point_force", self.point_force, "N", "point force at the begin of the contact")
        yield places_axis(x)
        yield from field_variables(self, x)
        yield data("contact_force", self.contact_force(x), "N/m", "contact force per length", "x")
        yield counter("zone", len(self.zones), "number of the contact zone")
        for name, unit in (("start", "m"), ("end", "m"), ("force", "N"), ("side", "1")):
            values = np.array([getattr(zone, name) for zone in self.zones], dtype=float)
            yield data(f"zone_{name}", values, unit, f"{name} of the contact zone", "zone")
        yield counter("support", self.reactions.size, "number of the support")
        yield data("reaction", self.reactions, "N", "upward force of the support", "support")

    @property
    def elements(self) -> int:
        """Number of elements."""
        return self.system.line.count

    def contact_force(self, x: ArrayLike) -> np.ndarray:
        """Return the upward force per length (N/m) at positions `x` (m), without point forces."""
        return self.density.at(self._places(x))

    def contact_force_integral(self, x1: ArrayLike, x2: ArrayLike) -> np.ndarray:
        """Return the upward force (N) from `x1` to `x2` (m), with point forces."""
        a, b = self._places(x1), self._places(x2)
        return np.asarray(self.density.up_to(b, closed=True) - self.density.up_to(a, closed=False))

    @cached_property
    def density(self) -> ForceDensity:
        """The contact force as density and point forces."""
        return contact_density(self, self.contact_nodes, self.fitted)

    @cached_property
    def zones(self) -> tuple[ContactZone, ...]:
        """Zones of contact, from left to right."""
        found = []
        for zone, (start, end) in zip(self.contact_nodes, self.edges, strict=True):
            force = self.density.force_of(zone)
            found.append(ContactZone(start, end, zone.side, force, self._zone_points(zone, start, end)))
        return tuple(found)

    @property
    def force(self) -> float:
        """Force of all obstacles on the beam, upwards, N."""
        return sum(zone.force for zone in self.zones)

    @property
    def free_length(self) -> float:
        """Distance from x = 0 to the start of the first contact, m."""
        return self.zones[0].start

    @property
    def point_force(self) -> float:
        """Concentrated force at the start of the first contact, upwards, N; zero if there is none."""
        points = self.zones[0].point_forces
        return points[0][0] if points and points[0][1] <= self.zones[0].start else 0.0

    @property
    def excess_force(self) -> float:
        """Force of the first contact beyond the load on the supported part, N."""
        zone = self.zones[0]
        return zone.force - self.load_between(zone.start, zone.end)

    def load_between(self, x1: float, x2: float) -> float:
        """Return load and forces (N) from `x1` to `x2` (m), downwards, without forces at the ends."""
        a, b = (place_on(name, x, self.problem.beam.length) for name, x in (("x1", x1), ("x2", x2)))
        line, L = self.system.line, self.problem.beam.length
        total = 0.0
        t1, t2 = (np.clip((x / L - line.nodes[:-1]) / line.lengths, 0.0, 1.0) for x in (a, b))
        for n in range(line.load.shape[1]):
            total += float((line.load[:, n] * line.lengths) @ ((t2 ** (n + 1) - t1 ** (n + 1)) / (n + 1)))
        inner = (self.nodes > a) & (self.nodes < b)
        return (total + float(line.forces[inner].sum())) * float(line.scales.state[lines.V])

    @cached_property
    def reactions(self) -> np.ndarray:
        """Upward forces of the supports on the beam, N."""
        line, balance = self.system.line, self.balance
        jump = balance.states[:, lines.V] - balance.left[:, lines.V] + line.forces - balance.points
        return jump[self._support_nodes] * line.scales.state[lines.V]

    @cached_property
    def support_moments(self) -> np.ndarray:
        """Moments of the supports on the beam, against its rotation, N m."""
        line, balance = self.system.line, self.balance
        jump = balance.left[:, lines.M] - balance.states[:, lines.M]
        return jump[self._support_nodes] * line.scales.state[lines.M]

    @cached_property
    def energy(self) -> float:
        """Elastic energy of the beam, its foundation and its springs, J."""
        line, polynomials = self.system.line, self.balance.polynomials
        values = np.einsum("esn,pn->esp", polynomials, T[:, None] ** np.arange(polynomials.shape[2]))
        square = values[:, lines.M] ** 2 / line.stiffness[:, None]
        square += (
            line.compliance[:, None] * values[:, lines.V] ** 2 + line.bed[:, None] * values[:, lines.W] ** 2
        )
        total = 0.5 * float(line.lengths @ (square @ WEIGHTS))
        springs = np.where(np.isinf(line.springs), 0.0, line.springs)
        total += 0.5 * float((springs * self.balance.states[:, :2] ** 2).sum())
        return total * line.scales.bending_stiffness / line.scales.length**3

    @cached_property
    def benchmark(self) -> ScaledObstacle:
        """Closed solution of a clamped infinite beam under this load on this obstacle.

        Warns where this beam is too short to represent it.
        """
        beam, below = self.problem.beam, self.problem.below
        first = beam.supports[0].stiffness
        plain = len(beam.segments) == 1 and not beam.segments[0].foundation and not self.problem.forces
        flat = isinstance(below, Inclined) and below.incline == 0.0 and self.problem.above is None
        if not (plain and flat and np.isinf(first).all()) or callable(self.problem.load):
            raise UndefinedError(
                "the benchmark is a beam of one section, clamped at x = 0, under a uniform load on a flat "
                "obstacle."
            )
        EI, c = beam.segments[0].bending_stiffness, beam.segments[0].shear_compliance
        shear = 1.0 / c if c else None
        closed = with_dimensions(EI, self.problem.load, below.line[0], shear_stiffness=shear)
        needed = closed.free_length + FAR * closed.benchmark.epsilon * closed.scale
        if beam.length < needed:
            warnings.warn(
                f"the beam is {beam.length:.6g} m long, shorter than delta + {FAR:g} epsilon = "
                f"{needed:.6g} m: its end affects the start of contact begins, and the benchmark of a beam "
                "without end does not hold.",
                stacklevel=2,
            )
        return closed

    @cached_property
    def certificate(self) -> ObstacleCertificate:
        """Errors of the contact conditions, computed from the solution."""
        line, problem = self.system.line, self.problem
        places = np.unique(np.r_[self.nodes, 0.5 * (self.nodes[1:] + self.nodes[:-1])])
        w = self.deflection(places)
        deepest = float(np.max((w - problem.below(places)) / problem.size(self.system)))
        if problem.above is not None:
            deepest = max(deepest, float(np.max((-w - problem.above(places)) / problem.size(self.system))))
        values = np.r_[self.balance.points, self.balance.densities * self.system.weights]
        sides = np.zeros(line.nodes.size)
        for zone in self.contact_nodes:
            sides[zone.first : zone.last + 1] = zone.side
        wrong = float(np.max(-np.r_[sides, sides] * values, initial=0.0))
        force, arm = self._external()
        scale = max(float(np.abs(values).max()), 1e-300)
        return ObstacleCertificate(max(deepest, 0.0), wrong / scale, force, arm)

    def _external(self) -> tuple[float, float]:
        """Sum of all forces, and of all moments about x = 0, over those of the loads."""
        line, L = self.system.line, self.problem.beam.length
        load = line.load @ (T[:, None] ** np.arange(4)).T
        powers = T[:, None] ** np.arange(line.pieces.shape[3])
        held = np.einsum("en,pn->ep", self.balance.polynomials[:, lines.W], powers)
        push = (load - line.bed[:, None] * held) * line.lengths[:, None] * WEIGHTS
        x = line.nodes[:-1, None] + line.lengths[:, None] * T
        unit = line.scales.state[lines.V]
        shares = self.balance.densities * self.system.weights
        at = np.stack((line.nodes, self.system.centres[:, 1]), axis=1)
        contact = np.stack((self.balance.points, shares), axis=1)
        supports = line.nodes[self._support_nodes]
        down = float(push.sum() + line.forces.sum())
        up = float(contact.sum() + self.reactions.sum() / unit)
        turning = float((push * x).sum() + line.forces @ line.nodes)
        back = float(
            (contact * at).sum() + self.reactions @ supports / unit + self.support_moments.sum() / unit / L
        )
        size = float(np.abs(push).sum() + np.abs(line.forces).sum())
        return abs(down - up) / size, abs(turning - back) / size

    @property
    def _support_nodes(self) -> np.ndarray:
        return np.array(lines.nearest_nodes(self.nodes, self.problem.beam.ends))

    def _zone_points(self, zone: NodeZone, start: float, end: float) -> tuple[tuple[float, float], ...]:
        if self.fitted:
            return self.density.points_of(zone)
        if zone.last - zone.first > 1:
            return _extrapolate_points(self, zone, start, end)
        return ((self.density.force_of(zone), 0.5 * (start + end)),)  # too short to be told from a point

    def _places(self, x: ArrayLike) -> np.ndarray:
        places = checks.finite_array("x", x, unit="m").reshape(np.shape(x))
        for place in (places.min(initial=0.0), places.max(initial=0.0)):
            place_on("x", float(place), self.problem.beam.length)
        return places

    def _sample(self, quantity: str, x: ArrayLike) -> np.ndarray:
        component, sign = QUANTITIES[quantity]
        places = self._places(x) / self.problem.beam.length
        line = self.system.line
        element, t = lines.find_elements(line.nodes, places)
        powers = self.balance.polynomials[element, component]
        value = np.zeros_like(t)
        for n in range(powers.shape[-1] - 1, -1, -1):
            value = value * t + powers[..., n]
        return sign * value * line.scales.state[component]


def _extrapolate_points(
    contact: ObstacleContact, zone: NodeZone, start: float, end: float
) -> tuple[tuple[float, float], ...]:
    """Euler-Bernoulli point forces where the free parts, extrapolated, meet the obstacle."""
    line, L = contact.system.line, contact.problem.beam.length
    points = []
    for node, place, before in ((zone.first - 1, start, True), (zone.last + 1, end, False)):
        if not 0 <= node <= line.count or line.compliance[min(node, line.count - 1)] > 0.0:
            continue
        if not 0 < (zone.first if before else zone.last) < line.count:
            continue
        state = contact.balance.states[node] if before else contact.balance.left[node]
        load = float(line.load[min(node, line.count - 1), 0])
        shear = state[lines.V] - load * (place / L - line.nodes[node])
        points.append((float((-shear if before else shear) * line.scales.state[lines.V]), place))
    return tuple(points)
