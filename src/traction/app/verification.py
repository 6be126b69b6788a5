"""Every capability against its closed or published answer."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from traction.app.check import Check, Verdict
from traction.errors import TractionError

__all__ = ["Check", "Verdict", "checks", "left_out", "verify"]

#: modules of `traction.app.checks`; a new capability adds its name here and its rows there
CAPABILITIES = (
    "normal",
    "friction",
    "integrators",
    "bounce",
    "beams",
    "obstacle",
    "impacts",
    "crossing",
    "driving",
    "sweeps",
    "finite_elements",
)


def verify(only: str | None = None) -> Iterator[Verdict]:
    """Run all checks, or those whose name contains `only`."""
    for check in checks():
        if only is None or only in check.name:
            yield Verdict(check, _computed(check))


def checks() -> tuple[Check, ...]:
    """The rows of all capabilities."""
    return tuple(check for module in _modules() for check in module.checks())


def left_out() -> tuple[str, ...]:
    """Rows that need a package which is not installed, and which."""
    reasons = (module.left_out() for module in _modules() if hasattr(module, "left_out"))
    return tuple(reason for reason in reasons if reason is not None)


def _modules() -> Iterator[ModuleType]:
    for name in CAPABILITIES:
        yield import_module(f"traction.app.checks.{name}")


def _computed(check: Check) -> float:
    """The number of a check; not a number where it cannot be computed, which is a miss."""
    try:
        return check.compute()
    except (TractionError, ArithmeticError):
        return float("nan")
