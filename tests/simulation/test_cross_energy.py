"""The energy balance of crossings by any method: exact where the method is, and what the others do to it."""

import numpy as np
import pytest

import traction as tr

CLAMPED = tr.Beam(20.0, 2e11 * 0.0104, 7900.0)
SPRINGS = tr.Beam(20.0, 2e11 * 0.0104, 7900.0, supports=(tr.Support(1e9, 0.0), tr.Support(1e9, 0.0)))
SPAN = tr.Beam(10.0, 4e8, 1500.0, shear_stiffness=2e9, supports=("pinned", "pinned"))
SPANS = tr.Beam.spans([SPAN, SPAN])
BEAMS = {"clamped": CLAMPED, "springs": SPRINGS, "spans": SPANS}
WHEEL = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 0.0, 9e3))
TRAIN = [(1e5, 0.0), (tr.HarmonicAxle(8e4, 2e4, 6.0), 3.0), (WHEEL, 5.0), (WHEEL, 8.0)]
ROUGH = tr.Irregularity.harmonic(3e-4, 2.0)


def crossed(beam, train=TRAIN, *, contact="hertz", model="modes", **options):
    given = {
        "size": 8 if model == "modes" else 20,
        "dt": 1e-3,
        "t_end": 0.5,
        "irregularity": ROUGH,
        **options,
    }
    return tr.cross(tr.Bridge(beam, tr.STEEL), train, 30.0, contact=contact, model=model, **given)


@pytest.mark.parametrize("model", ["modes", "elements"])
@pytest.mark.parametrize("held", BEAMS)
def test_energy_conserving_method_keeps_it_while_wheels_roll(held, model):
    """Coarse steps, a rough rail, plain forces, steps of the track, loss of contact: all is found again."""
    run = crossed(BEAMS[held], model=model, method="energy-conserving")
    energies = run.energies
    assert energies.closure < 1e-10
    assert energies.drift == 0.0
    for part in (energies.drive, energies.axles, energies.vehicles_kinetic):
        assert np.ptp(part) > 1e-3 * energies.work
    assert np.ptp(run.approach) > (0.3 if held == "springs" else 0.02) * run.contacts[0].static
    assert run.lost_contact == (held == "springs")


def test_energy_conserving_method_with_the_half_space():
    run = crossed(CLAMPED, [(WHEEL, 0.0)], contact="half-space", method="energy-conserving", t_end=0.1)
    assert run.energies.closure < 1e-8


@pytest.mark.parametrize("held", ["clamped", "spans"])
@pytest.mark.parametrize(("method", "model"), [("newmark", "modes"), ("radau-iia", "elements")])
def test_drive_and_slopes_agree(held, method, model):
    """What the drive does along the slopes is what contact energy and coordinates do not take up."""
    energies = crossed(BEAMS[held], model=model, method=method).energies
    assert energies.closure < 1e-4
    assert energies.drift > energies.closure
    unseen = energies.total - energies.total[0] - energies.axles + energies.dissipated - energies.numerical
    assert np.abs(unseen - energies.drive).max() < 1e-4 * energies.work
    assert np.ptp(energies.drive) > 0.02 * energies.work


def test_numerical_energy_falls_with_the_order_of_the_method():
    """Backward Euler takes energy in proportion to the step; Newmark's rule with its square."""
    taken = {}
    for method in ("euler-backward", "newmark"):
        runs = [crossed(CLAMPED, [(WHEEL, 0.0)], method=method, dt=dt, t_end=0.2) for dt in (2e-4, 1e-4)]
        taken[method] = [np.abs(run.energies.numerical).max() for run in runs]
    orders = {method: np.log2(one / other) for method, (one, other) in taken.items()}
    assert orders["euler-backward"] == pytest.approx(1.0, abs=0.3)
    assert orders["newmark"] == pytest.approx(2.0, abs=0.5)


@pytest.mark.parametrize("model", ["modes", "elements", "differences"])
def test_default_methods_and_steps(model):
    """Nothing chosen: the balance and the method's own part of it are far below 1e-4 of the work."""
    bridge = tr.Bridge(CLAMPED, tr.STEEL)
    size = None if model == "modes" else 30
    run = tr.cross(bridge, [(WHEEL, 0.0)], 30.0, contact="hertz", t_end=0.2, model=model, size=size)
    assert run.energies.closure < 1e-6
    assert run.energies.drift < 1e-5


def test_default_step_of_explicit_methods_is_stable():
    bridge, train = tr.Bridge(CLAMPED, tr.STEEL), [(WHEEL, 0.0)]
    given = {"contact": "hertz", "t_end": 0.05, "method": "verlet"}
    run = tr.cross(bridge, train, 30.0, **given)
    assert run.energies.drift < 1e-4
    with pytest.raises(tr.InputError, match="stability limit"):
        tr.cross(bridge, train, 30.0, **given, dt=1.2 * float(run.t[1]))
