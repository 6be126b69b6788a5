"""Beams: reference frequencies, closed statics, moving loads, resonance and limits of stability."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np

from traction.app.check import Check
from traction.beams.beam import Beam
from traction.beams.discrete.beam_differences import BeamDifferences
from traction.beams.discrete.discrete_march import march_beam
from traction.crossing.moving_load import moving_load
from traction.crossing.results.crossing import Crossing
from traction.crossing.sweeps.resonance import resonance
from traction.errors import ConvergenceError
from traction.trains.train import Train
from traction.trains.vehicle import Suspension, Wheel

#: roots beta L of the frequency equations of Euler and Bernoulli's beam, mode 1 and mode 5
ROOTS = {
    ("clamped", "clamped"): (4.730040744862704, 17.27875965739948),
    ("clamped", "free"): (1.875104068711961, 14.13716839104647),
    ("clamped", "pinned"): (3.926602312047919, 16.49336143134641),
    ("pinned", "pinned"): (math.pi, 5.0 * math.pi),
}
#: (m omega^2 L^4/EI)^(1/4) of Timoshenko's beam of height L/10, nu 0.3, kappa 5/6, mode 1 and mode 5
THICK = {
    ("clamped", "clamped"): (4.579547000991711, 14.23242410876483),
    ("clamped", "free"): (1.867713830109218, 12.32243254015070),
    ("pinned", "pinned"): (3.115682466951462, 13.61316588186592),
}
LENGTH, EI, MASS = 20.0, 2.08e9, 7900.0  #: of the bridge of the thesis
WEIGHT = 76e3 * 9.81  #: of its train, N
PEAK, PEAK_TIME = 0.0150010948, 0.37827648  #: at midspan at 30 m/s, m and s
AMPLIFIED = {0.1: 1.096453499531242, 0.5: 1.7054451491473903}  #: by v over the critical speed
THESIS_STEP = 3.8976e-5  #: s
LIMITS = {"verlet": (3.89868e-5, 2e-6), "rk4": (5.5136e-5, 1e-5)}  #: s, and half a digit of it
SPRUNG = 0.0004186670820037129  #: midspan under a sprung mass, ten modes, m
A1_SPEED, A1_ACCELERATION = 324.25, 53.90230850490873  #: km/h and m/s2, first mode
STEPS = 10_000


def checks() -> Iterator[Check]:
    """All rows of beams."""
    yield from frequency_checks()
    yield from static_checks()
    yield from crossing_checks()
    yield from stability_checks()


def frequency_checks() -> Iterator[Check]:
    """Exact frequencies."""
    for table, source, tolerance, compute in (
        (ROOTS, "frequency equation", 1e-12, _root),
        (THICK, "transfer matrix, 30 digits", 1e-9, _thick_root),
    ):
        for supports, values in table.items():
            name = f"beam-{'timoshenko-' if table is THICK else ''}{'-'.join(supports)}"
            for mode, expected in zip((1, 5), values, strict=True):
                found = partial(compute, supports, mode)
                yield Check(name, f"root of mode {mode}", source, expected, tolerance, found)
    yield Check("beam-pinned-pinned", "root of mode 50", "50 pi", 50.0 * math.pi, 1e-12, _fiftieth)


def static_checks() -> Iterator[Check]:
    """Deflections in closed form."""
    clamped, pinned = WEIGHT * LENGTH**3 / (192.0 * EI), WEIGHT * LENGTH**3 / (48.0 * EI)
    yield Check("beam-rest", "clamped, midspan", "P L^3/192 EI", clamped, 1e-10, partial(_rest, "clamped"))
    yield Check("beam-rest", "pinned, midspan", "P L^3/48 EI", pinned, 1e-10, partial(_rest, "pinned"))
    even = 5.0 * 1e4 * LENGTH**4 / (384.0 * EI)
    yield Check("beam-rest", "pinned, even load", "5 p L^4/384 EI", even, 1e-10, _even)


def crossing_checks() -> Iterator[Check]:
    """Loads on the move."""
    series = "series of 480 modes"
    yield Check("bridge-thesis", "largest midspan", series, PEAK, 1e-7, lambda: _peak("modes")[0])
    yield Check("bridge-thesis", "its time", series, PEAK_TIME, 1e-6, lambda: _peak("modes")[1])
    yield Check("bridge-elements", "largest midspan", series, PEAK, 1e-5, lambda: _peak("elements")[0])
    yield Check("bridge-differences", "largest midspan", series, PEAK, 1e-3, lambda: _peak("differences")[0])
    for ratio, expected in AMPLIFIED.items():
        name = f"amplification at {ratio:g} of critical"
        yield Check("bridge-pinned", name, "series of 400 modes", expected, 1e-6, partial(_amplified, ratio))
    yield Check("bridge-sprung-mass", "largest midspan", "VBI-2D V01, 10 modes", SPRUNG, 1e-5, _sprung)
    source = "EN 1991-2, ERRI D214"
    yield Check("bridge-hslm-a1", "resonance speed (km/h)", source, A1_SPEED, 1e-3, lambda: _resonance()[0])
    yield Check("bridge-hslm-a1", "acceleration", source, A1_ACCELERATION, 1e-3, lambda: _resonance()[1])


def stability_checks() -> Iterator[Check]:
    """Longest steps of the thesis' differences, and runs just below and above."""
    bound = 0.5 * 0.2**2 * math.sqrt(MASS / EI)
    von_neumann = partial(_differences_number, "von_neumann_limit", "verlet")
    yield Check(
        "differences-stability", "von Neumann's bound", "dx^2 sqrt(m/EI)/2", bound, 1e-12, von_neumann
    )
    for method, (limit, tolerance) in LIMITS.items():
        found = partial(_differences_number, "stability_limit", method)
        yield Check("differences-stability", f"limit of {method}", "eigenvalue", limit, tolerance, found)
        source = "0.1 % below, 0.1 % above"
        compute = partial(_runs_that_agree, method)
        yield Check("differences-stability", f"runs of {method} that agree", source, 2.0, 1e-9, compute)


def _bridge(supports: tuple[str, str] = ("clamped", "clamped")) -> Beam:
    return Beam(LENGTH, EI, MASS, supports=supports)


def _root(supports: tuple[str, str], mode: int) -> float:
    return math.sqrt(float(Beam(1.0, 1.0, 1.0, supports=supports).frequencies(mode)[-1]))


def _fiftieth() -> float:
    return _root(("pinned", "pinned"), 50)


def _thick_root(supports: tuple[str, str], mode: int) -> float:
    square = 0.1**2 / 12.0  # of the radius of gyration over the length
    section: dict[str, Any] = {"shear_stiffness": 1.0 / (3.12 * square), "rotary_inertia": square}
    return math.sqrt(float(Beam(1.0, 1.0, 1.0, supports=supports, **section).frequencies(mode)[-1]))


def _rest(support: str) -> float:
    return float(_bridge((support, support)).bend([(WEIGHT, 10.0)]).deflection(10.0))


def _even() -> float:
    return float(_bridge(("pinned", "pinned")).bend(load=1e4).deflection(10.0))


@lru_cache(maxsize=3)
def _peak(model: str) -> tuple[float, float]:
    options: dict[str, Any] = {"dt": THESIS_STEP} if model == "differences" else {}
    run: Crossing = moving_load(_bridge(), [(WEIGHT, 0.0)], 30.0, model=model, **options)
    peak = run.largest("deflection", 10.0)
    return peak.value, peak.time


def _amplified(ratio: float) -> float:
    speed = ratio * math.pi / LENGTH * math.sqrt(EI / MASS)
    run = moving_load(_bridge(("pinned", "pinned")), [(WEIGHT, 0.0)], speed)
    return run.amplification("deflection", 10.0)


def _sprung() -> float:
    beam = Beam(25.0, 3.5e10 * 1.3901, 18358.0, supports=("pinned", "pinned"))
    wheel = Wheel(0.46, 0.0, suspension=Suspension(1595e3, 0.0, 5750.0))
    return moving_load(beam, [(wheel, 0.0)], 25.0, size=10, residual=False).largest("deflection", 12.5).value


@lru_cache(maxsize=1)
def _resonance() -> tuple[float, float]:
    """Speed (km/h) and acceleration (m/s2) of the worst crossing."""
    beam = Beam(15.0, 7.694081e9, 15000.0, supports=("pinned", "pinned"), damping=0.01)
    curve = resonance(beam, Train.hslm("A1"), np.arange(320.0, 328.1, 0.25) / 3.6, modes=1)
    speed, size = curve.peak("acceleration")
    return 3.6 * speed, size


@lru_cache(maxsize=1)
def _differences() -> BeamDifferences:
    return _bridge().differences(100)


def _differences_number(name: str, method: str) -> float:
    return float(getattr(_differences(), name)(method))


def _runs_that_agree(method: str) -> float:
    """Of two: the one below the limit stays as it began, the one above grows without bound."""
    model = _differences()
    v0 = np.random.default_rng(0).standard_normal(model.size)
    sizes = []
    for share in (0.999, 1.001):
        t = share * model.stability_limit(method) * np.arange(STEPS + 1)
        none = np.zeros((t.size, 0))
        try:
            _, v, _ = march_beam(model, t, none, none, method, v0=v0, allow_unstable=True, every=100)
            sizes.append(float(np.abs(v).max()))
        except ConvergenceError:
            sizes.append(math.inf)
    began = float(np.linalg.norm(v0))
    return float(sizes[0] < 10.0 * began) + float(sizes[1] > 1e3 * began)
