"""All structures that can be struck: response at the struck point, and deflection elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.beams.beam_description import MOST_MODES, place_on, rates
from traction.beams.exact.modes import rigid_motions
from traction.beams.exact.residual_flexibility import ResidualFlexibility, Shifts, find_lowest_elastic
from traction.errors import InputError, UndefinedError
from traction.impacts.structures.modal_structure import ModalStructure, PointResponse
from traction.impacts.structures.plate import Plate
from traction.impacts.structures.unbounded import InfiniteBeam, InfinitePlate, RigidGround

Place = float | Sequence[float] | np.ndarray | None  #: of a strike, as a user gives it
Structure = Beam | Plate | ModalStructure | InfiniteBeam | InfinitePlate | RigidGround
USUAL_MODES = {Beam: 200, Plate: 2000}
AT_SUPPORT = 1e-9  #: of the length, from a rigid support
SHARES = (0.05, 0.1)  #: of the highest frequency, at which the residual of a free beam is evaluated


def check_structure(value: object) -> Structure:
    """A structure given by a user, checked."""
    if not isinstance(value, Structure):
        raise InputError(
            f"structure = {checks.shown(value)} cannot be struck; give a tr.Beam, tr.Plate, "
            "tr.ModalStructure, tr.InfiniteBeam, tr.InfinitePlate or tr.RigidGround."
        )
    return value


def point_response(
    structure: Structure, at: Place, modes: int | None, residual: bool, times: tuple[float, float]
) -> PointResponse:
    """Response of the struck point; `times` (s) are the shortest and longest of interest."""
    unbounded = isinstance(structure, InfiniteBeam | InfinitePlate | RigidGround)
    if unbounded and (at is not None or modes is not None):
        raise InputError(f"at and modes must be None: a {type(structure).__name__} is the same everywhere.")
    if isinstance(structure, InfiniteBeam):
        return structure.decays(*times)
    if isinstance(structure, InfinitePlate | RigidGround):
        nothing = np.zeros(0)
        mobility = structure.mobility if isinstance(structure, InfinitePlate) else 0.0
        return PointResponse(nothing, nothing, nothing, mobility=mobility)
    if modes is not None:
        checks.count("modes", modes, 1, MOST_MODES)
    if isinstance(structure, ModalStructure):
        found = structure.point_response(at, modes)
    elif isinstance(structure, Plate):
        found = structure.point_response(at, modes or USUAL_MODES[Plate])
    else:
        found = beam_response(structure, struck_place(structure, at), modes or USUAL_MODES[Beam])
    return found if residual else replace(found, residual_flexibility=0.0)


def struck_place(beam: Beam, at: Place) -> float:
    """A position on a beam that is not rigidly supported."""
    if at is None:
        raise InputError("at is missing: give the position of the strike, in m from the left end.")
    x = place_on("at", at, beam.length)
    for end, held in zip(beam.ends, beam.supports, strict=True):
        if np.isinf(held.deflection) and abs(x - end) <= AT_SUPPORT * beam.length:
            raise InputError(
                f"at = {x} m is a support, which does not move: strike the beam elsewhere, or use "
                "tr.RigidGround()."
            )
    return x


@lru_cache(maxsize=64)
def beam_response(beam: Beam, x: float, n: int) -> PointResponse:
    """The n lowest modes at x and the flexibility of all others."""
    modes = beam.modes(n)
    omega, phi = modes.frequencies, modes.deflection(x)
    rest = float(residual_line(beam, x, n, np.array([x]))[0])
    return PointResponse(omega, rates(beam.damping, omega), phi, max(0.0, rest))


def residual_line(beam: Beam, at: float, n: int, x: np.ndarray) -> np.ndarray:
    """Static deflection (m/N) at positions x under a force at `at`, of the modes from the n-th on.

    A beam with rigid-body motions has no static deflection; there the flexibility of the neglected modes
    follows from two imaginary frequencies far below theirs, at which mass acts like a foundation.
    """
    modes = beam.modes(n)
    shifts: Shifts = ((1.0, 0.0),)
    if rigid_motions(beam):
        highest = float(modes.frequencies[-1]) or find_lowest_elastic(beam)
        low, high = ((share * highest) ** 2 for share in SHARES)
        shifts = ((high / (high - low), -low), (-low / (high - low), -high))
    return ResidualFlexibility(beam, modes, shifts).under(at)("deflection", x)


def deflection_shapes(
    structure: Structure, at: Place, response: PointResponse, x: np.ndarray, residual: bool
) -> tuple[np.ndarray, np.ndarray]:
    """phi of the modes at positions x (m), and the deflection there (m/N) of the neglected modes."""
    n = len(response)
    if isinstance(structure, Beam):
        place = struck_place(structure, at)
        line = residual_line(structure, place, n, x) if residual else np.zeros(x.size)
        return structure.modes(n).deflection(x), line
    if isinstance(structure, ModalStructure):
        return structure.shapes(x)[:n], np.zeros(x.size)
    raise UndefinedError(
        f"the deflection along x is for beams and modal structures, not for a {type(structure).__name__}"
        "; use surface(x, y, t) for a plate."
    )
