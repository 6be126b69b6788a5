"""The drags there are: names, and the module below this package that solves each."""

from __future__ import annotations

#: name, module, and the public name that it needs
LISTED = (
    ("rolling", "rolling_patch", "roll_steady"),
    ("creep-curve", "creep_curve", "Batch"),
    ("wheelset", "wheelset_position", "wheel_rail"),
    ("train", "train_speed", "resonance"),
    ("friction", "friction_curve", "friction"),
)


def available_drags() -> dict[str, str]:
    """Modules of the drags whose functions this version has, by name."""
    import traction

    public = set(dir(traction))
    return {name: module for name, module, needed in LISTED if needed in public}
