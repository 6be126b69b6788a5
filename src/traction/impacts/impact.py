"""`impact`: a body strikes a structure."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from traction import checks
from traction.errors import ConvergenceError, InputError
from traction.impacts.impact_history import ImpactHistory
from traction.impacts.impact_methods import solve_energy, solve_modal, solve_picard, solve_small_increments
from traction.impacts.impact_problem import ImpactProblem, ImpactSolution
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
    on_failure: str = "raise",
    t_end: float | None = None,
    modes: int | None = None,
    residual: bool = True,
    gravity: float = 0.0,
    **options: object,
) -> ImpactHistory:
    """Simulate a body that strikes a flexible structure.

    Hertz's integral equation f = F(v0 t - (1/m) int int f - w[f]) with Green's function of the structure
    (Timoshenko 1913; Wei, Krishnaprasad and Dayawansa 1993, "Modeling of impact on a flexible beam").
    "energy" and "picard" compute one contact of an elastic law, without gravity.

    Parameters
    ----------
    structure
        `tr.Beam`, `tr.Plate`, `tr.ModalStructure`, `tr.InfiniteBeam`, `tr.InfinitePlate` or
        `tr.RigidGround()`, at rest at t = 0.
    at
        Position of the strike: x (m) on a beam, (x, y) on a plate, None for unbounded structures.
    striker
        Mass, speed and contact law.
    method
        "modal": exact to its tolerance. "small-increment" (Timoshenko 1913), "picard" (Wei, Krishnaprasad and
        Dayawansa 1993), "energy" (Zener and Feshbach 1939): approximations, for comparison.
    on_failure
        "raise", or "return" to get the history up to a failure, with its status.
    t_end
        Duration, s; by default 20 times the contact time on rigid ground or two periods of striker and
        structure together, whichever is longer.
    modes
        Number of modes; 200 for a beam and 2000 for a plate by default.
    residual
        Include the static flexibility of the neglected modes.
    gravity
        Acceleration of the striker towards the structure, m/s^2; the weight of the structure is balanced.
    **options
        "modal": `tol` (1e-9), error per step relative to the speed of touch. "small-increment": `dt` (s).
        "picard": `iterations` (10) and `points` (2000).

    Returns
    -------
    ImpactHistory
        Force, motion, contacts, restitution and energies.

    Raises
    ------
    InputError
        If the structure cannot be struck there, or an option does not belong to the method.
    ConvergenceError
        If the time integration fails; the error carries the history.

    Examples
    --------
    >>> beam = tr.Beam(0.5, 500.0, 1.2, supports=("pinned", "pinned"))
    >>> striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
    >>> hit = tr.impact(beam, 0.25, striker, t_end=2e-3, modes=40)
    >>> print(f"{hit.contacts[0].peak:.0f} N, {hit.contacts[0].duration * 1e6:.0f} us")
    1265 N, 66 us
    """
    began = perf_counter()
    checks.choice("method", method, tuple(SOLVERS))
    checks.choice("on_failure", on_failure, ("raise", "return"))
    solve, known = SOLVERS[method]
    for name in options:
        if name not in known:
            takes = ", ".join(known) or "no options"
            raise InputError(f'{name} is not an option of method="{method}", which takes {takes}.')
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
