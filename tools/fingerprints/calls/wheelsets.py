"""Wheels on rails: positions, both wheels, maps and surfaces."""

from __future__ import annotations

from functools import cache

import numpy as np

import traction as tr
from fingerprints.cases import call
from fingerprints.results import Numbers, take

STEPS = {"dx": 0.4e-3, "dy": 0.4e-3}


@cache
def bodies() -> tuple[tr.Wheelset, tr.Track]:
    """A wheelset on a track."""
    wheel, rail = tr.Profile.standard("S1002"), tr.Profile.standard("60E1")
    return tr.Wheelset(wheel, radius=0.46), tr.Track(rail, cant=1 / 40)


def contact(c: tr.WheelRailContact) -> Numbers:
    """Numbers of a result."""
    patches = [take(patch, "place wheel_place angle creepage force moment") for patch in c.patches]
    return {
        **take(c, "z roll pitch_rate force moment"),
        **{f"patch {k}": numbers for k, numbers in enumerate(patches)},
    }


@call("wheelsets/one_wheel")
def one_wheel() -> Numbers:
    """A force and a height, by whole and by covered elements."""
    found = tr.wheel_rail(*bodies(), side="left", y=-2e-3, yaw=-3e-3, force=10e3, **STEPS)
    again = tr.wheel_rail(
        *bodies(), side="left", y=-2e-3, yaw=-3e-3, z=found.z, discretisation="covered", **STEPS
    )
    return {"force": contact(found), "height": contact(again)}


@call("wheelsets/both_wheels")
def both_wheels() -> Numbers:
    """With roll found."""
    return contact(tr.wheel_rail(*bodies(), y=1e-3, force=20e3, **STEPS))


@call("wheelsets/quick")
def quick() -> Numbers:
    """FASTSIM, and derivatives."""
    found = tr.wheel_rail(*bodies(), side="right", y=1e-3, force=10e3, tangential="fastsim", **STEPS)
    return {**contact(found), "derivatives": found.derivatives.matrix}


@call("wheelsets/rollers")
def rollers() -> Numbers:
    """A wheel with yaw on the roller of a test rig."""
    track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40, roller_radius=0.5)
    return contact(tr.wheel_rail(bodies()[0], track, side="left", y=-2e-3, yaw=8e-3, force=10e3, **STEPS))


@call("wheelsets/transient")
def transient() -> Numbers:
    """Two steps of a wheel that moves sideways, from steady rolling."""
    given = {"side": "left", "yaw": -3e-3, "force": 10e3, **STEPS}
    found = tr.wheel_rail(*bodies(), y=-2e-3, **given)
    for y in (-2.01e-3, -2.03e-3):
        found = tr.wheel_rail(*bodies(), y=y, previous=found, distance=1e-3, **given)
    return {**contact(found), "distance": found.distance}


@call("wheelsets/map")
def force_map() -> Numbers:
    """Forces over shifts."""
    found = tr.force_map(*bodies(), y=[0.0, 1e-3], side="left", force=10e3, **STEPS)
    return take(found, "force moment z")


@call("wheelsets/map-in-batches")
def force_map_in_batches() -> Numbers:
    """The same of positions that are solved together."""
    shifts = np.linspace(-2e-3, 2e-3, 10)
    found = tr.force_map(*bodies(), y=shifts, side="left", force=10e3, device="cpu", **STEPS)
    return take(found, "force moment z errors singly")


@call("wheelsets/surface")
def surface() -> Numbers:
    """Distance of wheel and rail."""
    heights = tr.wheel_on_rail(*bodies(), y=1e-3).height(
        np.zeros((5, 1)), np.linspace(-4e-3, 4e-3, 5)[:, None]
    )
    return {"heights": heights}
