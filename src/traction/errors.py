"""Errors and warnings. Every message names the quantity, its value, the limit and the remedy."""

from __future__ import annotations

import sys
import warnings


class TractionError(Exception):
    """Base of all errors raised by Traction."""


class InputError(TractionError, ValueError):
    """Raised when an input is outside its limits; nothing has been computed."""


class ConvergenceError(TractionError, RuntimeError):
    """Raised when a solver ends without a solution that passes its certificate.

    Attributes
    ----------
    result
        What was computed, with its status: the best or last iterate of a solver, or the run.
    """

    def __init__(self, message: str, result: object = None) -> None:
        super().__init__(message)
        self.result = result


class StorageError(TractionError, OSError):
    """Raised when the disk cannot store or return the data; acknowledged data are still there."""


class UndefinedError(InputError, AttributeError):
    """Raised when a quantity does not exist for the problem, such as the approach of a half plane."""


class UnitsWarning(UserWarning):
    """A value in SI looks as if it were meant in another unit; the message says which.

    Silence it by ``warnings.simplefilter("ignore", tr.UnitsWarning)``; the ranges are listed in
    `traction.plausibility`.
    """


class CoarseGridWarning(UserWarning):
    """The grid has too few elements across a contact; the message says how many, and the error to expect.

    Silence it by ``warnings.simplefilter("ignore", tr.CoarseGridWarning)``.
    """


class StepWarning(UserWarning):
    """The time step of a crossing is too long, or the force of a driven wheel jumps within one.

    The message says by which measure, and what to choose.

    Silence it by ``warnings.simplefilter("ignore", tr.StepWarning)``; the measures of a step are in
    `result.certificate`.
    """


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn the caller of the package: the first frame outside of it."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_ours(name: str) -> bool:
    return name == "traction" or name.startswith(("traction.", "pydantic"))
