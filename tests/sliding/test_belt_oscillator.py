"""A mass on a belt: its limit cycle against an event-located solution, its onset, and its limits."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import traction as tr

LAW = tr.friction.exponential(0.25, (0.15, 0.05))


def find_cycle(mass, stiffness, load, law, speed, damping, t_end):
    """Frequency and amplitude of the last cycle: scipy's DOP853 with events, at its tightest tolerances."""
    release = (load * law.static - damping * speed) / stiffness
    begins, t, q, v = [], 0.0, 0.0, 0.0
    extremes: list[list[float]] = [[]]

    def accelerate(t, y):
        mu = float(law.coefficient(max(0.0, speed - y[1])))
        return [y[1], (load * mu - damping * y[1] - stiffness * y[0]) / mass]

    def captured(t, y):
        return y[1] - speed

    def turned(t, y):
        return y[1]

    captured.terminal, captured.direction = True, 1.0
    while t < t_end:
        slips = solve_ivp(
            accelerate, (t, t_end + 10.0), (q, v), "DOP853", rtol=1e-12, atol=1e-14, events=(captured, turned)
        )
        extremes[-1] += [float(y[0]) for y in slips.y_events[1]]
        t, q = float(slips.t_events[0][0]), float(slips.y_events[0][0][0])
        t, q, v = t + (release - q) / speed, release, speed
        begins.append(t)
        extremes.append([])
    cycle = [turns for begin, turns in zip(begins, extremes[1:], strict=True) if begin < t_end][-2]
    return 1.0 / (begins[-2] - begins[-3]), 0.5 * (max(cycle) - min(cycle))


@pytest.mark.parametrize(("speed", "damping"), [(0.1, 0.0), (0.03, 1.0)])
def test_limit_cycle_is_that_of_an_event_located_solution(speed, damping):
    h = tr.belt_oscillator(1.0, 1e3, 10.0, LAW, speed, damping=damping, t_end=1.6)
    frequency, amplitude = find_cycle(1.0, 1e3, 10.0, LAW, speed, damping, 1.6)
    assert h.frequency == pytest.approx(frequency, rel=1e-6)
    assert h.amplitude == pytest.approx(amplitude, rel=1e-6)


@pytest.mark.parametrize(
    "law", [tr.friction.linear(0.2, (0.2, 0.5)), tr.friction.rational(0.1, (0.2, 0.1), (0.1, 0.3))]
)
def test_other_laws_and_methods(law):
    h = tr.belt_oscillator(2.0, 5e3, 50.0, law, 0.1, t_end=1.0, method="radau-iia")
    frequency, amplitude = find_cycle(2.0, 5e3, 50.0, law, 0.1, 0.0, 1.0)
    assert (h.frequency, h.amplitude) == pytest.approx((frequency, amplitude), rel=1e-4)


def test_sticking_is_exact_and_slip_begins_where_friction_is_exceeded():
    h = tr.belt_oscillator(1.0, 1e3, 10.0, LAW, 0.1, t_end=1.2)
    assert len(h.sticks) > 3
    for start, end in h.sticks[:-1]:
        assert h.at(end) == pytest.approx(0.4 * 10.0 / 1e3, rel=1e-12)
        assert h.at(end) - h.at(start) == pytest.approx(0.1 * (end - start), rel=1e-9)
        assert h.velocity_at(0.5 * (start + end)) == pytest.approx(0.1, rel=1e-9)
    assert [one.kind for one in h.phases[:3]] == ["slip", "stick", "slip"]
    assert 0.0 < h.stick_share < 1.0
    assert (np.diff(h.t) >= 0.0).all()


@pytest.mark.parametrize("share", [0.8, 1.2])
def test_onset_is_where_friction_falls_faster_than_damping(share):
    """Small oscillations grow by exp(-(c + N mu'(V)) t/(2 m)); c = -N mu'(V) is the onset."""
    V, N, m, k = 0.1, 10.0, 1.0, 1e3
    critical = -N * float(LAW.derivative(V))
    start = N * float(LAW.coefficient(V)) / k + 1e-6
    h = tr.belt_oscillator(m, k, N, LAW, V, damping=share * critical, q0=start, t_end=1.25, rtol=1e-8)
    assert h.oscillator.effective_damping == pytest.approx((share - 1.0) * critical)
    period = 2.0 * math.pi / math.sqrt(k / m)
    peaks = [abs(float(h.at(n * period)) - h.oscillator.equilibrium) for n in (1, 6)]
    rate = math.log(peaks[1] / peaks[0]) / (5.0 * period)
    assert rate == pytest.approx(-h.oscillator.effective_damping / (2.0 * m), rel=0.05)


def test_damped_mass_comes_to_rest_on_the_moving_belt():
    h = tr.belt_oscillator(1.0, 1e3, 10.0, LAW, 0.1, damping=30.0, t_end=1.5)
    assert h.q[-1] == pytest.approx(h.oscillator.equilibrium, rel=1e-6)
    assert h.v[-1] == pytest.approx(0.0, abs=1e-6)


def test_constant_friction_is_a_free_vibration_about_its_rest():
    h = tr.belt_oscillator(1.0, 1e3, 10.0, 0.3, 5.0, t_end=0.6, rtol=1e-9)  # faster than it ever gets
    assert h.q == pytest.approx(3e-3 * (1.0 - np.cos(math.sqrt(1e3) * h.t)), abs=1e-9)
    assert h.frequency == pytest.approx(math.sqrt(1e3) / (2.0 * math.pi), rel=1e-7)
    assert h.amplitude == pytest.approx(3e-3, rel=1e-6)


def test_a_mass_that_is_faster_than_the_belt_is_slowed_down():
    h = tr.belt_oscillator(1.0, 1e3, 10.0, 0.3, 0.05, v0=0.3, t_end=0.5)
    assert h.phases[0].kind == "slip ahead"
    assert h.a[0] == pytest.approx(-3.0)
    assert h.v[h.t >= h.phases[0].end].max() <= 0.05 + 1e-12


def test_input_is_checked():
    with pytest.raises(tr.InputError, match="belt_speed"):
        tr.belt_oscillator(1.0, 1e3, 10.0, 0.3, 0.0)
    with pytest.raises(tr.InputError, match="memory"):
        tr.belt_oscillator(1.0, 1e3, 10.0, tr.friction.linear(0.2, (0.1, 1.0), memory=(1e-6, 1e-3)), 0.1)
    short = tr.belt_oscillator(1.0, 1e3, 10.0, LAW, 0.1, t_end=0.01)
    with pytest.raises(tr.InputError, match="no whole cycle"):
        _ = short.frequency
    with pytest.raises(tr.InputError, match=r"take method=.radau-iia"):
        tr.belt_oscillator(1.0, 1e3, 10.0, LAW, 0.1, damping=1e5)
    with pytest.raises(tr.InputError, match="periods of the spring"):
        tr.belt_oscillator(1.0, 1e3, 10.0, LAW, 0.1, t_end=1e6)


def test_stiff_damping_creeps_to_its_rest():
    h = tr.belt_oscillator(1.0, 1e3, 10.0, LAW, 0.1, damping=1e4, t_end=60.0, method="radau-iia", rtol=1e-5)
    assert h.q[-1] == pytest.approx(h.oscillator.equilibrium, rel=5e-3)


@pytest.mark.parametrize("method", ["euler-forward", "euler-backward", "symplectic-euler"])
def test_methods_of_first_order_need_a_step(method):
    """Error control cannot begin from rest with them: the sentence names the step that it proposes."""
    with pytest.raises(tr.InputError, match="first order") as refused:
        tr.belt_oscillator(1.0, 1e3, 10.0, LAW, 0.1, method=method, t_end=0.8)
    step = float(str(refused.value).split("dt=")[1].split(",")[0])
    h, exact = (
        tr.belt_oscillator(1.0, 1e3, 10.0, LAW, 0.1, t_end=0.08, **given)
        for given in ({"method": method, "dt": step}, {})
    )
    assert h.q[-1] == pytest.approx(exact.q[-1], rel=0.01)


@pytest.mark.parametrize(
    "friction",
    [
        tr.friction.thermal([0.0, 1.0], [0.3, 0.2]),
        tr.friction.by_inclination([0.0, 1.0], [0.3, 0.2]),
        tr.friction.along_track([0.0, 1.0], [0.3, 0.2]),
    ],
    ids=["temperature", "inclination", "track"],
)
def test_a_point_has_neither_temperature_nor_place(friction):
    with pytest.raises(tr.InputError, match="law of the slip speed"):
        tr.belt_oscillator(1.0, 1e3, 10.0, friction, 0.1)


@pytest.mark.parametrize("off", [0.0, 1e-10, -1e-8, 1e-6])
@pytest.mark.parametrize("method", [m for m in tr.methods() if "euler" not in m])
def test_a_capture_at_the_end_of_a_step_is_seen(method, off):
    speed, amplitude, omega = 0.1, 0.01, math.sqrt(1e3)
    captured = math.asin(speed / (amplitude * omega)) / omega  # v = A w sin w t with constant friction
    steps = {"q0": 5e-3 - amplitude, "t_end": 0.06, "dt": captured / 400 * (1.0 + off), "method": method}
    h = tr.belt_oscillator(1.0, 1e3, 10.0, 0.5, speed, **steps)
    assert [one.kind for one in h.phases] == ["slip", "stick"]
    assert h.sticks[0, 0] == pytest.approx(captured, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("method", [m for m in tr.methods() if "euler" not in m])
def test_all_methods_reach_the_same_cycle(method):
    law, period = tr.friction.exponential(0.1, (0.1, 0.02), (0.15, 0.4)), 2.0 * math.pi * math.sqrt(5.0 / 2e4)
    usual, other = (
        tr.belt_oscillator(5.0, 2e4, 300.0, law, 0.2, damping=8.0, t_end=8.0 * period, method=one)
        for one in ("rk4", method)
    )
    assert other.frequency == pytest.approx(usual.frequency, rel=5e-5)
    assert other.amplitude == pytest.approx(usual.amplitude, rel=5e-5)
    assert [one.kind for one in other.phases] == [one.kind for one in usual.phases]
