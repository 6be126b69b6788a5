"""Draws images/crossing.gif: a train crosses a bridge in resonance, its contacts solved at every step."""

from pathlib import Path

import traction as tr

FILE = Path(__file__).parent / "images" / "crossing.gif"

bridge = tr.Bridge(
    tr.Beam(20.0, 2.08e9, 7900.0, damping=0.01), tr.STEEL, rail_profile=tr.Paraboloid(float("inf"), 0.3)
)
wheel = tr.Wheel(0.46, 1800.0, suspension=tr.Suspension(8e6, 1e5, 17e3))
train = tr.Train([(wheel, 8.0 * k) for k in range(5)])
waves = tr.Irregularity.harmonic(4e-3, 8.0, phase=1.57)
run = tr.cross(
    bridge, train, 131.5 / 3.6, contact="half-space", irregularity=waves, size=20, dt=5e-4, t_end=1.8
)
tr.view.animate_crossing(run, FILE, frames=72, fps=12.0, during=(0.0, 1.5))
