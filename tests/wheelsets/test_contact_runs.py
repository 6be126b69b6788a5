"""Positions, rollers and transient rolling of wheels on rails against runs of CONTACT on random cases."""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import traction as tr

STORED = json.loads((Path(__file__).parents[1] / "data/wheel_rail_runs.json").read_text())
STEEL = tr.Material.from_shear_modulus(82e9, 0.28)
RAIL, WHEELSET = (
    tr.Profile.standard("UIC60-benchmark"),
    tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46),
)
LOAD, MU, PITCH_RATE = 10e3, 0.3, -4.3459197


def cases(name):
    stored = STORED[name]
    return [dict(zip(stored["columns"], row, strict=True)) for row in stored["rows"]]


def solve(row, track):
    element = row["element"] * 1e-3
    return tr.wheel_rail(
        WHEELSET, track, side=row["side"], y=row["y"] * 1e-3, yaw=row["yaw"], roll=row["roll"],
        force=row["Fz"], speed=row["speed"] * 1e-3, pitch_rate=row["pitch_rate"],
        velocity=(row["vy"] * 1e-3, 0.0), rates=(0.0, row["yaw_rate"]), friction=row["mu"],
        pair=tr.Pair(STEEL, STEEL), dx=element, dy=element, discretisation="classical", convention="contact",
    )  # fmt: skip


def compare(patch, row):
    assert patch.angle == pytest.approx(row["angle"], abs=1e-3)
    creepage = np.array(patch.creepage) * (1.0, 1.0, 1e-3)
    assert creepage == pytest.approx([row["xi"], row["eta"], row["phi"]], rel=1e-2, abs=1e-5)
    fn, fx, fs = patch.force
    assert fn == pytest.approx(row["Fn"], rel=1e-3)
    assert (fx, fs) == pytest.approx((row["Fx"], row["Fs"]), abs=1.5e-3 * row["mu"] * fn)
    assert patch.elements == pytest.approx(row["elements"], rel=1e-2)


# a flange touches with five elements
@pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
@pytest.mark.sampled(5)
@pytest.mark.parametrize("row", cases("positions"), ids=lambda row: f"{row['side']} {row['y']:.1f} mm")
def test_random_positions_gauges_cants_and_loads(row):
    track = tr.Track(RAIL, gauge=row["gauge"] * 1e-3, cant=row["cant"])
    (patch,) = solve(row, track).patches
    y, z = patch.place
    turn = row["cant"] if row["side"] == "left" else -row["cant"]  # CONTACT's axes turn with the rail
    assert y * np.cos(turn) + z * np.sin(turn) == pytest.approx(row["place_y"] * 1e-3, abs=2e-5)
    compare(patch, row)
    assert patch.peak_pressure / 1e6 == pytest.approx(row["pmax"], rel=1e-2)


@pytest.mark.parametrize("row", cases("rollers"), ids=lambda row: f"{row['roller_radius']:.0f} mm")
def test_random_positions_on_rollers(row):
    """CONTACT samples the surface of a roller, so its pressures scatter by some per cent."""
    track = tr.Track(RAIL, gauge=row["gauge"] * 1e-3, roller_radius=row["roller_radius"] * 1e-3)
    (patch,) = solve(row, track).patches
    compare(patch, row)
    assert patch.peak_pressure / 1e6 == pytest.approx(row["pmax"], rel=6e-2)


@lru_cache
def roll_steadily():
    return roll_on(None, 2e-3, PITCH_RATE)


def roll_on(previous, y, pitch_rate, sideways=0.0):
    before = {} if previous is None else {"previous": previous, "distance": 0.2e-3}
    return tr.wheel_rail(
        WHEELSET, tr.Track(RAIL), side="left", y=y, yaw=0.0048, roll=-1.128e-4, force=LOAD, speed=2.0,
        pitch_rate=pitch_rate, velocity=(sideways, 0.0), friction=MU, pair=tr.Pair(STEEL, STEEL),
        dx=0.2e-3, dy=0.2e-3, discretisation="classical", convention="contact", **before,
    )  # fmt: skip


@pytest.mark.parametrize(("name", "faster", "move"), [("turned", 1.002, 0.0), ("moved", 1.0, 0.02e-3)])
def test_transient_steps(name, faster, move):
    c, y = roll_steadily(), 2e-3
    for fn, fx, fs in STORED["transient"][name][1:7]:
        y += move
        c = roll_on(c, y, faster * PITCH_RATE, 2.0 * move / 0.2e-3)
        assert c.patches[0].force == pytest.approx((fn, fx, fs), abs=5e-4 * MU * LOAD)
