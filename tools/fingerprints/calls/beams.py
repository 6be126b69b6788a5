"""Beams: modes, statics, discrete models, vibration, influence lines."""

from __future__ import annotations

import numpy as np

import traction as tr
from fingerprints.calls.bodies import bridge_beam, pinned_beam, spans, thick_beam
from fingerprints.cases import call, each
from fingerprints.results import Numbers, at, take

BEAMS = {"clamped": bridge_beam, "pinned": pinned_beam, "thick": thick_beam, "spans": spans}
SHAPES = "deflection slope rotation moment shear"


def along(beam: tr.Beam, n: int = 13) -> np.ndarray:
    """Places on a beam, m."""
    return np.linspace(0.0, beam.length, n)


@each("beams/modes_{}", BEAMS)
def modes(name: str) -> Numbers:
    """Frequencies and shapes, exact to rounding."""
    beam = BEAMS[name]()
    shapes = at(beam.modes(8), along(beam), SHAPES)
    return {**take(beam, "length mass ends"), "frequencies": beam.frequencies(8), **shapes}


@call("beams/modes_free")
def modes_free() -> Numbers:
    """A beam that floats, one on springs and a rail."""
    free = tr.Beam(3.0, 1e6, 50.0, supports=("free", "free"))
    held = tr.Beam(3.0, 1e6, 50.0, supports=(tr.Support(1e5, 0.0), "guided"))
    rail = tr.rail(6, damping=0.02)
    found = {"free": free, "held": held, "rail": rail}
    return {
        name: {"frequencies": beam.frequencies(6), "deflection": beam.modes(6).deflection(along(beam))}
        for name, beam in found.items()
    }


@each("beams/bend_{}", BEAMS)
def bend(name: str) -> Numbers:
    """At rest under forces and an even load, and under 1 N."""
    beam = BEAMS[name]()
    L = beam.length
    bent = beam.bend([(1e5, 0.3 * L), (-4e4, 0.8 * L)], load=2e3)
    unit = at(beam.influence(0.4 * L), along(beam), SHAPES)
    return {
        **take(bent, "places reactions moments"),
        **at(bent, along(beam), f"{SHAPES} curvature"),
        "influence": unit,
    }


@each("beams/influence_line_{}", ("deflection", "moment", "shear"))
def influence_line(quantity: str) -> Numbers:
    """Influence lines of two beams, from both sides."""
    found: Numbers = {}
    for name in ("spans", "thick"):
        beam = BEAMS[name]()
        for side in ("left", "right"):
            line = tr.influence_line(beam, quantity, 0.35 * beam.length, side=side)
            found[f"{name} {side}"] = at(line, along(beam), "at slope curvature")
    return found


@each("beams/elements_{}", BEAMS)
def elements(name: str) -> Numbers:
    """Finite elements: matrices, frequencies, statics, limits."""
    return discrete(BEAMS[name]().elements(16))


@each("beams/differences_{}", ("clamped", "pinned"))
def differences(name: str) -> Numbers:
    """Finite differences."""
    model = BEAMS[name]().differences(24)
    limit = model.von_neumann_limit("verlet")
    return {**discrete(model), **take(model, "spacing"), "von_neumann_limit": limit}


def discrete(model: tr.DiscreteBeam) -> Numbers:
    """What a discrete beam tells."""
    beam = model.beam
    q = model.bend([(1e5, 0.3 * beam.length), (2e4, 0.7 * beam.length)])
    fields = {name: getattr(model, name)(q, along(beam)) for name in SHAPES.split()}
    frequencies, shapes = model.shapes(4)
    return {
        **take(model, "nodes mass stiffness size order largest_frequency rayleigh"),
        "modal_damping": model.modal_damping[1],
        "frequencies": model.frequencies(5),
        "shapes": shapes,
        "shape frequencies": frequencies,
        "stability": [model.stability_limit(method) for method in ("verlet", "rk4", "newmark")],
        "q": q,
        "energy": model.energy(q, 0.1 * q),
        **fields,
    }


@call("beams/vibrate_modes", "modes", {"size": 12})
@call("beams/vibrate_elements", "elements", {"size": 20})
@call("beams/vibrate_elements_hht", "elements", {"size": 16, "method": "hht"})
@call("beams/vibrate_differences", "differences", {"size": 24})
def vibrate(model: str, options: dict[str, object]) -> Numbers:
    """Free vibration after a load that is let go, from a speed, and under a force."""
    beam = bridge_beam(0.01)
    times = {"t_end": 0.4, "dt": 2e-3}
    let_go = beam.vibrate(beam.bend([(1e5, 8.0)]), **times, model=model, **options)
    pushed = beam.vibrate(
        speed=lambda x: 0.1 * np.sin(np.pi * x / 20.0) ** 2,
        force=(2e4, 6.0, 30.0),
        **times,
        model=model,
        **options,
    )
    return {"let go": vibration(let_go), "pushed": vibration(pushed)}


def vibration(v: tr.Vibration) -> Numbers:
    """Over time."""
    found = {**take(v, "t frequencies modal energy"), **at(v, along(v.beam, 5), "deflection velocity moment")}
    if hasattr(v, "initial"):
        found["initial"] = take(v.initial, "coefficients captured error")
    return found


@each("beams/harmonic_{}", ("clamped", "thick", "spans"))
def harmonic(name: str) -> Numbers:
    """Steady vibration, below and above the first frequency."""
    beam = BEAMS[name]()
    first = float(beam.frequencies(1)[0])
    found: Numbers = {}
    for factor in (0.5, 1.7):
        steady = beam.steady_vibration(1e4, 0.4 * beam.length, factor * first, modes=12)
        found[f"{factor}"] = {**take(steady, "modal"), **at(steady, along(beam), "deflection moment shear")}
    return found


@call("beams/rayleigh")
def rayleigh() -> Numbers:
    """Proportional damping fitted to two ratios."""
    return take(tr.Rayleigh.fitted((20.0, 90.0), (0.01, 0.02)), "alpha beta")
