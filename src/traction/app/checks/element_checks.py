"""Wheels in Hertz contact on beam elements: forces as by modes, energy, and frequencies with shear."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from traction.app.verification import Check
from traction.beams.beam import Beam
from traction.beams.beam_description import Rayleigh
from traction.crossing.cross import cross
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.materials import STEEL
from traction.trains.bridge import Bridge
from traction.trains.vehicle import Suspension, Wheel

SHEAR = {"bending": 0.0, "shear": 2.5e9}  #: shear stiffness, N; 0 for none
WHEEL = Wheel(0.46, 900.0, suspension=Suspension(0.8e6, 30e3, mass=8e3))
ELEMENTS, MODES = 100, 150


def checks() -> Iterator[Check]:
    """All rows of contact on elements."""
    for name, tolerance in (("bending", 2e-4), ("shear", 1e-3)):
        words = f"largest difference of contact force, {name}"
        yield Check("cross-elements", words, f"{MODES} modes", 0.0, tolerance, _force, name)
        words = f"energy balance error, {name}"
        yield Check("cross-elements", words, "conservation of energy", 0.0, 1e-8, _closure, name)
    yield Check("elements-shear", "tenth frequency/exact", "dynamic stiffness", 1.0, 1e-4, _frequency)


def _beam(name: str) -> Beam:
    shear = {"shear_stiffness": SHEAR[name], "rotary_inertia": 800.0} if SHEAR[name] else {}
    supports = ("pinned", "pinned")
    return Beam(20.0, 2.08e9, 7900.0, supports=supports, damping=Rayleigh(1.0, 1e-5), **shear)


@lru_cache(maxsize=4)
def _crossed(name: str, model: str) -> ContactCrossing:
    run = cross(
        Bridge(_beam(name), STEEL), [(WHEEL, 0.0)], 30.0, contact="hertz", model=model,
        size=ELEMENTS if model == "elements" else MODES, residual=None if model == "elements" else True,
        dt=5e-5, t_end=0.1,
    )  # fmt: skip
    assert isinstance(run, ContactCrossing)
    return run


def _force(name: str) -> float:
    """Largest difference to modes, over the load."""
    ours, theirs = (_crossed(name, model) for model in ("elements", "modes"))
    return float(np.abs(ours.contact_forces - theirs.contact_forces).max() / ours.contacts[0].load)


def _closure(name: str) -> float:
    return _crossed(name, "elements").energies.closure


def _frequency() -> float:
    beam = _beam("shear")
    return float(beam.elements(ELEMENTS).frequencies(10)[-1] / beam.frequencies(10)[-1])
