"""`Check`: one number of a capability with its source; `Verdict`: what was found."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import SupportsFloat

from traction.errors import StepWarning


class Check:
    """One number with its source: that of `compute(*arguments)`.

    `tolerance` is relative to `expected`, or absolute where 0 is expected.
    """

    def __init__(
        self,
        name: str,
        quantity: str,
        source: str,
        expected: SupportsFloat,
        tolerance: float,
        compute: Callable[..., SupportsFloat],
        *arguments: object,
    ) -> None:
        self.name, self.quantity, self.source = name, quantity, source
        self.expected, self.tolerance = float(expected), tolerance
        self._call = partial(compute, *arguments)

    def compute(self) -> float:
        """The number, computed now; its tolerance judges the time steps of the case."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StepWarning)
            return float(self._call())


@dataclass(frozen=True)
class Verdict:
    """What a check found."""

    check: Check
    computed: float

    @property
    def error(self) -> float:
        """Difference relative to the expected value, or from 0 where that is expected."""
        return abs(self.computed - self.check.expected) / (abs(self.check.expected) or 1.0)

    @property
    def passed(self) -> bool:
        """Whether the error is within the tolerance; not a number never is."""
        return self.error <= self.check.tolerance


def number_of(solve: Callable[[], object], quantity: str) -> float:
    """A number of a result."""
    return float(getattr(solve(), quantity))
