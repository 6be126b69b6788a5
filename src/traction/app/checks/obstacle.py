"""A beam on an obstacle: closed forms, mortar elements, two beams, and a beam that lands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

import numpy as np

from traction.app.check import Check
from traction.beams.beam import Beam
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
    yield Check("obstacle-closed", "point force", "delta/3", ATOM, 1e-15, lambda: exact(0.0).point_force)
    for epsilon, (delta, excess) in CLOSED.items():
        name = f"epsilon {epsilon:g}"
        yield Check("obstacle-closed", f"free length, {name}", SOURCE, delta, 1e-12, partial(_delta, epsilon))
        yield Check(
            "obstacle-closed", f"excess force, {name}", SOURCE, excess, 1e-12, partial(_excess, epsilon)
        )
    for space in ("point", "constant", "linear", "dual"):
        closed = "closed form, h = 0.05"
        compute = partial(_mortar, 0.23, 0.05, space, "excess_force")
        yield Check("obstacle-mortar", f"excess, {space}", closed, exact(0.23).excess_force, 1e-3, compute)
        compute = partial(_mortar, 0.0, 0.02, space, "point_force")
        yield Check("obstacle-mortar", f"point force, {space}", "closed form, h = 0.02", ATOM, 1e-3, compute)
    thin = exact(0.023)
    for quantity, tolerance in (("excess_force", 1e-6), ("free_length", 3e-6)):
        words = quantity.replace("_", " ")
        compute = partial(_adapted, quantity)
        value = getattr(thin, quantity)
        yield Check("obstacle-adaptive", f"{words}, 0.023", "closed form", value, tolerance, compute)
    yield Check(
        "obstacle-two-beams", "least pressure, patch test", "the load", 2.5, 1e-9, partial(_patch, "min")
    )
    yield Check(
        "obstacle-two-beams", "largest pressure, patch test", "the load", 2.5, 1e-9, partial(_patch, "max")
    )
    yield Check("obstacle-landing", "force at rest", "static contact", _resting(), 5e-3, _landed)


def _beam(epsilon: float, length: float) -> Beam:
    shear = None if epsilon == 0.0 else epsilon**-2
    return Beam(length, 1.0, 1.0, shear_stiffness=shear, supports=("clamped", "free"))


def _delta(epsilon: float) -> float:
    return exact(epsilon).free_length


def _excess(epsilon: float) -> float:
    return exact(epsilon).excess_force


def _mortar(epsilon: float, h: float, space: str, quantity: str) -> float:
    contact = solve(_beam(epsilon, 8.0), 1.0, 1.0, round(8.0 / h), multiplier=space)
    return float(getattr(contact, quantity))


@lru_cache(maxsize=1)
def _thin() -> ObstacleContact:
    return adapt(_beam(0.023, 5.0), 1.0, 1.0).contact


def _adapted(quantity: str) -> float:
    return float(getattr(_thin(), quantity))


def _patch(extreme: str) -> float:
    upper = Beam(3.0, 2.0, 1.0, supports=("free", "free"))
    lower = Beam(3.0, 5.0, 1.0, supports=("guided", "guided"), foundation=4.0)
    pair = press_together(upper, lower, 2.5, 0.1, (7, 10))
    return float(getattr(pair.contact_force(np.linspace(0.0, 3.0, 50)), extreme)())


def _resting() -> float:
    return float(exact(0.23).contact_force_integral(0.0, 8.0))


def _landed() -> float:
    from traction.beams.beam_description import Rayleigh

    beam = Beam(
        8.0, 1.0, 1.0, shear_stiffness=0.23**-2, supports=("clamped", "free"), damping=Rayleigh(1.0, 0.05)
    )
    return float(land(beam, 1.0, 1.0, 80, t_end=30.0, dt=0.05).force[-1])
