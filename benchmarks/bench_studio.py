"""Traction Studio: time to start, from a drag to its answer, and to look at a history of 10,000 steps.

The targets are 3 s to start, and from a drag to its answer a median of 100 ms, and 200 ms for 95 % of all
moves; drawing comes on top. It looks at the clock of the wall: run it on an idle machine.
"""

import math
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from studio_process import running_studio

START_SECONDS, MEDIAN, MOST = 3.0, 0.100, 0.200
MOVES = 120
HISTORY = """kind = "bounce"
title = "Ten thousand steps"
upper = "rigid"
[lower]
youngs_modulus = "150 MPa"
poisson_ratio = 0.5
[ball]
radius = "0.11 m"
density = "910 kg/m^3"
[fall]
height = "1 m"
[time]
bounces = 10
samples = 10001
"""


def judge(words, found, target, unit="ms", scale=1e3):
    verdict = "met" if found <= target else "MISSED"
    print(f"{words:<48} {found * scale:8.1f} {unit}, target {target * scale:.0f}: {verdict}")


def drag(studio, name, places):
    """Seconds of each move, one after the other, as a page sends them."""
    taken = []
    for given in places:
        began = time.perf_counter()
        studio.post(f"/api/live/{name}", given)
        taken.append(time.perf_counter() - began)
    return taken[5:]  # the first ones load and compile


def rolling_moves():
    for k in range(MOVES):
        angle = 4.0 * math.pi * k / MOVES
        yield {
            "creepage": [2e-3 * math.cos(angle), 2e-3 * math.sin(angle)],
            "spin": 0.3 * math.sin(angle / 2),
        }


def wheelset_moves():
    for k in range(MOVES):
        angle = 2.0 * math.pi * k / MOVES
        yield {"y": 4e-3 * math.sin(angle), "yaw": 2e-3 * math.sin(2.0 * angle), "step": 0.5e-3}


def train_moves():
    for k in range(MOVES):
        yield {"speed": 40.0 + 60.0 * k / MOVES}


def report_drag(words, taken):
    judge(f"{words}, median", statistics.median(taken), MEDIAN)
    judge(f"{words}, 95 %", statistics.quantiles(taken, n=20)[-1], MOST)


def look_at_history(studio):
    key = studio.start(HISTORY)
    studio.wait_for(key, "done")
    for points in (1200, 1200, 20_000):
        began = time.perf_counter()
        answer = studio.client.get(f"/api/runs/{key}/views/energy", params={"points": points})
        seconds = time.perf_counter() - began
        size = len(answer.content) / 1e3
        print(f"10,001 steps, 4 curves, {points} points: {1e3 * seconds:.1f} ms, {size:.0f} kB")


def main():
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with running_studio(folder) as studio:
            judge("start until the address is printed", time.perf_counter() - began, START_SECONDS, "s", 1.0)
            drags = studio.get("/api/info")["live"]
            report_drag("rolling patch, 40 x 40", drag(studio, "rolling", rolling_moves()))
            if "wheelset" in drags:
                report_drag("wheelset, 0.5 mm, both patches", drag(studio, "wheelset", wheelset_moves()))
            report_drag("train", drag(studio, "train", train_moves()))
            look_at_history(studio)


if __name__ == "__main__":
    main()
