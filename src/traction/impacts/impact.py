"""`impact`: a body strikes a structure."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from traction import checks
from traction.errors import ConvergenceError, InputError
from traction.impacts.approximate_methods import solve_energy, solve_picard, solve_small_increments
from traction.impacts.impact_history import ImpactHistory
from traction.impacts.impact_problem import ImpactProblem, ImpactSolution
from traction.impacts.modal_method import solve_modal
from traction.impacts.striker import Striker
from traction.impacts.structures.struck_structures import Place, Structure
from traction.status import Status

#: solver of each method, and its options beside those of all
SOLVERS: dict[str, tuple[Callable[..., ImpactSolution], tuple[str, ...]]] = {
    "modal": (solve_modal, ("tol",)),
    "small-increment": (solve_small_increments, ("dt",)),
    "energy": (solve_energy, ()),
    "picard": (solve_picard, ("iterations", "points")),
}


def impact(
    structure: Structure,
    at: Place,
    striker: Striker,
    *,
    method: str = "modal",
    t_end: float | None = None,
    modes: int | None = None,
    residual: bool = True,
    gravity: float = 0.0,
    on_failure: str = "raise",
    **options: object,
) -> ImpactHistory:
    """A striker hits a structure that is at rest, at the place `at` and the time 0.

    `structure` is a `tr.Beam` (`at` in m), a `tr.Plate` (`at` = (x, y)), a `tr.ModalStructure`, a
    `tr.InfiniteBeam`, a `tr.InfinitePlate` or `tr.RigidGround()` (`at` None). `modes` is how many are kept,
    200 of a beam and 2000 of a plate by default; the others act by their static flexibility unless `residual`
    is False. `gravity` (m/s^2) pulls the striker towards the structure, whose own weight is balanced.
    The history runs to `t_end` (s): by default 20 times the contact time on rigid ground or two periods of
    striker and structure together, whichever is longer.

    Options: "modal" takes `tol` (1e-9), the error of a step over the speed of the touch; "small-increment"
    takes `dt`; "picard" takes `iterations` (10) and `points` (2000). "energy" and "picard" show one contact,
    of an elastic law, without gravity.
    """
    began = perf_counter()
    checks.choice("method", method, tuple(SOLVERS))
    checks.choice("on_failure", on_failure, ("raise", "return"))
    solve, known = SOLVERS[method]
    for name in options:
        if name not in known:
            takes = ", ".join(known) or "no options"
            raise InputError(f'{name} is no option of method="{method}", which takes {takes}.')
    problem = ImpactProblem.checked(structure, at, striker, t_end, modes, residual, gravity)
    found = solve(problem, **options)
    stats = {"steps": len(found.path.cubics), "seconds": perf_counter() - began, **found.stats}
    history = ImpactHistory(
        method, problem.structure, at, striker, problem.response, problem.gravity, found.status,
        found.message, stats, found.path, problem.law,
    )  # fmt: skip
    if found.status is not Status.CONVERGED and on_failure == "raise":
        raise ConvergenceError(f"{found.message[0].upper()}{found.message[1:]}.", history)
    return history
