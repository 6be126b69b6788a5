"""A beam on an obstacle: closed forms, mortar elements, two beams, and a beam that lands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from traction.app.verification import Check, number_of
from traction.beams.beam import Beam
from traction.beams.beam_description import Rayleigh
from traction.beams.obstacle.infinite_beam import exact
from traction.beams.obstacle.mesh_adaptation import adapt
from traction.beams.obstacle.obstacle_contact import ObstacleContact
from traction.beams.obstacle.obstacle_solver import solve
from traction.beams.obstacle.two_beams import press_together
from traction.resting.landing import land

SOURCE = "Bosten et al., 30 digits"
#: epsilon -> free length and force beyond the load (dynamics.json)
CLOSED = {
    0.01: (2.902830717672838, 0.9609665381045878),
    0.1: (2.801219744665288, 0.869447515596932),
    0.5: (2.1744077073023844, 0.46294117824367056),
}
ATOM = 72.0**0.25 / 3.0


def checks() -> Iterator[Check]:
    """All rows of the obstacle."""
    name = "obstacle-closed"
    yield Check(name, "point force", "delta/3", ATOM, 1e-15, lambda: exact(0.0).point_force)
    for epsilon, (delta, excess) in CLOSED.items():
        words = f"epsilon {epsilon:g}"
        yield Check(name, f"free length, {words}", SOURCE, delta, 1e-12, _closed, epsilon, "free_length")
        yield Check(name, f"excess force, {words}", SOURCE, excess, 1e-12, _closed, epsilon, "excess_force")
    for space in ("point", "constant", "linear", "dual"):
        for words, quantity, epsilon, h, expected in (
            ("excess", "excess_force", 0.23, 0.05, exact(0.23).excess_force),
            ("point force", "point_force", 0.0, 0.02, ATOM),
        ):
            call, source = (_mortar, epsilon, h, space, quantity), f"closed form, h = {h:g}"
            yield Check("obstacle-mortar", f"{words}, {space}", source, expected, 1e-3, *call)
    for words, tolerance in (("excess force", 1e-6), ("free length", 3e-6)):
        quantity = words.replace(" ", "_")
        expected = _closed(0.023, quantity)
        name, words = "obstacle-adaptive", f"{words}, 0.023"
        yield Check(name, words, "closed form", expected, tolerance, number_of, _thin, quantity)
    for words, extreme in (("least", "min"), ("largest", "max")):
        name, words = "obstacle-two-beams", f"{words} pressure, patch test"
        yield Check(name, words, "the load", 2.5, 1e-9, _patch, extreme)
    resting = exact(0.23).contact_force_integral(0.0, 8.0)
    yield Check("obstacle-landing", "force at rest", "static contact", resting, 5e-3, _landed)


def _beam(epsilon: float, length: float, damping: Rayleigh | float = 0.0) -> Beam:
    shear = None if epsilon == 0.0 else epsilon**-2
    return Beam(length, 1.0, 1.0, shear_stiffness=shear, supports=("clamped", "free"), damping=damping)


def _closed(epsilon: float, quantity: str) -> float:
    return float(getattr(exact(epsilon), quantity))


def _mortar(epsilon: float, h: float, space: str, quantity: str) -> float:
    contact = solve(_beam(epsilon, 8.0), 1.0, 1.0, round(8.0 / h), multiplier=space)
    return float(getattr(contact, quantity))


@lru_cache(maxsize=1)
def _thin() -> ObstacleContact:
    return adapt(_beam(0.023, 5.0), 1.0, 1.0).contact


def _patch(extreme: str) -> float:
    upper = Beam(3.0, 2.0, 1.0, supports=("free", "free"))
    lower = Beam(3.0, 5.0, 1.0, supports=("guided", "guided"), foundation=4.0)
    pair = press_together(upper, lower, 2.5, 0.1, (7, 10))
    return float(getattr(pair.contact_force(np.linspace(0.0, 3.0, 50)), extreme)())


def _landed() -> float:
    beam = _beam(0.23, 8.0, Rayleigh(1.0, 0.05))
    return float(land(beam, 1.0, 1.0, 80, t_end=30.0, dt=0.05).force[-1])
