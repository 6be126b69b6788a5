"""Transient steps with friction laws and memory against runs of CONTACT."""

import json
from pathlib import Path

import pytest

import traction as tr

LAWS = json.loads((Path(__file__).parents[2] / "data/falling_friction_steps.json").read_text())["laws"]
BODY = tr.Material.from_shear_modulus(82e9, 0.28)
GRID = tr.Grid(40, 30, 0.4181e-3, 0.3716e-3)
MEMORY = (3e-6, 1e-3)
FRICTION = {
    "exponential": tr.friction.exponential(0.15, (0.2, 1.0), memory=MEMORY),
    "linear": tr.friction.linear(0.2, (0.15, 1.5), memory=MEMORY),
    "rational": tr.friction.rational(0.1, (0.2, 0.8), (0.08, 2.0), memory=MEMORY),
}


@pytest.mark.parametrize("name", LAWS)
def test_steps_from_steady_rolling_are_those_of_contact(name):
    gap = 0.8 * GRID.x**2 + 1.471 * GRID.y[:, None] ** 2
    n = tr.press(gap, GRID, tr.Pair(BODY, BODY), force=80e3)
    given, law = LAWS[name], FRICTION[name]
    t = tr.roll_steady(n, law, creepage=given["from"], speed=20.0, discretisation="classical")
    for fx, fy, stick in given["rows"][1:]:
        t = tr.roll(t, law, distance=GRID.dx, creepage=given["to"], speed=20.0, discretisation="classical")
        assert t.force == pytest.approx((fx, fy), abs=3e-4 * 0.35 * 80e3)
        assert t.stick.sum() == pytest.approx(stick, abs=4)
