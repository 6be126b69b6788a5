"""`benchmark`: elements for the clamped beam without end, whose solution is closed."""

from __future__ import annotations

from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam import Beam
from traction.beams.obstacle.obstacle_contact import FAR, ObstacleContact
from traction.beams.obstacle.obstacle_solver import solve
from traction.theory.obstacle import exact


def benchmark(
    epsilon: float,
    elements: ArrayLike,
    *,
    length: float | None = None,
    multiplier: str = "linear",
    fitted: bool = True,
) -> ObstacleContact:
    """The benchmark of `tr.obstacle.exact(epsilon)` by elements, without dimensions: EI = 1, load 1, gap 1.

    `length` is delta + 20 epsilon + 1 unless given; a shorter one than delta + 20 epsilon is warned of,
    since its end is felt where the contact begins. The rest is as in `tr.obstacle.solve`.
    """
    closed = exact(epsilon)
    long = closed.free_length + FAR * closed.epsilon + 1.0
    size = long if length is None else checks.positive("length", length)
    shear = None if closed.epsilon == 0.0 else closed.epsilon**-2
    beam = Beam(size, 1.0, 1.0, shear_stiffness=shear, supports=("clamped", "free"))
    contact = solve(beam, 1.0, 1.0, elements, multiplier=multiplier, fitted=fitted)
    _ = contact.benchmark  # warns where the beam is too short
    return contact
