"""`adapt`: local refinement of the mesh for the contact force.

Outside the contact the elements are exact. The remaining errors are w = g in the contact, which
holds in the mean only, and the part of the load beyond its cubic on each element. The indicator of an
element is the work that the contact force does on its gap and the rest of the load on its deflection,

    eta = integral of |lambda| |w - g| + |q - q_h| |w|    (J),

with the load in place of a smaller |lambda| between the ends of a contact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam import Beam
from traction.beams.discrete.beam_elements import gauss_rule
from traction.beams.obstacle.beam_line import MOST_ELEMENTS, Load, sample_load
from traction.beams.obstacle.obstacle_contact import ObstacleContact
from traction.beams.obstacle.obstacle_problem import ObstacleProblem
from traction.beams.obstacle.obstacle_shapes import ObstacleInput
from traction.beams.obstacle.obstacle_solver import solve_on_meshes
from traction.outputs.result import Result
from traction.outputs.variable import Variable, counter, data, figure

START = 20  #: elements of the first mesh
MOST_ROUNDS = 60
MARKED = 0.1  #: of the largest indicator: elements above it are halved
T, WEIGHTS = gauss_rule(6)


@dataclass(frozen=True, eq=False, repr=False)
class AdaptedContact(Result):
    """Result of `tr.obstacle.adapt`: the last solution and the history of refinement."""

    _rows, _drawn = ("round",), "indicator"

    contact: ObstacleContact  #: the last solution
    elements: np.ndarray  #: number of elements in each round
    free_lengths: np.ndarray  #: start of the first contact, m
    excess_forces: np.ndarray  #: force of the first contact beyond the load on it, N
    indicators: np.ndarray  #: error indicators summed over the elements, J
    converged: bool  #: whether the last two rounds agree within the tolerance

    def _headline(self) -> str:
        words = "converged" if self.converged else "not converged"
        return f"{int(self.elements[-1])} elements after {self.elements.size} rounds, {words}"

    def _variables(self) -> Iterator[Variable]:
        yield figure("force", self.contact.force, "N", "contact force")
        yield figure("free_length", float(self.free_lengths[-1]), "m", "free length")
        yield counter("round", self.elements.size, "round of refinement")
        yield data("elements", self.elements, "1", "number of elements", "round")
        yield data("free_length_of_round", self.free_lengths, "m", "begin of the first contact", "round")
        yield data("excess_force", self.excess_forces, "N", "force beyond the load on the contact", "round")
        yield data("indicator", self.indicators, "J", "error indicator", "round")


def adapt(
    beam: Beam,
    load: Load,
    obstacle: ObstacleInput,
    *,
    tolerance: float = 1e-7,
    most_elements: int = 200,
    start: ArrayLike = START,
    multiplier: str = "linear",
    above: ObstacleInput | None = None,
    forces: Sequence[tuple[float, float]] = (),
) -> AdaptedContact:
    """Solve a beam pressed on an obstacle with adaptive refinement of the mesh.

    Parameters
    ----------
    beam, load, obstacle, multiplier, above, forces
        As in `tr.obstacle.solve`.
    tolerance
        Relative change of start and force of the first contact at which refinement ends.
    most_elements
        Largest number of elements.
    start
        Elements of the first mesh.

    Returns
    -------
    AdaptedContact
        The last solution and the history of refinement.

    Raises
    ------
    InputError
        As `tr.obstacle.solve`.

    Examples
    --------
    >>> beam = tr.Beam(4.0, 1.0, 1.0, shear_stiffness=25.0, supports=("clamped", "free"))
    >>> found = tr.obstacle.adapt(beam, 1.0, 0.1, tolerance=1e-3, most_elements=60)
    >>> print(f"contact begins at {found.contact.free_length:.3f} m")
    contact begins at 1.363 m
    """
    tol = checks.tolerance("tolerance", tolerance)
    most = checks.count("most_elements", most_elements, 1, MOST_ELEMENTS)
    problem = ObstacleProblem.checked(beam, load, obstacle, above=above, forces=forces, multiplier=multiplier)
    contact = solve_on_meshes(problem, problem.nodes(start), True)
    rounds = [_summarize(contact)]
    converged = False
    for _ in range(MOST_ROUNDS):
        eta = error_indicators(contact)
        nodes = refine_mesh(contact.nodes, eta, most)
        if nodes.size == contact.nodes.size or not eta.any():
            converged = not eta.any()
            break
        L = beam.length
        spans = [
            (a / L, b / L, z.side) for (a, b), z in zip(contact.edges, contact.contact_nodes, strict=True)
        ]
        contact = solve_on_meshes(problem, nodes, True, spans)
        rounds.append(_summarize(contact))
        change = np.abs(np.array(rounds[-1][1:3]) - np.array(rounds[-2][1:3]))
        size = np.array([abs(rounds[-1][1]), max(abs(rounds[-1][2]), abs(contact.force))])
        if (change <= tol * size).all():
            converged = True
            break
    table = np.array(rounds)
    return AdaptedContact(contact, table[:, 0].astype(int), table[:, 1], table[:, 2], table[:, 3], converged)


def error_indicators(contact: ObstacleContact) -> np.ndarray:
    """Error indicator eta of each element, J; zero below the rounding of the deflections."""
    problem, nodes = contact.problem, contact.nodes
    h = np.diff(nodes)
    x = nodes[:-1, None] + h[:, None] * T
    w = contact.deflection(x)
    force = np.abs(contact.contact_force(x))
    pressed = np.abs(contact.system.line.load[:, :1]) * contact.system.line.scales.density
    for zone in contact.contact_nodes:  # an opening inside a zone is an error too
        force[zone.first : zone.last] = np.maximum(force, pressed)[zone.first : zone.last]
    away = np.abs(w - problem.below(x))
    if problem.above is not None:
        away = np.minimum(away, np.abs(w + problem.above(x)))
    away = np.where(away > 1e-13 * problem.size(contact.system), away, 0.0)
    work = force * away
    if callable(problem.load):
        whole = sample_load(problem.load, x)
        powers = T[:, None] ** np.arange(4)
        taken = contact.system.line.load @ powers.T * contact.system.line.scales.density
        rest = np.abs(whole - taken)
        work = work + np.where(rest > 1e-13 * np.abs(whole).max(), rest, 0.0) * np.abs(w)
    return np.asarray(h * (work @ WEIGHTS))


def refine_mesh(nodes: np.ndarray, eta: np.ndarray, most: int) -> np.ndarray:
    """Halve the elements with the largest indicators, as many as there is room for."""
    room = most - (nodes.size - 1)
    chosen = np.flatnonzero(eta > MARKED * eta.max())
    chosen = chosen[np.argsort(-eta[chosen], kind="stable")][: max(room, 0)]
    return np.sort(np.r_[nodes, 0.5 * (nodes[chosen] + nodes[chosen + 1])])


def _summarize(contact: ObstacleContact) -> tuple[float, float, float, float]:
    return contact.elements, contact.free_length, contact.excess_force, float(error_indicators(contact).sum())
