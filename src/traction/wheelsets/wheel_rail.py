"""`wheel_rail`: forces between the wheels of a wheelset and the rails, from profiles and a position."""

from __future__ import annotations

from collections.abc import Sequence

from traction import checks
from traction.contact.normal.press import warn_of_coarse_grid
from traction.contact.tables.creep_table import CreepTable
from traction.errors import ConvergenceError, InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.layer import Layer
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.materials import Pair
from traction.wheelsets.assembly import build_result
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.patches.rail_memory import RailMemory
from traction.wheelsets.patches.tasks import solve_singly
from traction.wheelsets.problem import check_problem
from traction.wheelsets.wheel_rail_contact import WheelRailContact

BEARING = 0.1  #: share of the force of a patch whose coarse grid is worth a warning
ENOUGH = 8  #: elements across a patch


def wheel_rail(
    wheelset: Wheelset,
    track: Track,
    *,
    side: str = "both",
    y: float = 0.0,
    yaw: float = 0.0,
    roll: float | None = None,
    force: float | Sequence[float] | None = None,
    z: float | None = None,
    speed: float | None = None,
    pitch_rate: float | None = None,
    velocity: Sequence[float] | None = None,
    rates: Sequence[float] | None = None,
    previous: WheelRailContact | RailMemory | None = None,
    distance: float | None = None,
    friction: float | FrictionLaw | ThermalFriction | InclinedFriction | TrackFriction = 0.3,
    layer: Layer | None = None,
    position: float | None = None,
    pair: Pair | None = None,
    dx: float = 0.2e-3,
    dy: float = 0.2e-3,
    discretisation: str | None = None,
    tangential: str | CreepTable = "half-space",
    convention: str = "traction",
    on_failure: str = "raise",
) -> WheelRailContact:
    """Compute contact patches and forces of a wheelset on a track, from its position and load.

    Parameters
    ----------
    wheelset, track
        What rolls, and on what.
    side
        "left", "right" or "both" wheels.
    y
        Lateral shift of the centre of the wheelset, m, to the left.
    yaw, roll
        Rotations of the wheelset about z and then about x, rad. By default `roll` is 0 for one wheel, and for
        both wheels found so that each carries its force.
    force
        Vertical force, N: of the wheel, or of both together, half on each; two numbers (left, right) give
        each wheel its own. Exactly one of `force` and `z` is given.
    z
        Height of the centre of the wheelset, m, upwards from where the nominal radius would roll on the
        rails' tops.
    speed
        Forward speed of the centre, m/s; 1 by default, as only ratios of velocities matter. Friction that
        depends on the slip speed needs it.
    pitch_rate
        Rate of rotation about the axle, rad/s, positive in forward rolling. By default that of pure rolling:
        no longitudinal slip in the mean over all patches, weighted by their pressure.
    velocity
        Velocity (y, z) of the centre, m/s; by default zero, with `previous` that from position to position.
    rates
        Roll rate and yaw rate, rad/s, about the axes of the wheelset; by default likewise.
    previous
        Result at an earlier position, from which the wheelset has rolled on by `distance`: transient rolling,
        in which tractions stay on the rail while the patches move over its profile. A steady result, one of
        an earlier step, or what either left on the rails, `result.remember()`.
    distance
        Distance rolled since `previous`, m. Load and position change evenly meanwhile.
    friction
        Coefficient of friction mu, a law of `tr.friction` for the slip speed, or coefficients along the
        rail's profile by `tr.friction.by_inclination`: of every row of covered elements, and in "classical"
        patches, as in CONTACT, that at the contact angle. By temperature (`tr.friction.thermal`), or along
        the track (`tr.friction.along_track`), around `position`.
    layer
        A `tr.Layer` between wheel and rail, which shears and may yield.
    position
        Of the centre of the wheelset along the track, m, for friction along it. By default 0, and with
        `previous` that of its end after the distance rolled.
    pair
        Materials of wheel and rail; steel on steel by default.
    dx, dy
        Size of the elements along x and along the surface, m.
    discretisation
        "classical": whole cells, as in CONTACT, the default of steady rolling. "covered": elements that end
        at the true edge of the contact, the default with `previous`; "classical" then is CONTACT's scheme of
        moving elements, meant for steps of one element.
    tangential
        "half-space" solves steady rolling on the grid. Quick alternatives on the ellipse that is equivalent
        to the pressure: "fastsim", or a `tr.CreepTable`, which interpolates solutions.
    convention
        "contact" takes inputs and returns results in x forward, y right, z down with forces on the rails, as
        CONTACT does; all in SI units.
    on_failure
        "raise", or "return" to get a result that did not converge, with its status.

    Returns
    -------
    WheelRailContact
        Patches with location, creepages and contact fields; total force and moment; height.

    Raises
    ------
    InputError
        If a wheel is beside its rail, the height lies far from contact, or the force is more than the
        profiles carry.
    ConvergenceError
        If the result does not pass its certificate; the error carries it.

    Notes
    -----
    Where wheel and rail can touch follows from the contact locus (Wang 1984), the points of the wheel whose
    normals lie across the track. Each region in which the undeformed bodies overlap is a patch: its reference
    point and contact angle are means over the overlap, weighted by its square, and there lie the centre of an
    element and a plane in which the half space is solved (Vollebregt, CONTACT). Creepages are those of the
    rigid wheelset at that point, over the mean of forward and circumferential speed. The height is found by
    Newton's method on the vertical force, tangential forces included.

    In transient rolling elements lie on a lattice that is fixed to the rail along its profile and moves with
    the wheelset along x; reference points are the points of it next to the means above. Patches take up the
    tractions that they find on the material below them, of one earlier patch or several; a patch that appears
    begins without, and what one leaves behind vanishes. The wheelset moves with the velocities that bring it
    from the earlier position to the new one, unless velocities are given.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("UIC60-benchmark"))
    >>> c = tr.wheel_rail(wheelset, track, side="left", y=-2e-3, force=10e3, dx=0.5e-3, dy=0.5e-3)
    >>> patch = c.patches[0]
    >>> print(f"{patch.peak_pressure / 1e6:.0f} MPa at y = {patch.place[0] * 1e3:.2f} mm on the rail")
    463 MPa at y = -4.14 mm on the rail
    """
    checks.choice("on_failure", on_failure, ("raise", "return"))
    before = _find_memory(previous, distance, side, discretisation)
    given = {
        "side": side, "y": y, "yaw": yaw, "roll": roll, "force": force, "z": z, "speed": speed,
        "pitch_rate": pitch_rate, "velocity": velocity, "rates": rates, "distance": distance,
        "friction": friction, "layer": layer, "position": position, "pair": pair, "dx": dx, "dy": dy,
        "discretisation": discretisation, "tangential": tangential, "convention": convention,
    }  # fmt: skip
    problem = check_problem(wheelset, track, given, before)
    result = build_result(problem, solve_singly(problem.solving()))
    if on_failure == "raise" and not result.ok:
        raise ConvergenceError(f"{result.message[0].upper()}{result.message[1:]}.", result)
    warn_of_coarse_patches(result)
    return result


def warn_of_coarse_patches(result: WheelRailContact) -> None:
    """Warn the user of patches with few elements across, of those that carry much."""
    for patch in result.patches:
        contact = patch.normal.contact
        across = min(int(contact.sum(axis=0).max()), int(contact.sum(axis=1).max()))
        if across < ENOUGH and patch.normal.force >= BEARING * abs(float(result.force[2])):
            warn_of_coarse_grid(patch.normal)


def _find_memory(
    previous: object, distance: object, side: object, discretisation: object
) -> RailMemory | None:
    """What an earlier position left on the rails; None in steady rolling."""
    if (previous is None) != (distance is None):
        raise InputError(
            "previous and distance belong together: give both for transient rolling, or neither."
        )
    if previous is None:
        return None
    if isinstance(previous, RailMemory):
        return previous
    earlier = checks.instance("previous", previous, WheelRailContact, "a result of tr.wheel_rail.")
    if earlier.side != side:
        raise InputError(
            f'side = {checks.shown(side)}, but previous is of side "{earlier.side}"; roll on with the same '
            "wheels."
        )
    if not earlier.ok:
        raise InputError(
            f"previous did not converge ({earlier.message}); transient rolling needs a solution."
        )
    return earlier.remember("covered" if discretisation is None else str(discretisation))
