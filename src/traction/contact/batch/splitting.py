"""Steady rolling of many members at once, by splitting: one matrix product or two for all of them in a step.

Find tractions p in the discs |p| <= g with -(B p + W) in their normal cone. B = H + D, where H is shared and
D belongs to the shares of each member. Over a step of length tau (Davis and Yin 2017; without D it is that of
Douglas and Rachford),

    x = (1 + tau H)^-1 (z - tau W);   y = P(2 x - z - tau D x);   z += step (y - x).

H is an operator of order zero, so the number of steps hardly depends on the mesh, and none of them needs the
solution of the last: the resolvent is one matrix, computed once. The slip H x + W is (z - x)/tau, so errors
and shares cost no product. A given force is met in the resolvent, by the creepage that gives it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from traction.contact.batch.kernels.splitting_steps import ElementTables, MemberTables
from traction.contact.batch.rolling_matrices import RollingMatrices

TAU = 0.7  #: length of a step, in units of the slip of a cell by its own traction
STEP = 1.75  #: relaxation, below 2
FIRST, EVERY = 16, 4  #: steps before the first check, and between checks
MOST_STEPS = 400
SHARE_EFFECT = 2e-4


@dataclass(frozen=True, eq=False)
class SplitMembers:
    """Members to be solved; creepages and forces are scaled."""

    kind: np.ndarray  #: row of the bounds, (members,)
    creepage: np.ndarray  #: (members, 3)
    force: np.ndarray  #: NaN where it is free, (members, 2)


@dataclass(frozen=True, eq=False)
class SplitSolution:
    """Solutions in the order of the members; fields of elements are at their ne places."""

    traction: Any  #: in sectors
    slip: Any
    found: np.ndarray  #: errors and sums (see `splitting_steps.certify`), (members, 6)
    creepage: np.ndarray
    sticks: np.ndarray
    steps: np.ndarray  #: (members,)


class Splitting:
    """Matrices of one contact on a device, and the iteration with them."""

    def __init__(self, matrices: RollingMatrices, bounds: np.ndarray, device: Any) -> None:
        self.matrices, self.device = matrices, device
        take, sectors = device.take, matrices.sectors
        self.elements = ElementTables(
            take(sectors.weight), take(sectors.share), take(bounds), take(matrices.exits), take(matrices.own),
            take(matrices.turn), take(matrices.least),
        )  # fmt: skip
        self.rigid = take(matrices.rigid)
        self.held = take(matrices.held.transpose(0, 2, 1))
        self.by_sticking, self.by_gliding = (
            None if m is None else take(m.transpose(0, 2, 1)) for m in (matrices.by_sticking, matrices.by_gliding)
        )

    @cached_property
    def resolvent(self) -> Any:
        """(1 + tau H)^-1, transposed."""
        xp = self.device.arrays
        return xp.ascontiguousarray(xp.linalg.inv(xp.eye(self.held.shape[1]) + TAU * self.held))

    @cached_property
    def resolved(self) -> Any:
        """tau M R of the rigid fields, (3, ns, 2 h)."""
        xp = self.device.arrays
        return xp.ascontiguousarray(TAU * xp.einsum("ksi,sij->ksj", self.rigid, self.resolvent))

    @cached_property
    def sums(self) -> Any:
        """Forces of `resolved`, (3, 2)."""
        h, weight, r = self.elements.weight.size, self.elements.weight, self.resolved
        xp = self.device.arrays
        return xp.stack(((r[:, 0, :h] / weight).sum(axis=1), (r[:, -1, h:] / weight).sum(axis=1)), axis=1)

    def solve(self, given: SplitMembers, tol: float) -> SplitSolution:
        """Solve all members; those that do not converge keep their last iterate."""
        xp, kernels, device = self.device.arrays, self.device.kernels, self.device
        members = self._admit(given)
        count = members.kind.size
        ns, wide = self.held.shape[:2]
        tail = 0 if self.by_sticking is None else self.by_sticking.shape[1]
        whole = xp.zeros((ns, count, wide + tail))
        steps, order, done = np.zeros(count, dtype=int), xp.arange(count), members
        z = xp.empty((ns, count, wide))
        kernels.start(self.rigid, self.elements, members, z)
        slip = xp.empty_like(z)
        device.multiply(z, self.held, slip)
        kernels.lift(slip, self.rigid, members, TAU, z)
        x, errors = xp.zeros((ns, count, wide + tail)), xp.zeros((2, count))
        products = self._make_room(z)
        for step in range(MOST_STEPS):
            check = step >= FIRST and (step - FIRST) % EVERY == 0
            device.multiply(z, self.resolvent, x[:, :, :wide])
            kernels.resolve(self.resolved, self.sums, self.elements, members, x)
            self._multiply_shares(x, products)
            kernels.advance(x, products, self.elements, members, TAU, STEP, check, z, errors)
            if not check:
                continue
            ended = (errors[0] <= tol) & (SHARE_EFFECT * errors[1] <= 4.0 * tol)
            if not ended.any() and step + EVERY < MOST_STEPS:
                continue
            if step + EVERY >= MOST_STEPS:
                ended[:] = True
                kept = -step
            else:
                kept = step
            gone, stay = xp.flatnonzero(ended), xp.flatnonzero(~ended)
            place = order[gone]
            whole[:, place] = x[:, gone]
            for final, current in zip(done[1:], members[1:], strict=True):
                final[place] = current[gone]
            steps[device.bring(place)] = kept
            order, z, x, errors = order[stay], z[:, stay].copy(), x[:, stay].copy(), errors[:, stay].copy()
            members = MemberTables(*(table[stay] for table in members))
            products = self._make_room(z)
            if not stay.size:
                break
        return self._finish(whole, done, steps)

    def _admit(self, given: SplitMembers) -> MemberTables:
        take, places = self.device.take, self.elements.share.size
        count, xp = given.kind.size, self.device.arrays
        shares = (count, places if self.by_sticking is not None else 0)
        shares = (count, places)
        return MemberTables(
            take(given.kind), take(given.creepage).copy(), take(given.force), xp.zeros(shares), xp.zeros(shares)
        )

    def _make_room(self, z: Any) -> tuple[Any, Any]:
        xp = self.device.arrays
        if self.by_sticking is None:
            return xp.empty((1, 0, 0)), xp.empty((1, 0, 0))
        return xp.empty_like(z), xp.empty_like(z)

    def _multiply_shares(self, x: Any, products: tuple[Any, Any]) -> None:
        if self.by_sticking is None or self.by_gliding is None:
            return
        self.device.multiply(x[:, :, self.held.shape[1] :], self.by_sticking, products[0])
        self.device.multiply(x, self.by_gliding, products[1])

    def _finish(self, whole: Any, members: MemberTables, steps: np.ndarray) -> SplitSolution:
        xp, kernels, device = self.device.arrays, self.device.kernels, self.device
        wide = self.held.shape[1]
        kernels.settle(self.elements, members, whole)
        slip = xp.empty((whole.shape[0], whole.shape[1], wide))
        device.multiply(whole[:, :, :wide], self.held, slip)
        products = self._make_room(slip)
        self._multiply_shares(whole, products)
        found = xp.zeros((whole.shape[1], 6))
        kernels.certify(whole, slip, products, self.rigid, self.elements, members, found)
        bring = device.bring
        return SplitSolution(whole, slip, bring(found), bring(members.creepage), bring(members.sticks), steps)
