"""Closed forms: Hertz, adhesion, Cattaneo, Carter, waves of rolling, given loads."""

from __future__ import annotations

import numpy as np

import traction as tr
from fingerprints.calls.bodies import MU, STEEL, UNLIKE
from fingerprints.cases import call, each
from fingerprints.results import Numbers, at, take

ADHESIVE = "radius outer_radius force approach pull_off_force transition"
AXIS = "z sigma_x sigma_y sigma_z max_shear von_mises"
PLACES = np.linspace(0.0, 2e-3, 9)


@call("theory/hertz_sphere")
def hertz_sphere() -> Numbers:
    """By force and by approach."""
    names = "radius semi_axes approach force peak_pressure mean_pressure stiffness effective_modulus"
    by_force = tr.hertz.sphere(0.1, UNLIKE, force=1000.0)
    by_approach = tr.hertz.sphere(0.1, UNLIKE, approach=1e-5)
    fields = at(by_force, PLACES, "pressure displacement")
    axis = take(by_force.stress_on_axis(PLACES, 0.3), AXIS)
    return {"force": take(by_force, names), "approach": take(by_approach, names), **fields, "axis": axis}


@call("theory/hertz_ellipse")
def hertz_ellipse() -> Numbers:
    """From round to slender."""
    names = "semi_axes approach force peak_pressure stiffness"
    found: Numbers = {}
    for ratio in (0.05, 0.65, 1.0, 3.0, 40.0):
        contact = tr.hertz.ellipse(0.46, 0.46 * ratio, STEEL, force=1e5)
        fields = {**at(contact, PLACES, "pressure"), "displacement": contact.displacement(PLACES, 1e-3)}
        axis = take(contact.stress_on_axis(PLACES, 0.28), AXIS)
        by_approach = take(tr.hertz.ellipse(0.46, 0.46 * ratio, STEEL, approach=5e-5), names)
        found[f"{ratio}"] = {**take(contact, names), **fields, "axis": axis, "approach given": by_approach}
    ratios = [tr.hertz.axis_ratio(1.0, one) for one in (0.01, 0.5, 7.0)]
    return {**found, "axis_ratio": ratios, "radius_ratio": [tr.hertz.radius_ratio(one) for one in ratios]}


@call("theory/hertz_line")
def hertz_line() -> Numbers:
    """By force and by approach."""
    names = "half_width force peak_pressure mean_pressure approach stiffness"
    by_force = tr.hertz.line(0.5, STEEL, force=1.789e5, length=0.2)
    by_approach = tr.hertz.line(0.5, STEEL, approach=2e-5, length=0.2)
    axis = take(by_force.stress_on_axis(PLACES, 0.28), AXIS)
    fields = at(by_force, PLACES, "pressure")
    return {"force": take(by_force, names), "approach": take(by_approach, names), **fields, "axis": axis}


@call("theory/adhesion")
def adhesion() -> Numbers:
    """JKR, DMT and what lies between them."""
    given = (1e-6, 1e6, 0.05)
    states = {
        "jkr force": tr.adhesion.jkr(*given, force=1e-7),
        "jkr radius": tr.adhesion.jkr(*given, contact_radius=3e-7),
        "dmt force": tr.adhesion.dmt(*given, force=1e-7),
        "dmt radius": tr.adhesion.dmt(*given, contact_radius=3e-7),
        "tabor": tr.adhesion.maugis_dugdale(*given, tabor=1.0, force=1e-7),
        "stress": tr.adhesion.maugis_dugdale(*given, cohesive_stress=2e5, contact_radius=4e-7),
    }
    number = tr.adhesion.tabor_parameter(*given, 1e-9)
    return {**{name: take(one, ADHESIVE) for name, one in states.items()}, "tabor_parameter": number}


@each("theory/adhesion_curve_{}", ("jkr", "dmt", "maugis-dugdale"))
def adhesion_curve(model: str) -> Numbers:
    """With the unstable branch."""
    more = {"tabor": 0.7} if model == "maugis-dugdale" else {}
    curve = tr.adhesion.curve(1e-6, 1e6, 0.05, model=model, points=31, **more)
    return take(curve, "radius force approach stable pull_off_force")


@call("theory/friction")
def friction() -> Numbers:
    """Cattaneo's shift and Carter's rolling."""
    sphere, line = tr.hertz.sphere(0.1, STEEL, force=1000.0), tr.hertz.line(0.5, STEEL, force=1.789e5)
    ball = tr.cattaneo.sphere(sphere, MU, 150.0)
    strip = tr.cattaneo.line(line, MU, 2e4)
    crept = tr.carter.line(line, 0.5, MU, creepage=5e-4)
    pulled = tr.carter.line(line, 0.5, MU, force=2e4)
    rolling = "half_width stick_half_width creepage force bound"
    return {
        "ball": {**take(ball, "radius stick_radius shift force bound"), "traction": ball.traction(PLACES)},
        "strip": {
            **take(strip, "half_width stick_half_width force bound"),
            "traction": strip.traction(PLACES),
        },
        "crept": {**take(crept, rolling), "traction": crept.traction(PLACES)},
        "pulled": take(pulled, rolling),
    }


@each("theory/rolling_waves_{}", ("constant", "linear"))
def rolling_waves(elements: str) -> Numbers:
    """Fourier symbols and wiggles."""
    waves = tr.rolling_waves
    theta = np.linspace(0.05, np.pi, 12)
    return {
        "influence": waves.influence(theta, 0.3, elements),
        "difference": waves.difference(theta, 0.3, elements),
        "growth": waves.growth(theta, 0.3, elements),
        "interpolated": waves.growth(theta, 0.3, elements, interpolation_cell=0.8),
        "wiggle": take(waves.wiggle(0.2, elements, waves=200), "wavelength gain"),
    }


@call("theory/loads")
def loads() -> Numbers:
    """Pressures that are given."""
    circle = tr.loads.uniform_circle(1e-3, STEEL, force=500.0)
    hertz = tr.loads.hertz_circle(1e-3, STEEL, pressure=1e9)
    uniform = tr.loads.uniform_rectangle(1e-3, 2e-3, STEEL, pressure=1e8)
    arch = tr.loads.hertz_rectangle(1e-3, 2e-3, STEEL, force=500.0)
    found = {"circle": circle, "hertz": hertz, "uniform": uniform, "arch": arch}
    both = "pressure displacement"
    numbers = {
        name: {**take(one, "force peak_pressure"), **at(one, PLACES, both)} for name, one in found.items()
    }
    axes = {
        f"{name} axis": take(found[name].stress_on_axis(PLACES, 0.3), AXIS) for name in ("circle", "uniform")
    }
    return {**numbers, **axes}


@call("theory/moving_heat")
def moving_heat() -> Numbers:
    """Jaeger's band, slow and fast."""
    found = {str(v): tr.moving_heat.band(1e7, 2e-3, tr.STEEL, v) for v in (1e-3, 30.0)}
    return {name: {**take(one, "peclet largest"), **at(one, PLACES, "rise")} for name, one in found.items()}
