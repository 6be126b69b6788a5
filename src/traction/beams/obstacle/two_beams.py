"""Two parallel beams pressed on each other along a line, each with its own mesh.

The contact force lives on the mesh of the upper beam. Its work on both beams is integrated over the pieces
between the nodes of both meshes, on which all functions are polynomials: forces and moments on both sides are
then equal to rounding, and a uniform pressure passes from one beam to the other (the patch test).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.sparse.linalg import splu

from traction import checks
from traction.beams.beam import Beam
from traction.beams.discrete.beam_elements import BeamElements
from traction.beams.exact.modes import rigid_motions
from traction.beams.obstacle.active_set import ActiveSet, find_active_set
from traction.beams.obstacle.beam_line import MOST_ELEMENTS, Load, find_elements, sum_at_nodes
from traction.beams.obstacle.multipliers import Mortar, MultiplierSpace, load_vector, make_mortar
from traction.beams.obstacle.obstacle_shapes import Inclined, ObstacleGap, ObstacleInput, read_obstacle
from traction.errors import ConvergenceError, InputError
from traction.outputs.beam_result import BeamResult, places_axis
from traction.outputs.variable import Variable, data, figure

COARSE = 16  #: elements of the first mesh of the upper beam
SLACK = 1e-11  #: of the deflections, within which a gap is not closed
WEAK = 1e-8  #: of the stiffness, that holds a loose beam while the contact is searched


PairStates = tuple[np.ndarray, np.ndarray, np.ndarray]  #: displacements of both beams, contact forces


@dataclass(frozen=True)
class PairCertificate:
    """Errors of the contact conditions, computed from the solution."""

    penetration: float  #: largest at the nodes of both meshes, over the largest deflection
    pull: float  #: largest force of the wrong sign, over the largest
    action_reaction: float  #: difference of the forces on both beams, over the force
    moment_difference: float  #: difference of their moments about x = 0, over the force and the length


@dataclass(frozen=True, eq=False, repr=False)
class BeamPair(BeamResult):
    """Result of `tr.obstacle.press_together`; deflections are positive downwards."""

    _rows, _drawn = ("x",), "contact_force"

    upper: BeamElements  #: model of the upper beam
    lower: BeamElements  #: model of the lower beam
    upper_state: np.ndarray  #: displacements of the upper beam
    lower_state: np.ndarray  #: displacements of the lower beam
    nodes: np.ndarray  #: nodes of the contact force, m
    multiplier: str  #: space of the contact force
    values: np.ndarray  #: contact force: N at a node, or N/m
    mortar: Mortar  #: work of the contact force
    gap: ObstacleGap  #: initial gap
    steps: tuple[int, ...]  #: linear problems on each mesh, the coarsest first

    def _headline(self) -> str:
        return f"{self.values.size} {self.multiplier} contact forces"

    def _default_places(self) -> np.ndarray:
        return self.nodes

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        yield figure("force", self.force, "N", "force between the beams")
        yield figure("penetration", self.certificate.penetration, "1", "relative penetration")
        yield places_axis(x)
        for name in ("upper", "lower"):
            values = getattr(self, f"{name}_deflection")(x)
            yield data(f"{name}_deflection", values, "m", f"deflection of the {name} beam", "x")
        yield data("opening", self.opening(x), "m", "distance between the beams", "x")
        yield data("contact_force", self.contact_force(x), "N/m", "contact force per length", "x")

    def upper_deflection(self, x: ArrayLike) -> np.ndarray:
        """Return the deflection w of the upper beam (m) at positions `x` (m)."""
        return self.upper.deflection(self.upper_state, x)

    def lower_deflection(self, x: ArrayLike) -> np.ndarray:
        """Return the deflection w of the lower beam (m) at positions `x` (m)."""
        return self.lower.deflection(self.lower_state, x)

    def opening(self, x: ArrayLike) -> np.ndarray:
        """Return the remaining gap (m) at positions `x` (m)."""
        return self.gap(np.asarray(x, dtype=float)) - self.upper_deflection(x) + self.lower_deflection(x)

    def contact_force(self, x: ArrayLike) -> np.ndarray:
        """Return the force per length between the beams (N/m) at positions `x` (m).

        Point and dual forces are spread around their nodes.
        """
        places = checks.finite_array("x", x, unit="m").reshape(np.shape(x))
        if self.multiplier == "constant":
            element, _ = find_elements(self.nodes, places)
            return np.where(places <= self.nodes[-1], self.values[element], 0.0)
        values, half = self.values, np.diff(self.nodes) / 2.0
        if self.multiplier == "point":
            values = values / sum_at_nodes(half, half)
        return np.interp(places, self.nodes, values, right=0.0)

    @property
    def force(self) -> float:
        """Force between the beams, N."""
        return float(self.mortar.weights @ self.values)

    @cached_property
    def certificate(self) -> PairCertificate:
        """Errors of the contact conditions, computed from the solution."""
        places = np.unique(np.r_[self.nodes, self.lower.nodes[self.lower.nodes <= self.nodes[-1]]])
        size = max(
            float(np.abs(self.upper_deflection(places)).max()), float(np.abs(self.gap(places)).max()), 1e-300
        )
        total = max(abs(self.force), 1e-300)
        difference = np.abs((self.mortar.resultants[0] - self.mortar.resultants[1]) @ self.values) / total
        pull = float(np.max(-self.values, initial=0.0)) / max(float(np.abs(self.values).max()), 1e-300)
        deepest = -float(self.opening(places).min()) / size
        turn = float(difference[1]) / float(self.nodes[-1])
        return PairCertificate(max(0.0, deepest), pull, float(difference[0]), turn)


def press_together(
    upper: Beam,
    lower: Beam,
    load: Load,
    gap: ObstacleInput,
    elements: tuple[int, int],
    *,
    lower_load: Load = 0.0,
    multiplier: str = "linear",
) -> BeamPair:
    """Solve two parallel beams pressed on each other.

    Parameters
    ----------
    upper, lower
        The beams, both from x = 0 on.
    load
        Load per length on the upper beam, N/m, downwards: a number or a function of x.
    gap
        Initial gap between them, m, at least 0: a number, a shape such as `tr.obstacle.curved`, or a function
        of x.
    elements
        Numbers of elements of the upper and the lower mesh, which need not match.
    lower_load
        Load per length on the lower beam, N/m.
    multiplier
        Space of the contact force: "point", "constant", "linear" or "dual".

    Returns
    -------
    BeamPair
        Deflections, contact force and certificate.

    Raises
    ------
    InputError
        If the loads do not close the gap, or an argument is out of range.
    ConvergenceError
        If the contact does not settle.

    Examples
    --------
    >>> beam = tr.Beam(2.0, 1e4, 10.0, supports=("pinned", "pinned"))
    >>> pair = tr.obstacle.press_together(beam, beam, 5e3, 1e-3, (16, 12))
    >>> print(f"{pair.force / 1e3:.2f} kN between the beams")
    3.83 kN between the beams
    """
    for name, beam in (("upper", upper), ("lower", lower)):
        checks.instance(name, beam, Beam)
    both_counts = checks.pair("elements", elements, "two numbers, one for each beam")
    counts = [checks.count(f"elements[{k}]", n, 2, MOST_ELEMENTS) for k, n in enumerate(both_counts)]
    closed = isinstance(gap, int | float) and gap == 0.0
    between: ObstacleGap = Inclined(0.0) if closed else read_obstacle("gap", gap, upper.length)
    MultiplierSpace.of(multiplier, 1)
    meshes = [counts[0]]
    while meshes[-1] > COARSE:
        meshes.append((meshes[-1] + 1) // 2)
    steps: list[int] = []
    touching: tuple[np.ndarray, np.ndarray] | None = None
    for n in meshes[::-1]:
        share = max(2, round(counts[1] * n / counts[0]))
        both = upper.elements(n), lower.elements(counts[1] if n == counts[0] else share)
        problem = _PairProblem.of(both, (load, lower_load), between, multiplier)
        settled = problem.settle(touching)
        steps.append(settled.steps)
        if not settled.converged:
            raise ConvergenceError(
                f"the contact of the two beams did not settle in {settled.steps} steps; take other elements.",
                settled,
            )
        touching = problem.places, settled.state
    if not settled.state.any():
        raise InputError(
            "the loads never close the gap between the beams: increase the load on the upper one, or "
            "reduce the gap."
        )
    q1, q2, values = settled.answer
    return BeamPair(
        *problem.models, q1, q2, problem.nodes, multiplier, values, problem.mortar, between, tuple(steps)
    )


@dataclass(frozen=True, eq=False)
class _PairProblem:
    models: tuple[BeamElements, BeamElements]
    loads: tuple[np.ndarray, np.ndarray]
    nodes: np.ndarray
    multiplier: str
    mortar: Mortar
    gap: ObstacleGap
    loose: bool

    @classmethod
    def of(
        cls,
        models: tuple[BeamElements, BeamElements],
        loads: tuple[Load, Load],
        gap: ObstacleGap,
        multiplier: str,
    ) -> _PairProblem:
        end = min(model.beam.length for model in models)
        nodes = models[0].nodes[models[0].nodes <= end * (1.0 + 1e-12)]
        mortar = make_mortar(models, nodes, multiplier, gap)
        vectors = tuple(load_vector(model, load) for model, load in zip(models, loads, strict=True))
        loose = any(rigid_motions(model.beam) for model in models)
        return cls(models, (vectors[0], vectors[1]), nodes, multiplier, mortar, gap, loose)

    @property
    def places(self) -> np.ndarray:
        """Positions of the forces, m."""
        return 0.5 * (self.nodes[1:] + self.nodes[:-1]) if self.multiplier == "constant" else self.nodes

    def settle(self, before: tuple[np.ndarray, np.ndarray] | None) -> ActiveSet[PairStates]:
        """The active set, from the one on a coarser mesh."""
        start = np.full(self.places.size, int(self.loose), dtype=np.int64)
        if before is not None:
            start = before[1][np.abs(self.places[:, None] - before[0]).argmin(axis=1)]
        start = np.where(self._movable, start, 0)
        limits = np.where(self._movable, self.mortar.gaps / self.mortar.weights, np.inf)
        K = [model.banded_matrix("stiffness").csr() for model in self.models]
        sought = (
            [k + WEAK * k.diagonal().max() * sparse.eye_array(k.shape[0]) for k in K] if self.loose else K
        )
        size = max(float(np.abs(self.mortar.gaps / self.mortar.weights).max()), self._scale(sought))
        both, solve = (limits, np.full_like(limits, np.inf)), partial(self._solve, sought)
        ended = find_active_set(solve, start, both, SLACK * size)
        if self.loose and ended.state.any():
            return replace(ended, answer=self._solve(K, ended.state)[2])
        return ended

    @cached_property
    def _movable(self) -> np.ndarray:
        """Forces that do work on some displacement."""
        work = sum(np.abs(one).sum(axis=1) for one in self.mortar.works)
        return np.asarray(work > 0.0).ravel() & (self.mortar.weights > 0.0)

    def _scale(self, K: list[sparse.csr_array]) -> float:
        """A deflection: the work of the loads over the loads, without contact."""
        sizes = [float(np.abs(splu(k.tocsc()).solve(r)).max()) for k, r in zip(K, self.loads, strict=True)]
        return min(max(sizes), 1e3 * max(float(np.abs(self.gap(self.nodes)).max()), min(sizes), 1e-12))

    def _solve(
        self, K: list[sparse.csr_array], state: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, PairStates]:
        active = np.flatnonzero(state)
        B1, B2 = self.mortar.works[0][active], -self.mortar.works[1][active]
        rows = [[K[0], None, B1.T], [None, K[1], B2.T], [B1, B2, None]]
        if active.size == 0:
            rows = [[K[0], None], [None, K[1]]]
        matrix = sparse.block_array(rows, format="csc")
        right = np.r_[self.loads[0], self.loads[1], self.mortar.gaps[active]]
        d = 1.0 / np.sqrt(np.r_[K[0].diagonal(), K[1].diagonal(), np.ones(active.size)])
        inner = np.abs(sparse.hstack([B1, B2]) @ sparse.diags_array(d[: right.size - active.size])).max(
            axis=1
        )
        d[right.size - active.size :] = 1.0 / np.asarray(inner.todense()).ravel() if active.size else 1.0
        D = sparse.diags_array(d)
        x = d * splu((D @ matrix @ D).tocsc()).solve(d * right)
        n1, n2 = K[0].shape[0], K[1].shape[0]
        q1, q2 = x[:n1], x[n1 : n1 + n2]
        values = np.zeros(state.size)
        values[active] = x[n1 + n2 :]
        closing = (self.mortar.works[0] @ q1 - self.mortar.works[1] @ q2) / self.mortar.weights
        return values, closing, (q1, q2, values)
