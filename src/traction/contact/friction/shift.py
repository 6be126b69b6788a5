"""`shift`: tangential loading without rolling (Cattaneo), alone or as a step of a history of loads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from traction import checks
from traction.contact.elements.friction_step import solve_nested
from traction.contact.elements.shift_way import ShiftWay
from traction.contact.elements.whole_cells import WholeCells
from traction.contact.friction.friction_input import Friction
from traction.contact.friction.friction_solution import FrictionDemand, check_demand, finish_steps, solve_step
from traction.contact.friction.interface_memory import carry_along, require_layer
from traction.contact.friction.missing_length import lacks_length, lend_length, lend_to_step, withdraw_length
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.friction.varying_friction import VaryingFriction
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import Parts
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.errors import InputError
from traction.friction_laws.layer import Layer


def shift(
    n: NormalContact,
    friction: Friction,
    *,
    displacement: Parts | None = None,
    force: Parts | None = (None, None),
    speed: float | None = None,
    layer: Layer | None = None,
    previous: TangentialContact | None = None,
    position: float = 0.0,
    discretisation: str = "classical",
    tol: float = 1e-6,
    on_failure: str = "raise",
) -> TangentialContact:
    """Shift body 1 tangentially over body 2 without rolling (Cattaneo, Mindlin).

    Parameters
    ----------
    n
        Normal contact, the result of `tr.press`.
    friction, layer, on_failure
        As in `tr.roll_steady`.
    displacement
        Rigid shift of this step (dx, dy, rotation) in m, m and rad, body 1 relative to body 2; None in a
        direction whose force is given.
    force
        Tangential force on body 1 (F_x, F_y), N; None in a direction whose displacement is given.
    speed
        Speed of the shift, m/s, needed by a law: the step lasts as long as the displacement takes.
    previous
        The preceding shift, on the same grid: tractions depend on the history, since sticking elements keep
        their place and slipping ones dissipate energy. By default the surfaces start free of traction.
    position
        Of the contact along the track, m: for friction by `tr.friction.along_track`, and steps of rolling
        that follow.
    discretisation
        "classical": whole cells, as in CONTACT (Vollebregt). No particles enter a contact that does not roll,
        so its edge matters little.
    tol
        Largest error of slips and tractions, relative to their scales.

    Returns
    -------
    TangentialContact
        Tractions, slip (m), stick area, force, dissipation (J per step); `creepage` is the shift of the step.

    Raises
    ------
    InputError
        If not exactly one of displacement and force is given per direction, or the force exceeds mu Fn.
    UndefinedError
        On a line grid without a length, if the force changes at a given displacement.
    ConvergenceError
        If the iteration does not converge; the error carries the result.

    Notes
    -----
    The tractions satisfy Coulomb's law: |p| <= mu pn, and p = -mu pn s/|s| where the slip s is not zero
    (Kalker 1990, chapter 3). For bodies of different materials pressure and tractions are solved together at
    the same normal force; `result.normal` is the final contact. On a line grid without a length tractions
    under given forces are defined, the shift is not: it is NaN.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> n = tr.press(tr.Sphere(0.02), tr.Grid(24, 24, 20e-6, 20e-6), pair, force=50.0)
    >>> t = tr.shift(n, 0.3, force=(7.5, 0.0))  # half of mu Fn
    >>> exact = tr.cattaneo.sphere(tr.hertz.sphere(0.02, pair, force=50.0), 0.3, 7.5)
    >>> print(f"{t.creepage[0] * 1e6:.2f} um, {exact.shift * 1e6:.2f} um")
    -0.23 um, 0.23 um
    """
    checks.choice("discretisation", discretisation, ("classical",))
    varying = VaryingFriction.of(friction)
    if varying is not None and varying.thermal is not None:
        raise InputError(
            "friction by temperature is for rolling, in which cold material enters and takes the heat along. "
            "Bodies that are shifted over each other keep it: their temperature has no steady state, and "
            "depends on all that went before. Give a field of coefficients, law.coefficient(temperature)."
        )
    between = {"speed": speed, "layer": layer, "position": position}
    demand = check_demand(
        n, friction, "displacement", displacement, force, tol=tol, on_failure=on_failure, **between
    )
    if demand.interface is not None and not demand.interface.law.is_constant and demand.rigid.unknown:
        raise InputError(
            "a shift under a given force has no duration, and the friction law needs slip speeds: give the "
            "displacement and its speed, or a constant coefficient of friction."
        )
    if previous is not None:
        _check_previous(previous, demand.contact, layer)
    if lacks_length(demand.contact):
        lent = replace(demand, contact=lend_length(demand.contact))
        before = None if previous is None else lend_to_step(previous)
        start = (0.0, 0.0) if previous is None else previous.force
        return withdraw_length(_solve_shift(lent, before), demand, start)
    return _solve_shift(demand, previous)


def _solve_shift(demand: FrictionDemand, previous: TangentialContact | None) -> TangentialContact:
    """Solve the step from the tractions of the previous one, or from none."""
    earlier = None if previous is None else previous.displacement()

    def solve(n: NormalContact, last: SolvedFriction | None, hold: bool) -> SolvedFriction:
        patch, rigid = FrictionPatch.around(n, demand.friction, demand.interface), demand.rigid
        if previous is None or earlier is None:
            step = WholeCells(patch, rigid, 0, 1.0, way=_find_way(demand))
            return SolvedFriction(n, step, solve_nested(step, tol=demand.inner_tol))
        window = (slice(None), *patch.window)
        old, start = earlier[window], previous.traction[window]
        carried = None
        if demand.interface is not None:
            old = old + demand.interface.compliance * start
            carried = carry_along(previous, demand.interface, 0.0).at(patch.window)
        step = WholeCells(patch, rigid, 0, 1.0, old, carried, _find_way(demand))
        shifts = np.zeros(len(rigid.unknown))
        answer = solve_stick_slip(step.equation, tol=demand.inner_tol, start=(start, shifts))
        return SolvedFriction(n, step, answer)

    solved = solve_step(demand.contact, demand, solve)
    return finish_steps([solved], demand, distance=1.0, dissipation=solved.work_on_slip(), motion="shift")


def _find_way(demand: FrictionDemand) -> ShiftWay | None:
    """Way of the shift, by which its duration follows from a speed; None where nothing depends on it."""
    if demand.interface is None:
        return None
    return ShiftWay(demand.contact, demand.rigid.complete((0.0, 0.0)))


def _check_previous(previous: TangentialContact, contact: NormalContact, layer: Layer | None) -> None:
    """Check that the preceding step has the same bodies and grid."""
    remedy = "give an earlier result of tr.shift."
    before = checks.instance("previous", previous, TangentialContact, remedy).normal
    if before.grid != contact.grid or before.pair != contact.pair:
        raise InputError("previous has another grid or other materials; use the same ones for all steps.")
    require_layer(previous, layer)
