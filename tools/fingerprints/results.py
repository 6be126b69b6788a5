"""Numbers of results: for each type the documented attributes, none that tells of the time of day or inside.

The lists name public attributes only, so that a fingerprint does not depend on where classes live.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import numpy as np

import traction as tr

Numbers = dict[str, Any]

GRID = "grid.nx grid.ny grid.dx grid.dy grid.center"
NORMAL = f"""
    {GRID} gap pressure force contact contact_area elements_across peak_pressure center semi_axes orientation
    periodic status iterations residuals products certificate.penetration certificate.tension
    certificate.residual certificate.complementarity certificate.force_error certificate.largest
"""
TANGENTIAL = """
    friction traction slip stick sliding bound force moment creepage dissipation wear_number status iterations
    residuals products certificate.bound certificate.stick certificate.direction certificate.force
    certificate.pressure normal.pressure normal.force
"""
STRESS = "points tensor xx yy zz xy xz yz pressure von_mises principal max_shear"
FASTSIM = """
    semi_axes normal_force friction creepage direction flexibility x y bound traction stick force moment
    stick_area wear_number coefficients.C11 coefficients.C22 coefficients.C23 coefficients.C33
"""
KALKER = "ratio poisson_ratio C11 C22 C23 C33"
HISTORY = "t q v a energy kinetic_energy method status"
BOUNCE = f"{HISTORY} penetration contact_force elastic_energy gravitational_energy body.mass body.first_touch"
CROSSING = "t places forces on_beam dt model method status"
MODAL = "modes.frequencies modal modal_velocity modal_acceleration modal_forces energy power dissipation"
DISCRETE = "q v a modal"
VEHICLES = "vehicle vehicle_velocity vehicle_acceleration contact_forces in_contact lost_contact names"
CONTACTS = "approach solved"
ENERGIES = """
    bridge_kinetic bridge_elastic vehicles_kinetic vehicles_elastic contact gravity drive axles dissipated
    numerical total residual work closure drift
"""
ROLLING = """
    t radius speed contact_force friction force moment creepage stick sliding dissipated kept bound
    wear_number rotation message
"""
IMPACT = """
    method t force striker_displacement striker_velocity structure_displacement approach rebound_speed
    restitution gravity status response.frequencies response.rates response.shapes
    response.residual_flexibility response.mobility response.flexibility
    energies.t energies.kinetic energies.potential energies.structure energies.contact energies.total
    energies.imbalance
"""
IMPACT_SWEEP = """
    speed mass contacts peak peak_time duration impulse largest total_impulse rebound_speed restitution
"""
OBSTACLE = """
    nodes elements force free_length point_force excess_force reactions support_moments energy fitted steps
    certificate.penetration certificate.pull certificate.balance certificate.moment_balance
"""
REST = "places drops iterations residuals status forces approaches equilibrium steepest beyond notices"
RESONANCE = "speeds names deflection acceleration static amplification x modes"
LANDING = """
    t q v contact energy damped lost dt loads force kinetic_energy resting_state distance_from_rest
"""


def take(result: Any, names: str) -> Numbers:
    """Attributes of a result by their (dotted) names."""
    return {name: _attribute(result, name) for name in names.split()}


def rows(results: Iterable[Any], names: str) -> Numbers:
    """Attributes of several results of one type, each as one array over them."""
    found = list(results)
    return {"count": len(found), **{name: [_attribute(one, name) for one in found] for name in names.split()}}


def normal(n: Any) -> Numbers:
    """A pressed contact; approach and stiffness where they are defined."""
    found = take(n, NORMAL)
    if not n.grid.is_line or n.grid.length is not None:
        found |= take(n, "approach stiffness")
    return found


def tangential(t: Any, *, tangent: bool = False) -> Numbers:
    """A contact with friction; its tangents cost more linear solves."""
    return take(t, f"{TANGENTIAL} tangent approach_tangent" if tangent else TANGENTIAL)


def stress(s: Any) -> Numbers:
    """Stress at points."""
    return take(s, STRESS)


def history(h: Any) -> Numbers:
    """A motion with its counters, events and contacts."""
    names = BOUNCE if hasattr(h, "contact_force") else HISTORY
    times = np.linspace(h.t[0], h.t[-1], 7)
    return {
        **take(h, names),
        "stats": {name: h.stats.get(name) for name in ("steps", "evaluations", "iterations")},
        "events": rows(h.events, "kind t gap index"),
        "contacts": rows(h.contacts, "start end peak_time depth gap duration"),
        "at": h.at(times),
        "velocity_at": h.velocity_at(times),
        "acceleration_at": h.acceleration_at(times),
    }


def crossing(c: Any, *, along: int = 4) -> Numbers:
    """A beam under axles: fields at a few places, peaks, reactions, and what belongs to the model."""
    x = c.beam.length * np.linspace(0.0, 1.0, along + 1)[1:-1]
    middle = float(x[len(x) // 2])
    found = take(c, CROSSING)
    for quantity in ("deflection", "velocity", "acceleration", "moment", "shear"):
        found[quantity] = getattr(c, quantity)(x)
        found[f"largest.{quantity}"] = take(c.largest(quantity, middle), "value time place")
    found["envelope"] = take(c.envelope("moment", x), "x least largest")
    found["reactions"] = c.reactions()
    found["at_rest"] = c.at_rest("deflection", middle)
    found["spectrum"] = take(c.spectrum("acceleration", middle), "frequency amplitude resolution")
    for names, sign in ((MODAL, "modal_velocity"), (DISCRETE, "q"), (VEHICLES, "vehicle")):
        found |= take(c, names) if hasattr(c, sign) else {}
    return found


def contact_crossing(c: Any) -> Numbers:
    """A crossing with elastic contact: also approaches, patches, energies and driven wheels."""
    found = {**crossing(c), **take(c, CONTACTS), "energies": take(c.energies, ENERGIES)}
    patch = c.patch(0.5 * float(c.t[-1]))
    found["patch"] = take(patch, "force approach semi_axes peak_pressure")
    found["contacts"] = rows(c.contacts, "load static stiffness")
    found["force_spectrum"] = take(c.force_spectrum(), "frequency amplitude resolution")
    return found


def rolling(r: Any) -> Numbers:
    """A driven wheel, with the last tractions that were kept."""
    found = take(r, ROLLING)
    kept = [one for one in r.contacts if one is not None]
    if kept:
        found["last"] = take(kept[-1], "traction slip stick force moment creepage")
    return found


def impact(h: Any) -> Numbers:
    """An impact with its contacts."""
    return {
        **take(h, IMPACT),
        "steps": h.stats.get("steps"),
        "contacts": rows(h.contacts, "start end peak peak_time impulse duration"),
        "modal_energy": known(h.modal_energy),
        "force_at": h.force_at(np.linspace(0.0, h.t[-1], 9)),
        "motion_at": h.motion_at(np.linspace(0.0, h.t[-1], 9)),
    }


def obstacle(o: Any, length: float) -> Numbers:
    """A beam on an obstacle, its fields along the beam and its zones."""
    x = np.linspace(0.0, length, 23)
    fields = ("deflection", "rotation", "moment", "shear", "contact_force")
    return {
        **take(o, OBSTACLE),
        **{name: getattr(o, name)(x) for name in fields},
        "contact_force_integral": o.contact_force_integral(x[:-1], x[1:]),
        "zones": rows(o.zones, "start end side force"),
    }


def rest(r: Any) -> Numbers:
    """Wheels at rest on a bridge."""
    x = r.bridge.beam.length * np.linspace(0.05, 0.95, 13)
    return {
        **take(r, REST),
        "deflection": r.deflection(x),
        "local": r.local(x),
        "surface": r.surface(x),
        "moment": r.bending.moment(x),
        "contact": normal(r.contacts[0]),
    }


def landing(one: Any) -> Numbers:
    """A beam that lands."""
    x = np.linspace(0.0, one.model.beam.length, 9)
    return {**take(one, LANDING), "deflection": one.deflection(x), "velocity": one.velocity(x)}


def at(result: Any, x: np.ndarray, names: str) -> Numbers:
    """Methods of a result, evaluated at places."""
    return {name: getattr(result, name)(x) for name in names.split()}


def known(ask: Callable[[], Any]) -> Any:
    """A number, or the sentence that says why it is not defined."""
    try:
        return ask()
    except tr.UndefinedError as error:
        return f"undefined: {error}"


def _attribute(result: Any, name: str) -> Any:
    return known(lambda: reduce(getattr, name.split("."), result))
