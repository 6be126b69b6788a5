"""Every capability against its analytical or published solution.

`Check` is one number of a capability with its source, `Verdict` what was found.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import SupportsFloat

from traction.errors import StepWarning, TractionError

#: modules of `traction.app.checks`; a new capability adds its name here and its rows there
CAPABILITIES = (
    "contact.normal_checks",
    "contact.friction_checks",
    "contact.friction_law_checks",
    "contact.quick_theory_checks",
    "contact.temperature_checks",
    "contact.wheelset_checks",
    "contact.creep_table_checks",
    "contact.export_checks",
    "integrator_checks",
    "bounce_checks",
    "sliding_checks",
    "beam_checks",
    "obstacle_checks",
    "impact_checks",
    "crossing_checks",
    "element_checks",
    "driving_checks",
    "sweep_checks",
    "finite_element_checks",
)
#: cases of a quick look: of each capability some that compute and compile little
QUICK = (
    "press-ellipse-1",
    "press-sphere-40",
    "stress-below-sphere",
    "adhesion-maugis",
    "shift-cattaneo",
    "roll-circle-both",
    "layer-elastic",
    "kalker-36-cells",
    "wheel-rail-locus",
    "fastsim-linear",
    "polach-linear",
    "fastrip-linear",
    "heat-ertz-sliding",
    "heat-band",
    "belt-slip",
    "usetab-sliding",
    "order-verlet",
    "stability-rk4",
    "conicity-cone",
    "bounce-ball",
    "beam-clamped-clamped",
    "beam-rest",
    "bridge-thesis",
    "bridge-hslm-a1",
    "obstacle-closed",
    "obstacle-mortar",
    "impact-half-sine",
    "impact-plate",
    "wheel-at-rest",
    "cross-force",
    "elements-shear",
    "sweep-ball",
    "fem-half-space",
)


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


def verify(only: str | None = None, *, quick: bool = False) -> Iterator[Verdict]:
    """Run all checks, those whose name contains `only`, or the `quick` ones."""
    return map(compute_verdict, select_checks(only, quick=quick))


def select_checks(only: str | None = None, *, quick: bool = False) -> tuple[Check, ...]:
    """Checks whose name contains `only`; with `quick`, of those that take little time."""
    return tuple(
        check
        for check in checks()
        if (only is None or only in check.name) and (not quick or check.name in QUICK)
    )


def checks() -> tuple[Check, ...]:
    """The rows of all capabilities."""
    return tuple(check for module in _modules() for check in module.checks())


def left_out() -> tuple[str, ...]:
    """Rows that need a package which is not installed, and which."""
    reasons = (module.left_out() for module in _modules() if hasattr(module, "left_out"))
    return tuple(reason for reason in reasons if reason is not None)


def compute_verdict(check: Check) -> Verdict:
    """What a check finds; not a number where it cannot be computed, which is a miss."""
    try:
        return Verdict(check, check.compute())
    except (TractionError, ArithmeticError):
        return Verdict(check, float("nan"))


def _modules() -> Iterator[ModuleType]:
    for name in CAPABILITIES:
        yield import_module(f"traction.app.checks.{name}")
