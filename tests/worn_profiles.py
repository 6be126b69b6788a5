"""Profiles as wear leaves them: hollows of random depth, width and place."""

import numpy as np

import traction as tr

WHEEL = tr.Profile.standard("S1002")
RAILS = [tr.Profile.standard(name) for name in ("UIC60-benchmark", "60E1", "60E2")]


def hollowed(profile, *hollows):
    """The profile with hollows (depth, centre, width), m."""
    away = 1.0 if profile.kind == "wheel" else -1.0
    z = profile.z.copy()
    for depth, center, width in hollows:
        z += away * depth * np.exp(-(((profile.y - center) / width) ** 2))
    return tr.Profile(profile.y, z, kind=profile.kind)


def worn_at_random(profile, rng):
    hollows = [
        (rng.uniform(0.0, 0.6e-3), rng.uniform(-0.03, 0.03), rng.uniform(5e-3, 15e-3))
        for _ in range(rng.integers(1, 4))
    ]
    return hollowed(profile, *hollows)
