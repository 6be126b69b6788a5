"""`solve`: a beam pressed on an obstacle, from a coarse mesh to the requested one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam import Beam
from traction.beams.discrete.beam_elements import divide_spans
from traction.beams.obstacle import beam_line as lines
from traction.beams.obstacle.beam_line import Load, longest_element
from traction.beams.obstacle.contact_equations import ContactEquations, LooseError
from traction.beams.obstacle.contact_zones import (
    NodeZone,
    find_zones,
    fit_edges,
    movable_edges,
    shrink_to_points,
    stretch_mesh,
    touching_state,
)
from traction.beams.obstacle.infinite_beam import exact
from traction.beams.obstacle.obstacle_contact import FAR, ObstacleContact
from traction.beams.obstacle.obstacle_problem import LineSolution, ObstacleProblem
from traction.beams.obstacle.obstacle_shapes import ObstacleInput
from traction.errors import ConvergenceError, InputError

COARSE = 20  #: elements of the first mesh
FITTED_STEPS = 40  #: of the active set on a fitted mesh, where it has little to change
MOST_ROUNDS = 8  #: of fitting nodes and finding zones
PENETRATION = 1e-10  #: of the gap, beside a fitted zone


ZoneSpan = tuple[float, float, int]  #: start and end over the length of the beam, and side


class NoContactError(InputError):
    """Raised when the load does not close the gap."""


def solve(
    beam: Beam,
    load: Load,
    obstacle: ObstacleInput,
    elements: ArrayLike,
    *,
    multiplier: str = "linear",
    above: ObstacleInput | None = None,
    forces: Sequence[tuple[float, float]] = (),
    fitted: bool = True,
) -> ObstacleContact:
    """Solve a beam pressed on an obstacle by a load, with mortar finite elements.

    w <= g, lambda >= 0, lambda (w - g) = 0 by a primal-dual active set method (Hintermueller, Ito and
    Kunisch 2003); benchmark by Bosten, Denoel, Cosimo, Linn and Bruls, see `tr.obstacle.exact`.

    Parameters
    ----------
    beam
        The beam; Timoshenko if it has a shear stiffness, otherwise Euler-Bernoulli.
    load
        Load per length, N/m, downwards: a number or a function of x.
    obstacle
        Gap below the straight beam, m: a number, `tr.obstacle.inclined`, `curved`, `stepped`, or a function
        of x.
    elements
        Number of elements, or positions of the nodes, m.
    multiplier
        Space of the contact force: "point" forces at nodes, or a "constant", "linear" or "dual" density.
    above
        Gap to a second obstacle above the beam, m.
    forces
        Point loads (N, position in m).
    fitted
        Move the nodes nearest to the ends of a contact there; False keeps the mesh.

    Returns
    -------
    ObstacleContact
        Deflection, moment, shear and contact force, zones of contact and certificate.

    Raises
    ------
    InputError
        If the load does not close the gap, the beam is not supported, or an argument is out of range.
    ConvergenceError
        If the active set does not settle.

    Examples
    --------
    >>> beam = tr.Beam(4.0, 1.0, 1.0, shear_stiffness=25.0, supports=("clamped", "free"))
    >>> c = tr.obstacle.solve(beam, 1.0, 0.1, 40)
    >>> print(f"contact from {c.free_length:.3f} m, force {c.force:.3f} N")
    contact from 1.363 m, force 2.977 N
    """
    problem = ObstacleProblem.checked(beam, load, obstacle, above=above, forces=forces, multiplier=multiplier)
    return solve_on_meshes(problem, problem.nodes(elements), checks.flag("fitted", fitted))


def penalty(
    beam: Beam,
    load: Load,
    obstacle: ObstacleInput,
    elements: ArrayLike,
    *,
    stiffness: float,
    above: ObstacleInput | None = None,
    forces: Sequence[tuple[float, float]] = (),
) -> ObstacleContact:
    """Solve a beam pressed on an obstacle by springs at the nodes, which penetrate it (for comparison).

    Parameters
    ----------
    beam, load, obstacle, elements, above, forces
        As in `tr.obstacle.solve`.
    stiffness
        Stiffness of each spring, N/m.

    Returns
    -------
    ObstacleContact
        Solution, which depends on the stiffness and on the number of nodes.

    Raises
    ------
    InputError
        As `tr.obstacle.solve`.

    Examples
    --------
    >>> beam = tr.Beam(4.0, 1.0, 1.0, shear_stiffness=25.0, supports=("clamped", "free"))
    >>> c = tr.obstacle.penalty(beam, 1.0, 0.1, 40, stiffness=1e4)
    >>> print(f"{c.force:.2f} N")
    2.98 N
    """
    k = checks.positive("stiffness", stiffness, "N/m", "it is the force of a node per penetration.")
    problem = ObstacleProblem.checked(beam, load, obstacle, above=above, forces=forces, multiplier="point")
    return solve_on_meshes(replace(problem, softness=1.0 / k), problem.nodes(elements), False)


@dataclass(frozen=True, eq=False)
class MeshSolution(LineSolution):
    """Solution on one mesh."""

    zones: list[NodeZone]
    fitted: bool
    steps: int


def zone_spans(system: ContactEquations, zones: list[NodeZone]) -> list[ZoneSpan]:
    """Start, end and side of each zone, over the length of the beam."""
    x = system.line.nodes
    return [(float(x[zone.first]), float(x[zone.last]), zone.side) for zone in zones]


def solve_on_meshes(
    problem: ObstacleProblem, nodes: np.ndarray, fitted: bool, spans: list[ZoneSpan] | None = None
) -> ObstacleContact:
    """Solve mesh by mesh, each from the contact on the one before, or from the given `spans`."""
    stages: list[MeshSolution] = []
    meshes = (
        [nodes] if spans is not None else coarsen_mesh(nodes, problem.fixed, longest_element(problem.beam))
    )
    for mesh in meshes:
        known = zone_spans(stages[-1].system, stages[-1].zones) if stages else spans
        stages.append(_solve_mesh(problem, mesh, known, fitted))
    last = stages[-1]
    if not last.zones:
        raise NoContactError(_explain_no_contact(last))
    edges = tuple(_find_edges(last))
    steps = tuple(stage.steps for stage in stages)
    return ObstacleContact(problem, last.system, last.balance, tuple(last.zones), edges, last.fitted, steps)


def coarsen_mesh(nodes: np.ndarray, fixed: np.ndarray, longest: float) -> list[np.ndarray]:
    """Meshes of half as many elements each, graded alike, none longer than `longest`, the coarsest first."""
    anchors = np.unique(lines.nearest_nodes(nodes, fixed))
    counts = np.diff(anchors)
    meshes = [nodes]
    while counts.sum() > COARSE and counts.max() > 1:
        counts = (counts + 1) // 2
        mesh = np.interp(divide_spans(anchors, counts), np.arange(nodes.size), nodes)
        if np.diff(mesh).max() > longest:
            break
        meshes.append(mesh)
    return meshes[::-1]


def _solve_mesh(
    problem: ObstacleProblem, nodes: np.ndarray, spans: list[ZoneSpan] | None, fitted: bool
) -> MeshSolution:
    steps = 0
    if fitted and spans:
        found, steps = _solve_fitted(problem, *snap_nodes(problem, nodes, spans))
        if found is not None:
            return found
    plain = _solve_plain(problem, nodes, spans)
    steps += plain.steps
    if fitted and plain.zones:
        found, more = _solve_fitted(problem, nodes, shrink_to_points(plain, plain.zones))
        steps += more
        if found is not None:
            return replace(found, steps=steps)
    return replace(plain, steps=steps)


def _solve_plain(problem: ObstacleProblem, nodes: np.ndarray, spans: list[ZoneSpan] | None) -> MeshSolution:
    """Solve without moving nodes."""
    system = problem.equations(nodes)
    start = np.zeros((nodes.size, 2), dtype=np.int64)
    if spans is None and problem.loose:
        start[:] = 1
    for a, b, side in spans or ():
        start[(system.centres >= a - 1e-9) & (system.centres <= b + 1e-9)] = side
    settled = problem.settle(system, start)
    if not settled.converged:
        raise ConvergenceError(
            f"the active set did not settle in {settled.steps} steps on {nodes.size - 1} elements; take "
            'other elements, or multiplier = "dual".',
            settled,
        )
    zones = find_zones(LineSolution(problem, system, settled.answer), settled.state)
    return MeshSolution(problem, system, settled.answer, zones, False, settled.steps)


def _solve_fitted(
    problem: ObstacleProblem, nodes: np.ndarray, zones: list[NodeZone]
) -> tuple[MeshSolution | None, int]:
    """Move nodes to the edges of the zones until the zones are stationary; None where that fails.

    Also the number of linear problems.
    """
    steps, base = 0, nodes
    for _ in range(MOST_ROUNDS):
        try:
            placed = fit_edges(problem, nodes, zones)
            steps += placed.steps
            if placed.stuck:
                nodes, zones = snap_nodes(problem, base, zone_spans(placed.system, zones))
                continue
            settled = problem.settle(placed.system, touching_state(placed.system, zones), FITTED_STEPS)
        except LooseError:  # zones that the mesh cannot tell apart
            return None, steps
        steps += settled.steps - (1 if settled.steps == 1 else 0)  # the fit has solved this very problem
        solution = LineSolution(problem, placed.system, settled.answer)
        found = _grow_zones(solution, find_zones(solution, settled.state))
        if found == zones:
            stage = MeshSolution(problem, placed.system, settled.answer, zones, True, steps)
            return (stage if placed.converged else None), steps
        if not found or not settled.converged:
            break
        nodes, zones = placed.nodes, found
    return None, steps


def _grow_zones(solution: LineSolution, zones: list[NodeZone]) -> list[NodeZone]:
    """Zones with the adjacent nodes that have moved into the obstacle."""
    slack = PENETRATION * solution.problem.size(solution.system)
    grown = []
    for zone in zones:
        limit = solution.problem.gap(zone.side)(solution.nodes) + slack
        inside = np.r_[False, zone.side * solution.balance.states[:, lines.W] > limit, False]
        first, last = zone.first - int(inside[zone.first]), zone.last + int(inside[zone.last + 2])
        grown.append(NodeZone(first, last, zone.side))
    return grown


def snap_nodes(
    problem: ObstacleProblem, nodes: np.ndarray, spans: list[ZoneSpan]
) -> tuple[np.ndarray, list[NodeZone]]:
    """The mesh with the nodes nearest to the edges of the spans moved there, and the zones between them."""
    L = problem.beam.length
    taken = set(lines.nearest_nodes(nodes, problem.fixed))
    numbers: list[int] = []
    places: list[float] = []
    zones: list[NodeZone] = []
    for a, b, side in spans:
        ends = []
        for place in (a * L,) if a == b else (a * L, b * L):
            k = lines.nearest_node(nodes, place)
            if k in taken and abs(nodes[k] - place) > 1e-6 * L:  # beside a support or a force
                k += 1 if place > nodes[k] else -1
            if k not in taken:
                taken.add(k)
                numbers.append(k)
                places.append(place)
            ends.append(k)
        if zones and ends[0] <= zones[-1].last:  # the mesh is too coarse to tell them apart
            zones[-1] = NodeZone(zones[-1].first, max(ends[-1], zones[-1].last), side)
        else:
            zones.append(NodeZone(ends[0], max(ends), side))
    moved = stretch_mesh(nodes, problem.fixed, np.array(numbers, dtype=int), np.array(places))
    return moved, zones


def _find_edges(stage: MeshSolution) -> list[tuple[float, float]]:
    """Start and end of each zone (m); without a fit by extrapolating the free parts beside it."""
    problem, x = stage.problem, stage.nodes
    edges = []
    for zone in stage.zones:
        ends = [float(x[zone.first]), float(x[zone.last])]
        if not stage.fitted and problem.softness == 0.0 and zone.last - zone.first > 1:
            for edge in movable_edges([zone], x, problem.fixed):
                place = _extrapolate_edge(stage, zone, edge.direction) * problem.beam.length
                ends[0 if edge.direction > 0 else 1] = place
        edges.append((ends[0], ends[1]))
    return edges


def _extrapolate_edge(stage: MeshSolution, zone: NodeZone, direction: int) -> float:
    """Where the free part beside a long zone has the moment and shear force of a supported beam.

    On the obstacle the rotation decays over the shear length e = sqrt(EI/kGA), so that M + EI g'' + e V = 0
    at the start; M and V are extrapolated from the last node that no contact force has reached.
    """
    line, L = stage.system.line, stage.problem.beam.length
    node = zone.first - 1 if direction > 0 else zone.last + 1
    state = stage.balance.states[node] if direction > 0 else stage.balance.left[node]
    element = node if direction > 0 else node - 1
    edge = float(line.nodes[zone.first if direction > 0 else zone.last])
    EI, c = float(line.stiffness[element]), float(line.compliance[element])
    bend = EI * zone.side * stage.problem.gap(zone.side).curvature(edge * L) * L**2
    e = direction * math.sqrt(EI * c)
    load = float(line.load[element, 0])
    # M0 + V0 s - q s^2/2 + bend + e (V0 - q s) = 0
    coefficients = [-0.5 * load, state[lines.V] - e * load, state[lines.M] + bend + e * state[lines.V]]
    roots = np.roots(np.trim_zeros(coefficients, "f")) if any(coefficients) else np.zeros(0)
    real = roots[np.abs(np.imag(roots)) < 1e-9 * np.abs(roots)].real
    start = float(line.nodes[node])
    if real.size == 0:
        return edge
    place = start + float(real[np.argmin(np.abs(start + real - edge))])
    reach = 3.0 * float(line.lengths[element])
    return place if abs(place - edge) <= reach else edge


def _explain_no_contact(stage: MeshSolution) -> str:
    """The error for a load that does not close the gap."""
    x = stage.nodes
    w, gap = stage.balance.states[:, lines.W], stage.problem.below(x)
    k = int(np.argmax(w / gap))
    if w[k] <= 0.0:
        return (
            "the load never closes the gap: it bends the beam away from the obstacle. Loads are positive "
            "downwards, towards an obstacle below."
        )
    return (
        f"the load never closes the gap: it deflects the beam by {w[k]:.4g} m of {gap[k]:.4g} m at "
        f"x = {x[k]:.4g} m. Increase the load more than {gap[k] / w[k]:.4g} times, or reduce the gap."
    )


def benchmark(
    epsilon: float,
    elements: ArrayLike,
    *,
    length: float | None = None,
    multiplier: str = "linear",
    fitted: bool = True,
) -> ObstacleContact:
    """Solve the benchmark of `tr.obstacle.exact` by elements, dimensionless: EI = 1, load 1, gap 1.

    Parameters
    ----------
    epsilon
        Dimensionless shear length; 0 for Euler-Bernoulli.
    length
        Length of the beam; delta + 20 epsilon + 1 by default. Below delta + 20 epsilon a warning is
        raised, since the end of the beam affects the start of contact.
    elements, multiplier, fitted
        As in `tr.obstacle.solve`; positions of nodes are dimensionless too.

    Returns
    -------
    ObstacleContact
        Solution, to compare with its `benchmark`.

    Raises
    ------
    InputError
        If epsilon or the length is out of range; otherwise as `tr.obstacle.solve`.

    Examples
    --------
    >>> c = tr.obstacle.benchmark(0.2, 40)
    >>> print(f"{c.free_length:.5f}, exact {tr.obstacle.exact(0.2).free_length:.5f}")
    2.66745, exact 2.66757
    """
    closed = exact(epsilon)
    long = closed.free_length + FAR * closed.epsilon + 1.0
    size = long if length is None else checks.positive("length", length)
    shear = None if closed.epsilon == 0.0 else closed.epsilon**-2
    beam = Beam(size, 1.0, 1.0, shear_stiffness=shear, supports=("clamped", "free"))
    contact = solve(beam, 1.0, 1.0, elements, multiplier=multiplier, fitted=fitted)
    _ = contact.benchmark  # warns where the beam is too short
    return contact
