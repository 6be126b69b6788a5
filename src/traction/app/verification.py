"""Every capability against its closed or published answer."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from traction.app.checks.check import Check, Verdict
from traction.errors import TractionError

__all__ = ["Check", "Verdict", "checks", "verify"]

#: modules of `traction.app.checks`; a new capability adds its name here and its rows there
CAPABILITIES = (
    "normal",
    "half_space",
    "theory",
    "friction",
    "integrators",
    "bounce",
    "beams",
    "obstacle",
    "impacts",
    "crossing",
    "cross_limits",
)


def verify(only: str | None = None) -> Iterator[Verdict]:
    """Run all checks, or those whose name contains `only`."""
    for check in checks():
        if only is None or only in check.name:
            yield Verdict(check, _computed(check))


def checks() -> tuple[Check, ...]:
    """The rows of all capabilities."""
    modules = (import_module(f"traction.app.checks.{name}") for name in CAPABILITIES)
    return tuple(check for module in modules for check in module.checks())


def _computed(check: Check) -> float:
    """The number of a check; not a number where it cannot be computed, which is a miss."""
    try:
        return check.compute()
    except (TractionError, ArithmeticError):
        return float("nan")
