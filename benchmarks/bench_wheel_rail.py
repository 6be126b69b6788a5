"""Wheel/rail contact: time of a position, of the search, and of a map; beside CONTACT's 70 ms a position.

Best processor times of several runs, warm, over the 21 positions of the Manchester benchmark with its roll
angles and pitch rates; CONTACT's figure is that of its own timers on another machine. 29 ms a position of a
map are 60 s for 101 x 41 positions on two cores.
"""

import json
import time
import warnings
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import traction as tr
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.search.locus import ContactLocus

STEEL = tr.Material.from_shear_modulus(82e9, 0.28)
TRACK = tr.Track(tr.Profile.standard("UIC60-benchmark"))
WHEELSET = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
STORED = json.loads((Path(__file__).parents[1] / "tests/data/wheel_rail_benchmark.json").read_text())
ROWS = [dict(zip(STORED["columns"], row, strict=True)) for row in STORED["rows"]]
#: maps of both wheels, roll found; mirror images are solved once, so that one sign of y takes twice as long
BOTH = (("20 kN", TRACK, 20e3), ("60E1, 160 kN", tr.Track(tr.Profile.standard("60E1"), cant=1 / 40), 160e3))
console = Console(width=120)


def best(function, repeat=9):
    times = []
    for _ in range(repeat):
        began = time.process_time()
        function()
        times.append(time.process_time() - began)
    return 1e3 * min(times)


def position(shift, **given):
    usual = {
        "side": "left",
        "y": -shift,
        "yaw": -2.4 * shift,
        "force": 10e3,
        "speed": 2.0,
        "pair": tr.Pair(STEEL, STEEL),
    }
    return tr.wheel_rail(WHEELSET, TRACK, **(usual | given))


def benchmark_position(row, **given):
    """As CONTACT was given it."""
    own = {"y": row["y"] * 1e-3, "yaw": row["yaw"], "roll": row["roll"], "pitch_rate": row["pitch_rate"]}
    return position(0.0, **own, convention="contact", **given)


def main():
    warnings.simplefilter("ignore", tr.CoarseGridWarning)
    table = Table("what", "mean, ms", "largest, ms", "asked, ms")
    cases = (
        (0.2e-3, "classical", "left", "15"),
        (0.5e-3, "classical", "left", "3"),
        (0.2e-3, "classical", "right", "15"),
        (0.5e-3, "classical", "right", "3"),
        (0.2e-3, "covered", "left", ""),
    )
    for step, discretisation, side, asked in cases:
        given = {"dx": step, "dy": step, "discretisation": discretisation, "side": side}
        times = [best(lambda row=row: benchmark_position(row, **given)) for row in ROWS]  # noqa: B023
        table.add_row(
            f"position, force given, {step * 1e3:.1f} mm, {discretisation}, {side}",
            f"{np.mean(times):.2f}", f"{max(times):.2f}", asked,
        )  # fmt: skip
    pose = Pose(-2e-3, 0.0, -4.8e-3, 0.0)
    search = best(lambda: ContactLocus.of(WHEELSET, TRACK, "left", pose).touching_height, repeat=50)
    table.add_row("contact search", f"{search:.3f}", "", "0.2")
    both = best(lambda: position(2e-3, side="both", force=20e3))
    table.add_row("both wheels, roll found, 0.2 mm", f"{both:.1f}", "", "")
    shifts, angles = np.linspace(-8e-3, 8e-3, 41), np.linspace(-0.02, 0.02, 11)
    for step, asked in ((0.2e-3, "29"), (0.5e-3, "")):
        given = {"y": shifts, "yaw": angles, "side": "left", "force": 10e3, "dx": step, "dy": step}
        for device, words in ((None, "one by one"), ("cpu", "in batches")):
            whole = best(lambda: tr.force_map(WHEELSET, TRACK, **given, device=device), repeat=1)  # noqa: B023
            each = whole / (len(shifts) * len(angles))
            table.add_row(
                f"position of a map, left wheel, {step * 1e3:.1f} mm, {words}", f"{each:.2f}", "", asked
            )
    angles = np.linspace(-0.02, 0.02, 11)
    for words, track, load in BOTH:
        for least, signs, asked in ((-7e-3, "both signs of y", "29"), (0.0, "one sign of y", "")):
            given = {
                "y": np.linspace(least, 7e-3, 21),
                "yaw": angles,
                "force": load,
                "dx": 0.2e-3,
                "dy": 0.2e-3,
            }
            whole = best(lambda: tr.force_map(WHEELSET, track, **given), repeat=1)  # noqa: B023
            each = whole / (21 * len(angles))
            table.add_row(
                f"position of a map, both wheels, {words}, 0.2 mm, {signs}", f"{each:.2f}", "", asked
            )
    console.print(table)


if __name__ == "__main__":
    main()
