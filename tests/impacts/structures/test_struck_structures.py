"""Structures: flexibility, Green's functions, unbounded ones, modal data."""

import numpy as np
import pytest
from scipy.integrate import quad

import traction as tr
from traction.beams.kernels.oscillator import COUNT, respond
from traction.impacts.structures.struck_structures import point_response, residual_line

STEEL = tr.Material(2.1e11, 0.3, 7800.0)
TIMES = (1e-4, 1e-2)


def impulse_answer(response, times):
    """Green's function: deflection at times after an impulse of 1 N s, without the residual flexibility."""
    answers, out = np.full(times.shape, response.mobility), np.empty(COUNT)
    for k, time in enumerate(times):
        for omega, rate, shape in response.table:
            respond(omega, rate, float(time), out)
            answers[k] += shape**2 * out[1]
    return answers


def hertz(mass=0.01, speed=1.0, k=1e9):
    return tr.Striker(mass, speed, law=tr.PowerLaw(k, 1.5))


def plate_of(loss, striker):
    """An endless plate with a given inelasticity parameter."""
    depth = (striker.mass * striker.speed**2 / striker.law.coefficient) ** 0.4
    mobility = loss * depth / (striker.mass * striker.speed)
    return tr.InfinitePlate((1.0 / (8.0 * mobility)) ** 2, 1.0)


@pytest.mark.parametrize("loss", [0.01, 0.1, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0])
def test_endless_plate_by_zener(loss):
    striker = hertz()
    plate = plate_of(loss, striker)
    assert plate.inelasticity(striker.mass, striker.speed, striker.law) == pytest.approx(loss, rel=1e-12)
    history = tr.impact(plate, None, striker)
    assert history.restitution == pytest.approx(tr.zener_restitution(loss), abs=1e-8)


def test_zener_without_loss_and_with_little():
    """To first order the loss is lambda times the integral of s' d(s^(3/2)) twice over the contact."""
    assert tr.zener_restitution(0.0) == pytest.approx(1.0, abs=1e-10)
    lost, _ = quad(lambda s: 1.5 * np.sqrt(s) * np.sqrt(1.0 - 0.8 * s**2.5), 0.0, 1.25**0.4)
    assert (1.0 - tr.zener_restitution(1e-5)) / 1e-5 == pytest.approx(2.0 * lost, rel=1e-3)


def test_finite_plate_before_reflections_return():
    striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(STEEL, STEEL))
    endless = tr.impact(tr.InfinitePlate.of(STEEL, 0.005), None, striker, t_end=2e-4)
    plate = tr.Plate.of(STEEL, 0.005, 0.5, 0.4)
    finite = tr.impact(plate, (0.25, 0.2), striker, t_end=2e-4)
    loss = endless.structure.inelasticity(striker.mass, striker.speed, striker.law)
    assert finite.restitution == pytest.approx(endless.restitution, abs=1e-4)
    assert finite.restitution == pytest.approx(tr.zener_restitution(loss), abs=1e-4)
    assert finite.contacts[0].peak == pytest.approx(endless.contacts[0].peak, rel=1e-4)
    assert finite.energies.imbalance < 1e-8


@pytest.mark.parametrize("at", [(0.5, 0.35), (0.2, 0.6), (0.03, 0.1)])
def test_flexibility_of_a_plate(at):
    """Levy's series against Navier's, whose rest falls like one over the number of modes."""
    plate = tr.Plate(1.0, 0.7, 100.0, 20.0)
    n = 60_000
    _, _, omega = plate.waves(n)
    sums = np.cumsum(plate.shapes(n, *at) ** 2 / omega**2)
    extrapolated = 2.0 * sums[-1] - sums[n // 2 - 1]
    assert plate.flexibility(*at) == pytest.approx(extrapolated, rel=3e-6)


def test_square_plate_in_the_middle():
    """0.01160 P a^2/D (Timoshenko and Woinowsky-Krieger, table 23)."""
    plate = tr.Plate(2.0, 2.0, 50.0, 1.0)
    assert plate.flexibility(1.0, 1.0) * 50.0 / 4.0 == pytest.approx(0.01160, abs=5e-6)


def test_lowest_modes_of_a_long_plate():
    plate = tr.Plate(10.0, 0.5, 100.0, 20.0)
    i, j, omega = plate.waves(200)
    assert (np.diff(omega) >= 0.0).all()
    many = [(p, q) for p in range(1, 400) for q in range(1, 40)]
    every = np.sort([np.pi**2 * ((p / 10.0) ** 2 + (q / 0.5) ** 2) for p, q in many]) * np.sqrt(5.0)
    assert omega == pytest.approx(every[:200], rel=1e-13)
    assert len(set(zip(i.tolist(), j.tolist(), strict=True))) == 200


def test_endless_beam_has_its_green_function():
    beam = tr.InfiniteBeam(180.0, 0.8)
    t = np.geomspace(1e-8, 1e-2, 25)
    assert impulse_answer(beam.decays(*TIMES), t) == pytest.approx(beam.impulse_answer(t), rel=1e-11)
    # the Fourier integral of sin(c k^2 t)/(m c k^2), by quadrature with a rotated path k = s exp(i pi/4)
    c, time = np.sqrt(180.0 / 0.8), 1e-3

    def damped(s):
        k2 = 1j * s * s
        return ((np.exp(1j * c * k2 * time) - 1.0) / k2 * np.exp(0.25j * np.pi)).imag

    integral, _ = quad(damped, 0.0, np.inf, limit=200)
    assert beam.impulse_answer(time) == pytest.approx(integral / (np.pi * 0.8 * c), rel=1e-7)


def test_long_beam_before_reflections_return(classical):
    endless = tr.impact(tr.InfiniteBeam(180.0, 0.8), None, classical.striker, t_end=4e-4)
    long = tr.Beam(2.0, 180.0, 0.8, supports=("pinned", "pinned"))
    finite = tr.impact(long, 1.0, classical.striker, t_end=4e-4, modes=300)
    assert finite.contacts[0].peak == pytest.approx(endless.contacts[0].peak, rel=3e-8)
    assert finite.restitution == pytest.approx(endless.restitution, abs=1e-8)


def test_stiff_beams_tend_to_rigid_ground(classical):
    rigid = tr.impact(tr.RigidGround(), None, classical.striker).contacts[0]
    misses = []
    for factor in (1e4, 1e6, 1e8):
        beam = tr.Beam(0.1535, 180.0 * factor, 0.8 * factor, supports=("pinned", "pinned"))
        found = tr.impact(beam, 0.07675, classical.striker, t_end=4e-4).contacts[0]
        misses.append(abs(found.peak / rigid.peak - 1.0))
        assert found.duration == pytest.approx(rigid.duration, rel=30.0 / factor)
    assert misses[0] > 50.0 * misses[1] > 2500.0 * misses[2]
    assert misses[2] < 1e-7


def test_loose_beam_has_residual_flexibility(classical):
    """Nothing holds it: the peak converges with the number of modes as that of a held one."""
    beam = tr.Beam(0.1535, 179.79, 0.796, supports=("free", "free"))
    peaks = {}
    for n in (2, 20, 40, 160):
        history = tr.impact(beam, 0.03, classical.striker, modes=n, t_end=4e-4)
        assert history.energies.imbalance < 1e-8
        peaks[n] = history.contacts[0].peak
    assert peaks[40] == pytest.approx(peaks[160], rel=1e-8)
    assert peaks[20] == pytest.approx(peaks[160], rel=1e-6)
    cut = tr.impact(beam, 0.03, classical.striker, modes=40, residual=False, t_end=4e-4).contacts[0].peak
    assert abs(cut / peaks[160] - 1.0) > 1e-6


def test_residual_of_a_loose_beam_is_the_sum_of_the_rest():
    beam = tr.Beam(1.0, 1.0, 1.0, supports=("free", "free"))
    modes = beam.modes(120)
    x = np.array([0.0, 0.3, 0.71])
    product = modes.deflection(x) * np.asarray(modes.deflection(0.3))[:, None]
    rest = (product[12:] / modes.frequencies[12:, None] ** 2).sum(axis=0)
    assert residual_line(beam, 0.3, 12, x) == pytest.approx(rest, abs=2e-3 * abs(rest).max())


def test_timoshenko_beam_converges(classical):
    beam = tr.Beam(
        0.1535, 179.79, 0.796, supports=("clamped", "free"), shear_stiffness=6.8e6, rotary_inertia=6.6e-6
    )
    strikes = [tr.impact(beam, 0.1535, classical.striker, modes=n, t_end=1e-3) for n in (50, 100, 200)]
    peaks = [history.contacts[0].peak for history in strikes]
    assert abs(peaks[1] - peaks[2]) < 0.3 * abs(peaks[0] - peaks[1])
    assert peaks[1] == pytest.approx(peaks[2], rel=1e-7)


@pytest.mark.parametrize("given", ["point", "places", "function"])
def test_modal_data_of_a_user(classical, given):
    modes, at = classical.beam.modes(50), 0.07
    x = np.linspace(0.0, 0.1535, 401)
    shapes = {"point": modes.deflection(at), "places": modes.deflection(x), "function": modes.deflection}[
        given
    ]
    rest = float(residual_line(classical.beam, at, 50, np.array([at]))[0])
    structure = tr.ModalStructure(
        modes.frequencies, shapes, places=x if given == "places" else None, residual_flexibility=rest
    )
    found = tr.impact(structure, None if given == "point" else at, classical.striker)
    expected = tr.impact(classical.beam, at, classical.striker, modes=50, t_end=found.track.times[-1])
    assert found.contacts[0].peak == pytest.approx(expected.contacts[0].peak, rel=1e-7)
    assert found.restitution == pytest.approx(expected.restitution, abs=1e-6)
    if given != "point":
        places, t = np.array([0.02, 0.1]), found.contacts[0].end
        assert found.deflection(places, t) == pytest.approx(expected.deflection(places, t), abs=1e-12)


def test_impulse_answer_is_the_green_function(classical):
    """Appendix A of the paper, with its missing 1/mass."""
    response = point_response(classical.beam, classical.at, 30, True, TIMES)
    beta = np.arange(1, 31) * np.pi / 0.1535
    omega = beta**2 * np.sqrt(179.78858333333335 / 0.796)
    shape = 2.0 / (0.796 * 0.1535) * np.sin(beta * classical.at) ** 2
    t = np.array([1e-5, 1e-4])
    expected = (shape[:, None] * np.sin(np.outer(omega, t)) / omega[:, None]).sum(axis=0)
    assert impulse_answer(response, t) == pytest.approx(expected, rel=1e-10)
