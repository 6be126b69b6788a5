"""`HalfSpaceTable`: a half-space law in pieces, each solved when it is first needed, from bounds on its
force.

The contact of a half space grows with the approach, and with it the stiffness S = dF/d(approach): the force
is convex, between the chord of two solved approaches a < b and their tangents, which meet at c. While no
element enters, pressures and force are linear: the force on a grid is a polygon whose corners are where
elements enter. Two tests accept an interval without another solution:

1. At c the chord is above the tangents by less than the tolerance. The parabola through both forces whose
   integral is the energy taken up, E(b) - E(a), lies between them.
2. The tangents alone take up that energy but for e. Since S is at most S(b), the force is above the tangents
   by h = sqrt(e (S(b) - S(a))) at most: with h within the tolerance, c is the only corner.

Otherwise the contact at c is solved, and both parts are treated likewise.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.laws.contact_law import NO_MEMORY, ContactLaw, Memory, Response
from traction.laws.continuation import HalfSpaceMemory
from traction.laws.half_space_law import HalfSpaceLaw
from traction.laws.kernels.law_values import KNOWN, find_piece, piece_response
from traction.materials import Pair
from traction.surfaces import FunctionSurface, Surface, SurfaceSum, gap_on

TOLERANCE = 1e-6  #: of the force, largest error of a piece
NARROW = 1e-6  #: of an approach: energies of narrower pieces have too few digits for a parabola
MOST_SOLVED = 2000  #: in one interval
ERROR = TOLERANCE  #: largest error of the force, relative to a solution at that approach
OVERLAPPED = 64  #: undeformed elements that overlap more at the end of a cell than at its beginning
EVEN = 32  #: cells of equal width; those beyond grow by one part in as many
FIRST = 1e-6  #: of the first cell: approach at which the first elements are found in contact
FAR = 1e100  #: m, where the piece without contact begins
KEPT = 16  #: laws kept for later crossings
_lock = threading.Lock()
_kept: OrderedDict[tuple[Surface, Grid, Pair, float], HalfSpaceTable] = OrderedDict()


class SolvedApproach(NamedTuple):
    """A contact as solved at an approach."""

    approach: float  #: counted from gap zero, m
    force: float  #: N
    stiffness: float  #: dF/d(approach), N/m
    energy: float  #: J
    peak: float  #: largest pressure, Pa
    peak_rate: float  #: its derivative by the approach, Pa/m
    area: float  #: of the contact, m2


class ForcePiece(NamedTuple):
    """Force and patch from an approach to that of the next piece."""

    begins: float  #: counted from gap zero, m
    force: float  #: there, N
    slope: float  #: N/m
    bend: float  #: half of the second derivative, N/m2
    energy: float  #: J
    peak: float  #: largest pressure, Pa
    peak_slope: float  #: Pa/m
    area: float  #: of the contact, m2
    area_slope: float  #: m


Solve = Callable[[float], SolvedApproach]


class NotConvexError(Exception):
    """The force of a law does not lie within its bounds."""


def divide_interval(low: SolvedApproach, high: SolvedApproach, solve: Solve) -> list[ForcePiece]:
    """Pieces from one solved approach to a higher one; `solve` is called from low to high or between."""
    pieces, waiting, end = [], [high], low
    for _ in range(MOST_SOLVED):
        found = accepted_pieces(end, waiting[-1])
        if found is None:
            waiting.append(solve(_meeting_point(end, waiting[-1])))
            continue
        pieces += found
        end = waiting.pop()
        if not waiting:
            return pieces
    raise NotConvexError(f"more than {MOST_SOLVED} solutions between {low.approach} and {high.approach} m")


def accepted_pieces(a: SolvedApproach, b: SolvedApproach) -> list[ForcePiece] | None:
    """One or two pieces between solved approaches; None if the contact between them has to be solved."""
    t, width = _meeting_point(a, b) - a.approach, b.approach - a.approach
    corner = a.force + a.stiffness * t
    limit, gained = TOLERANCE * corner, b.stiffness - a.stiffness
    chord = (b.force - a.force) / width
    if abs(chord - a.stiffness) * t <= limit and abs(b.stiffness - chord) * (width - t) <= limit:
        return [_parabola(a, b, area_slope=(b.area - a.area) / width)]
    if gained <= 0.0:
        return None
    rest = width - t
    taken = t * (a.force + 0.5 * a.stiffness * t) + rest * (b.force - 0.5 * b.stiffness * rest)
    if math.sqrt(abs(b.energy - a.energy - taken) * gained) > limit:
        return None
    middle = SolvedApproach(
        a.approach + t, corner, b.stiffness, a.energy + t * (a.force + 0.5 * a.stiffness * t),
        a.peak + a.peak_rate * t, b.peak_rate, b.area,
    )  # fmt: skip
    return [_parabola(a, middle, area_slope=0.0), _parabola(middle, b, area_slope=0.0)]


def _meeting_point(a: SolvedApproach, b: SolvedApproach) -> float:
    """Approach at which the tangents of both meet; the middle where they do not meet between them."""
    width, gained = b.approach - a.approach, b.stiffness - a.stiffness
    t = (b.stiffness * width - (b.force - a.force)) / gained if gained > 0.0 else math.nan
    return a.approach + (t if 0.0 < t < width else 0.5 * width)


def _parabola(a: SolvedApproach, b: SolvedApproach, area_slope: float) -> ForcePiece:
    """Through both forces, with the energy taken up between them as its integral."""
    width = b.approach - a.approach
    chord, below = (b.force - a.force) / width, 0.0
    if width > NARROW * b.approach:
        below = 6.0 * (0.5 * (a.force + b.force) - (b.energy - a.energy) / width)
    return ForcePiece(
        a.approach, a.force, chord - below / width, below / (width * width), a.energy, a.peak,
        (b.peak - a.peak) / width, a.area, area_slope,
    )  # fmt: skip


class NotTabulatedError(ConvergenceError):
    """The force of a surface does not lie within the bounds of a table."""


class PatchSize(NamedTuple):
    """Largest pressure and area of a contact patch."""

    peak_pressure: float  #: Pa
    area: float  #: m2


class HalfSpaceTable(ContactLaw):
    """The force of a half-space law as parabolas over the approach, at most 1e-6 off.

    The approaches are divided into cells, fixed by surface and grid. A cell is solved when an approach
    first falls into it, from nothing else than its number: responses do not depend on the order of calls,
    to the last bit. See the top of the file for the error.
    """

    def __init__(self, solver: HalfSpaceLaw) -> None:
        self.solver = solver
        self._width = _cell_width(solver)
        self._edges: dict[int, SolvedApproach] = {}
        self._starts: dict[int, HalfSpaceMemory] = {}  #: of edges beside a cell that is not solved
        self._cells: dict[int, list[ForcePiece]] = {}
        self._solving = threading.Lock()
        self._table = self._stack(self._cells)  # replaced as one: other threads read it

    @property
    def rows(self) -> np.ndarray:
        """The known pieces as kernels take them, see `law_values`."""
        return self._table[0]

    @property
    def tol(self) -> float:
        """Largest distance left in the contact over the approach, where it is solved."""
        return self.solver.tol

    @property
    def grid(self) -> Grid:
        """Grid on which the contact is solved."""
        return self.solver.grid_of(self.solver.begin())

    @property
    def first_touch(self) -> float:
        """The lowest gap, m."""
        return self.solver.first_touch

    def recall(self, stored: Memory) -> Memory:
        """Return no memory: there is none to be stored."""
        return NO_MEMORY

    def response(self, approach: float, memory: Memory | None = None, *, rate: float = 0.0) -> Response:
        """Return force, stiffness and energy at an `approach` (m, counted from gap zero).

        `memory` and `rate` have no effect.
        """
        delta = checks.finite("approach", approach, "m")
        if delta <= self.first_touch:
            return Response(0.0, 0.0, 0.0)
        rows, _, row = self._piece_at(delta)
        force, stiffness, energy = piece_response.py_func(rows, row, delta)
        return Response(float(force), float(stiffness), float(energy))

    def patch_size(self, approach: float) -> PatchSize:
        """Largest pressure and area of the patch at an `approach` (m, counted from gap zero)."""
        _, sizes, row = self._piece_at(approach)
        begins, peak, peak_slope, area, area_slope = sizes[row].tolist()
        x = approach - begins
        return PatchSize(peak + x * peak_slope, area + x * area_slope)

    def contact(self, approach: float, memory: Memory | None = None) -> NormalContact:
        """Return the whole contact at an `approach` (m), solved; `memory` has no effect."""
        return self.solver.contact(approach, self.solver.begin())

    def cover(self, approach: float) -> None:
        """Solve the cell of an `approach` (m, counted from gap zero), unless it is known."""
        self._piece_at(approach)

    def _piece_at(self, approach: float) -> tuple[np.ndarray, np.ndarray, int]:
        """The rows, the sizes, and the row of an approach in both; solves its cell."""
        rows, sizes = self._table
        row = find_piece.py_func(rows, 0, len(rows), approach)
        if rows[row, KNOWN] == 0.0:
            with self._solving:
                number = self._cell_of(approach)
                if number not in self._cells:
                    self._add_cell(number)
            rows, sizes = self._table
            row = find_piece.py_func(rows, 0, len(rows), approach)
        return rows, sizes, int(row)

    def _add_cell(self, number: int) -> None:
        """Solve a cell; an interrupt leaves the table as it was."""
        cells = {**self._cells, number: self._solve_cell(number)}
        self._table, self._cells = self._stack(cells), cells
        for edge in (number, number + 1):
            if edge in cells and (edge == 0 or edge - 1 in cells):
                self._starts.pop(edge, None)

    def _edge(self, number: int) -> float:
        """Approach at which a cell begins, m."""
        even = float(number) if number <= EVEN else EVEN * (1.0 + 1.0 / EVEN) ** (number - EVEN)
        return self.first_touch + self._width * even

    def _cell_of(self, approach: float) -> int:
        """Number of the cell that contains an approach (m) in contact."""
        share = (approach - self.first_touch) / self._width
        number = int(share) if share < EVEN else EVEN + int(math.log(share / EVEN) / math.log1p(1.0 / EVEN))
        while approach < self._edge(number):  # rounding
            number -= 1
        while approach >= self._edge(number + 1):
            number += 1
        return number

    def _solve_cell(self, number: int) -> list[ForcePiece]:
        """Its pieces: both edges from nothing, what is between them from the nearest solution."""
        known = [self._solve_edge(number), self._solve_edge(number + 1)]

        def solve(approach: float) -> SolvedApproach:
            near = min(known, key=lambda one: abs(one[0].approach - approach))
            known.append(self._solve(approach, near[1]))
            return known[-1][0]

        try:
            return divide_interval(known[0][0], known[1][0], solve)
        except NotConvexError as error:
            raise NotTabulatedError(
                f"the force of this surface cannot be tabulated to {ERROR:g}: {error}. Use "
                'solve="every-step".'
            ) from error

    def _solve_edge(self, number: int) -> tuple[SolvedApproach, HalfSpaceMemory]:
        """The contact where a cell begins; at the first touch with the elements that touch first."""
        if number not in self._edges or number not in self._starts:
            begins = self._edge(number)
            found, memory = self._solve(
                begins if number else begins + FIRST * self._width, self.solver.begin()
            )
            if number == 0:
                found = found._replace(approach=begins, force=0.0, energy=0.0, peak=0.0)
            self._starts[number] = memory
            self._edges[number] = found
        return self._edges[number], self._starts[number]

    def _solve(self, approach: float, start: HalfSpaceMemory) -> tuple[SolvedApproach, HalfSpaceMemory]:
        """The contact at an approach (m), from an earlier one."""
        found = self.solver.response(approach, start)
        memory = found.memory
        assert isinstance(memory, HalfSpaceMemory)
        top = np.unravel_index(int(np.argmax(memory.pressure)), memory.pressure.shape)
        area = float(memory.contact.sum()) * self.grid.cell_area
        peak, rate = float(memory.pressure[top]), float(memory.rate[top])
        return SolvedApproach(approach, *found[:3], peak, rate, area), memory

    def _stack(self, cells: dict[int, list[ForcePiece]]) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the known pieces and of the gaps between them, and the sizes of their patches."""
        nothing = ForcePiece(-FAR, *([0.0] * 8))
        found = [(nothing, True)]
        if 0 not in cells:
            found.append((nothing._replace(begins=self.first_touch), False))
        for number in sorted(cells):
            found += [(piece, True) for piece in cells[number]]
            if number + 1 not in cells:
                edge = self._edges[number + 1]  # energies on both sides of a gap count from the same zero
                found.append((nothing._replace(begins=edge.approach, energy=edge.energy), False))
        rows = np.array([(*one[:5], float(known)) for one, known in found])
        sizes = np.array([(one.begins, *one[5:]) for one, _ in found])
        return rows, sizes


def tabulate_half_space(solver: HalfSpaceLaw) -> HalfSpaceTable:
    """The table of a law; one of equal surface, grid and pair is taken again, with what it has solved.

    A function may return other heights later: its table is not kept.
    """
    if not isinstance(solver.surface, Surface) or _has_function(solver.surface):
        return HalfSpaceTable(solver)
    key = solver.surface, solver.grid_of(solver.begin()), solver.pair, solver.tol
    with _lock:
        table = _kept.pop(key, None) or HalfSpaceTable(solver)
        _kept[key] = table
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return table


def _has_function(surface: Surface) -> bool:
    if isinstance(surface, SurfaceSum):
        return any(_has_function(part) for part in surface.parts)
    return isinstance(surface, FunctionSurface)


def _cell_width(solver: HalfSpaceLaw) -> float:
    """Change of the approach (m) in which `OVERLAPPED` elements of the undeformed bodies begin to overlap."""
    grid = solver.grid_of(solver.begin())
    gap = gap_on(solver.surface, grid)
    gap -= gap.min()
    rims = [gap[:, 0], gap[:, -1]] + ([] if grid.is_line else [gap[0], gap[-1]])
    rim = min(float(one.min()) for one in rims)
    if rim <= 0.0:
        return min(grid.dx, grid.dy)
    return rim * OVERLAPPED / max(1, int((gap < rim).sum()))
