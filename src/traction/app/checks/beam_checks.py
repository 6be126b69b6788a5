"""Beams: reference frequencies, closed statics, moving loads, resonance and limits of stability."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from traction.app.verification import Check
from traction.beams.beam import Beam
from traction.beams.discrete.beam_differences import BeamDifferences
from traction.beams.discrete.discrete_march import march_beam
from traction.crossing.moving_load import moving_load
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
LENGTH, EI, MASS = 20.0, 2.08e9, 7900.0  #: of the bridge of H. de Looij's thesis (2015)
WEIGHT = 76e3 * 9.81  #: of its train, N
PEAK, PEAK_TIME = 0.0150010948, 0.37827648  #: at midspan at 30 m/s, m and s
AMPLIFIED = {0.1: 1.096453499531242, 0.5: 1.7054451491473903}  #: by v over the critical speed
THESIS_STEP = 3.8976e-5  #: s
LIMITS = {"verlet": (3.89868e-5, 2e-6), "rk4": (5.5136e-5, 1e-5)}  #: s, and half a digit of it
SPRUNG_BEAM = Beam(25.0, 3.5e10 * 1.3901, 18358.0, supports=("pinned", "pinned"))  #: of VBI-2D's case V01
SPRUNG = 0.0004186670820037129  #: midspan under a sprung mass, ten modes, m
A1_SPEED = 3.6 * 18.0 * math.pi / (2.0 * 15.0**2) * math.sqrt(7.694081e9 / 15000.0)  #: f1 D, km/h
A1_ACCELERATION = 53.9023  #: m/s2: half sines and free vibrations of all axles, superposed; first mode
STEPS = 10_000


def checks() -> Iterator[Check]:
    """All rows of beams: exact frequencies, deflections in closed form, loads on the move, longest steps."""
    for table, words, source, tolerance, compute in (
        (ROOTS, "beam", "frequency equation", 1e-12, _root),
        (THICK, "beam-timoshenko", "transfer matrix, 30 digits", 1e-9, _thick_root),
    ):
        for supports, values in table.items():
            name = f"{words}-{'-'.join(supports)}"
            for mode, expected in zip((1, 5), values, strict=True):
                call = compute, supports, mode
                yield Check(name, f"root of mode {mode}", source, expected, tolerance, *call)
    name, pinned = "beam-pinned-pinned", ("pinned", "pinned")
    yield Check(name, "root of mode 50", "50 pi", 50.0 * math.pi, 1e-12, _root, pinned, 50)
    for support, share in (("clamped", 192), ("pinned", 48)):
        source, expected = f"P L^3/{share} EI", WEIGHT * LENGTH**3 / (share * EI)
        yield Check("beam-rest", f"{support}, midspan", source, expected, 1e-10, _rest, support)
    even = 5.0 * 1e4 * LENGTH**4 / (384.0 * EI)
    yield Check("beam-rest", "pinned, even load", "5 p L^4/384 EI", even, 1e-10, _even)
    yield from crossing_checks()
    yield from stability_checks()


def crossing_checks() -> Iterator[Check]:
    """Loads on the move."""
    for name, words, expected, tolerance, model, number in (
        ("bridge-thesis", "peak midspan deflection", PEAK, 1e-7, "modes", 0),
        ("bridge-thesis", "time of the peak", PEAK_TIME, 1e-6, "modes", 1),
        ("bridge-elements", "peak midspan deflection", PEAK, 1e-5, "elements", 0),
        ("bridge-differences", "peak midspan deflection", PEAK, 1e-3, "differences", 0),
    ):
        yield Check(name, words, "series of 480 modes", expected, tolerance, _peak_number, model, number)
    for ratio, expected in AMPLIFIED.items():
        words = f"amplification at {ratio:g} of critical"
        yield Check("bridge-pinned", words, "series of 400 modes", expected, 1e-6, _amplified, ratio)
    yield Check(
        "bridge-sprung-mass", "peak midspan deflection", "VBI-2D V01, 10 modes", SPRUNG, 1e-5, _sprung
    )
    name, source = "bridge-hslm-a1", "closed form, one mode"
    yield Check(name, "resonance speed (km/h)", "f1 D", A1_SPEED, 1e-3, lambda: _resonance()[0])
    yield Check(name, "acceleration", source, A1_ACCELERATION, 1e-4, lambda: _resonance()[1])


def stability_checks() -> Iterator[Check]:
    """Longest steps of de Looij's finite differences, and runs just below and above."""
    name, bound = "differences-stability", 0.5 * 0.2**2 * math.sqrt(MASS / EI)
    limit = _differences_number, "von_neumann_limit", "verlet"
    yield Check(name, "von Neumann's bound", "dx^2 sqrt(m/EI)/2", bound, 1e-12, *limit)
    for method, (longest, tolerance) in LIMITS.items():
        limit = _differences_number, "stability_limit", method
        yield Check(name, f"limit of {method}", "eigenvalue", longest, tolerance, *limit)
        words, source = f"runs of {method} that agree", "0.1 % below, 0.1 % above"
        yield Check(name, words, source, 2.0, 1e-9, _runs_that_agree, method)


def _bridge(supports: tuple[str, str] = ("clamped", "clamped")) -> Beam:
    return Beam(LENGTH, EI, MASS, supports=supports)


def _root(supports: tuple[str, str], mode: int) -> float:
    return math.sqrt(float(Beam(1.0, 1.0, 1.0, supports=supports).frequencies(mode)[-1]))


def _thick_root(supports: tuple[str, str], mode: int) -> float:
    square = 0.1**2 / 12.0  # of the radius of gyration over the length
    section = {"shear_stiffness": 1.0 / (3.12 * square), "rotary_inertia": square}
    beam = Beam(1.0, 1.0, 1.0, supports=supports, **section)
    return math.sqrt(float(beam.frequencies(mode)[-1]))


def _rest(support: str) -> float:
    return float(_bridge((support, support)).bend([(WEIGHT, 10.0)]).deflection(10.0))


def _even() -> float:
    return float(_bridge(("pinned", "pinned")).bend(load=1e4).deflection(10.0))


@lru_cache(maxsize=3)
def _peak(model: str) -> tuple[float, float]:
    dt = THESIS_STEP if model == "differences" else None
    peak = moving_load(_bridge(), [(WEIGHT, 0.0)], 30.0, model=model, dt=dt).largest("deflection", 10.0)
    return peak.value, peak.time


def _peak_number(model: str, number: int) -> float:
    return _peak(model)[number]


def _amplified(ratio: float) -> float:
    speed = ratio * math.pi / LENGTH * math.sqrt(EI / MASS)
    run = moving_load(_bridge(("pinned", "pinned")), [(WEIGHT, 0.0)], speed)
    return run.amplification("deflection", 10.0)


def _sprung() -> float:
    wheel = Wheel(0.46, 0.0, suspension=Suspension(1595e3, 0.0, 5750.0))
    run = moving_load(SPRUNG_BEAM, [(wheel, 0.0)], 25.0, size=10, residual=False)
    return run.largest("deflection", 12.5).value


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
