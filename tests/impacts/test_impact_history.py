"""What a history tells, and errors of bad input."""

import math

import numpy as np
import pytest

import traction as tr


@pytest.fixture(scope="module")
def history(cantilever):
    return cantilever.strike(t_end=0.002)


def test_energy_by_mode(history, cantilever):
    energy = history.modal_energy()
    lost = 0.5 * cantilever.striker.mass * (cantilever.striker.speed**2 - history.rebound_speed**2)
    assert energy.sum() == pytest.approx(lost, rel=1e-7)
    assert energy[:5].sum() > 0.99 * energy.sum()
    assert history.modal_energy(history.track.times[-1]) == pytest.approx(energy, rel=1e-9)


def test_deflection_of_the_beam(history, cantilever):
    x = np.linspace(0.0, 0.1535, 7)
    t = np.array([1e-4, history.contacts[0].peak_time, 0.0019])
    whole = history.deflection(x, t)
    assert whole.shape == (3, 7)
    assert whole[:, 0] == pytest.approx(0.0, abs=1e-18)
    assert whole[:, -1] == pytest.approx(history.motion_at(t)[:, 2], rel=1e-9)
    assert history.deflection(0.1, 1e-4) == pytest.approx(history.deflection(np.array([0.1]), 1e-4)[0])


def test_displacements_follow_the_law(history, cantilever):
    k = cantilever.striker.law.coefficient
    approach = history.approach
    law = k * np.maximum(approach, 0.0) ** 1.5
    assert history.force == pytest.approx(law, abs=1e-7 * law.max())
    apart = history.force == 0.0
    assert (approach[apart] <= 1e-9 * approach.max()).all()
    assert history.striker_velocity[0] == cantilever.striker.speed
    speed = np.gradient(history.striker_displacement, history.t)
    assert history.striker_velocity[5:-5] == pytest.approx(speed[5:-5], abs=2e-5 * cantilever.striker.speed)
    assert history.structure_displacement[0] == 0.0


def test_contacts_tell_their_impulse(history):
    t, force = history.t, history.force
    for contact in history.contacts:
        inside = (t >= contact.start) & (t <= contact.end)
        assert np.trapezoid(force[inside], t[inside]) == pytest.approx(contact.impulse, rel=1e-5)
        assert force[inside].max() == pytest.approx(contact.peak, rel=1e-5)
        assert contact.start < contact.peak_time < contact.end


def test_contact_that_lasts_has_no_end(classical):
    history = classical.strike(t_end=1e-4)
    assert math.isnan(history.contacts[0].end)
    assert math.isnan(history.rebound_speed)
    assert history.t[-1] == 1e-4


def test_surface_of_a_plate():
    plate = tr.Plate(0.5, 0.4, 2400.0, 39.0)
    striker = tr.Striker(0.03, 1.0, hertz_constant=1.6e-7)
    history = tr.impact(plate, (0.2, 0.1), striker, modes=300, t_end=2e-4)
    x, y = np.meshgrid(np.linspace(0.0, 0.5, 6), np.linspace(0.0, 0.4, 5))
    w = history.surface(x, y, [1e-4, 2e-4])
    assert w.shape == (2, 5, 6)
    assert w[:, 0] == pytest.approx(0.0, abs=1e-18)
    assert w[1, 1, 2] == pytest.approx(history.motion_at(2e-4)[0, 2], rel=1e-9)
    with pytest.raises(tr.UndefinedError, match="surface"):
        history.deflection([0.1], 1e-4)


def test_unbounded_structures_have_no_energies():
    history = tr.impact(tr.InfinitePlate(1e4, 40.0), None, tr.Striker(0.03, 1.0, hertz_constant=1.6e-7))
    with pytest.raises(tr.UndefinedError, match="radiates to infinity"):
        history.energies  # noqa: B018
    with pytest.raises(tr.UndefinedError, match="surface is for plates"):
        history.surface(0.1, 0.1, 0.0)


BAD = {
    "at = 0.0 m is a support, which does not move": {"at": 0.0},
    "at = 0.2 m lies outside the beam": {"at": 0.2},
    "at is missing": {"at": None},
    "modes = 0 must be at least 1": {"modes": 0},
    "t_end = -1.0 s must be positive": {"t_end": -1.0},
    "gravity = -9.81 m/s": {"gravity": -9.81},
    "tol = 0.0 must lie between": {"tol": 0.0},
    "residual = 1 must be True or False": {"residual": 1},
    "striker = 3 must be a tr.Striker": {"striker": 3},
    "structure = 'beam' cannot be struck": {"structure": "beam"},
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input(classical, message):
    given = {"structure": classical.beam, "at": classical.at, "striker": classical.striker, **BAD[message]}
    with pytest.raises(tr.InputError) as caught:
        tr.impact(given.pop("structure"), given.pop("at"), given.pop("striker"), **given)
    assert message in str(caught.value)


BAD_STRIKERS = {
    "mass = 0.0 kg must be positive: a body without mass": {"mass": 0.0},
    "speed = -1.0 m/s must be positive: the striker must move towards": {"speed": -1.0},
    "give exactly one of hertz_constant, radius and law; none given": {"hertz_constant": None},
    "pair is missing: radius= needs pair=": {"hertz_constant": None, "radius": 0.01},
    "pair belongs to radius": {"pair": 1e11},
    "is not a contact law": {"hertz_constant": None, "law": 3.0},
    "damping = -1.0 s/m": {"damping": -1.0},
}


@pytest.mark.parametrize("message", BAD_STRIKERS)
def test_bad_strikers(message):
    given = {"mass": 1.0, "speed": 1.0, "hertz_constant": 1e-7, **BAD_STRIKERS[message]}
    with pytest.raises(tr.InputError) as caught:
        tr.Striker(given.pop("mass"), given.pop("speed"), **given)
    assert message in str(caught.value)


def test_bad_laws_and_structures():
    hertz = tr.PowerLaw(1e9, 1.5)
    with pytest.raises(tr.InputError, match=r"must be 1\.5, that of Hertz"):
        tr.PlasticLaw(tr.PowerLaw(1e9, 2.0), 1e-6)
    with pytest.raises(tr.InputError, match="damping belongs to an elastic law"):
        tr.Striker(1.0, 1.0, law=tr.PlasticLaw(hertz, 1e-6), damping=1.0)
    with pytest.raises(tr.InputError, match=r"elastic = 3\.0 is not a contact law"):
        tr.DampedLaw(3.0, 1.0)
    with pytest.raises(tr.InputError, match="frequencies is empty"):
        tr.ModalStructure([], [])
    with pytest.raises(tr.InputError, match="shapes has shape"):
        tr.ModalStructure([1.0, 2.0], [1.0])
    with pytest.raises(tr.InputError, match="must be None: shapes are given"):
        tr.impact(tr.ModalStructure([1.0], [1.0]), 0.3, tr.Striker(1.0, 1.0, law=hertz))
    with pytest.raises(tr.InputError, match="its edges are supports"):
        tr.impact(tr.Plate(1.0, 1.0, 1.0, 1.0), (0.0, 0.5), tr.Striker(1.0, 1.0, law=hertz))
    with pytest.raises(tr.InputError, match="the same everywhere"):
        tr.impact(tr.RigidGround(), 0.1, tr.Striker(1.0, 1.0, law=hertz))
    with pytest.raises(tr.InputError, match="more than the structure has"):
        tr.impact(tr.ModalStructure([1.0], [1.0]), None, tr.Striker(1.0, 1.0, law=hertz), modes=2)


def test_times_outside_the_history(history):
    with pytest.raises(tr.InputError, match="t must lie between 0 and"):
        history.force_at(1.0)
