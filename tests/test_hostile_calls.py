"""Every public function, with values that nobody means: errors of the package, in time, or finite results."""

import doctest
import itertools
import math

import numpy as np
import pytest
from matplotlib import pyplot

import traction as tr
from traction.errors import TractionError

hostile_calls = pytest.importorskip("hostile_calls", exc_type=ImportError)  # needs limits of a system
from test_docstrings import examples  # noqa: E402

MORE = doctest.DocTestParser().get_doctest(hostile_calls.MORE, {"tr": tr, "np": np}, "more", None, 0)
EXAMPLES = [*examples(), MORE]
#: infinite by intention: rigid bodies and supports, and flat surfaces
INFINITE = {"youngs_modulus", "radius_x", "radius_y", "deflection", "rotation", "G"}
#: infinite numbers are so in every unit
CONVERTS = {"view.Unit.of"}
#: as many steps as the caller asks for; `stop` ends them
LONG = {("integrate", "t_end"), ("land", "load"), ("bounce", "height"), ("belt_oscillator", "stiffness")}
BEAM = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
STEEL = tr.Pair(tr.STEEL, tr.STEEL)
STRIKER = tr.Striker(0.1, 1.0, radius=0.01, pair=STEEL)
TEN_MILLION = 10**7
TINY = tr.Grid(4, 4, 1e-4, 1e-4)


def is_meant(name, parameter, value, outcome):
    if "not finite" in outcome:
        rigid = parameter in INFINITE and (value == "inf" or (name, value) == ("Support", "1e308"))
        return name in CONVERTS or rigid or value == "beam"
    return (name, parameter) in LONG and "took more" in outcome


def shares_room(name, example):
    return name.startswith("view.") or not example.startswith("view.")


@pytest.mark.parametrize("every", [97, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
@pytest.mark.parametrize("part", range(8))
def test_hostile_values_end_in_errors_of_the_package(part, every, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    calls, wrong, tried = {}, [], 0
    for example in EXAMPLES[part :: 8 if every == 1 else 32]:
        recorded = hostile_calls.record_calls(example)
        # those of figures call many others, which have examples of their own
        calls |= {name: call for name, call in recorded.items() if shares_room(name, example.name)}
    for name, call in calls.items():
        try:
            usual = hostile_calls.usual_gaps(call)
        except (TypeError, TractionError):  # an abstract class; a file that the example has used up
            continue
        cases = itertools.product(call.parameters(), hostile_calls.VALUES.items())
        for parameter, (words, value) in itertools.islice(cases, part % every, None, every):
            outcome = hostile_calls.outcome_of(call, parameter, value, usual)
            tried += 1
            pyplot.close("all")
            if outcome and not is_meant(name, parameter, words, outcome):
                wrong.append(f"{name}({parameter}={words}): {outcome}")
    assert not wrong, f"{len(wrong)} of {tried}:\n" + "\n".join(wrong)


def tiny_contact():
    return tr.press(tr.Sphere(0.1), tr.Grid(20, 20, 5e-5, 5e-5), STEEL, force=50.0)


CALLS = {
    "adapt forces": lambda: tr.obstacle.adapt(BEAM, 1.0, 0.1, forces=[1.0]),
    "adapt start": lambda: tr.obstacle.adapt(BEAM, 1e6, 0.01, start=TEN_MILLION),
    "penalty forces": lambda: tr.obstacle.penalty(BEAM, 1e6, 0.01, 40, stiffness=1e9, forces="ab"),
    "penalty elements": lambda: tr.obstacle.penalty(BEAM, 1e6, 0.01, TEN_MILLION, stiffness=1e9),
    "press_together elements": lambda: tr.obstacle.press_together(BEAM, BEAM, 5e3, 1e-3, 16),
    "press_together gap": lambda: tr.obstacle.press_together(BEAM, BEAM, 5e3, np.zeros(3), (16, 12)),
    "supports": lambda: tr.Beam(20.0, 1e9, 1e3, supports=3),
    "rotary_inertia": lambda: tr.Beam(20.0, 1e9, 1e3, rotary_inertia=np.ones(3)),
    "foundation": lambda: tr.Beam(20.0, 1e9, 1e3, foundation=np.ones(3)),
    "damping": lambda: tr.Beam(20.0, 1e9, 1e3, damping=[[0.1], [0.1, 0.2]]),
    "bounce t_end": lambda: tr.bounce(0.01, STEEL, height=0.1, t_end=5e-324),
    "bounce gravity": lambda: tr.bounce(0.01, STEEL, height=0.1, gravity=1e7),
    "resonance": lambda: tr.resonance(BEAM, {}, [30.0]),
    "stability": lambda: tr.stability("verlet", 1e308),
    "kalker cells": lambda: tr.kalker_coefficients(1.0, 0.28, cells=TEN_MILLION),
    "rail": lambda: tr.rail(TEN_MILLION),
    "impact modes": lambda: tr.impact(BEAM, 10.0, STRIKER, modes=TEN_MILLION),
    "zener": lambda: tr.zener_restitution(1e21),
    "modes": lambda: BEAM.modes(TEN_MILLION),
    "difference": lambda: tr.rolling_waves.difference(1.0, 1e308),
    "growth": lambda: tr.rolling_waves.growth(5e-324, 0.5),
    "uniform_rectangle": lambda: tr.loads.uniform_rectangle(0.01, 0.02, STEEL, force=1e308),
    "hertz_rectangle": lambda: tr.loads.hertz_rectangle(0.01, 0.02, STEEL, force=1e308),
    "roll_steady friction": lambda: tr.roll_steady(tiny_contact(), 5e-324, creepage=(1e-3, 0.0, 0.0)),
    "creep_table spin": lambda: tr.creep_table(ratios=1.0, spin=[[1.0], [1.0, 2.0]]),
    "creep_table direction": lambda: tr.creep_table(ratios=1.0, direction=np.zeros(2)),
    "creep_table device": lambda: tr.creep_table(
        gap=tr.Sphere(0.1), grid=TINY, friction=0.3, device=np.zeros(2)
    ),
    "cross solve": lambda: tr.cross(
        tr.Bridge(BEAM, tr.STEEL), [(1e4, 0.0)], 30.0, contact="rigid", solve=np.zeros(2)
    ),
    "bounce contact": lambda: tr.bounce(0.01, STEEL, height=0.1, grid=TINY, contact=np.zeros(2)),
    "belt_oscillator dt": lambda: tr.belt_oscillator(1.0, 1e3, 10.0, 0.3, 0.1, dt=10**400),
    "belt_oscillator method": lambda: tr.belt_oscillator(1.0, 1e3, 10.0, 0.3, 0.1, method=np.zeros(2)),
    "half space direction": lambda: tr.HalfSpace(TINY, STEEL).factor(np.zeros(2), "z"),
    "along_track": lambda: tr.friction.along_track([0.0, 1.0], [5e-324, 5e-324]),
    "friction per cell": lambda: tr.roll_steady(
        tiny_contact(), np.full((20, 20), 5e-324), creepage=(1e-3, 0.0, 0.0)
    ),
    "half space": lambda: tr.HalfSpace(math.nan, STEEL),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_that_once_ended_otherwise(name):
    """Raw errors, calls without end, or numbers that were not finite."""
    with hostile_calls.bounded(), pytest.raises(TractionError):
        CALLS[name]()


def test_limits_name_value_limit_and_remedy():
    with pytest.raises(tr.InputError, match=r"n = 10000000 must be at most 5000: use elements"):
        BEAM.modes(TEN_MILLION)
    with pytest.raises(tr.InputError, match=r"inelasticity = 1e\+21 must be at most 1000.0: no rebound"):
        tr.zener_restitution(1e21)
    with pytest.raises(tr.InputError, match=r"must lie between -1e\+100 and 1e\+100; check the unit"):
        tr.loads.uniform_rectangle(0.01, 0.02, STEEL, force=1e308)
