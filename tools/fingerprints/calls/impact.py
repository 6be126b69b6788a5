"""Impact on beams, plates and the ground, by all methods and laws."""

from __future__ import annotations

from typing import Any

import numpy as np

import traction as tr
from fingerprints.calls.bodies import STEEL
from fingerprints.cases import call, each
from fingerprints.results import IMPACT_SWEEP, Numbers, impact, take

PLACE = 0.0767


def struck_beam() -> tr.Beam:
    """A small steel beam on two supports."""
    EI, mass = 2.1e11 * 0.01**4 / 12.0, 7850.0 * 1e-4
    return tr.Beam(2.0 * PLACE, EI, mass, supports=("pinned", "pinned"), damping=0.002)


def striker(law: Any = None, speed: float = 0.5) -> tr.Striker:
    """A steel ball of 10 mm radius, with another law if one is given."""
    ball = tr.Striker.sphere(0.01, speed, STEEL)
    return ball if law is None else tr.Striker(ball.mass, speed, law=law)


LAWS = {
    "hertz": lambda: tr.PowerLaw.hertz(0.01, STEEL),
    "damped": lambda: tr.DampedLaw(tr.PowerLaw.hertz(0.01, STEEL), 0.3),
    "plastic": lambda: tr.PlasticLaw.from_yield_pressure(0.01, STEEL, 1.2e9),
    "linear": lambda: tr.PowerLaw(5e6, 1.0),
    "half_space": lambda: tr.HalfSpaceLaw(tr.Sphere(0.01), tr.Grid(16, 16, 3e-5, 3e-5), STEEL),
    "damped_half_space": lambda: tr.DampedLaw(
        tr.HalfSpaceLaw(tr.Sphere(0.01), tr.Grid(16, 16, 3e-5, 3e-5), STEEL), 0.3
    ),
}  #: contact laws


def plate() -> tr.Plate:
    """A glass plate."""
    return tr.Plate.of(tr.Material(7e10, 0.23, 2500.0), 0.008, 0.4, 0.3)


def own_modes() -> tr.ModalStructure:
    """Modes that a user has."""
    return tr.ModalStructure(
        [300.0, 1200.0, 2700.0], [2.0, -1.5, 1.0], damping=0.01, residual_flexibility=1e-8
    )


STRUCTURES = {
    "beam": (struck_beam, PLACE),
    "thick_beam": (
        lambda: tr.Beam(0.3, 175.0, 0.785, shear_stiffness=6e6, supports=("clamped", "free")),
        0.25,
    ),
    "plate": (plate, (0.17, 0.13)),
    "endless_beam": (lambda: tr.InfiniteBeam(175.0, 0.785), None),
    "endless_plate": (lambda: tr.InfinitePlate.of(tr.STEEL, 0.006), None),
    "ground": (lambda: tr.RigidGround(), None),
    "own_modes": (own_modes, None),
}  #: structures, and where they are struck


@call("impact/modal", "modal", {})
@call("impact/small_increment", "small-increment", {"dt": 1e-6})
@call("impact/picard", "picard", {"iterations": 4, "points": 200})
@call("impact/energy", "energy", {})
def methods(method: str, options: dict[str, Any]) -> Numbers:
    """The same impact by each method."""
    h = tr.impact(struck_beam(), PLACE, striker(), method=method, modes=20, t_end=1e-3, **options)
    x, end = np.linspace(0.0, 2.0 * PLACE, 7), float(h.t[-1])
    q, p = h.modal_state(0.5 * end)
    return {**impact(h), "deflection": h.deflection(x, np.array([0.3, 0.9]) * end), "q": q, "p": p}


@each("impact/law_{}", LAWS)
def laws(name: str) -> Numbers:
    """Each contact law on the ground and on the beam, with its energies."""
    law = LAWS[name]
    ground = tr.impact(tr.RigidGround(), None, striker(law()))
    beam = tr.impact(struck_beam(), PLACE, striker(law()), modes=20, t_end=1.5e-3)
    return {"ground": impact(ground), "beam": impact(beam)}


@each("impact/structure_{}", STRUCTURES)
def structures(name: str) -> Numbers:
    """Each structure, struck by a ball."""
    made, at = STRUCTURES[name]
    modes = {"beam": 20, "thick_beam": 20, "plate": 200}.get(name)
    return impact(tr.impact(made(), at, striker(), modes=modes, t_end=1e-3))


@call("impact/gravity")
def gravity() -> Numbers:
    """Repeated contacts under gravity, without what the modes left out do."""
    beam = tr.Beam(0.4, 175.0, 0.785, supports=("clamped", "free"))
    h = tr.impact(beam, 0.38, striker(speed=0.2), modes=8, residual=False, gravity=9.81, t_end=0.03)
    return impact(h)


@call("impact/plate_surface")
def plate_surface() -> Numbers:
    """Waves that run through a plate, and what the plate is."""
    made = plate()
    h = tr.impact(made, (0.17, 0.13), striker(), modes=150, t_end=4e-4)
    x, y = np.linspace(0.02, 0.38, 5), np.linspace(0.02, 0.28, 5)
    numbers = take(made, "mass bending_stiffness mass_per_area")
    flexibility = made.flexibility(0.17, 0.13)
    return {**numbers, "surface": h.surface(x, y, 3e-4), "waves": made.waves(12), "flexibility": flexibility}


@call("impact/sweep")
def sweep() -> Numbers:
    """Places, speeds and masses at once."""
    at, speed = np.linspace(0.02, PLACE, 4), np.array([0.1, 0.5, 2.0])
    given = {"speed": speed[None, :], "modes": 12, "t_end": 6e-4, "workers": 2}
    beam = tr.impact_sweep(struck_beam(), at[:, None], striker(), **given)
    masses = np.array([1e-3, 1e-2])
    board = tr.impact_sweep(plate(), (0.1, 0.2), striker(), mass=masses, modes=60, t_end=4e-4, workers=1)
    return {"beam": take(beam, IMPACT_SWEEP), "plate": take(board, IMPACT_SWEEP)}


@call("impact/zener")
def zener() -> Numbers:
    """Restitution on an endless plate."""
    board = tr.InfinitePlate.of(tr.STEEL, 0.006)
    ball = striker()
    found = [tr.zener_restitution(one) for one in (0.0, 0.1, 1.0, 2.5)]
    parameter = board.inelasticity(ball.mass, ball.speed, ball.law)
    return {"restitution": found, "inelasticity": parameter, **take(board, "mobility")}
