"""Fields of a contact patch as layers of a map."""

from __future__ import annotations

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.studio.json_text import AXIS_DIGITS, NumberArray

STATES = ["no contact", "stick", "slip"]
ARROWS = {"x": "traction_x", "y": "traction_y"}
DIGITS = 4  #: of fields

Facts = dict[str, object]


def describe_patch(found: TangentialContact) -> Facts:
    """Axes, layers and arrows of a solved patch."""
    normal = found.normal
    tx, ty = np.asarray(found.traction)
    slip = np.hypot(*np.asarray(found.slip))
    contact = np.asarray(normal.contact, dtype=bool)
    states = np.where(contact, np.where(found.stick, 1, 2), 0)
    bound = float(np.abs(np.stack((tx, ty))).max()) or 1.0
    peak = float(normal.pressure.max()) or 1.0
    slipping = np.where(contact & ~np.asarray(found.stick, dtype=bool), slip, 0.0)
    layers = [
        _layer("pressure", "pressure", "Pa", "positive", 0.0, peak, normal.pressure),
        _layer("traction_x", "traction along x", "Pa", "signed", -bound, bound, tx),
        _layer("traction_y", "traction along y", "Pa", "signed", -bound, bound, ty),
        _layer("traction", "magnitude of the traction", "Pa", "positive", 0.0, bound, np.hypot(tx, ty)),
        _layer("slip", "relative slip", "", "positive", 0.0, float(slipping.max()) or 1.0, slipping),
        {**_layer("state", "stick and slip", "", "state", 0, 2, states), "names": STATES},
    ]
    return {
        "x": _axis("x", "rolling direction", normal.grid.x),
        "y": _axis("y", "lateral", normal.grid.y),
        "layers": layers,
        "arrows": ARROWS,
    }


def share_sticking(found: TangentialContact) -> float:
    """Share of the contact that sticks."""
    inside = np.asarray(found.normal.contact, dtype=bool)
    return float(np.asarray(found.stick, dtype=bool)[inside].mean()) if inside.any() else 0.0


def _axis(name: str, label: str, values: np.ndarray) -> Facts:
    return {"name": name, "label": label, "unit": "m", "values": NumberArray(np.ravel(values), AXIS_DIGITS)}


def _layer(name: str, label: str, unit: str, kind: str, low: float, high: float, values: np.ndarray) -> Facts:
    words = {"name": name, "label": label, "unit": unit, "kind": kind}
    return {**words, "low": low, "high": high, "values": NumberArray(values, DIGITS)}
