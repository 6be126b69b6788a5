"""`roll`: transient rolling, a step of any length from an earlier contact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from traction import checks
from traction.checks import Either
from traction.contact.friction.friction_input import Friction
from traction.contact.friction.friction_solution import (
    FrictionDemand,
    check_demand,
    finish_steps,
    solve_step,
)
from traction.contact.friction.interface_memory import require_layer
from traction.contact.friction.missing_length import (
    lacks_length,
    lend_length,
    lend_to_step,
    withdraw_length,
)
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_march import MaterialMarch
from traction.contact.rolling.moving_grid import solve_moving_step
from traction.contact.stick_slip.rigid_slip import Parts
from traction.contact.temperature.warm_step import Warmth
from traction.errors import InputError
from traction.friction_laws.layer import Layer

STEP = "rolling step"  #: the motion of which a result is
SCHEMES = ("covered", "world-fixed", "moving", "moving-interpolated")


def roll(
    previous: TangentialContact,
    friction: Friction,
    *,
    distance: Either = None,
    step: Either = None,
    creepage: Parts | None = None,
    force: Parts | None = (None, None),
    speed: float | None = None,
    layer: Layer | None = None,
    normal: NormalContact | None = None,
    direction: int = 1,
    scheme: str | None = None,
    discretisation: str = "covered",
    interpolation_cell: float = 1.0,
    tol: float = 1e-6,
    on_failure: str = "raise",
) -> TangentialContact:
    """Roll one step of any length from an earlier contact (transient rolling).

    Parameters
    ----------
    previous
        Contact at the start of the step: a result of `tr.shift`, `tr.roll_steady` or `tr.roll`.
    friction
        Coefficient of friction mu (Coulomb): a number, one per cell of the grid, a function of x and y, or a
        law of `tr.friction`, whose memory follows the particles. Friction along the track is met where it
        lies; that of the temperature by the heat of this step and what the particles carry of earlier ones.
    distance, step
        Distance rolled in the step, m; `step` is the same, named as in scenario files.
    creepage
        (xi, eta, phi): longitudinal and lateral creepage (-) and spin (rad/m), body 1 relative to body 2;
        None in a direction whose force is given. By default zero, except where a force is given.
    force
        Tangential force on body 1 (F_x, F_y), N, at the end of the step; None in a direction whose creepage
        is given.
    speed
        Speed of rolling, m/s, needed by a law of the slip speed or of the temperature.
    layer, direction, tol, on_failure
        As in `tr.roll_steady`.
    normal
        Normal contact at the end of the step, on the same grid; that of `previous` by default. In between,
        normal force, gap and given tangential forces change evenly. Bodies that are apart at one end of the
        step touch from where, or up to where, their distance is zero.
    scheme
        "covered" (default): elements stay in the material and end at the true edge of the contact; free of
        wiggles at any distance. "world-fixed": whole cells of the material. "moving": elements move with the
        contact, as in CONTACT (Vollebregt); exact to its digits at one element per step, wiggles at short
        steps. "moving-interpolated": interpolates the old displacements in time; no wiggles, but it smooths.
    discretisation
        "classical" is that of CONTACT, with the scheme "moving" unless another is named. With
        "world-fixed" it is CONTACT's sequence of shifts on a grid fixed in the material, for distances of
        whole elements.
    interpolation_cell
        c*, distance in elements over which "moving-interpolated" interpolates.

    Returns
    -------
    TangentialContact
        Contact at the end of the step; `dissipation` in J per step.

    Raises
    ------
    InputError
        If grids or materials differ from `previous`, or not exactly one of creepage and force is given per
        direction.
    UndefinedError
        On a line grid without a length, if the force changes at a given creepage; where the force is given
        and changes, the creepage of the step is NaN.
    ConvergenceError
        If the iteration does not converge; the error carries the result.

    Notes
    -----
    The slip follows each particle: s = w + (u(m, t) - u(m, t'))/dq. Wiggles, smoothing and the schemes
    against them: van der Wekken, Vollebregt and Vuik, "Occurrence and removal of wiggles in transient rolling
    contact simulation". The first two schemes split steps of more than one element, and "covered" also those
    in which edges of the contact move by more than a quarter of an element, or friction changes too much with
    the slip speed. Their dissipation is the work of the rigid slip minus the increase of the
    elastic energy, and never negative: a deficit is carried to the following steps. Moving schemes sum
    tractions at the end of the step times slips, as CONTACT does.

    A law that falls with the slip by more than a third of what the contact resists in a step, without memory
    or with one that is too short, lags: mu = (1 - theta) mu_before + theta mu_s(s) at each place of the
    contact, without which steps would alternate or jump. Steady states are those of the law; the message and
    `t.lag` state by what distance it lags.

    Fields of covered elements are means over the cells of the grid; where a layer yields they may exceed its
    yield stress next to the edges, as `certificate.averaging` states (see `tr.Layer`).

    Examples
    --------
    From rest, five steps of half an element at constant creepage:

    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> n = tr.press(tr.Cylinder(0.46), tr.Grid.line(40, 0.4e-3, length=0.1), pair, force=5e6)
    >>> t = tr.shift(n, 0.3, displacement=(0.0, 0.0, 0.0))
    >>> for _ in range(5):
    ...     t = tr.roll(t, 0.3, distance=0.2e-3, creepage=(1e-3, 0.0, 0.0))
    >>> print(f"F_x = {t.force[0] / 1e3:.1f} kN per metre")
    F_x = -43.4 kN per metre
    """
    before = checks.instance(
        "previous", previous, TangentialContact, "begin with tr.shift or tr.roll_steady."
    )
    contact = before.normal if normal is None else normal
    checks.choice("direction", direction, (1, -1))
    given = checks.exactly_one(distance=distance, step=step)
    rolled = distance if given == "distance" else step
    way = checks.positive(given, rolled, "m", "it is the distance rolled in the step.")
    between = {"speed": speed, "layer": layer, "position": before.position + direction * way}
    demand = check_demand(
        contact, friction, "creepage", creepage, force, tol=tol, on_failure=on_failure, **between
    )
    require_layer(before, layer)
    if contact.grid != before.normal.grid or contact.pair != before.normal.pair:
        raise InputError("normal has another grid or other materials than previous; use the same ones.")
    scheme = _choose_scheme(scheme, discretisation)
    cell = checks.positive("interpolation_cell", interpolation_cell)
    if scheme == "world-fixed" and discretisation == "classical":
        _check_whole_elements(way, contact.grid.dx)
        scheme = "moving"  # at whole elements the same particles meet the same cells
    if lacks_length(contact):
        lent = replace(demand, contact=lend_length(contact))
        result = roll_step(lend_to_step(before), lent, way, direction, scheme, cell)
        return withdraw_length(result, demand, before.force)
    return roll_step(before, demand, way, direction, scheme, cell)


def roll_step(
    before: TangentialContact,
    demand: FrictionDemand,
    way: float,
    direction: int,
    scheme: str,
    cell: float = 1.0,
) -> TangentialContact:
    """Roll over a way (m) by one of the schemes, of which `cell` belongs to "moving-interpolated"."""
    if scheme.startswith("moving"):
        ahead = cell if "inter" in scheme else None

        def roll_on(warm: FrictionDemand) -> SolvedFriction:
            def solve(n: NormalContact, last: SolvedFriction | None, hold: bool) -> SolvedFriction:
                return solve_moving_step(before, n, warm, direction * way, ahead)

            return solve_step(warm.contact, warm, solve)

        warmth = Warmth.before(before, demand, "classical")
        if warmth is None:
            solved = roll_on(demand)
        else:
            guess = np.array([before.creepage[k] for k in demand.rigid.unknown])
            solved, warmth = warmth.settle(demand, direction * way, guess, roll_on)
        lost = solved.work_on_slip()
        result = finish_steps([solved], demand, distance=way, dissipation=lost, motion=STEP)
        return result if warmth is None else warmth.finish(result)
    march = MaterialMarch(before, demand, direction, scheme == "world-fixed")
    steps, part, lost, state, left = march.roll_over(way)
    result = finish_steps(steps, demand, distance=part, dissipation=max(0.0, lost), motion=STEP, state=state)
    return result if left is None else left.finish(result)


def _check_whole_elements(way: float, dx: float) -> None:
    """CONTACT's whole cells fixed in the material are defined where the contact moves by whole elements."""
    if abs(way / dx - round(way / dx)) > 1e-9 * max(1.0, way / dx):
        raise InputError(
            f'distance = {way} m is {way / dx:.6g} elements of {dx} m; scheme="world-fixed" with '
            'discretisation="classical" rolls by whole elements. Use a multiple of the element, or omit '
            'discretisation: the scheme "world-fixed" alone takes any distance.'
        )


def _choose_scheme(scheme: str | None, discretisation: str) -> str:
    """The scheme that `scheme` and `discretisation` select."""
    checks.choice("discretisation", discretisation, ("covered", "classical"))
    if scheme is None:
        return "covered" if discretisation == "covered" else "moving"
    checks.choice("scheme", scheme, SCHEMES)
    if scheme == "covered" and discretisation == "classical":
        raise InputError('scheme = "covered" has no classical elements; omit scheme or discretisation.')
    return scheme
