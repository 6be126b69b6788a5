"""Sweeps: the laws that a table of variants must follow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from traction.app.check import Check
from traction.kinds.case import Scenario
from traction.kinds.sweep.sweep import sweep


def exponent(key: str, values: str, quantity: str) -> float:
    """The power of a key with which a result of a ball pressed on a plate goes, fitted to the table."""
    ball = Scenario.build(
        "press",
        grid={"nx": 48, "ny": 48, "width_x": "0.5 mm", "width_y": "0.5 mm"},
        surface=[{"type": "sphere", "radius": "10 mm"}],
        load={"force": "50 N"},
    )
    table = sweep(ball, {key: values}).table
    return float(np.polyfit(np.log(table[key]), np.log(table[quantity]), 1)[0])


def checks() -> Iterator[Check]:
    """Exponents of the closed form in load and radius."""
    for key, values, quantity, expected in (
        ("load.force", "20:100:5 N", "largest pressure", 1.0 / 3.0),
        ("load.force", "20:100:5 N", "approach of the bodies", 2.0 / 3.0),
        ("surface[0].radius", "5:15:5 mm", "largest pressure", -2.0 / 3.0),
    ):
        words = f"exponent of {quantity} over {key}"
        yield Check("sweep-ball", words, "Hertz, sphere", expected, 3e-3, exponent, key, values, quantity)
