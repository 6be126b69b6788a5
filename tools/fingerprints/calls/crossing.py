"""Wheels on bridges: at rest and crossing, by all contacts, models and methods, driven and braked."""

from __future__ import annotations

from typing import Any

import numpy as np

import traction as tr
from fingerprints.calls.bodies import METHODS, bridge_beam, coach, pinned_beam, spans, sprung_wheel
from fingerprints.cases import call, each
from fingerprints.results import RESONANCE, Numbers, contact_crossing, crossing, rest, rolling, rows, take

SIZES = {"modes": 6, "elements": 12, "differences": 12}
UNSTABLE = ("euler-forward",)


def rough() -> tr.Irregularity:
    """Waves of the rail."""
    return tr.Irregularity.harmonic(2e-4, 2.0)


def train() -> list[tuple[Any, float]]:
    """A plain force, a harmonic one, and two wheels."""
    wheel = sprung_wheel()
    return [(1e5, 0.0), (tr.HarmonicAxle(8e4, 2e4, 6.0), 3.0), (wheel, 5.0), (wheel, 8.0)]


def crossed(loads: Any = None, beam: tr.Beam | None = None, **options: Any) -> Any:
    """A crossing of half a second at 30 m/s."""
    bridge = tr.Bridge(bridge_beam(0.01) if beam is None else beam, tr.STEEL)
    size = SIZES[options.get("model", "modes")]
    given = {"contact": "hertz", "size": size, "dt": 1e-3, "t_end": 0.4, "irregularity": rough(), **options}
    return tr.cross(bridge, train() if loads is None else loads, 30.0, **given)


@each("cross/rigid_{}", SIZES)
def rigid(model: str) -> Numbers:
    """Wheels that follow the track."""
    return crossing(crossed(contact="rigid", model=model))


@each("cross/hertz_{}", SIZES)
def hertz(model: str) -> Numbers:
    """Hertz's contact: condensed, or by Newmark's method."""
    return contact_crossing(crossed(model=model))


@each("cross/half_space_{}", SIZES)
def half_space(model: str) -> Numbers:
    """Contacts solved on a grid at every step."""
    grid = tr.Grid.around(8e-3, 8e-3, 16, 16)
    loads = [(sprung_wheel(), 0.0), (sprung_wheel(), 3.0)]
    return contact_crossing(crossed(loads, contact="half-space", model=model, grid=grid, t_end=0.15))


@each("cross/method_{}", METHODS)
def by_method(method: str) -> Numbers:
    """All methods on the same crossing, with their energies."""
    more: dict[str, Any] = {"allow_unstable": True} if method in UNSTABLE else {}
    return contact_crossing(crossed(method=method, dt=2.5e-4, t_end=0.3, **more))


@each("cross/method_half_space_{}", ("energy-conserving", "radau-iia", "verlet"))
def half_space_by_method(method: str) -> Numbers:
    """Some of them with the contact solved on a grid."""
    grid = tr.Grid.around(8e-3, 8e-3, 12, 12)
    given = {"contact": "half-space", "method": method, "grid": grid, "dt": 5e-4, "t_end": 0.06}
    return contact_crossing(crossed([(sprung_wheel(), 0.0)], **given))


@each("cross/elements_{}", ("energy-conserving", "generalized-alpha"))
def elements_by_method(method: str) -> Numbers:
    """Elements, the energy of which is kept or damped by the method."""
    return contact_crossing(crossed(model="elements", method=method))


@call("cross/spans")
def several_spans() -> Numbers:
    """Several spans on a spring, and the modes left out felt by the wheels."""
    plain = crossed(beam=spans(), t_end=0.3)
    felt = crossed([(sprung_wheel(), 0.0)], beam=spans(), residual=True, t_end=0.3)
    return {"plain": contact_crossing(plain), "felt": contact_crossing(felt)}


@call("cross/loss_of_contact")
def loss_of_contact() -> Numbers:
    """A flat spot that lets the wheel jump, on springs."""
    beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=(tr.Support(5e8, 0.0), tr.Support(5e8, 0.0)))
    flat = tr.Irregularity.flat(0.46, 0.06, at=1.0)
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3), irregularity=flat)
    return contact_crossing(crossed([(wheel, 0.0)], beam, dt=2e-4, t_end=0.25))


@call("cross/vehicle")
def vehicle() -> Numbers:
    """A vehicle on bogies, whose wheels are given their shape."""
    shape = tr.Wheel(0.46, 1e3, profile=tr.Paraboloid(0.46, 0.3))
    return contact_crossing(crossed(coach(), pinned_beam(), wheel=shape, t_end=0.6))


@call("cross/line")
def line() -> Numbers:
    """A roller in plane strain."""
    beam = tr.Beam(2.0, 2e6, 400.0)
    wheel = tr.Wheel(0.2, 100.0, profile=tr.Cylinder(0.2))
    grid = tr.Grid.line(32, 6e-6, length=0.5)
    given = {"contact": "half-space", "grid": grid, "size": 5, "dt": 5e-4, "t_end": 0.1}
    return contact_crossing(tr.cross(tr.Bridge(beam, tr.STEEL), [(wheel, 0.0)], 10.0, **given))


@call("cross/default_step")
def default_step() -> Numbers:
    """The steps that are chosen, condensed and by a method."""
    condensed = crossed([(sprung_wheel(), 0.0)], dt=None, t_end=0.05)
    marched = crossed([(sprung_wheel(), 0.0)], dt=None, t_end=0.05, method="verlet")
    return {"condensed": contact_crossing(condensed), "marched": contact_crossing(marched)}


@call("cross/drive_force", {"force": -15e3}, {})
@call("cross/drive_creepage", {"creepage": (1e-3, 5e-4, 0.05)}, {})
@call("cross/drive_torque", {"torque": -6e3, "inertia": 50.0, "friction": 0.25}, {})
@call("cross/drive_shaft", {"torque": -6e3, "inertia": 20.0, "shaft": tr.Shaft(4e6, 50.0, 10.0)}, {})
@call("cross/drive_half_space", {"force": 1e4}, {"contact": "half-space"})
@call("cross/drive_method", {"force": 1e4}, {"method": "newmark"})
def driven(asked: dict[str, Any], options: dict[str, Any]) -> Numbers:
    """A driven or braked wheel, with the work of friction."""
    drive = tr.Drive(**asked, elements=12, keep=9)
    run = crossed([(sprung_wheel(), 0.0)], drive=drive, **{"dt": 2e-4, "t_end": 0.008, **options})
    return {**contact_crossing(run), "rolling": rolling(run.rolling())}


@call("cross/drive_slippery")
def slippery() -> Numbers:
    """A wheel that slides on a slippery place and grips again, and another that rolls freely."""

    def friction(t: Any) -> Any:
        return np.where(np.abs(np.asarray(t) - 5e-3) < 2e-3, 0.05, 0.3)

    drive = tr.Drive(torque=-6e3, inertia=20.0, friction=friction, elements=10, keep=7)
    loads = [(sprung_wheel(), 0.0), (sprung_wheel(), 0.2)]
    run = crossed(loads, drive={0: drive}, dt=2e-4, t_end=0.012)
    return {**contact_crossing(run), "rolling": rolling(run.rolling())}


@call("cross/resonance")
def cross_resonance() -> Numbers:
    """Largest answers over speed."""
    loads = tr.Train([(sprung_wheel(), 8.0 * k) for k in range(3)])
    bridge = tr.Bridge(bridge_beam(0.01), tr.STEEL)
    curve = tr.cross_resonance(bridge, loads, [30.0, 36.5, 43.0], contact="hertz", size=4, dt=2e-3)
    return take(curve, f"{RESONANCE} force lost_contact")


@call("cross/compare_methods")
def compare_methods() -> Numbers:
    """Errors, drift and stability limits of methods."""
    found = tr.compare_methods(
        tr.Bridge(bridge_beam(), tr.STEEL), [(tr.Wheel(0.46, 76e3), 0.0)], 30.0, steps=[2e-3, 1e-3],
        t_end=0.06, size=3, methods=("euler-forward", "verlet", "newmark", "energy-conserving", "condensed"),
    )  # fmt: skip
    runs = rows(found.runs, "method dt deflection_error force_error drift evaluations")
    limits = rows(found.limits, "method declared found damping_ratio")
    return {"runs": runs, "limits": limits, **take(found, "frequency")}


@call("rest/force")
def rest_force() -> Numbers:
    """A wheel on a bridge."""
    return rest(tr.rest(tr.Wheel(0.46, 1e3), tr.Bridge(bridge_beam(), tr.STEEL), 10.0, 745560.0))


@call("rest/soft")
def rest_soft() -> Numbers:
    """A thin beam that wraps around two wheels, by their drops."""
    beam = tr.Beam(1.0, 7e9 * 0.05 * 0.02**3 / 12.0, 7.8)
    bridge = tr.Bridge(beam, tr.Material(7e9, 0.3))
    wheels = [tr.Wheel(0.3, 10.0), tr.Wheel(0.25, 10.0)]
    return rest(tr.rest(wheels, bridge, [0.4, 0.65], drop=[4e-4, 3e-4]))


@call("rest/line")
def rest_line() -> Numbers:
    """A roller in plane strain."""
    beam = tr.Beam(2.0, 2e6, 400.0)
    wheel = tr.Wheel(0.2, 100.0, profile=tr.Cylinder(0.2))
    grid = tr.Grid.line(40, 6e-5, length=0.5)
    return rest(tr.rest(wheel, tr.Bridge(beam, tr.STEEL), 0.8, 2e5, grid=grid))


@call("rest/fixed_point")
def rest_fixed_point() -> Numbers:
    """Pressure and bending in turns."""
    bridge = tr.Bridge(tr.Beam(20.0, 1e12, 7900.0), tr.STEEL)
    return rest(tr.rest(tr.Wheel(0.46, 1e3), bridge, 8.0, 1e5, method="fixed-point"))
