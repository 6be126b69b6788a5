"""`rest`: wheels at rest on a bridge, local and global deformation together.

Under a wheel the undeformed distance is its profile plus the deflection of the bridge; the half space
determines the pressure, and the pressure distribution bends the bridge. The deflections at a few points
under each wheel, W, determine everything: the pressure on profile + W, and with it the deflections
Phi(W) there. W = Phi(W) is solved by Newton's method; the change of the pressure with W is a linear
problem on the current contact. A beam with shear has a kink under a force; over a patch that is small
compared with the height of the beam it is not part of the shape that the wheel meets.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.contact.normal.conjugate_gradients import solve_fixed_contact
from traction.contact.normal.press import NormalContact, solve_press
from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.materials import Pair
from traction.resting.rest_result import Rest, column_forces, column_points, profile
from traction.resting.standing_wheels import (
    TOO_SMALL,
    PerWheel,
    PlacedWheel,
    Wheels,
    bend_under,
    choose_grids,
    place_wheels,
)
from traction.status import Status
from traction.trains.bridge import Bridge, check_bridge

METHODS = ("newton", "fixed-point")
NODES = 12  #: points under each wheel that interpolate the deflection of the bridge over its grid
PRESS_TOLERANCE = 1e-11
RATE_TOLERANCE = 1e-8  #: of the linear problems for Newton's direction
MAX_HALVINGS = 8
MAX_GROWTHS = 6  #: of a grid that turns out to be too small


def rest(
    wheel: Wheels,
    bridge: Bridge,
    at: PerWheel,
    force: PerWheel = None,
    *,
    drop: PerWheel = None,
    grid: Grid | None = None,
    method: str = "newton",
    tol: float = 1e-10,
    max_iterations: int = 30,
    on_failure: str = "raise",
) -> Rest:
    """Solve wheels at rest on a bridge, local contact and global bending together.

    The gap under a wheel is its profile plus the deflection of the bridge, and the pressure bends the
    bridge (de Looij, "Using CONTACT in dynamical simulations", interim thesis, TU Delft 2015).

    Parameters
    ----------
    wheel
        One wheel, or a sequence of them.
    bridge
        Beam and its material.
    at
        Position of each wheel, m.
    force
        Force of each wheel, N; per metre for line contact. For each wheel either `force` or `drop` is given.
    drop
        Downward displacement of each wheel since it touched the straight bridge, m.
    grid
        Grid of each patch, around the wheel; chosen by default. A `tr.Grid.line` makes it a line contact,
        with the beam per metre of width.
    method
        "newton", or "fixed-point": pressure and bending alternately, which converges on stiff bridges only.
    tol
        Largest disagreement of local and global deflections, relative.
    max_iterations
        Largest number of iterations.
    on_failure
        "raise", or "return" to get a result that did not converge, with its status.

    Returns
    -------
    Rest
        Contact patches, forces, drops and the bending of the bridge.

    Raises
    ------
    InputError
        If not exactly one of force and drop is given per wheel, or a value is out of range.
    ConvergenceError
        If the iteration does not converge; the error carries the result.

    Examples
    --------
    >>> bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
    >>> r = tr.rest(tr.Wheel(0.46, 900.0), bridge, at=10.0, force=80e3)
    >>> print(f"{r.deflection(10.0) * 1e3:.3f} mm, patch {r.contacts[0].semi_axes[0] * 1e3:.2f} mm")
    6.410 mm, patch 6.24 mm
    """
    check_bridge(bridge)
    checks.choice("method", method, METHODS)
    checks.tolerance("tol", tol)
    checks.count("max_iterations", max_iterations)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    stands, guessed = place_wheels(wheel, bridge, at, force, drop, grid)
    for attempt in range(MAX_GROWTHS):
        grids = [grid] * len(stands) if grid is not None else choose_grids(stands, bridge, guessed, attempt)
        patches = [_PressedPatch(bridge, *one) for one in zip(stands, grids, strict=True)]
        try:
            result = _RestEquations(bridge, patches).solve(guessed, method, tol, max_iterations)
        except ConvergenceError as error:
            failed = error.result
            too_small = isinstance(failed, NormalContact) and failed.status in TOO_SMALL
            if grid is not None or not too_small or attempt + 1 == MAX_GROWTHS:
                raise
            continue
        break
    if result.ok:
        for notice in result.notices:
            warnings.warn(notice, stacklevel=2)
    elif on_failure == "raise":
        raise ConvergenceError(f"{result.message[0].upper()}{result.message[1:]}.", result)
    return result


@dataclass(eq=False)
class _PressedPatch:
    """A wheel with the grid of its patch; its last contact starts the next iteration."""

    bridge: Bridge
    stand: PlacedWheel
    grid: Grid
    last: NormalContact | None = None

    def __post_init__(self) -> None:
        place, length = self.stand.place, self.bridge.beam.length
        self.pair = Pair(self.stand.wheel.material, self.bridge.material)
        self.profile = profile(self.stand.wheel, self.bridge, self.grid)
        self.spread = _make_interpolation(self.grid)
        self.nodes = np.clip(place + _place_nodes(self.grid), 0.0, length)
        self.sources = column_points(place, self.grid, length)

    def press(self, W: np.ndarray) -> NormalContact:
        """The contact over the deflections W at the nodes."""
        stand = self.stand
        given = {"force": stand.force} if stand.force is not None else {"approach": stand.drop}
        gap = self.profile + self.spread @ W
        self.last = solve_press(gap, self.grid, self.pair, **given, tol=PRESS_TOLERANCE, start=self.last)
        return self.last

    def column_rates(self, contact: NormalContact) -> np.ndarray:
        """Change of the column forces with each of the deflections, N/m, (nx, NODES)."""
        grid = contact.grid
        if not contact.contact.any():
            return np.zeros((grid.nx, NODES))
        half_space, answers = HalfSpace(grid, contact.pair), []
        for column in self.spread.T:
            shape = np.broadcast_to(column, grid.shape)
            rate, _ = solve_fixed_contact(half_space, contact.contact, tol=RATE_TOLERANCE, shape=shape)
            answers.append(column_forces(rate, grid))
        rates = -np.array(answers).T
        if self.stand.force is not None:  # the approach makes up for what the force would lose
            even = rates.sum(axis=1)
            rates -= np.outer(even, rates.sum(axis=0) / even.sum())
        return rates


class _RestEquations:
    """Wheels on a bridge with their patches; deflections W are (wheels, NODES)."""

    def __init__(self, bridge: Bridge, patches: list[_PressedPatch]) -> None:
        self.bridge, self.patches = bridge, patches
        self._nodes = np.concatenate([patch.nodes for patch in patches])
        self._compliance = self._column_compliance()

    def solve(self, forces: np.ndarray, method: str, tol: float, most: int) -> Rest:
        """Newton's method, or alternating pressure and bending, from an estimate of the forces (N)."""
        W = bend_under([patch.stand for patch in self.patches], self.bridge, forces).deflection(self._nodes)
        residual, contacts = self._residual(W)
        sizes = [self._size(residual, W)]
        while sizes[-1] > tol and len(sizes) <= most and np.isfinite(sizes[-1]):
            step = (
                residual if method == "fixed-point" else np.linalg.solve(self._jacobian(contacts), residual)
            )
            try:
                W, residual, contacts = self._take_step(W, step, sizes[-1], searches=method == "newton")
            except ConvergenceError:
                if method == "newton":
                    raise
                sizes.append(math.inf)  # it has gone so far that there is no contact to solve
                break
            sizes.append(self._size(residual, W))
        status, message = Status.CONVERGED, str(Status.CONVERGED)
        if not sizes[-1] <= tol:
            status = Status.STALLED
            message = status.describe(iterations=len(sizes) - 1, residual=sizes[-1], tol=tol)
            if method == "fixed-point":
                message = f'no convergence in {len(sizes) - 1} fixed-point iterations; use method="newton"'
        wheels, places = zip(*((patch.stand.wheel, patch.stand.place) for patch in self.patches), strict=True)
        drops = np.array([contact.approach for contact in contacts])
        return Rest(
            self.bridge, wheels, np.array(places), tuple(contacts), drops, len(sizes) - 1, tuple(sizes),
            status, message,
        )  # fmt: skip

    def _take_step(
        self, W: np.ndarray, step: np.ndarray, size: float, *, searches: bool
    ) -> tuple[np.ndarray, np.ndarray, list[NormalContact]]:
        """The next deflections; a Newton step that gains nothing is halved."""
        for halving in range(MAX_HALVINGS if searches else 1):
            trial = W - 0.5**halving * step
            residual, contacts = self._residual(trial)
            if not searches or self._size(residual, trial) < size:
                break
        return trial, residual, contacts

    def _residual(self, W: np.ndarray) -> tuple[np.ndarray, list[NormalContact]]:
        """W - Phi(W)."""
        contacts = [patch.press(own) for patch, own in zip(self.patches, W.reshape(-1, NODES), strict=True)]
        columns = [column_forces(contact.pressure, contact.grid) for contact in contacts]
        return W - self._compliance @ np.concatenate(columns), contacts

    def _jacobian(self, contacts: list[NormalContact]) -> np.ndarray:
        """Derivative of W - Phi(W), for contacts that keep their elements."""
        J, first = np.eye(len(self._compliance)), 0
        for k, (patch, contact) in enumerate(zip(self.patches, contacts, strict=True)):
            own, columns = slice(k * NODES, (k + 1) * NODES), slice(first, first + contact.grid.nx)
            J[:, own] -= self._compliance[:, columns] @ patch.column_rates(contact)
            first += contact.grid.nx
        return J

    def _column_compliance(self) -> np.ndarray:
        """Deflection at all nodes by unit forces spread over each column, m/N.

        Without the kink |x - s|/(2 kGA) of shear under its own wheel: sections do not shear within a patch,
        there the half space deforms.
        """
        beam = self.bridge.beam
        sources = np.concatenate([patch.sources for patch in self.patches])
        bent = np.array([beam.influence(float(x)).deflection(sources).mean(axis=1) for x in self._nodes])
        first = 0
        for k, patch in enumerate(self.patches):
            own, columns = slice(k * NODES, (k + 1) * NODES), slice(first, first + patch.grid.nx)
            apart = np.abs(patch.nodes[:, None, None] - patch.sources).mean(axis=2)
            bent[own, columns] += 0.5 * beam.segment_at(patch.stand.place).shear_compliance * apart
            first += patch.grid.nx
        return bent

    @staticmethod
    def _size(residual: np.ndarray, W: np.ndarray) -> float:
        largest = float(np.abs(W).max())
        return float(np.abs(residual).max()) / largest if largest else float(np.abs(residual).max() > 0.0)


def _place_nodes(grid: Grid) -> np.ndarray:
    """Chebyshev points over the columns of a grid, m."""
    half = 0.5 * grid.nx * grid.dx
    return grid.center[0] + half * np.cos(math.pi * (np.arange(NODES) + 0.5) / NODES)


def _make_interpolation(grid: Grid) -> np.ndarray:
    """Weights of the nodes at each column, (nx, NODES): a polynomial through all of them."""
    k = np.arange(NODES)
    weights = (-1.0) ** k * np.sin(math.pi * (k + 0.5) / NODES)
    distance = grid.x[:, None] - _place_nodes(grid)
    hit = np.abs(distance) < 1e-14 * grid.nx * grid.dx
    terms = weights / np.where(hit, 1.0, distance)
    rows = np.where(hit.any(axis=1, keepdims=True), hit.astype(float), terms)
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))
