"""Beams on obstacles: closed forms, mortar elements, adaptivity, two beams, landing."""

from __future__ import annotations

from typing import Any

import numpy as np

import traction as tr
from fingerprints.cases import call, each
from fingerprints.results import Numbers, at, landing, obstacle, take

SPACES = ("point", "constant", "linear", "dual")
LENGTH = 6.0


def cantilever(epsilon: float = 0.23, damping: Any = 0.0) -> tr.Beam:
    """Without dimensions; epsilon = 0 is Euler and Bernoulli's beam."""
    shear = None if epsilon == 0.0 else epsilon**-2
    return tr.Beam(LENGTH, 1.0, 1.0, shear_stiffness=shear, supports=("clamped", "free"), damping=damping)


@each("obstacle/exact_{}", (0.0, 0.023, 0.5))
def exact(epsilon: float) -> Numbers:
    """The closed solution, with and without dimensions."""
    closed, x = tr.obstacle.exact(epsilon), np.linspace(0.0, 5.0, 21)
    fields = "deflection rotation moment shear contact_force"
    scaled = tr.obstacle.with_dimensions(2e4, 300.0, 0.01, shear_stiffness=1e5 if epsilon else None)
    integral = closed.contact_force_integral(x[:-1], x[1:])
    return {
        **take(closed, "free_length point_force excess_force"),
        **at(closed, x, fields),
        "contact_force_integral": integral,
        "scaled": {**take(scaled, "free_length point_force scale"), **at(scaled, x, fields)},
    }


@each("obstacle/thick_{}", SPACES)
def thick(space: str) -> Numbers:
    """Timoshenko's beam, fitted and not."""
    fitted = tr.obstacle.solve(cantilever(), 1.0, 1.0, 30, multiplier=space)
    plain = tr.obstacle.solve(cantilever(), 1.0, 1.0, 30, multiplier=space, fitted=False)
    return {"fitted": obstacle(fitted, LENGTH), "plain": obstacle(plain, LENGTH)}


@each("obstacle/thin_{}", SPACES)
def thin(space: str) -> Numbers:
    """Euler and Bernoulli's beam."""
    return obstacle(tr.obstacle.solve(cantilever(0.0), 1.0, 1.0, 30, multiplier=space), LENGTH)


@each("obstacle/shape_{}", ("flat", "inclined", "curved", "stepped", "function"))
def shape(name: str) -> Numbers:
    """Obstacles of each shape, with a point force."""
    made = {
        "flat": tr.obstacle.flat(0.8),
        "inclined": tr.obstacle.inclined(0.6, 0.1),
        "curved": tr.obstacle.curved(0.7, 12.0, 4.0),
        "stepped": tr.obstacle.stepped([0.9, 0.7], [4.0]),
        "function": lambda x: 0.8 + 0.05 * np.cos(x),
    }
    return obstacle(tr.obstacle.solve(cantilever(), 1.0, made[name], 24, forces=[(0.5, 3.0)]), LENGTH)


@call("obstacle/both_sides")
def both_sides() -> Numbers:
    """An obstacle above as well, under a load that changes its sign."""
    beam = tr.Beam(LENGTH, 1.0, 1.0, supports=("clamped", "clamped"))
    found = tr.obstacle.solve(beam, lambda x: 6.0 * np.cos(np.pi * x / LENGTH), 0.2, 40, above=0.2)
    return obstacle(found, LENGTH)


@call("obstacle/benchmark")
def benchmark() -> Numbers:
    """The benchmark by elements, and springs in place of the obstacle."""
    found = tr.obstacle.benchmark(0.1, 24)
    soft = tr.obstacle.penalty(cantilever(), 1.0, 1.0, 24, stiffness=1e4)
    return {"benchmark": obstacle(found, 5.0), "penalty": obstacle(soft, LENGTH)}


@call("obstacle/adapt")
def adapt() -> Numbers:
    """Refined until it no longer changes."""
    found = tr.obstacle.adapt(cantilever(0.1), 1.0, 1.0, tolerance=1e-5, most_elements=80)
    names = "elements free_lengths excess_forces indicators converged"
    return {**take(found, names), "contact": obstacle(found.contact, LENGTH)}


@each("obstacle/two_beams_{}", SPACES)
def two_beams(space: str) -> Numbers:
    """Beams with meshes that do not match."""
    upper, lower = tr.Beam(LENGTH, 1.0, 1.0), tr.Beam(LENGTH, 3.0, 1.0, shear_stiffness=30.0)
    pair = tr.obstacle.press_together(upper, lower, 3.0, 0.2, (20, 14), multiplier=space)
    proof = (
        "certificate.penetration certificate.pull certificate.action_reaction certificate.moment_difference"
    )
    names = f"upper_state lower_state nodes values steps force {proof}"
    x = np.linspace(0.0, LENGTH, 17)
    return {**take(pair, names), **at(pair, x, "upper_deflection lower_deflection opening contact_force")}


@each("land/{}", SPACES)
def land(space: str) -> Numbers:
    """A beam that lands, damped; energies and forces over time."""
    beam = cantilever(0.23, tr.Rayleigh(0.5, 0.02))
    return landing(tr.land(beam, 1.0, 1.0, 16, t_end=6.0, dt=0.05, multiplier=space, samples=60))


@call("land/undamped")
def land_undamped() -> Numbers:
    """Thrown at an obstacle, nothing damped, steps chosen."""
    given = {"t_end": 2.0, "velocity": 0.5, "dissipation": 0.0, "samples": 40}
    return landing(tr.land(cantilever(0.0), 1.0, 1.0, 12, **given))
