"""`roll_steady`: tractions and slips in steady rolling, at constant creepages or forces."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from traction import checks
from traction.contact.elements.covered_rolling import CoveredRolling
from traction.contact.elements.friction_step import solve_nested
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.creep_force_curve import CreepCurve, StepSolver
from traction.contact.friction.curve_maximum import find_settled_maximum
from traction.contact.friction.friction_input import Friction
from traction.contact.friction.friction_solution import (
    FrictionDemand,
    check_demand,
    finish_steps,
    solve_step,
)
from traction.contact.friction.pressed_displacement import PressedDisplacement
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.friction.varying_friction import VaryingFriction
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.friction_branches import solve_on_branch
from traction.contact.rolling.material_grid import MaterialElements
from traction.contact.rolling.material_state import MaterialState
from traction.contact.stick_slip.friction_patch import FrictionPatch, TractionShares
from traction.contact.stick_slip.rigid_slip import Parts, RigidSlip
from traction.contact.stick_slip.slip_equation import StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.contact.temperature.heat_influence import find_effusivities
from traction.contact.temperature.steady_heat import expect_coefficients, finish_steady, heat_steadily
from traction.contact.temperature.thermal_coupling import settle_temperature
from traction.errors import InputError
from traction.friction_laws.layer import Layer

DISCRETISATIONS = ("covered", "classical")
FIRST_PASS = 3e-2  #: tolerance of whole cells, which only show about what sticks and glides
PASSES = (3e-3, 5e-5)  #: of covered elements, until their shares follow from a solution to tolerance
SHARE_EFFECT = 2e-4  #: of one share on the forces over mu Fn, at most, by 20 elements across
SETTLED = 4.0  #: that of shares which still differ from those of their solution, over the inner tolerance
USUAL_PASSES, MOST_PASSES = 5, 80  #: each gains more than a digit, but for elements at the pole of a spin
CREEPAGES = (-4.5, -0.3)  #: powers of ten between which the largest force of warm friction is sought
ROUGH = 1e-3  #: tolerance of solutions that others follow, as their temperature changes
GAIN = 0.5  #: of a pass, above which these take the middle of their shares

Earlier = TangentialContact | TractionShares  #: where an iteration begins


def roll_steady(
    n: NormalContact,
    friction: Friction,
    *,
    creepage: Parts | None = None,
    force: Parts | None = (None, None),
    speed: float | None = None,
    layer: Layer | None = None,
    position: float = 0.0,
    direction: int = 1,
    distance: float | None = None,
    discretisation: str = "covered",
    tol: float = 1e-6,
    start: TangentialContact | TractionShares | None = None,
    on_failure: str = "raise",
) -> TangentialContact:
    """Solve steady rolling contact with friction: creep forces, tractions, stick and slip areas.

    Parameters
    ----------
    n
        Normal contact, the result of `tr.press`.
    friction
        Coefficient of friction mu (Coulomb): a number, one per cell of the grid, a function of x and y, or a
        law of `tr.friction`.
    creepage
        (xi, eta, phi): longitudinal and lateral creepage (-) and spin (rad/m), body 1 relative to body 2;
        None in a direction whose force is given. By default zero, except where a force is given.
    force
        Tangential force on body 1 (F_x, F_y), N; None in a direction whose creepage is given.
    speed
        Speed of rolling, m/s, needed by a law of the slip speed or of the temperature.
    layer
        A `tr.Layer` between the bodies, which shears and may yield.
    position
        Of the contact along the track, m. Friction by `tr.friction.along_track` is that around it, as if the
        contact took it along; `tr.roll` rolls over it.
    direction
        +1 rolls along +x, so that particles enter at the right; -1 along -x.
    distance
        Rolled distance per step, m; always one element dx, and may be given to state so.
    discretisation
        "covered": elements end at the true edge of the contact. "classical": whole cells, as CONTACT
        (Vollebregt): the same forces to the digits that it prints, but for some layers that yield.
    tol
        Largest error of slips and tractions, relative to their scales.
    start
        Earlier result on the same grid to start the iteration from.
    on_failure
        "raise", or "return" to get a result that did not converge, with its status: the iterate of the
        smallest error, tractions within their bounds.

    Returns
    -------
    TangentialContact
        Tractions, slips, forces, moment, creepages and frictional power (J per metre rolled).

    Raises
    ------
    InputError
        If not exactly one of creepage and force is given per direction, or the force exceeds mu Fn.
    ConvergenceError
        If the iteration does not converge; the error carries the result.

    Notes
    -----
    Rigid slip w = (xi - phi y, eta + phi x); slip s = w + (u(x) - u(x + dq))/dq; |p| <= mu pn, and
    p = -mu pn s/|s| where s is not zero (Kalker 1990). Solved by a semismooth Newton method
    (Alart and Curnier 1991) with GMRES. For bodies of different materials pressure and tractions are solved
    together at the same normal force; `result.normal` is the final contact.

    What sticks and glides in covered elements follows from the traction that each would need to hold its
    particle, over its bound: below 1 it sticks, with the inverse root of an edge where particles leave; above
    1.5 its slip is taken more and more around its middle. These shares are iterated until they agree with
    their own solution; `certificate.shares` is the effect on the forces, over mu Fn, of what is left open.

    The dissipation of covered elements is the power of the rigid slip, -(xi F_x + eta F_y + phi M_z); of
    unlike bodies less that of the pressure.
    Classical elements sum tractions times slips, as CONTACT does, which is up to 40 % off at small creepages,
    and with a soft layer, whose particles slip in the last element only, may be a third of it: there
    `wear_number` is right, for all elements. `power_density` is the field of the dissipation.

    With friction by temperature (`tr.friction.thermal`) tractions and temperatures are solved by turns until
    the coefficients are those of the temperature found, `result.temperature`, within 2.5e-4 of the largest:
    `certificate.temperature`. All work of friction becomes heat, and all plastic work of a layer, which is
    too thin to hold heat back.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> grid = tr.Grid(24, 24, dx=0.6e-3, dy=0.6e-3)
    >>> n = tr.press(tr.Paraboloid(0.46, 0.46), grid, pair, force=80e3)
    >>> t = tr.roll_steady(n, 0.3, creepage=(1e-3, 0.0, 0.0))
    >>> print(f"F_x = {t.force[0] / 1e3:.2f} kN, {t.stick.sum() / n.contact.sum():.0%} of the area sticks")
    F_x = -11.30 kN, 73% of the area sticks
    """
    between = {"speed": speed, "layer": layer, "position": position}
    demand = check_demand(
        n, friction, "creepage", creepage, force, tol=tol, on_failure=on_failure, limited=False, **between
    )
    checks.choice("direction", direction, (1, -1))
    checks.choice("discretisation", discretisation, DISCRETISATIONS)
    _require_one_element(distance, demand.contact.grid.dx)
    earlier = _check_start(start, demand.contact)
    if demand.varying is None or demand.varying.thermal is None:
        _require_force(demand, direction, discretisation)
        return _roll(demand, direction, discretisation, earlier)
    V = checks.positive("speed", speed, "m/s", "it is the speed of rolling, which friction by heat needs.")
    find_effusivities(demand.contact.pair, demand.varying.thermal)  # names the body without thermal data
    limit = partial(
        _find_warm_limit, n, friction, demand.rigid, (speed, layer, position, direction, discretisation)
    )
    _require_warm_force(demand, limit)
    try:
        return _roll_hot(demand, demand.varying, V, direction, discretisation, earlier)
    except InputError as refusal:
        unknown = demand.rigid.unknown
        if not unknown:
            raise
        if len(unknown) > 1:
            raise InputError(f"the surfaces become too warm to carry both forces: {refusal}") from refusal
        given = demand.rigid.force[unknown[0]]
        raise InputError(
            f"force = {given:.6g} N is larger in size than what friction carries, about {limit():.5g} N: "
            "beyond it the surfaces become too warm. Give the creepage instead."
        ) from refusal


def _require_warm_force(demand: FrictionDemand, find_limit: Callable[[], float]) -> None:
    """Refuse a force above mu Fn, with the largest that warm friction carries."""
    try:
        demand.require_force(demand.contact)
    except InputError as refusal:
        if len(demand.rigid.unknown) > 1 or not demand.contact.contact.any():
            raise
        raise InputError(f"{refusal} Warm surfaces carry about {find_limit():.5g} N at most.") from None


def _require_force(demand: FrictionDemand, direction: int, discretisation: str) -> None:
    """Refuse a force above mu Fn, with the maximum of the creep curve where friction falls."""
    try:
        demand.require_force(demand.contact)
    except InputError as refusal:
        interface, contact = demand.interface, demand.contact
        if interface is None or interface.is_constant or not contact.contact.any():
            raise
        whole = WholeCells(FrictionPatch.around(contact, demand.friction, interface), demand.rigid, direction)
        peak = find_settled_maximum(CreepCurve(contact, whole, _choose_solver(discretisation)))
        if peak is None:
            raise
        raise InputError(
            f"{refusal} The maximum of the creep curve is {peak.describe(demand.rigid)}."
        ) from None


def _roll(
    demand: FrictionDemand,
    direction: int,
    discretisation: str,
    earlier: Earlier | None,
) -> TangentialContact:
    """Steady rolling with friction that does not depend on the temperature."""
    contact, mu, dx = demand.contact, demand.friction, demand.contact.grid.dx
    solver = _choose_solver(discretisation, earlier)

    def solve(n: NormalContact, last: SolvedFriction | None, hold: bool) -> SolvedFriction:
        whole = WholeCells(FrictionPatch.around(n, mu, demand.interface), demand.rigid, direction)
        if demand.interface is not None and not demand.interface.is_constant:
            near = solver._replace(nearby=partial(_solve_near, hold=True)) if hold else solver
            traced = solve_on_branch(n, whole, demand.inner_tol, near, last)
            if traced.others == traced.solved.others:  # what it has evaluated is kept
                return traced.solved
            return replace(traced.solved, others=traced.others)
        if last is None or not isinstance(last.step, CoveredRolling):
            return solver.thoroughly(n, whole, demand.inner_tol)
        return _solve_next(n, whole, demand.inner_tol, last, hold)

    solved = solve_step(contact, demand, solve)
    step, work, state = solved.step, solved.work_on_slip(), None
    if isinstance(step, CoveredRolling):
        work, state = _work_on_rigid_slip(solved, step), _leave_behind(solved, step)
    return finish_steps(
        [solved],
        demand,
        distance=dx,
        dissipation=work / dx,
        motion="steady rolling",
        state=state,
        direction=direction,
        discretisation=discretisation,
    )


def _roll_hot(
    demand: FrictionDemand,
    varying: VaryingFriction,
    speed: float,
    direction: int,
    discretisation: str,
    earlier: Earlier | None,
) -> TangentialContact:
    """Steady rolling with friction by temperature, at a speed (m/s)."""
    n, law, slip = demand.contact, varying.thermal, None
    assert law is not None
    if not demand.rigid.unknown:
        (xi, eta, phi), (x, y) = demand.rigid.complete(()), n.grid.mesh()
        slip = speed * np.hypot(xi - phi * y, eta + phi * x)
    assert demand.interface is not None
    stress = demand.interface.yield_stress
    begin = expect_coefficients(law, n, slip, -direction * speed, discretisation, stress)
    expects_heat = slip is None or bool(np.ptp(begin) > 0.0)  # that changes friction
    known = earlier

    def solve(mu: np.ndarray, is_last: bool) -> TangentialContact:
        nonlocal known
        warm = demand.place_friction(demand.position, mu)
        warm.require_force(n)
        tol = demand.tol if is_last else max(demand.tol, ROUGH)
        found = _roll(replace(warm, tol=tol), direction, discretisation, known)
        known = found if found.ok else known
        return found

    settled = settle_temperature(
        law, solve, lambda found: heat_steadily(law, found, speed), begin, rough=expects_heat
    )
    return finish_steady(law, settled, speed, demand.on_failure)


def _find_warm_limit(
    n: NormalContact,
    friction: Friction,
    rigid: RigidSlip,
    held: tuple[float | None, Layer | None, float, int, str],
) -> float:
    """Largest force along the axis of a given one (N) over the creepage along it, by its maximum."""
    from scipy.optimize import minimize_scalar

    (axis,), creepage = rigid.unknown, rigid.complete((0.0,))
    force = rigid.force[axis] or 0.0
    sign, (speed, layer, position, direction, discretisation) = math.copysign(1.0, force), held

    def lose(exponent: float) -> float:
        tried = [*creepage]
        tried[axis] = -sign * 10.0**exponent
        found = roll_steady(
            n,
            friction,
            creepage=(tried[0], tried[1], tried[2]),
            speed=speed,
            layer=layer,
            position=position,
            direction=direction,
            discretisation=discretisation,
            tol=1e-3,
        )
        return -sign * found.force[axis]

    return -float(minimize_scalar(lose, bounds=CREEPAGES, method="bounded", options={"xatol": 0.02}).fun)


def _choose_solver(discretisation: str, earlier: Earlier | None = None) -> StepSolver:
    """Ways to solve by whole cells or covered elements; the thorough one begins from an earlier result."""
    solve = _solve_classical if discretisation == "classical" else _solve_covered
    by_cells = _solve_classical if discretisation == "classical" else _solve_by_cells
    return StepSolver(partial(solve, earlier=earlier), partial(solve, brief=True), by_cells, _solve_near)


def _solve_classical(
    contact: NormalContact,
    whole: WholeCells,
    tol: float,
    earlier: Earlier | None = None,
    *,
    brief: bool = False,
) -> SolvedFriction:
    """By whole cells; without fallbacks where it is to be brief."""
    if earlier is not None:
        begun = _begin_from(whole, earlier)
        answer = solve_stick_slip(
            whole.equation, tol=tol, start=(begun.traction, begun.shifts), slip=begun.slip
        )
        if answer.converged:
            return SolvedFriction(contact, whole, answer)
    return SolvedFriction(contact, whole, solve_nested(whole, tol=tol, brief=brief))


def _solve_covered(
    contact: NormalContact,
    whole: WholeCells,
    tol: float,
    earlier: Earlier | None = None,
    *,
    brief: bool = False,
) -> SolvedFriction:
    """By covered elements, whose shares follow from their own solution (see `covered_rolling`).

    Without fallbacks where it is to be brief.
    """
    if not whole.patch.bound.any():
        return _solve_classical(contact, whole, tol)
    before = () if earlier is None else (partial(_begin_from, earlier=earlier),)
    for begin in (*before, partial(_begin_coarse, brief=brief), _begin_fine):
        answer = begin(whole)
        step = CoveredRolling.begin(whole, whole.direction, answer)
        solved = _follow_shares(contact, step, answer, tol, PASSES, brief=brief)
        if solved.converged or brief:
            break
    return solved


def _solve_by_cells(contact: NormalContact, whole: WholeCells, tol: float) -> SolvedFriction:
    """By covered elements near the solution of whole cells, with fallbacks only for these."""
    cells = _solve_classical(contact, whole, FIRST_PASS)
    if not cells.converged:
        return cells
    step = CoveredRolling.begin(whole, whole.direction, cells.answer)
    return _follow_shares(contact, step, cells.answer, tol, PASSES, brief=True)


def _check_start(start: object, contact: NormalContact) -> Earlier | None:
    """An earlier result on the grid of the contact, or what is known of tractions on another one."""
    if start is None or isinstance(start, TractionShares):
        return start
    earlier = checks.instance("start", start, TangentialContact, "give an earlier result of tr.roll_steady.")
    if earlier.normal.grid != contact.grid:
        raise InputError("start is on another grid than n; omit it.")
    return earlier


def _begin_from(whole: WholeCells, earlier: Earlier) -> StickSlip:
    """Tractions of an earlier result within the bounds of the contact, and their slip."""
    patch, equation = whole.patch, whole.equation
    if isinstance(earlier, TractionShares):
        traction, shifts = earlier.on(patch), np.zeros(len(whole.rigid.unknown))
        stick = (np.hypot(*traction) < patch.bound) & (patch.bound > 0.0)
        return StickSlip(traction, equation.compute_slip(traction, shifts), shifts, stick, (), 1, False)
    traction = earlier.traction[:, *patch.window]
    before = earlier.bound[patch.window]
    ratio = np.divide(patch.bound, before, out=np.ones_like(before), where=before > 0.0)
    traction = np.where(earlier.stick[patch.window], 1.0, ratio) * traction
    size = np.hypot(*traction)
    limit = np.divide(patch.bound, size, out=np.ones_like(size), where=size > patch.bound)
    traction = np.ascontiguousarray(traction * limit)
    shifts = np.array([earlier.creepage[k] for k in whole.rigid.unknown], dtype=float)
    slip = equation.compute_slip(traction, shifts)
    stick = (limit == 1.0) & (patch.bound > 0.0)
    return StickSlip(traction, slip, shifts, stick, (), 1, False)


def _begin_coarse(whole: WholeCells, *, brief: bool = False) -> StickSlip:
    """Tractions of coarser whole cells, and their slip: only where covered elements begin."""
    coarse = whole.patch.coarsen()
    if coarse is None or not coarse.bound.any():
        return _begin_fine(whole, brief=brief)
    answer = solve_nested(whole.move_to(coarse), tol=FIRST_PASS, brief=brief)
    traction = whole.patch.refine(answer.traction, coarse)
    slip = whole.equation.compute_slip(traction, answer.shifts)
    return replace(answer, traction=traction, slip=slip, products=1)


def _begin_fine(whole: WholeCells, *, brief: bool = False) -> StickSlip:
    """The same of whole cells."""
    return solve_nested(whole, tol=FIRST_PASS, brief=brief)


def _follow_shares(
    contact: NormalContact,
    step: CoveredRolling,
    answer: StickSlip,
    tol: float,
    passes: Sequence[float] = (),
    *,
    brief: bool = False,
) -> SolvedFriction:
    """Solve a step until its shares are those of its own solution."""
    products, slip, last = answer.products, None, math.inf
    for number, loose in enumerate((*passes, *(MOST_PASSES * [0.0]))):
        start = answer.traction, answer.shifts
        answer = solve_stick_slip(step.equation, tol=max(loose, tol), start=start, slip=slip, brief=brief)
        products += answer.products + 1
        found, slip = step.follow(answer)
        doubt = SHARE_EFFECT * step.shares.differ_from(found.shares)
        solved = SolvedFriction(contact, step, replace(answer, products=products), doubt=doubt)
        if not answer.converged or (loose <= tol and doubt <= SETTLED * tol):
            break
        if number >= USUAL_PASSES and doubt > GAIN * last:
            found, slip = found.take(step.shares.meet(found.shares)), None
        step, last = found, doubt
    return solved


def _solve_near(
    contact: NormalContact,
    whole: WholeCells,
    tol: float,
    last: SolvedFriction,
    *,
    hold: bool = False,
    brief: bool = True,
) -> SolvedFriction | None:
    """Solve from a solution nearby, for creepages or forces; None where other elements touch.

    Covered elements may be held with their edges, and then take any pressure.
    """
    step, patch = last.step, whole.patch
    shifts = np.array([last.creepage[k] for k in whole.rigid.unknown], dtype=float)
    answer = replace(last.answer, shifts=shifts, products=0)
    if hold and isinstance(step, CoveredRolling):
        moved = step.hold_edges(step.patch.hold_elements(step.patch.bound_under(contact.pressure)))
    elif patch.window != step.patch.window:
        return None
    elif not isinstance(step, CoveredRolling):
        start = answer.traction, answer.shifts
        found = solve_stick_slip(whole.equation, tol=tol, start=start, brief=brief)
        return SolvedFriction(contact, whole, found)
    elif not np.array_equal(patch.bound > 0.0, step.patch.bound > 0.0):
        return None
    else:
        moved = step.move_to(patch)
    return _follow_shares(contact, replace(moved, rigid=whole.rigid), answer, tol, brief=brief)


def _solve_next(
    contact: NormalContact, whole: WholeCells, tol: float, last: SolvedFriction, hold: bool
) -> SolvedFriction:
    """Solve covered elements from their solution under the last pressure; held where they do not settle."""
    if not hold:
        solved = _solve_near(contact, whole, tol, last, brief=False)
        if solved is None or not solved.converged:
            solved = _solve_covered(contact, whole, tol)
        if solved.converged:
            return solved
    held = _solve_near(contact, whole, tol, last, hold=True, brief=False)
    assert held is not None
    return held


def _leave_behind(solved: SolvedFriction, step: CoveredRolling) -> MaterialState:
    """The tractions on the material, from which transient rolling can continue."""
    patch, covered = (
        FrictionPatch.over(solved.normal, step.patch.friction, step.patch.interface),
        step.elements,
    )
    elements, traction = MaterialElements.left_by(covered, step.parts, patch), solved.answer.traction
    pressed = PressedDisplacement.of(solved.normal, 1)
    between, remembered = step.patch.interface, solved.remembered
    carried = None if remembered is None else remembered.at((covered.row, covered.column))
    return MaterialState(
        elements,
        traction[:, covered.row, covered.column],
        0.0,
        patch,
        pressed=pressed,
        carried=carried,
        layer=0.0 if between is None else between.compliance,
    )


def _work_on_rigid_slip(solved: SolvedFriction, step: CoveredRolling) -> float:
    """Work dissipated in a step, J: the work of the rigid slip, since the elastic energy is constant.

    Between unlike bodies, whose pressure displaces particles tangentially, some of it is exchanged along the
    normal, as the pressure is not uniform. Where nearly all sticks, rounding on a coarse grid may turn the
    small rest negative; it is then zero.
    """
    patch, (px, py), (xi, eta, phi) = step.patch, solved.answer.traction, solved.creepage
    x, y = step.window_arms, patch.mesh[1]
    power = (xi - phi * y) * px + (eta + phi * x) * py
    work = -float(power.sum()) * patch.grid.dx
    pressed = PressedDisplacement.of(solved.normal, 1)
    if pressed is not None:
        # half in the step that ends where they are and half in the next: tractions are paired with the mean
        elements = step.elements
        row, place = elements.row + patch.top, elements.middle + patch.left
        ahead, behind = (pressed.at(row, place + sign * elements.direction) for sign in (1.0, -1.0))
        drawn = elements.spread_over_window(0.5 * (behind - ahead))
        work -= float((solved.answer.traction * drawn).sum())
    return max(0.0, work) * patch.grid.cell_area


def _require_one_element(distance: float | None, dx: float) -> None:
    if distance is None:
        return
    if abs(checks.positive("distance", distance, "m") - dx) > 1e-6 * dx:
        raise InputError(
            f"distance = {distance} m must be one element, dx = {dx} m: steady rolling proceeds from element "
            "to element; omit it, or use a grid of that element size."
        )
