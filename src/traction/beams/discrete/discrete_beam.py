"""`DiscreteBeam`: a beam as M a + C v + K q = f with banded matrices, by elements or differences."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from traction import checks
from traction.beams.beam_description import BeamDescription, Rayleigh, check_forces, place_on, ratios
from traction.beams.discrete import discrete_frequencies
from traction.beams.discrete.discrete_frequencies import multiply_band
from traction.beams.discrete.kernels import banded_matrices as banded
from traction.beams.discrete.kernels import element_shapes as kernels
from traction.beams.exact.modes import DIRECTION_FROM, rigid_motions
from traction.beams.exact.statics import require_held
from traction.errors import InputError
from traction.integrators.core.matrices import Banded
from traction.integrators.core.method import Method
from traction.integrators.method_table import method as method_of
from traction.integrators.stability import largest_step

QUANTITIES = ("deflection", "slope", "rotation", "moment", "shear")
MOST_ROWS = 1024  #: that a beam keeps
DAMPED_MODES = 20  #: of a discrete beam with one ratio for all modes


@dataclass(frozen=True, eq=False)
class DiscreteBeam(ABC):
    """Discrete model of a beam, M a + C v + K q = f; made by `Beam.elements` and `Beam.differences`.

    q holds the displacements that no support prevents; matrices are banded with half width 3. Rayleigh
    damping applies as given. Ratios apply to the lowest modes of the discrete beam, C = M Phi diag(2 zeta
    omega) Phi' M (Wilson and Penzien 1972), as many as there are ratios, or `damped_modes` for one ratio;
    higher modes are undamped. That costs one more product with each of these modes per step.
    """

    beam: BeamDescription  #: the beam
    nodes: np.ndarray  #: positions of the nodes, m
    numbers: np.ndarray  #: index in q of each displacement, -1 where it is held
    mass: np.ndarray  #: M, band (4, size), band[d, i] = M(i, i - d)
    stiffness: np.ndarray  #: K, likewise
    geometry: kernels.BeamCells  #: cells and their sections
    damped_modes: int  #: number of modes that damping ratios apply to

    @classmethod
    def without_held(
        cls,
        beam: BeamDescription,
        nodes: np.ndarray,
        bands: tuple[np.ndarray, np.ndarray],
        geometry: kernels.BeamCells,
        modes: int | None,
    ) -> Self:
        """Return the model from the `bands` of K and M of all displacements, also held ones.

        `beam`, `nodes` (m) and `geometry` are kept; damping ratios apply to so many `modes`.
        """
        K, M = (cut_held(band, geometry.numbers) for band in bands)
        count = _count_damped_modes(beam, modes, K.shape[1])
        return cls(beam, nodes, geometry.numbers, M, K, geometry, count)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.nodes.size} nodes, {self.size} displacements>"

    @property
    def size(self) -> int:
        """Number of displacements in q."""
        return int(self.mass.shape[1])

    @property
    @abstractmethod
    def order(self) -> int:
        """Order of convergence in the cell length, of frequencies and of deflections under smooth loads."""

    @abstractmethod
    def _rows(self, quantity: str, x: np.ndarray) -> sparse.csr_array:
        """Weights of all displacements, also those held, in a quantity at x: (positions, displacements)."""

    def _find_cells(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Segments, cells and xi = x/l within them, of positions on the beam."""
        starts, lengths, firsts = self.geometry.starts, self.geometry.lengths, self.geometry.firsts
        s = np.minimum(np.searchsorted(starts, x, side="right") - 1, lengths.size - 1)
        along = (x - starts[s]) / lengths[s]
        inside = np.minimum(along.astype(np.int64), firsts[s + 1] - firsts[s] - 1)
        return s, firsts[s] + inside, along - inside

    @abstractmethod
    def state_of(self, deflection: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Return the state q of a shape with this `deflection` (m) and `slope` at the nodes."""

    def sampler(self, quantity: str, x: ArrayLike) -> sparse.csr_array:
        """Return the matrix from q to a `quantity` at positions `x` (m).

        Quantities are "deflection", "slope", "rotation", "moment" and "shear".
        """
        checks.choice("quantity", quantity, QUANTITIES)
        places = checks.finite_array("x", x, unit="m").ravel()
        if places.size:
            for place in (places.min(), places.max()):
                place_on("x", float(place), self.beam.length)
        return sparse.csr_array(self._rows(quantity, places)[:, np.flatnonzero(self.numbers >= 0)])

    def row(self, quantity: str, x: float) -> sparse.csr_array:
        """Return the `sampler` of a `quantity` at one position `x` (m), cached with the beam."""
        known: dict[tuple[str, float], sparse.csr_array] = self.__dict__.setdefault("_kept_rows", {})
        found = known.get((quantity, x))
        if found is None:
            found = self.sampler(quantity, x)
            if len(known) >= MOST_ROWS:
                known.clear()
            known[quantity, x] = found
        return found

    def deflection(self, q: ArrayLike, x: ArrayLike) -> np.ndarray:
        """Return w (m) of states `q` (..., size) at positions `x` (m), (..., shape of x).

        Velocities likewise.
        """
        return self._sampled("deflection", q, x)

    def slope(self, q: ArrayLike, x: ArrayLike) -> np.ndarray:
        """Return the slope w' of states `q` at positions `x` (m)."""
        return self._sampled("slope", q, x)

    def rotation(self, q: ArrayLike, x: ArrayLike) -> np.ndarray:
        """Return the rotation psi of the sections of states `q` at positions `x` (m)."""
        return self._sampled("rotation", q, x)

    def moment(self, q: ArrayLike, x: ArrayLike) -> np.ndarray:
        """Return M = -EI psi' (N m, sagging positive) of states `q` at positions `x` (m).

        It converges two orders below the deflection.
        """
        return self._sampled("moment", q, x)

    def shear(self, q: ArrayLike, x: ArrayLike) -> np.ndarray:
        """Return V = M' (N) of states `q` at positions `x` (m), without rotary inertia.

        Constant in each cell.
        """
        return self._sampled("shear", q, x)

    def bend(self, forces: Sequence[tuple[float, float]]) -> np.ndarray:
        """Return the static state q under point `forces` (N, position in m)."""
        require_held(self.beam)
        points = np.array(check_forces(forces, self.beam.length)).reshape(-1, 2).T
        size, at = np.ascontiguousarray(points)
        r = np.zeros(self.size)
        kernels.add_forces(self.geometry, at, size, r)
        return discrete_frequencies.refined_inverse(self.stiffness, self.mass, 0.0)(r)

    @cached_property
    def _rigid(self) -> np.ndarray:
        """Rigid-body motions that nothing resists, (size, count)."""
        shapes = rigid_motions(self.beam)
        states = [self.state_of(s.at("deflection", self.nodes), s.at("slope", self.nodes)) for s in shapes]
        return np.array(states).reshape(len(shapes), self.size).T

    def frequencies(self, n: int) -> np.ndarray:
        """Return the `n` lowest natural frequencies of the discrete beam, rad/s."""
        return self.shapes(n)[0].copy()

    def shapes(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Return frequencies (rad/s) and shapes (size, n) of the `n` lowest modes, with Phi' M Phi = 1."""
        if checks.count("n", n) > self.size:
            raise InputError(f"n = {n} modes of {self.size} displacements; give more elements.")
        known: dict[int, tuple[np.ndarray, np.ndarray]] = self.__dict__.setdefault("_shapes", {})
        if n not in known:
            omega, shapes = discrete_frequencies.lowest_modes(self.stiffness, self.mass, n, self._rigid)
            w = self.sampler("deflection", self.nodes) @ shapes
            seen = np.argmax(np.abs(w) >= DIRECTION_FROM * np.abs(w).max(axis=0), axis=0)
            # they start downwards, like the exact ones
            known[n] = omega, shapes * np.where(w[seen, np.arange(w.shape[1])] < 0.0, -1.0, 1.0)
        return known[n]

    @cached_property
    def largest_frequency(self) -> float:
        """Highest natural frequency of the discrete beam, rad/s; it limits the step of explicit methods."""
        return math.sqrt(discrete_frequencies.largest_square(self.stiffness, self.mass))

    def stability_limit(self, method: str | Method, **options: object) -> float:
        """Return the longest stable step (s) of a `method` with its `options`.

        Infinite for many implicit methods, 0 for forward Euler.
        """
        chosen = method_of(method, **options)
        omega, (alpha, beta) = self.largest_frequency, self.rayleigh
        if alpha or beta:
            fastest = largest_step(chosen, omega, alpha + beta * omega**2)
            return min(fastest, largest_step(chosen, 0.0, alpha))
        rates = self.modal_damping[1]
        if rates.size == self.size and rates[-1] > 0.0:
            return largest_step(chosen, omega, float(rates[-1]))
        return chosen.stability_limit / omega

    @cached_property
    def rayleigh(self) -> tuple[float, float]:
        """Alpha (1/s) and beta (s) of C = alpha M + beta K; zero where damping is given by ratios."""
        damping = self.beam.damping
        return (damping.alpha, damping.beta) if isinstance(damping, Rayleigh) else (0.0, 0.0)

    @cached_property
    def modal_damping(self) -> tuple[np.ndarray, np.ndarray]:
        """Phi (size, modes) and 2 zeta omega (1/s) of the modes with damping ratios."""
        damping = self.beam.damping
        if isinstance(damping, Rayleigh) or not np.any(damping):
            return np.zeros((self.size, 0)), np.zeros(0)
        omega, shapes = self.shapes(self.damped_modes)
        return shapes, 2.0 * ratios(damping, omega) * omega

    def banded_matrix(self, name: str) -> Banded:
        """Return the matrix `name`, "mass" or "stiffness", in the storage of `tr.integrate`."""
        return discrete_frequencies.full_band({"mass": self.mass, "stiffness": self.stiffness}[name])

    def energy(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """Return the kinetic and elastic energy (J) of states `q` and velocities `v`, (..., size)."""
        places, speeds = self._states(q), self._states(v)
        total = [
            0.5 * (one @ multiply_band(self.stiffness, one) + other @ multiply_band(self.mass, other))
            for one, other in zip(places.reshape(-1, self.size), speeds.reshape(-1, self.size), strict=True)
        ]
        return np.array(total).reshape(places.shape[:-1])

    def _sampled(self, quantity: str, q: ArrayLike, x: ArrayLike) -> np.ndarray:
        states = self._states(q)
        values = self.sampler(quantity, x) @ states.reshape(-1, self.size).T
        return np.asarray(values.T).reshape(states.shape[:-1] + np.shape(x))

    def _states(self, q: ArrayLike) -> np.ndarray:
        states = checks.real_array("q", q)
        if states.ndim == 0 or states.shape[-1] != self.size:
            raise InputError(f"q has shape {states.shape}, expected (..., {self.size}), the displacements.")
        return states


def _count_damped_modes(beam: BeamDescription, asked: int | None, size: int) -> int:
    """Number of modes of a discrete beam of that size with damping ratios."""
    if isinstance(beam.damping, tuple):
        if asked is not None:
            raise InputError(
                f"damped_modes = {asked} is for one ratio for all modes; the beam has {len(beam.damping)}."
            )
        return min(len(beam.damping), size)
    if isinstance(beam.damping, Rayleigh):
        if asked is not None:
            raise InputError(f"damped_modes = {asked}: Rayleigh's damping acts on all modes.")
        return 0
    return min(DAMPED_MODES if asked is None else checks.count("damped_modes", asked), size)


def cut_held(band: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The band of the displacements that are not held."""
    free = np.flatnonzero(numbers >= 0)
    kept = np.zeros((banded.WIDTH + 1, free.size))
    for d in range(banded.WIDTH + 1):
        there = free[free >= d]
        there = there[numbers[there - d] >= 0]
        kept[numbers[there] - numbers[there - d], numbers[there]] = band[d, there]
    return kept


def number_free(n: int, held: np.ndarray) -> np.ndarray:
    """Indices in q of n displacements, -1 for those held."""
    free = np.ones(n, dtype=bool)
    free[held] = False
    return np.where(free, np.cumsum(free) - 1, -1)
