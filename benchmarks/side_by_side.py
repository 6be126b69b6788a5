"""Two checkouts side by side: the same public calls with both, by turns, and the ratio of their times.

python benchmarks/side_by_side.py OTHER_CHECKOUT [--rounds 3] [--only NAME ...]

Each round runs every call in a process of its own per checkout, by turns, so that both meet the same machine.
A time is the least CPU time of all rounds, kernels compiled and caches filled.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
LEAST_SECONDS = 0.3  #: of CPU time per call and round
SLOWER = 1.05  #: ratio from which a call is marked


def calls():
    """Calls of the public API by name."""
    import numba
    import numpy as np

    import traction as tr

    steel = tr.Pair(tr.STEEL, tr.STEEL)
    ball = tr.Sphere(0.02)
    small, large = (tr.Grid.around(0.8e-3, 0.8e-3, n, n) for n in (48, 256))
    normal = tr.press(ball, small, steel, force=1000.0)
    shifted = tr.shift(normal, 0.3, force=(-100.0, 0.0))
    rolled = tr.roll_steady(normal, 0.3, creepage=(1e-3, 0.0, 0.0))
    beam = tr.Beam(20.0, 1e10, 1e4, supports=("pinned", "pinned"))
    bridge = tr.Bridge(beam, tr.STEEL)
    wheel = tr.Wheel(0.46, 500.0, suspension=tr.Suspension(mass=8000.0, stiffness=1e6, damping=1e4))
    cantilever = tr.Beam(8.0, 1.0, 1.0, shear_stiffness=0.023**-2, supports=("clamped", "free"))
    law = tr.PowerLaw(1e10, 1.5)
    striker = tr.Striker(0.03, 1.0, radius=0.01, pair=steel)

    @numba.njit
    def duffing(t, q, v):
        return -q - q**3 - 0.1 * v + np.cos(t)

    def plain(t, q, v):
        return -q - q**3 - 0.1 * v

    scalar = tr.SecondOrderSystem(1.0, duffing, 1.0, 0.0)
    n = 50
    stiff = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    pair = tr.SecondOrderSystem(np.ones(2), plain, np.ones(2), np.zeros(2))
    chain = tr.SecondOrderSystem(np.ones(n), plain, np.ones(n), np.zeros(n), stiffness=stiff)
    integrations = {
        f"integrate {method}, {name}": lambda method=method, system=system, steps=steps: tr.integrate(
            system, method, dt=1e-3, t_end=1e-3 * steps
        )
        for method in ("verlet", "rk4", "newmark", "radau-iia", "energy-conserving")
        for name, system, steps in (("compiled", scalar, 20_000), ("2 dof", pair, 100), ("50 dof", chain, 50))
    }
    return {
        "press 48": lambda: tr.press(ball, small, steel, force=1000.0),
        "press 256": lambda: tr.press(ball, large, steel, force=1000.0),
        "press approach 48": lambda: tr.press(ball, small, steel, approach=normal.approach),
        "shift 48": lambda: tr.shift(normal, 0.3, force=(-100.0, 0.0)),
        "roll_steady 48": lambda: tr.roll_steady(normal, 0.3, creepage=(1e-3, 0.0, 0.0)),
        "roll_steady 48, force": lambda: tr.roll_steady(
            normal, 0.3, creepage=(None, 0.0, 0.0), force=(-100.0, None)
        ),
        "roll 48, a cell from a shift": lambda: tr.roll(
            shifted, 0.3, distance=small.dx, creepage=(1e-3, 0.0, 0.0)
        ),
        "roll 48, a tenth of a cell": lambda: tr.roll(
            shifted, 0.3, distance=0.1 * small.dx, creepage=(1e-3, 0.0, 0.0)
        ),
        "subsurface": lambda: rolled.stress([[0.0, 0.0, -1e-4], [1e-4, 0.0, -2e-4]]),
        "moving_load, modes": lambda: tr.moving_load(beam, [(1e5, 0.0), (1e5, 8.0)], 30.0),
        "moving_load, elements": lambda: tr.moving_load(beam, [(1e5, 0.0)], 30.0, model="elements"),
        "cross rigid": lambda: tr.cross(bridge, [(wheel, 0.0)], 30.0),
        "cross hertz": lambda: tr.cross(bridge, [(wheel, 0.0)], 30.0, contact="hertz", dt=1e-3),
        "cross hertz, newmark": lambda: tr.cross(
            bridge, [(wheel, 0.0)], 30.0, contact="hertz", dt=1e-3, t_end=0.1, method="newmark"
        ),
        "cross half-space": lambda: tr.cross(
            bridge, [(wheel, 0.0)], 30.0, contact="half-space", dt=1e-3, t_end=0.1
        ),
        "resonance": lambda: tr.resonance(
            beam, tr.Train([(1e5, 8.0 * k) for k in range(8)]), [30.0, 40.0], threads=1
        ),
        "rest half-space": lambda: tr.rest(wheel, bridge, 10.0, 8e4),
        "bounce hertz": lambda: tr.bounce(0.02, steel, 0.1, t_end=0.5),
        "impact on a beam": lambda: tr.impact(tr.Beam(0.6, 100.0, 3.0), 0.3, striker, modes=20, t_end=1e-3),
        "obstacle": lambda: tr.obstacle.solve(cantilever, 1.0, 1.0, 500),
        "40 modes": lambda: tr.Beam(20.0, 1e10, 1e4 * (1.0 + 1e-9 * np.random.default_rng().random())).modes(
            40
        ),
        "law.response": lambda: [law.response(1e-5) for _ in range(1000)],
        **integrations,
    }


def measure(only):
    """Least CPU time of each call, s; of one that fails, its error."""
    found = {}
    for name, call in calls().items():
        if only and not any(part in name for part in only):
            continue
        try:
            call()
            times = []
            while sum(times) < LEAST_SECONDS or len(times) < 3:
                began = time.process_time()
                call()
                times.append(time.process_time() - began)
            found[name] = min(times)
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"
    return found


def run(source, only):
    """The times of one checkout, measured in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(source / "src"), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--measure", *(["--only", *only] if only else [])]
    out = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(out.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("other", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measure(given.only)))
        return
    if given.other is None:
        parser.error("give the folder of the other checkout")
    rounds = [(run(given.other, given.only), run(HERE, given.only)) for _ in range(given.rounds)]
    print(f"{'call':<40}{'other':>12}{'this':>12}{'ratio':>8}")
    for name in rounds[-1][1]:
        pairs = [(one.get(name), two.get(name)) for one, two in rounds]
        if not all(isinstance(value, float) for pair in pairs for value in pair):
            print(
                f"{name:<40}{next(value for pair in pairs for value in pair if not isinstance(value, float))}"
            )
            continue
        other, this = (min(values) for values in zip(*pairs, strict=True))
        mark = " slower" if this > SLOWER * other else ""
        print(f"{name:<40}{1e3 * other:>9.3f} ms{1e3 * this:>9.3f} ms{this / other:>8.2f}{mark}")


if __name__ == "__main__":
    main()
