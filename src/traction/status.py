"""How a solver ended, as a sentence with the remedy."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Outcome of a computation, in words; `describe` adds numbers and the remedy.

    Attributes
    ----------
    CONVERGED
        The solution passed its certificate.
    EDGE, TINY_GRID, UNBOUNDED
        The contact reaches the edge of the grid.
    STALLED
        The iteration ended above its tolerance.
    STEP_FAILED, STOPPED
        The time integration ended early: by an error, or on request.
    UNRESOLVED
        The time step is so long that the result is worthless.
    """

    template: str  #: of `describe`, with places for the numbers

    CONVERGED = "converged", "converged"
    EDGE = (
        "the contact reaches the edge of the grid",
        "the contact reaches the edge of the grid in {directions}; enlarge the grid to at least "
        "{nx} x {ny} cells of the same size ({width}), or reduce the load",
    )
    TINY_GRID = (
        "the contact is many times as wide as the grid",
        "the contact reaches the edge of the grid in {directions} and is more than {growth:g} times as wide; "
        "enlarge the grid, or reduce the load",
    )
    UNBOUNDED = (
        "the contact reaches the edge of the grid and the gap does not open towards it",
        "the contact reaches the edge of the grid in {directions} and the gap does not open towards it, "
        "so no grid is large enough; model the ends of the body, or make that direction periodic",
    )
    STALLED = (
        "no convergence: the iteration ended above its tolerance",
        "no convergence after {iterations} iterations (largest error {residual:.1e}, asked {tol:.1e}); "
        "start from an earlier result or relax tol",
    )
    STEP_FAILED = "the march ended early", "the march ended at t = {t:.6g} of {t_end:.6g}: {reason}"
    STOPPED = (
        "stopped on request",
        "stopped on request at t = {t:.6g} of {t_end:.6g}; resume from there with start=",
    )
    UNRESOLVED = "the time step is too long", "{reason}"

    def __new__(cls, words: str, template: str) -> Status:
        """A member that reads as `words`."""
        member = str.__new__(cls, words)
        member._value_ = words
        member.template = template
        return member

    def describe(self, **numbers: float | str) -> str:
        """The outcome with its numbers and the remedy."""
        return self.template.format(**numbers)
