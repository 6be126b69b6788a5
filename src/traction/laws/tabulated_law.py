"""`TabulatedLaw`: force over approach from a table, such as a measurement or another program."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.laws.contact_law import ContactLaw, Memory, Response, build_table
from traction.laws.kernels.law_values import TABULATED, CompiledLaw, table_energy, table_force

WIDEST = math.log(10.0) / 16.0  #: of ln(depth) between two rows, for the energy by a rule between them


@dataclass(frozen=True, init=False, eq=False)
class TabulatedLaw(ContactLaw):
    """Contact law from a table of forces and approaches.

    ln F is a monotone cubic in ln(approach) between the points (Fritsch and Butland 1984), and a power law
    outside: the table of a power law reproduces that law.

    Parameters
    ----------
    approach
        Approaches, m, positive and increasing.
    force
        Forces, N, positive and increasing.

    Examples
    --------
    >>> law = tr.TabulatedLaw([1e-6, 2e-6, 4e-6], [10.0, 28.3, 80.0])
    >>> print(f"{law(3e-6):.1f} N")
    52.0 N
    """

    approach: np.ndarray  #: approaches, m
    force: np.ndarray  #: forces, N
    table: np.ndarray = field(repr=False)  #: rows as kernels take them, see `contact_law`

    def __init__(self, approach: ArrayLike, force: ArrayLike) -> None:
        x = checks.finite_array("approach", approach, unit="m").ravel()
        F = checks.finite_array("force", force, unit="N").ravel()
        if x.size != F.size:
            raise InputError(
                f"approach and force have {x.size} and {F.size} values: give one force for each."
            )
        if x.size and x[0] == 0.0 and F[0] == 0.0:
            x, F = x[1:], F[1:]
        for name, values in (("approach", x), ("force", F)):
            if values.size < 2 or not (values[0] > 0.0 and (np.diff(values) > 0.0).all()):
                raise InputError(f"{name} must be two or more positive numbers, each larger than the last.")
        rows = _refine_rows(_monotone_rows(np.log(x), np.log(F)))
        checks.keep(self, approach=x, force=F, table=build_table(rows))

    def response(self, approach: float, memory: Memory | None = None, *, rate: float = 0.0) -> Response:
        """Return force, stiffness and energy at an `approach` (m); `memory` and `rate` have no effect."""
        delta = checks.finite("approach", approach, "m")
        if delta <= 0.0:
            return Response(0.0, 0.0, 0.0)
        force, stiffness = table_force(self.table, delta)
        return Response(force, stiffness, table_energy(self.table, delta))

    def compiled(self, energy: float) -> CompiledLaw:
        """Return the table as kernels take it, for any `energy` (J)."""
        return CompiledLaw(TABULATED, 0.0, 0.0, 0.0, 0.0, self.table)


def _monotone_rows(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Rows (x, y, slope) of a cubic that rises wherever its points do; linear at both ends."""
    h, secant = np.diff(x), np.diff(y) / np.diff(x)
    before, after = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    inner = (before + after) / (before / secant[:-1] + after / secant[1:])
    return np.stack((x, y, np.r_[secant[0], inner, secant[-1]]), axis=1)


def _refine_rows(rows: np.ndarray) -> np.ndarray:
    """The same cubics with more rows, so that none spans more than WIDEST."""
    fine = [rows[:1]]
    for (x0, y0, d0), (x1, y1, d1) in pairwise(rows):
        n, width = math.ceil((x1 - x0) / WIDEST), x1 - x0
        s = np.arange(1, n + 1) / n
        a, b, rise = width * d0, width * d1, y1 - y0
        c2, c3 = 3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise
        y = y0 + s * (a + s * (c2 + s * c3))
        fine.append(np.stack((x0 + s * width, y, (a + s * (2.0 * c2 + 3.0 * s * c3)) / width), axis=1))
    return np.concatenate(fine)
