"""Sweeps: the laws that a table of variants must follow."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from traction.app.verification import Check
from traction.kinds.case import Scenario
from traction.kinds.sweep.run_sweep import sweep


def exponent(key: str, values: str, quantity: str) -> float:
    """The power of a key with which a result of a ball pressed on a plate goes, fitted to the table."""
    ball = Scenario.build(
        "press",
        grid={"nx": 48, "ny": 48, "width_x": "0.5 mm", "width_y": "0.5 mm"},
        surface=[{"type": "sphere", "radius": "10 mm"}],
        load={"force": "50 N"},
    )
    table = sweep(ball, {key: values}).table
    return float(np.polyfit(np.log(table[key]), np.log(table[quantity]), 1)[0])


SPREAD = 0.05  #: standard deviation of the sampled stiffness over its mean
SAMPLES = 100


def sampled_spread() -> float:
    """Standard deviation of the logarithm of a natural frequency, of bridges with sampled stiffness."""
    vary = {"beam.bending_stiffness": f"lognormal(2, {2 * SPREAD} GN m2)"}
    table = sweep(_bridge(), vary, samples=SAMPLES).table
    return float(np.std(np.log(table["frequency of mode 1"])))


def difference_on_threads() -> float:
    """Largest difference of a table that threads of an executor have computed from that of one process."""
    vary = {"beam.length": "uniform(10, 30 m)"}
    with ThreadPoolExecutor(2) as pool:
        shared = sweep(_bridge(), vary, samples=20, executor=pool).table
    alone = sweep(_bridge(), vary, samples=20).table
    return float(np.abs(shared["frequency of mode 1"] - alone["frequency of mode 1"]).max())


def _bridge() -> Scenario:
    beam = {"length": "20 m", "bending_stiffness": "2 GN m2", "mass_per_length": "8 t/m"}
    return Scenario.build("modes", modes=1, beam=beam)


def checks() -> Iterator[Check]:
    """Exponents of the closed form in load and radius; spread of samples; who computes does not matter."""
    for key, values, quantity, expected in (
        ("load.force", "20:100:5 N", "largest pressure", 1.0 / 3.0),
        ("load.force", "20:100:5 N", "approach of the bodies", 2.0 / 3.0),
        ("surface[0].radius", "5:15:5 mm", "largest pressure", -2.0 / 3.0),
    ):
        words = f"exponent of {quantity} over {key}"
        yield Check("sweep-ball", words, "Hertz, sphere", expected, 3e-3, exponent, key, values, quantity)
    # f goes with the root of the stiffness; 100 samples miss the spread by 1 to 2.5 %, depending on the seed
    spread = 0.5 * np.sqrt(np.log1p(SPREAD**2))
    words = "spread of ln f1, lognormal stiffness"
    yield Check("sweep-samples", words, "closed form", spread, 3e-2, sampled_spread)
    words = "difference of results on two threads"
    yield Check("sweep-threads", words, "one process", 0.0, 0.0, difference_on_threads)
