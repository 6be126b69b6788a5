"""The Manchester benchmark against CONTACT: 21 positions of the left wheel."""

import json
from pathlib import Path

import numpy as np
import pytest

import traction as tr

STORED = json.loads((Path(__file__).parents[1] / "data/wheel_rail_benchmark.json").read_text())
ROWS = [dict(zip(STORED["columns"], row, strict=True)) for row in STORED["rows"]]
STEEL = tr.Material.from_shear_modulus(82e9, 0.28)
TRACK = tr.Track(tr.Profile.standard("UIC60-benchmark"))
WHEELSET = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
LOAD, MU = 10e3, 0.3


def solve(row, **changes):
    given = {
        "side": "left", "y": row["y"] * 1e-3, "yaw": row["yaw"], "roll": row["roll"], "force": LOAD,
        "speed": 2.0, "pitch_rate": row["pitch_rate"], "friction": MU, "pair": tr.Pair(STEEL, STEEL),
        "discretisation": "classical", "convention": "contact",
    }  # fmt: skip
    return tr.wheel_rail(WHEELSET, TRACK, **(given | changes))


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['y']:.1f}mm" for row in ROWS])
def test_positions_are_those_of_contact(row):
    c = solve(row)
    (patch,) = c.patches
    assert np.array(patch.place) * 1e3 == pytest.approx([row["place_y"], row["place_z"]], abs=2e-3)
    assert patch.angle == pytest.approx(row["angle"], abs=1e-4)
    creepage = np.array(patch.creepage) * (1.0, 1.0, 1e-3)
    assert creepage == pytest.approx([row["xi"], row["eta"], row["phi"]], rel=1e-3, abs=1e-6)
    fn, fx, fs = patch.force
    assert fn == pytest.approx(row["Fn"], rel=1e-3)
    assert (fx, fs) == pytest.approx((row["Fx"], row["Fs"]), abs=1e-3 * MU * fn)
    assert patch.peak_pressure / 1e6 == pytest.approx(row["pmax"], rel=4e-3)
    assert patch.elements == pytest.approx(row["elements"], rel=5e-3)
    assert c.z * 1e3 == pytest.approx(row["z"], abs=5e-3)
    assert c.force[1:] == pytest.approx([row["total_Fy"], LOAD], abs=1e-3 * LOAD)
    assert c.ok
    assert c.certificate.force_error < 1e-5


def test_roll_and_height_of_both_wheels_are_those_of_the_benchmark():
    """The benchmark states the roll angles of a wheelset that lies on both rails."""
    for row in (ROWS[4], ROWS[12]):
        c = solve(row, side="both", roll=None, force=2 * LOAD)
        assert c.roll == pytest.approx(row["roll"], abs=2e-6)
        assert c.z * 1e3 == pytest.approx(row["z"], abs=2e-3)
        assert c.force[2] == pytest.approx(2 * LOAD, rel=1e-4)


def test_covered_elements_state_their_grid_error():
    """Forces of covered elements on 0.3 and 0.15 mm differ by less than 1 % of mu Fn."""
    row = ROWS[1]
    fine = solve(row, discretisation="covered", dx=0.15e-3, dy=0.15e-3).patches[0].force
    coarse = solve(row, discretisation="covered", dx=0.3e-3, dy=0.3e-3).patches[0].force
    assert np.abs(np.subtract(fine, coarse)).max() < 0.01 * MU * LOAD
