"""Closed forms against each other in their limits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from traction.app.check import Check, number_of
from traction.theory import adhesion, loads


def checks() -> Iterator[Check]:
    """Closed forms against each other in their limits."""
    for tabor, factor, source in (
        (100.0, 1.5, "Johnson, Kendall, Roberts 1971"),
        (1e-4, 2.0, "Derjaguin, Muller, Toporov 1975"),
    ):
        solve = partial(adhesion.maugis_dugdale, 1e-6, 1e9, 0.05, tabor=tabor, force=0.0)
        expected, words = -factor * np.pi * 0.05 * 1e-6, f"pull-off, Tabor {tabor:g}"
        call = number_of, solve, "pull_off_force"
        yield Check("adhesion-maugis", words, source, expected, 1e-3, *call)
    circle = loads.uniform_circle(1.0, 1.0, pressure=1.0)
    yield Check("load-circle", "displacement", "Johnson 1985, 3.4", 2.0, 1e-12, circle.displacement, 0.0)
