"""Draws images/crossing.gif: a train crosses a bridge in resonance, its contacts solved."""

from pathlib import Path

import traction as tr

FILE = Path(__file__).parent / "images" / "crossing.gif"

bridge = tr.Bridge(
    tr.Beam(20.0, 2.08e9, 7900.0, damping=0.01), tr.STEEL, rail_profile=tr.Cylinder(0.3, axis="x")
)
wheel = tr.Wheel(0.46, 1800.0, suspension=tr.Suspension(0.8e6, 30e3, 17e3))
train = tr.Train([(wheel, 8.0 * k) for k in range(16)])
run = tr.cross(bridge, train, 36.5, contact="half-space", size=20, dt=1e-3, t_end=4.5)
tr.view.animate_crossing(run, FILE, frames=150, fps=12.0)
