"""Cases and values of the reference program, in SI."""

import json
from pathlib import Path

import numpy as np

import traction as tr

DATA_FOLDER = Path(__file__).parent / "data"
MM = 1e-3
MPA = 1e6


def reference_values():
    """Values of the reference program, in mm, N and MPa; the file names their source."""
    return json.loads((DATA_FOLDER / "contact.json").read_text())


def reference_dynamics():
    """Bouncing, beams and impacts computed to many digits, in SI; the file names the methods."""
    return json.loads((DATA_FOLDER / "dynamics.json").read_text(encoding="utf-8"))


def grid_of(entry):
    """The reference program's grid, in m."""
    x = entry["xl"] + 0.5 * entry["mx"] * entry["dx"]
    y = entry["yl"] + 0.5 * entry["my"] * entry["dy"]
    return tr.Grid(entry["mx"], entry["my"], entry["dx"] * MM, entry["dy"] * MM, center=(x * MM, y * MM))


def wheel_rail_profile(reference):
    """The reference program's wheel on rail: a circle along x, 271 measured distances along y."""
    case = reference["nonhertz_wheel_rail_profile"]
    z = np.array(case["hy"]) * MM
    y = (case["hy_y0"] + case["hy_dy"] * np.arange(z.size)) * MM
    return tr.RollingProfile(case["wheel_radius"] * MM, y, z)
