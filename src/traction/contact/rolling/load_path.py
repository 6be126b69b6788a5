"""`LoadPath`: the normal contact between both ends of a step in which it changes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.elements.covered_cells import CoveredElements
from traction.contact.normal.press import NormalContact, solve_press
from traction.contact.rolling.kernels import material_rows as kernels
from traction.contact.stick_slip.friction_patch import FrictionPatch

SAME = 1e-9  #: relative change of the load below which there is none


@dataclass(frozen=True, eq=False)
class LoadPath:
    """From one normal contact to another: force and gap change evenly while the bodies touch.

    Of bodies that are guided, approach and gap do, and the force follows.

    Bodies that are apart at one end of the step approach or separate evenly: they touch from the share of
    the step on, or up to it, at which their distance is zero.
    """

    before: NormalContact
    after: NormalContact
    tol: float  #: of contacts on the way
    guided: bool = False

    @cached_property
    def is_still(self) -> bool:
        """Whether load and bodies are the same at both ends; the pressure of unlike ones follows friction."""
        old, new = self.before, self.after
        loaded = math.isclose(old.force, new.force, rel_tol=SAME) and new.force > 0.0
        return old is new or (loaded and np.array_equal(old.gap, new.gap))

    @cached_property
    def start(self) -> NormalContact:
        """The contact before the step, without friction as that after it."""
        old = self.before
        if old.pair.mismatch == 0.0 or self.is_still or not old.contact.any():
            return old
        known = replace(old, _displacement=None)  # as after a restart
        return solve_press(old.gap, old.grid, old.pair, force=old.force, tol=self.tol, start=known)

    @cached_property
    def touching(self) -> tuple[float, float]:
        """Shares of the step between which the bodies touch; both are 0 if they never do."""
        before, after = bool(self.before.contact.any()), bool(self.after.contact.any())
        if before == after:
            return 0.0, float(after)
        first, last = (float(n._approach - n.gap.min()) for n in (self.before, self.after))
        meet = min(max(first / (first - last), 0.0), 1.0) if first != last else 0.0
        return (0.0, meet) if before else (meet, 1.0)

    @cached_property
    def edge_motion(self) -> float:
        """Largest way of an edge of the contact along its row, in elements."""
        return float(kernels.edge_motion(_find_runs(self.start), _find_runs(self.after)))

    def press_at(self, share: float, start: NormalContact) -> NormalContact:
        """The contact after a share of the way on which the bodies touch, solved from a `start` nearby."""
        if share >= 1.0:
            return self.after
        (begin, end), (old, new) = self.touching, (self.before, self.after)
        force, moved = old.force + share * (new.force - old.force), begin + share * (end - begin)
        gap = (1.0 - moved) * old.gap + moved * new.gap
        if self.guided:
            approach = (1.0 - moved) * old._approach + moved * new._approach
            # of a contact that parts, the part on this grid may reach its edge
            settings = {"tol": self.tol, "start": start, "on_failure": "return"}
            return solve_press(gap, new.grid, new.pair, approach=approach, **settings)  # type: ignore[arg-type]
        return solve_press(gap, new.grid, new.pair, force=force, tol=self.tol, start=start)


def _find_runs(contact: NormalContact) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, left and right edge of each run of neighbours in contact, in elements."""
    if not contact.contact.any():
        return np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0)
    covered = CoveredElements(FrictionPatch.over(contact, 1.0), 1)
    first = kernels.runs_of(covered.row, covered.column)[:-1]
    left, right = covered.edges
    return covered.row[first], left[first], right[first]
