"""Sweeps: 1,000 crossings on one and two local Dask workers, and the cost of a tiny variant.

The targets are a ratio of the times of at least 1.7, and the same table. Workers are warm: they have loaded
Traction and run two crossings before the clock starts, and the start of the cluster is not counted. A machine
that does other work at the same time has fewer than two cores to give; the CPU time of the workers shows it.
"""

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path

import traction as tr
from traction.kinds.sweep.sweep_engine import dask_client

TARGET = 1.7
#: a wheel under a suspended mass on rough rail, in rigid contact
CROSSING = {
    "title": "A wheel on rough rail",
    "speed": "60 m/s",
    "contact": "rigid",
    "beam": {
        "length": "15 m",
        "bending_stiffness": "7.694 GN m2",
        "mass_per_length": "15 t/m",
        "damping": 0.01,
    },
    "axle": [
        {"mass": "1.8 t", "suspension": [{"stiffness": "2.4 MN/m", "damping": "60 kN s/m", "mass": "8 t"}]}
    ],
    "irregularity": {"type": "erri", "level": "low", "seed": 1},
    "model": {"size": 4},
    "time": {"samples": 21, "dt": "1 ms"},
    "output": {"points": 3},
}
BRIDGE = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}


def cpu_seconds():
    """CPU time of a worker."""
    return time.process_time()


def crossings(count, workers):
    """Wall time, CPU time of all workers and of the sweep itself, and the table of so many crossings."""
    case = tr.Scenario.build("cross", **CROSSING)
    vary = {"speed": "uniform(40, 80 m/s)", "irregularity.seed": "integers(1, 1000000)"}
    with dask_client("dask", workers) as client:
        tr.sweep(case, vary, samples=4 * workers, seed=1, keep="figures", executor=client)
        before = sum(client.run(cpu_seconds).values())
        began, own = time.perf_counter(), time.process_time()
        sweep = tr.sweep(case, vary, samples=count, keep="figures", executor=client)
        wall, own = time.perf_counter() - began, time.process_time() - own
        used = sum(client.run(cpu_seconds).values()) - before
    assert sweep.ok
    return (wall, used, own), sweep.table


def tiny(count, keep):
    """CPU and wall time of a variant that computes next to nothing, in ms."""
    case = tr.Scenario.build("modes", modes=1, beam=BRIDGE)
    folder = Path(tempfile.mkdtemp())
    try:
        tr.simulate(case)
        began, used = time.perf_counter(), time.process_time()
        assert tr.sweep(case, {"beam.length": f"10:30:{count} m"}, folder / "sweep", keep=keep).ok
        return 1e3 * (time.process_time() - used) / count, 1e3 * (time.perf_counter() - began) / count
    finally:
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--crossings", type=int, default=1000)
    parser.add_argument("--tiny", type=int, default=300)
    given = parser.parse_args()
    for keep in ("runs", "figures"):
        cpu, wall = tiny(given.tiny, keep)
        print(f"tiny variant, keep={keep}: {cpu:.1f} ms CPU, {wall:.1f} ms")
    (one, first), (two, second) = (crossings(given.crossings, n) for n in (1, 2))
    for words, (wall, cpu, own) in (("1 worker ", one), ("2 workers", two)):
        spent = f"CPU of the workers {cpu:.1f} s, of the sweep itself {own:.1f} s"
        print(f"{given.crossings} crossings, {words}: {wall:.1f} s; {spent}")
    print(f"cores {os.cpu_count()}, load {os.getloadavg()[0]:.1f}")
    verdict = "met" if one[0] / two[0] >= TARGET else "MISSED"
    print(f"ratio {one[0] / two[0]:.2f}, target {TARGET}: {verdict}; tables identical: {first == second}")


if __name__ == "__main__":
    main()
