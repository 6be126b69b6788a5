"""Moving loads: 20 modes by the exact recurrence, vehicles, and 2,000 crossings of trains over speed.

Times are medians of this run; ratios beside the plain loop in numpy say more than seconds.
"""

import numpy as np
from pairs import median_seconds
from rich.console import Console
from rich.table import Table

import traction as tr

STEPS, MODES = 20_000, 20
BRIDGE = tr.Beam(20.0, 2e11 * 0.0104, 7900.0)
SHORT = tr.Beam(15.0, 7.694081e9, 15000.0, supports=("pinned", "pinned"), damping=0.01)
FORCE, SPEED = 76e3 * 9.81, 30.0
CROSSING = 20.0 / SPEED
console = Console(width=110)


def exact():
    return tr.moving_load(BRIDGE, [(FORCE, 0.0)], SPEED, size=MODES, dt=CROSSING / STEPS)


def newmark_by_hand():
    """The same modes by Newmark's method in numpy, a step a time, shapes sampled beforehand."""
    modes, dt = BRIDGE.modes(MODES), CROSSING / STEPS
    forces = FORCE * modes.deflection(SPEED * dt * np.arange(STEPS + 1)).T
    square = modes.frequencies**2
    q, v = np.zeros(MODES), np.zeros(MODES)
    a = forces[0] - square * q
    for force in forces[1:]:
        ahead = q + dt * v + 0.25 * dt * dt * a
        after = (force - square * ahead) / (1.0 + 0.25 * dt * dt * square)
        q, v, a = ahead + 0.25 * dt * dt * after, v + 0.5 * dt * (a + after), after
    return q


def vehicles():
    train = tr.Train.vehicle(
        body_mass=32e3, body_inertia=1.97e6, bogie_mass=2615.0, bogie_inertia=1476.0, wheel_mass=1813.0,
        primary=(1.18e6, 39.2e3), secondary=(530e3, 90.2e3), bogie_spacing=12.0, axle_spacing=2.5,
    )  # fmt: skip
    return tr.moving_load(BRIDGE, train, SPEED, size=MODES, dt=CROSSING / STEPS, t_end=CROSSING)


def crossings():
    trains = [tr.Train.hslm(f"A{k}") for k in range(1, 11)]
    return tr.resonance(SHORT, trains, np.linspace(100.0, 420.0, 200) / 3.6, modes=3)


def main():
    table = Table("work", "seconds", "over the exact recurrence")
    unit = median_seconds(exact, repeat=5)
    table.add_row(f"{MODES} modes, {STEPS:,} steps, exact recurrence", f"{unit:.4f}", "1")
    by_hand = median_seconds(newmark_by_hand, repeat=3)
    table.add_row("the same by Newmark's method in numpy", f"{by_hand:.4f}", f"{by_hand / unit:.1f}")
    for name, model in (("100 elements, Newmark", "elements"), ("100 cells, Verlet", "differences")):
        dt = CROSSING / STEPS
        seconds = median_seconds(
            lambda model=model, dt=dt: tr.moving_load(BRIDGE, [(FORCE, 0.0)], SPEED, model=model, dt=dt),
            repeat=3,
        )
        table.add_row(f"{name}, {STEPS:,} steps", f"{seconds:.4f}", f"{seconds / unit:.1f}")
    seconds = median_seconds(vehicles, repeat=3)
    table.add_row(f"vehicle of 10 degrees of freedom, {MODES} modes, {STEPS:,} steps", f"{seconds:.4f}",
                  f"{seconds / unit:.1f}")  # fmt: skip
    curve = crossings()
    table.add_row(f"{curve.stats['crossings']:,} crossings of HSLM-A1 to A10, 3 modes",
                  f"{curve.stats['seconds']:.1f}", f"{curve.stats['seconds'] / unit:.0f}")  # fmt: skip
    console.print(table)


if __name__ == "__main__":
    main()
