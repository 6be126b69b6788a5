"""`Check`: one number of a capability with its source; `Verdict`: what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One number with its source; `tolerance` is relative to the expected value."""

    name: str
    quantity: str
    source: str
    expected: float
    tolerance: float
    compute: Callable[[], float]


@dataclass(frozen=True)
class Verdict:
    """What a check found."""

    check: Check
    computed: float

    @property
    def error(self) -> float:
        """Difference relative to the expected value."""
        return abs(self.computed - self.check.expected) / abs(self.check.expected)

    @property
    def passed(self) -> bool:
        """Whether the error is within the tolerance; not a number never is."""
        return self.error <= self.check.tolerance


def number_of(solve: Callable[[], object], quantity: str) -> float:
    """A number of a result."""
    return float(getattr(solve(), quantity))
