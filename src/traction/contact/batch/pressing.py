"""Pressures of many members at once, by splitting.

Find p >= 0 with s = A p + gap - approach >= 0 and p s = 0. A step of length tau (Douglas and Rachford) is

    x = (1 + tau A)^-1 (z - tau (gap - approach));   y = max(0, 2 x - z);   z += step (y - x),

with one matrix for all members, and an approach that meets a given force. A is symmetric: tau between its
least and its largest eigenvalue serves both. Since all elements of the grid are unknown, its two mirror
symmetries divide every matrix into four blocks of a sixteenth of the size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.contact.batch.device import Processor
from traction.contact.batch.kernels.pressing_steps import ROUNDING, PressedElements, PressedMembers
from traction.contact.batch.member_parts import FEW, choose_pause
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.materials import Pair

FIRST, EVERY = 20, 4  #: steps before the first check, which is the longest pause, and least between checks
MOST_STEPS = 600
SHORTER = 0.7  #: step over the best one of a contact all over the grid; contacts leave room around them
STARTS = 4  #: estimates of the radius of a contact
TINY = 1e-300
SIGNS = np.array(((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1)))  #: of images, by sector


@dataclass(frozen=True, eq=False)
class PressSolution:
    """Solutions in the order of the members."""

    pressure: np.ndarray  #: in sectors, Pa
    found: np.ndarray  #: errors and sums (see `pressing_steps.certify_pressures`), (members, 8)
    approach: np.ndarray  #: over the displacement of an element by its own unit pressure, Pa
    steps: np.ndarray  #: negative where the member did not converge


class Pressing:
    """Matrices of a grid on a device, and the iteration with them."""

    def __init__(self, grid: Grid, pair: Pair, device: Processor) -> None:
        self.grid, self.device, self.xp = grid, device, device.arrays
        self.effective_modulus = pair.effective_modulus
        self.kernels = device.find_kernels("pressing_steps", len(SIGNS))
        half_space, (ny, nx) = HalfSpace(grid, pair), grid.shape
        lags = half_space.factor("z", "z") * half_space.spectrum("z", "z", (ny, nx)).lags
        self.own = float(lags[0, 0])  #: displacement of an element by its own unit pressure, m/Pa
        rows, columns = -(-ny // 2), -(-nx // 2)
        row, column = (part.ravel() for part in np.mgrid[:rows, :columns])
        self.images = np.stack(
            [j * nx + i for j in (row, ny - 1 - row) for i in (column, nx - 1 - column)]
        )  #: numbers of the elements at all places, (4, h)
        self.share = 1.0 / np.bincount(self.images.ravel())[self.images]
        self.weight = np.sqrt(1.0 / (4.0 * self.share[0]))
        self._places, self._halves = map(device.take, (self.images, 0.25 / self.weight))
        self.tau = self._choose_step(lags / self.own)
        self.influence = self._fold_influence(lags / self.own, row, column)
        one = self.xp.eye(self.weight.size)
        self.resolvent = self.xp.ascontiguousarray(self.xp.linalg.inv(one + self.tau * self.influence))
        self.uniform = self.fold(self.xp.ones((1, ny, nx)))
        self.ones = self.xp.matmul(self.uniform, self.resolvent)[:, 0]
        self.total = float(self.device.bring((self.ones[0] / self.device.take(self.weight)).sum()))

    @staticmethod
    def _choose_step(lags: np.ndarray) -> float:
        """1 over the root of the extreme eigenvalues, by those of a uniform and an alternating pressure."""
        counts = np.multiply.outer(*(np.r_[n, 2.0 * np.arange(n - 1, 0, -1)] for n in lags.shape)) / lags.size
        signs = (-1.0) ** np.add.outer(*map(np.arange, lags.shape))
        least = float((signs * counts * lags).sum())
        return SHORTER / math.sqrt(max(least, 0.1) * float((counts * lags).sum()))

    def _fold_influence(self, lags: np.ndarray, row: np.ndarray, column: np.ndarray) -> np.ndarray:
        """Blocks of the influence, (4, h, h)."""
        xp, (ny, nx) = self.xp, self.grid.shape
        table, j, i = self.device.take(lags), self.device.take(row), self.device.take(column)
        v = self._halves
        total = xp.zeros((4, row.size, row.size))
        for k, (above, beside) in enumerate(
            ((j, i), (j, nx - 1 - i), (ny - 1 - j, i), (ny - 1 - j, nx - 1 - i))
        ):
            part = table[xp.abs(j[:, None] - above[None]), xp.abs(i[:, None] - beside[None])]
            for s in range(4):
                total[s] += float(SIGNS[s, k]) * part
        return total * (4.0 * v[:, None] * v[None])

    def fold(self, fields: np.ndarray) -> np.ndarray:
        """Sectors (4, members, h) of fields over the grid, (members, ny, nx)."""
        xp = self.xp
        a, b, c, d = xp.moveaxis(fields.reshape(len(fields), -1)[:, self._places] * self._halves, 1, 0)
        even, odd, up, down = a + b, a - b, c + d, c - d
        return xp.stack((even + up, odd + down, even - up, odd - down))

    def _start(self, gaps: np.ndarray, members: PressedMembers) -> np.ndarray:
        """z of pressures like that of Hertz, over the elements that a foundation of springs would touch.

        Of a round contact of radius a the foundation sinks in half as deep as the half space, and the
        stiffness that gives it the same peak pressure is 4 E*/(pi a). gaps: over `own`, (kinds, ny, nx).
        """
        xp, area, given = self.xp, self.grid.cell_area, ~self.xp.isnan(members.force)
        flat = gaps.reshape(len(gaps), -1)
        heights = xp.sort(flat, axis=1)
        below, number = xp.cumsum(heights, axis=1), xp.arange(1, flat.shape[1] + 1)
        carried = number * heights - below  # by springs of stiffness 1 that reach up to each height
        radius = xp.full(members.kind.size, 0.25 * math.sqrt(flat.shape[1] * area))
        for _ in range(STARTS):
            spring = 4.0 * self.effective_modulus * self.own / (math.pi * radius)
            wanted = members.force / spring
            touched = xp.maximum(1, (carried[members.kind] < wanted[:, None]).sum(axis=1))
            depth = xp.where(
                given, (wanted + below[members.kind, touched - 1]) / touched, 0.5 * members.approach
            )
            touched = xp.maximum(1, (heights[members.kind] < depth[:, None]).sum(axis=1))
            radius = xp.sqrt(touched * area / math.pi)
        overlap = xp.maximum(0.0, depth[:, None] - flat[members.kind])
        force = xp.where(given, members.force, spring * overlap.sum(axis=1))
        shape = xp.sqrt(overlap)
        pressure = self.fold(shape * (force / xp.maximum(shape.sum(axis=1), TINY))[:, None])
        distance = self._displace(pressure) + self.fold(gaps)[:, members.kind]
        distance -= 2.0 * depth[None, :, None] * self.uniform
        return pressure + self.tau * distance

    def _displace(self, pressure: np.ndarray) -> np.ndarray:
        """Displacements by pressures, in sectors."""
        displacement = self.xp.empty_like(pressure)
        self.device.multiply(pressure, self.influence, displacement)
        return displacement

    def unfold_pressures(self, sectors: np.ndarray) -> np.ndarray:
        """Pressures over the grid, (members, ny, nx), zero where they are rounding."""
        xp, count = self.xp, sectors.shape[1]
        a, b, c, d = sectors * self.device.take(self.weight)
        even, odd, up, down = a + c, a - c, b + d, b - d
        pressure = xp.empty((count, self.grid.ny * self.grid.nx))
        for places, part in zip(self._places, (even + up, even - up, odd + down, odd - down), strict=True):
            pressure[:, places] = part
        pressure[pressure <= ROUNDING * pressure.max(axis=1, keepdims=True)] = 0.0
        return self.device.bring(pressure).reshape(count, *self.grid.shape)

    @cached_property
    def elements(self) -> PressedElements:
        """Tables of the elements on the device."""
        edge = np.ones(self.grid.shape)
        edge[1:-1, 1:-1] = 0.0
        weight, share, edges = map(
            self.device.take, (self.weight, self.share.ravel(), edge.ravel()[self.images].ravel())
        )
        return PressedElements(weight, share, self.ones, edges)

    def bytes_per_member(self) -> int:
        """Memory that a member takes."""
        return 8 * 10 * 4 * self.weight.size

    def _start_from(self, pressures: np.ndarray, gaps: np.ndarray, members: PressedMembers) -> np.ndarray:
        """z of pressures nearby, (members, ny, nx); gaps: over `own`."""
        pressure = self.fold(self.device.take(pressures))
        distance = self._displace(pressure) + self.fold(gaps)[:, members.kind]
        approach = (pressure * distance).sum(axis=(0, 2)) / members.force
        distance -= approach[None, :, None] * self.uniform
        return pressure + self.tau * distance

    def solve(
        self, gaps: np.ndarray, members: PressedMembers, tol: float, start: np.ndarray | None = None
    ) -> PressSolution:
        """Solve members with gaps over `own`, (kinds, ny, nx); what does not converge keeps its iterate.

        start: pressures nearby where forces are given, Pa, (members, ny, nx).
        """
        xp, device, count = self.xp, self.device, members.kind.size
        placed = device.take(gaps)
        folded = self.fold(placed)
        resolved = xp.ascontiguousarray((xp.matmul(folded, self.resolvent) * self.tau).transpose(1, 0, 2))
        z = self._start(placed, members) if start is None else self._start_from(start, placed, members)
        z = xp.ascontiguousarray(z)  # sums of folded fields have any order; kernels are compiled for one
        x = xp.empty_like(z)
        solved, steps, order, step = xp.zeros_like(z), np.zeros(count, dtype=int), np.arange(count), 0
        active, pause = members, FIRST if start is None else EVERY
        while order.size:
            errors = xp.empty(order.size)
            for last in (*[False] * (pause - 1), True):
                device.multiply(z, self.resolvent, x)
                self.kernels.advance_pressures(
                    self.elements, active, resolved, self.total, self.tau, last, x, z, errors
                )
                step += 1
            found = device.bring(errors)
            converged = found <= tol
            ended = converged | (step >= MOST_STEPS)
            if np.count_nonzero(ended) > FEW * ended.size:
                gone, stay = (device.take(np.flatnonzero(chosen)) for chosen in (ended, ~ended))
                place = device.take(order[ended])
                solved[:, place] = x[:, gone]
                members.approach[place] = active.approach[gone]
                steps[order[ended]] = np.where(converged[ended], step, -step)
                order, active = order[~ended], PressedMembers(*(table[stay] for table in active))
                z, found = xp.ascontiguousarray(z[:, stay]), found[~ended]
                x = xp.empty_like(z)
            if order.size:
                pause = choose_pause(found, step, tol, (EVERY, FIRST))
        return self._finish(solved, xp.ascontiguousarray(folded.transpose(1, 0, 2)), members, steps)

    def _finish(
        self, solved: np.ndarray, gaps: np.ndarray, members: PressedMembers, steps: np.ndarray
    ) -> PressSolution:
        self.kernels.settle_pressures(self.elements, members, solved)
        found, bring = self.xp.zeros((steps.size, 8)), self.device.bring
        self.kernels.certify_pressures(self.elements, members, solved, self._displace(solved), gaps, found)
        return PressSolution(solved, bring(found), bring(members.approach), steps)
