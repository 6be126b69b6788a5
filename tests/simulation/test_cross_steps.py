"""A crossing that is cut goes on as if it had not been: states as values, to the last bit."""

import numpy as np
import pytest

import traction as tr
from traction.simulation.cross import set_up
from traction.simulation.cross_steps import ENERGIES, CondensedSteps, Stored
from traction.simulation.energies import Energies
from traction.trains.travel import travel

SPEED, GRAVITY = 30.0, 9.81
WHEEL = tr.Wheel(0.46, 2e3, suspension=tr.Suspension(5e6, 2e4, 2e4))
WORN = tr.Wheel(
    0.46,
    1e3,
    suspension=tr.Suspension(1e6, 1e4, 9e3),
    irregularity=tr.Irregularity.flat(0.46, 0.05, at=1.0),
)
ENDS = {
    "held": tr.Beam(20.0, 2.08e9, 7900.0, damping=0.02),
    "springs": tr.Beam(20.0, 2.08e9, 7900.0, supports=(tr.Support(5e8, 0.0), tr.Support(5e8, 0.0))),
}
TRAINS = {
    "wheels": [(WHEEL, 0.0), (WHEEL, 3.0)],
    "flat and forces": [(WORN, 1.0), (8e4, 0.0), (tr.HarmonicAxle(8e4, 2e4, 6.0), 4.0)],
}
CASES = [(c, e, t) for c in ("hertz", "half-space") for e in ENDS for t in TRAINS]


def made(contact, ends, train):
    """A new one each time, as in another process: no law remembers anything."""
    rough = tr.Irregularity.harmonic(2e-4, 2.0)
    return set_up(
        tr.Bridge(ENDS[ends], tr.STEEL), tr.Train(TRAINS[train]), travel(SPEED, 0.25), GRAVITY, kind=contact,
        wheel=None, grid=None, model="modes", size=6, method=None, dt=1.1e-3, end=0.25, irregularity=rough,
        residual=None, options={},
    )  # fmt: skip


def marched(setup, stops, renew=lambda setup: setup):
    """States at the stops, each from the arrays of the one before alone."""
    steps = CondensedSteps(setup)
    state, found = steps.begin(), []
    for stop in stops:
        steps = CondensedSteps(renew(steps.setup))
        before = {name: value.copy() for name, value in state.items()}
        state, march = steps.advance(state, stop)
        found.append((state, march))
        assert all(np.array_equal(before[name], value) for name, value in before.items())
    return found


@pytest.mark.parametrize(("contact", "ends", "train"), CASES)
def test_a_cut_march_is_the_uncut_one(contact, ends, train):
    setup = made(contact, ends, train)
    end = setup.times.fine.size - 1
    ended, whole = marched(setup, [end])[0]
    places = np.linspace(0, end, 23).astype(int)[1:]
    parts = marched(made(contact, ends, train), places, renew=lambda _: made(contact, ends, train))
    for name in ("q", "p", "z", "v"):
        every = np.concatenate([getattr(march.state, name)[1:] for _, march in parts])
        np.testing.assert_array_equal(every, getattr(whole.state, name)[1:])
    np.testing.assert_array_equal(
        np.concatenate([march.state.force for _, march in parts]), whole.state.force
    )
    for (state, march), place in zip(parts, places, strict=True):
        np.testing.assert_array_equal(state["q"], whole.state.q[place])
        assert march.way.t[-1] == setup.times.fine[place]
    assert parts[-1][0]["energies"] == pytest.approx(ended["energies"], rel=1e-9)


@pytest.mark.parametrize(("contact", "ends", "train"), CASES)
def test_the_parts_are_the_crossing(contact, ends, train):
    """Numbers and energies at some of the times are those of `tr.cross`."""
    rough = tr.Irregularity.harmonic(2e-4, 2.0)
    run = tr.cross(
        tr.Bridge(ENDS[ends], tr.STEEL), TRAINS[train], SPEED, contact=contact, size=6, dt=1.1e-3, t_end=0.25,
        irregularity=rough,
    )  # fmt: skip
    setup = made(contact, ends, train)
    kept = setup.times.kept[20::20]
    found = [state for state, _ in marched(setup, kept)]
    rows = np.arange(20, setup.times.t.size, 20)
    columns = {
        "modal": np.stack([state["q"] for state in found]),
        "modal_velocity": np.stack([state["p"] for state in found]),
        "vehicle": np.stack([state["z"] for state in found]),
        "vehicle_velocity": np.stack([state["v"] for state in found]),
        "contact_forces": np.stack([state["forces"] for state in found]),
        "approach": np.stack([state["approach"][-1] for state in found]),
        "in_contact": np.stack([state["touching"] for state in found]),
    }
    energies = np.stack([state["energies"] for state in found], axis=1)
    ledger = Stored(Energies(**dict(zip(ENERGIES, energies, strict=True))))
    same = CondensedSteps(setup).crossing(setup.times.t[rows], columns, ledger)
    np.testing.assert_allclose(same.modal, run.modal[rows], rtol=0, atol=1e-12 * np.abs(run.modal).max())
    np.testing.assert_array_equal(same.approach, run.approach[rows])
    np.testing.assert_array_equal(same.places, run.places[rows])
    for quantity in ("deflection", "acceleration", "moment"):
        exact = getattr(run, quantity)(9.0)
        close = {"rtol": 1e-9, "atol": 1e-9 * np.abs(exact).max()}
        np.testing.assert_allclose(getattr(same, quantity)(9.0), exact[rows], **close)
    for name in ENERGIES:
        exact = getattr(run.energies, name)[rows]
        np.testing.assert_allclose(getattr(same.energies, name), exact, atol=1e-9 * run.energies.work)
    assert same.energies.work > 0.0
