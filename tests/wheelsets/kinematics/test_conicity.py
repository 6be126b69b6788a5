"""Equivalent conicity: closed forms, the standard's own case, and an integration of another kind."""

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize_scalar

import traction as tr
from traction.wheelsets.kinematics.conicity import METHODS, equivalent_conicity
from traction.wheelsets.kinematics.restoring_function import RestoringFunction

STANDARD = json.loads((Path(__file__).parents[2] / "data" / "en15302.json").read_text())
S1002 = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
ON_60E1 = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)


def test_the_worked_case_of_the_standard_to_half_its_last_digit():
    half = 1e-3 * np.array(STANDARD["difference_mm"])
    function = RestoringFunction(1e-4 * np.arange(-68, 69), np.concatenate([-half[::-1], [0.0], half]))
    amplitudes = 1e-3 * np.arange(10, 69) / 10
    found = [equivalent_conicity(function, a, 0.0, "integration") for a in amplitudes]
    assert found == pytest.approx(STANDARD["conicity"], abs=5.5e-4)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("taper", [1 / 20, 1 / 40])
def test_the_conicity_of_a_cone_is_its_taper(method, taper):
    cone = tr.Wheelset(tr.Profile.conical(taper), radius=0.5)
    for rail in (tr.Profile.standard("60E1"), tr.Profile.circular(0.3, "rail")):
        found = tr.conicity(cone, tr.Track(rail), [1e-3, 4e-3], method=method, roll=False)
        assert found == pytest.approx(taper, rel=1e-6)


def test_a_rolling_cone_leans_to_its_side():
    """It rolls by taper y/b, to first order, and its wheels move by (R + rail radius) times that."""
    taper, radius, curve = 1e-3, 0.46, 0.3
    cone = tr.Wheelset(tr.Profile.conical(taper), radius=radius)
    track = tr.Track(tr.Profile.circular(curve, "rail"))
    centre = tr.contact_functions(cone, track, [0.0])
    lean = taper * (radius + curve) / (0.5 * centre.contact_distance[0])
    assert tr.conicity(cone, track, 1e-3) == pytest.approx(taper * (1.0 + lean), rel=2e-5)


@pytest.mark.parametrize("amplitude", [0.5e-3, 2e-3])
def test_arcs_have_the_conicity_of_wickens(amplitude):
    """Hollow wheel of radius H and slope t on a rail of radius G: tan gamma = H t/(H - G), without roll."""
    hollow, curve, slope = 0.6, 0.3, 0.03
    wheelset = tr.Wheelset(tr.Profile.circular(hollow, "wheel", slope=-slope), radius=0.46)
    track = tr.Track(tr.Profile.circular(curve, "rail"))
    found = tr.contact_functions(wheelset, track, [0.0], roll=False)
    sine = math.sin(-found.right_angle[0])
    y = np.linspace(-amplitude, amplitude, 201)
    at = [np.sqrt(1.0 - (sine + side * y / (hollow - curve)) ** 2) for side in (-1.0, 1.0)]
    exact = RestoringFunction(y, hollow * (at[0] - at[1]))
    for method in METHODS:
        expected = equivalent_conicity(exact, amplitude, 0.0, method)
        assert tr.conicity(wheelset, track, amplitude, method=method, roll=False) == pytest.approx(
            expected, rel=1e-5
        )
    assert expected == pytest.approx(hollow * math.tan(math.asin(sine)) / (hollow - curve), rel=1e-3)


def difference(y):
    """Rolling radius difference of S1002 on 60E1, by minimisation on the curves themselves."""
    wheel, rail = S1002.profile.curve, ON_60E1.rail.rotated(-ON_60E1.cant)
    origin = ON_60E1.placed_rail("right").origin

    def touch(shift, roll):
        c, s = math.cos(roll), math.sin(roll)

        def gap(arc):
            yw, zw = wheel.position(arc)
            across, down = yw + S1002.offset, zw - S1002.radius
            at, up = shift + c * across - s * down, s * across + c * down
            return up - heights(at - origin[0])

        arcs = np.linspace(0.02, 0.11, 400)
        i = int(np.argmin([gap(arc) for arc in arcs]))
        best = minimize_scalar(gap, bounds=(arcs[i - 1], arcs[i + 1]), options={"xatol": 1e-11})
        return -best.fun, S1002.radius - wheel.position(best.x)[1]

    curve = rail.curve
    arcs = np.linspace(0.02, curve.length - 0.02, 40_001)
    across = curve.position(arcs)[0]

    def heights(at):
        if not across[0] < at < across[-1]:
            return -1.0
        arc = np.interp(at, across, arcs)
        for _ in range(3):
            arc = arc - (curve.position(arc)[0] - at) / curve.tangent(arc)[0]
        return curve.position(arc)[1]

    roll = brentq(lambda r: touch(y, r)[0] - touch(-y, -r)[0], -1e-3, 1e-3, xtol=1e-14)
    return touch(-y, -roll)[1] - touch(y, roll)[1]


def test_s1002_on_60e1_against_minimisation_on_the_curves():
    y = np.array([0.4e-3, 3e-3])
    found = tr.contact_functions(S1002, ON_60E1, y).radius_difference
    assert found == pytest.approx([difference(shift) for shift in y], rel=2e-5)


def test_s1002_on_60e1_against_an_integration_in_time():
    """The equation of the wave by a Runge-Kutta method of order 8, over the true Delta r at every step."""
    amplitude, scale = 3e-3, 1.5 * 0.46

    def equation(_, state):
        return state[1], -float(tr.contact_functions(S1002, ON_60E1, [state[0]]).radius_difference[0]) / scale

    def middle(_, state):
        return state[0]

    middle.terminal = True
    run = solve_ivp(equation, (0.0, 10.0), (amplitude, 0.0), "DOP853", events=middle, rtol=1e-7, atol=1e-11)
    wavelength = 4.0 * run.t_events[0][0]
    expected = 2.0 * math.pi**2 * scale / wavelength**2
    assert tr.conicity(S1002, ON_60E1, amplitude) == pytest.approx(expected, rel=1e-4)


def test_published_range_of_s1002():
    """Near 0.18 on rails inclined by 1:40, and near 0.01 on those of 1:20, at 3 mm."""
    assert tr.conicity(S1002, ON_60E1, 3e-3) == pytest.approx(0.18, abs=0.01)
    steep = tr.Track(tr.Profile.standard("60E1"), cant=1 / 20)
    assert tr.conicity(S1002, steep, 3e-3) == pytest.approx(0.01, abs=0.002)


def test_unequal_wheels_oscillate_about_another_middle():
    cone = tr.Profile.conical(1 / 20)
    smaller = cone.shifted(z=1e-4)  # the left wheel's radius is 0.1 mm less
    wheelset = tr.Wheelset(cone, radius=0.46, left=smaller)
    track = tr.Track(tr.Profile.circular(0.3, "rail"))
    wave = tr.kinematic_wave(wheelset, track, 2e-3)
    assert wave.middle == pytest.approx(1e-4 / (2 / 20), rel=0.1)
    assert tr.conicity(wheelset, track, 2e-3, roll=False) == pytest.approx(1 / 20, rel=1e-5)


def test_wheelsets_that_do_not_oscillate_are_refused():
    outward = tr.Wheelset(tr.Profile.conical(-1 / 20), radius=0.46)
    track = tr.Track(tr.Profile.circular(0.3, "rail"))
    with pytest.raises(tr.InputError, match="does not oscillate"):
        tr.conicity(outward, track, 3e-3)
    assert tr.conicity(outward, track, 3e-3, method="harmonic") < 0.0
    with pytest.raises(tr.InputError, match="beside its rail"):
        tr.contact_functions(S1002, ON_60E1, [0.08])
    with pytest.raises(tr.InputError, match="between 1e-6"):
        tr.conicity(S1002, ON_60E1, 3.0)


def test_roll_and_height_of_the_benchmark():
    """Loaded and yawed, CONTACT finds nearly the roll of the rigid wheelset, and some 20 um less height."""
    shift = -1e-3 * np.array([1.5, 2.5, 3.5, 4.5])  # to the right
    roll = 1e-4 * np.array([-0.8103, -1.457, -2.168, -2.977])
    height = -1e-3 * np.array([0.1695, 0.1347, 0.0924, 0.0410])  # upwards
    found = tr.contact_functions(S1002, tr.Track(tr.Profile.standard("UIC60-benchmark")), shift)
    assert found.roll == pytest.approx(roll, rel=0.05)
    assert (found.z - height > 15e-6).all()
    assert (found.z - height < 30e-6).all()


def test_derailed_wheelsets_have_no_contact_functions():
    wheelset = tr.Wheelset(tr.Profile.standard("S1002"), 0.46)
    track = tr.Track(tr.Profile.standard("60E1"), cant=0.025)
    for compute in (
        lambda: tr.contact_functions(wheelset, track, [0.0, 0.03]),
        lambda: tr.conicity(wheelset, track, 0.05),
        lambda: tr.kinematic_wave(wheelset, track, 0.04),
    ):
        with pytest.raises(tr.InputError):
            compute()


def test_a_jump_of_the_radius_difference_within_the_amplitude():
    """S1002 on 60E1: contacts jump at 0.227 and at 4.992 mm; Gauss' rule between them, found by halving."""
    wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    track, amplitude = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40), 5e-3

    def difference(y):
        return tr.contact_functions(wheelset, track, np.ravel(y)).radius_difference.reshape(np.shape(y))

    def find_jump(low, high):
        for _ in range(50):
            middle = 0.5 * (low + high)
            first, second, third = difference(np.array([low, middle, high]))
            low, high = (low, middle) if abs(second - first) > abs(third - second) else (middle, high)
        return low

    jumps = [find_jump(0.2e-3, 0.25e-3), find_jump(4.98e-3, 5e-3)]
    assert jumps == pytest.approx([0.22713e-3, 4.99198e-3], abs=1e-8)
    x, weight = np.polynomial.legendre.leggauss(8)
    phases = np.concatenate(
        [np.linspace(a, b, 60) for a, b in pairwise(np.arcsin([0.0, *np.divide(jumps, amplitude), 1.0]))]
    )
    half = 0.5 * np.diff(phases)[:, None]
    phase = (0.5 * (phases[1:] + phases[:-1]))[:, None] + half * x
    g = half * weight * difference(amplitude * np.sin(phase)) * np.sin(phase)
    harmonic = 2.0 * g.sum() / (np.pi * amplitude)
    straight = 1.5 * (g * np.cos(phase)).sum() / amplitude
    assert tr.conicity(wheelset, track, amplitude, method="harmonic") == pytest.approx(harmonic, abs=1e-6)
    assert tr.conicity(wheelset, track, amplitude, method="regression") == pytest.approx(straight, abs=1e-6)
