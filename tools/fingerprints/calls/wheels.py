"""Profiles of wheels and rails, contact functions, conicity and the kinematic wave."""

from __future__ import annotations

import numpy as np

import traction as tr
from fingerprints.cases import call, each
from fingerprints.results import Numbers, take

SHIFTS = np.linspace(-5e-3, 5e-3, 11)
FUNCTIONS = "radius_difference roll z left_angle right_angle left_contact right_contact mean_radius"


def _wheelset() -> tr.Wheelset:
    return tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)


def _track() -> tr.Track:
    return tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)


@call("wheels/profiles")
def profiles() -> Numbers:
    """Standard shapes along their arcs, changed and smoothed."""
    found: Numbers = {}
    for name in ("S1002", "60E1", "60E2", "UIC60-benchmark"):
        profile = tr.Profile.standard(name)
        s = np.linspace(0.0, profile.curve.length, 41)
        found[name] = {"position": profile.curve.position(s), "curvature": profile.curve.curvature(s)}
    rail = tr.Profile.standard("60E1")
    turned = rail.rotated(0.025).shifted(1e-3, -2e-3).scaled(0.5).mirrored()
    noisy = tr.Profile(rail.y, rail.z + 1e-6 * np.random.default_rng(1).normal(size=rail.z.size), "rail")
    return {
        **found,
        "turned": take(turned, "y z"),
        "measured": take(noisy, "y z"),
        "smoothed": take(rail.smoothed(3e-3), "y z"),
    }


@call("wheels/contact_functions")
def contact_functions() -> Numbers:
    """With roll and without."""
    return {
        f"roll {roll}": take(tr.contact_functions(_wheelset(), _track(), SHIFTS, roll=roll), FUNCTIONS)
        for roll in (True, False)
    }


@each("wheels/conicity_{}", ("integration", "harmonic", "regression"))
def conicities(method: str) -> Numbers:
    """At three amplitudes."""
    return {"conicity": tr.conicity(_wheelset(), _track(), [1e-3, 3e-3, 5e-3], method=method)}


@call("wheels/kinematic_wave")
def kinematic_wave() -> Numbers:
    """Near flange contact."""
    return take(
        tr.kinematic_wave(_wheelset(), _track(), 5e-3), "x y yaw wavelength klingel_wavelength conicity"
    )
