"""Loads on the move: forces, wheels and vehicles cross a beam; resonance over speed; signals."""

from __future__ import annotations

import numpy as np

import traction as tr
from fingerprints.calls.bodies import bridge_beam, coach, pinned_beam, spans, sprung_wheel, thick_beam
from fingerprints.cases import call, each
from fingerprints.results import RESONANCE, Numbers, crossing, rows, take

SIZES = {"modes": 8, "elements": 20, "differences": 24}
STEPS = {"dt": 2e-3, "t_end": 0.9}
SHORT = {"dt": 5e-4, "t_end": 0.5}  #: below the stability limit of the differences
FORCES = [(1e5, 0.0), (8e4, 2.5), (6e4, 9.0)]


@each("moving_load/forces_{}", SIZES)
def forces(model: str) -> Numbers:
    """Forces at a constant speed."""
    steps = SHORT if model == "differences" else STEPS
    return crossing(tr.moving_load(bridge_beam(0.01), FORCES, 30.0, model=model, size=SIZES[model], **steps))


@each("moving_load/forces_elements_{}", ("hht", "generalized-alpha", "radau-iia", "energy-conserving"))
def forces_by_method(method: str) -> Numbers:
    """Elements marched by other methods."""
    given = {"model": "elements", "size": 10, "method": method, "dt": 4e-3, "t_end": 0.6}
    return crossing(tr.moving_load(bridge_beam(0.01), FORCES, 30.0, **given))


@each("moving_load/explicit_{}", ("verlet", "rk4"))
def forces_explicit(method: str) -> Numbers:
    """Differences marched by explicit methods, with their own step."""
    given = {"model": "differences", "size": 10, "method": method, "t_end": 0.45}
    return crossing(tr.moving_load(bridge_beam(), FORCES, 30.0, **given))


@call("moving_load/spans", spans)
@call("moving_load/thick", thick_beam)
def other_beams(beam: object) -> Numbers:
    """Several spans, and Timoshenko's theory, by modes and elements."""
    made = beam()
    modes = tr.moving_load(made, FORCES, 40.0, size=10, dt=1e-3, t_end=0.4)
    elements = tr.moving_load(made, FORCES, 40.0, model="elements", size=16, dt=1e-3, t_end=0.4)
    return {"modes": crossing(modes), "elements": crossing(elements)}


@call("moving_load/default_step")
def default_step() -> Numbers:
    """The step that is chosen, for one mode and for several."""
    one = tr.moving_load(pinned_beam(), [(1e5, 0.0)], 60.0, size=1, t_end=0.3)
    return crossing(one)


@call("moving_load/varying")
def varying() -> Numbers:
    """Harmonic forces, a force over time, and speeds that change."""
    loads = [(tr.HarmonicAxle(1e5, 2e4, 6.0, 0.3), 0.0), (lambda t: 5e4 * (1.0 + 0.2 * t), 4.0)]
    braked = tr.moving_load(bridge_beam(0.01), loads, lambda t: 30.0 - 8.0 * t, size=6, **STEPS)
    t = np.linspace(0.0, 1.0, 9)
    placed = tr.moving_load(bridge_beam(0.01), FORCES, (t, 25.0 * t + 3.0 * t**2), size=6, **STEPS)
    return {"braked": crossing(braked), "placed": crossing(placed)}


@each("moving_load/wheels_{}", SIZES)
def wheels(model: str) -> Numbers:
    """Wheels that keep rigid contact, with a plain force among them."""
    train = [(sprung_wheel(), 0.0), (6e4, 2.0), (tr.Wheel(0.46, 3e3), 6.0)]
    given = {"model": model, "size": SIZES[model], "irregularity": tr.Irregularity.harmonic(2e-4, 3.0, 0.4)}
    return crossing(tr.moving_load(bridge_beam(0.01), train, 30.0, **given, **STEPS))


@each("moving_load/vehicle_{}", ("modes", "elements"))
def vehicle(model: str) -> Numbers:
    """A vehicle of ten degrees of freedom over a rough track."""
    rough = tr.Irregularity.fra(4, seed=3)
    given = {"model": model, "size": SIZES[model], "irregularity": rough, "dt": 2e-3}
    return crossing(tr.moving_load(pinned_beam(), coach(), 40.0, **given))


@call("moving_load/lift_off")
def lift_off() -> Numbers:
    """A wheel that jumps over a step of the rail."""
    step = tr.Irregularity.step(-8e-3, 5.0, 0.3)
    return crossing(
        tr.moving_load(bridge_beam(), [(tr.Wheel(0.46, 2e3), 0.0)], 30.0, size=6, irregularity=step, **STEPS)
    )


@call("moving_load/irregularities")
def irregularities() -> Numbers:
    """Heights and slopes of all kinds of irregular track."""
    x = np.linspace(0.0, 10.0, 41)
    made = {
        "harmonic": tr.Irregularity.harmonic(1e-3, 2.0, 0.1),
        "step": tr.Irregularity.step(1e-3, 3.0, 0.5),
        "flat": tr.Irregularity.flat(0.46, 0.05, at=1.0),
        "sharp": tr.Irregularity.flat(0.46, 0.05, worn=False),
        "fra": tr.Irregularity.fra(5, seed=1),
        "erri": tr.Irregularity.erri("low", seed=2),
        "spectrum": tr.Irregularity.of_spectrum(lambda o: 1e-8 / (1.0 + o**2), seed=4, waves=50),
        "sampled": tr.Irregularity.sampled(x[::4], 1e-3 * np.cos(x[::4])),
    }
    return {
        name: {"height": one.height(x), "slope": one.slope(x), **take(one, "variance shortest")}
        for name, one in made.items()
    }


@call("moving_load/trains")
def trains() -> Numbers:
    """Places of the axles of the trains of the code and of a vehicle."""
    found = {name: take(tr.Train.hslm(name), "places length spacing name") for name in ("A1", "A5", "A10")}
    car, _ = coach().vehicles[0]
    return {**found, "coach": take(car, "mass damping stiffness wheels offsets carried names axle_masses")}


@call("resonance/hslm")
def resonance() -> Numbers:
    """Two trains over a few speeds."""
    given = {name: tr.Train.hslm(name) for name in ("A1", "A4")}
    curve = tr.resonance(pinned_beam(), given, np.linspace(40.0, 90.0, 11), modes=2, threads=2)
    expected = rows(curve.expected[0], "speed mode period spacing")
    return {**take(curve, RESONANCE), "expected": expected, "peak": curve.peak()}


@call("signals/spectrum")
def signals() -> Numbers:
    """Spectrum and filter of a signal."""
    t = np.linspace(0.0, 2.0, 401)
    values = np.sin(2 * np.pi * 5.0 * t) + 0.4 * np.cos(2 * np.pi * 41.0 * t) + 0.1 * t
    found = tr.spectrum(t, values)
    numbers = take(found, "frequency amplitude resolution")
    return {**numbers, "dominant": found.dominant(2), "low_pass": tr.low_pass(t, values, 20.0)}
