"""How a solver ended, as a sentence with the remedy."""

from enum import StrEnum


class Status(StrEnum):
    """Outcome of a computation; the value is the message, whose numbers `format` fills in.

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
    """

    CONVERGED = "converged"
    EDGE = (
        "the contact reaches the edge of the grid in {directions}; enlarge the grid to at least "
        "{nx} x {ny} cells of the same size ({width}), or reduce the load"
    )
    TINY_GRID = (
        "the contact reaches the edge of the grid in {directions} and is more than {growth:g} times as wide; "
        "enlarge the grid, or reduce the load"
    )
    UNBOUNDED = (
        "the contact reaches the edge of the grid in {directions} and the gap does not open towards it, "
        "so no grid is large enough; model the ends of the body, or make that direction periodic"
    )
    STALLED = (
        "no convergence after {iterations} iterations (largest error {residual:.1e}, asked {tol:.1e}); "
        "start from an earlier result or relax tol"
    )
    STEP_FAILED = "the march ended at t = {t:.6g} of {t_end:.6g}: {reason}"
    STOPPED = "stopped on request at t = {t:.6g} of {t_end:.6g}; resume from there with start="
