"""`roll`: transient rolling, a step of any length from an earlier contact."""

from __future__ import annotations

from traction import checks
from traction.contact.friction.friction_solution import check_demand, finish_steps, solve_step
from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_march import MaterialMarch
from traction.contact.rolling.moving_grid import solve_moving_step
from traction.contact.stick_slip.rigid_slip import Parts
from traction.errors import InputError

STEP = "rolling step"  #: the motion of which a result is
SCHEMES = ("covered", "world-fixed", "moving", "moving-interpolated")


def roll(
    previous: TangentialContact,
    friction: float,
    *,
    distance: float,
    creepage: Parts | None = None,
    force: Parts | None = (None, None),
    normal: NormalContact | None = None,
    direction: int = 1,
    scheme: str | None = None,
    discretisation: str = "covered",
    interpolation_cell: float = 1.0,
    tol: float = 1e-6,
    on_failure: str = "raise",
) -> TangentialContact:
    """One step of transient rolling over `distance` (m), from `previous`: a shift, or the step before.

    `creepage` is (xi, eta, phi), per direction either that or the force (N, on body 1) is given; `normal` is
    the contact at the end of the step, on the same grid, and that of `previous` unless given.
    Schemes: "covered" (any distance) keeps the elements in the material, ends them at the true edge of the
    contact, and counts the way of particles since they entered; "world-fixed" takes whole cells of the
    material; "moving" moves the elements with the contact, as the program CONTACT does (its digits at
    one element per step; wiggles at short steps); "moving-interpolated" takes the old displacements between
    those here and `interpolation_cell` elements ahead (no wiggles, but it smooths).
    The first two split a step of more than one element. discretisation="classical" is that of the reference
    program, the scheme "moving" unless one is named.
    With different materials the normal problem is solved again at the same force: `result.normal`.
    `dissipation` (J) of the first two is what the rigid slip brings in less what is stored, and never below
    0: what a step seems to give back is taken from the next ones. Moving schemes count tractions at the end
    of the step times slips, as the program CONTACT does.
    """
    before = checks.instance(
        "previous", previous, TangentialContact, "begin with tr.shift or tr.roll_steady."
    )
    contact = before.normal if normal is None else normal
    demand = check_demand(contact, friction, "creepage", creepage, force, tol=tol, on_failure=on_failure)
    if contact.grid != before.normal.grid or contact.pair != before.normal.pair:
        raise InputError("normal lies on another grid than previous, or is of other materials.")
    checks.choice("direction", direction, (1, -1))
    scheme = _choose_scheme(scheme, discretisation)
    way = checks.positive("distance", distance, "m", "it is the distance rolled in the step.")
    cell = checks.positive("interpolation_cell", interpolation_cell)
    if scheme.startswith("moving"):
        ahead = cell if "inter" in scheme else None

        def solve(n: NormalContact, last: SolvedFriction | None, hold: bool) -> SolvedFriction:
            return solve_moving_step(before, n, demand, direction * way, ahead)

        solved = solve_step(contact, demand, solve)
        lost = solved.work_on_slip()
        return finish_steps([solved], demand, distance=way, dissipation=lost, motion=STEP)
    march = MaterialMarch(before, demand, direction, scheme == "world-fixed")
    steps, lost, state = march.roll_over(way)
    part = way / len(steps)
    return finish_steps(steps, demand, distance=part, dissipation=max(0.0, lost), motion=STEP, state=state)


def _choose_scheme(scheme: str | None, discretisation: str) -> str:
    """The scheme that is meant."""
    checks.choice("discretisation", discretisation, ("covered", "classical"))
    if scheme is None:
        return "covered" if discretisation == "covered" else "moving"
    checks.choice("scheme", scheme, SCHEMES)
    if scheme == "covered" and discretisation == "classical":
        raise InputError('scheme = "covered" has no classical elements; leave one of the two out.')
    return scheme
