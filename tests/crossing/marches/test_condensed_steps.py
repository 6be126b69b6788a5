"""A crossing that is cut goes on as if it had not been: states as values, to the last bit."""

import numpy as np
import pytest

import traction as tr
from traction.crossing.cross import set_up
from traction.crossing.marches.condensed_steps import ENERGIES, CondensedSteps, Stored
from traction.crossing.marches.method_steps import MethodSteps
from traction.crossing.results.energies import Energies
from traction.trains.travel import travel

pytestmark = pytest.mark.filterwarnings("ignore:wheel .* meets a step of the track")

SPEED, GRAVITY, SIZE = 30.0, 9.81, 20
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
FELT = {"held": None, "springs": True}  #: whether wheels feel the modes left out
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
        wheel=None, grid=None, model="modes", size=SIZE, method=None, dt=1.1e-3, end=0.25, irregularity=rough,
        residual=FELT[ends], options={},
    )  # fmt: skip


def marched(setup, stops, renew=lambda setup: setup):
    """States at the stops, each from the arrays of the one before alone."""
    steps = CondensedSteps(setup)
    state, found = steps.begin(), []
    for stop in stops:
        steps = CondensedSteps(renew(steps.setup))
        before = {name: value.copy() for name, value in state.items()}
        state, march = steps.march(state, stop)
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
        tr.Bridge(ENDS[ends], tr.STEEL), TRAINS[train], SPEED, contact=contact, size=SIZE, dt=1.1e-3,
        t_end=0.25, irregularity=rough, residual=FELT[ends],
    )  # fmt: skip
    setup = made(contact, ends, train)
    kept = setup.times.kept[20::20]
    found = [state for state, _ in marched(setup, kept)]
    rows = np.arange(20, setup.times.t.size, 20)
    rest = CondensedSteps(setup)
    rows_of = [rest.columns(state) for state in found]
    columns = {name: np.stack([row[name] for row in rows_of]) for name in rows_of[0]}
    energies = np.stack([state["energies"] for state in found], axis=1)
    ledger = Stored(Energies(**dict(zip(ENERGIES, energies, strict=True))))
    same = rest.crossing(setup.times.t[rows], columns, ledger)
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


@pytest.mark.parametrize("contact", ["hertz", "half-space"])
@pytest.mark.parametrize(
    ("model", "method"),
    [("modes", "newmark"), ("modes", "energy-conserving"), ("elements", "hht"), ("differences", "radau-iia")],
)
@pytest.mark.parametrize(("ends", "dt"), [("held", 2e-3), ("springs", 2e-3), ("springs", 1.9e-3)])
def test_methods_can_be_cut_too(contact, model, method, ends, dt):
    """On springs the second wheel meets a step of the track, at the end of a step or within one."""
    bridge, size = tr.Bridge(ENDS[ends], tr.STEEL), 5
    given = {"model": model, "size": size, "method": method, "dt": dt}

    def new():
        return set_up(
            bridge, tr.Train(TRAINS["wheels"]), travel(SPEED, 0.15), GRAVITY, kind=contact, wheel=None,
            grid=None, end=0.15, irregularity=None, residual=None, options={}, **given,
        )  # fmt: skip

    run = tr.cross(bridge, TRAINS["wheels"], SPEED, contact=contact, t_end=0.15, **given)
    found, count, kept = [], run.t.size - 1, new().times.kept
    meets = int(np.searchsorted(run.t, 0.1))
    for stops in ([count], [20, 21, meets - 1, meets, meets + 1, 60, count]):
        steps = MethodSteps(new(), {})
        state, passed = steps.begin(), []
        for stop in stops:
            state, forces = MethodSteps(new(), {}).advance(state, stop)
            passed.append(forces)
        found.append((state, np.concatenate(passed)))
    (one, forces), (other, same) = found
    assert set(one) == set(other)
    for name in one:
        if name != "energies":
            np.testing.assert_array_equal(one[name], other[name])
    np.testing.assert_array_equal(forces, same)
    columns = {name: value[None] for name, value in steps.columns(one).items()}
    again = steps.crossing(run.t[-1:], columns, Stored(Energies(**dict.fromkeys(ENERGIES, np.zeros(1)))))
    w = run.deflection(8.0)
    assert again.deflection(8.0)[0] == pytest.approx(w[-1], abs=1e-7 * np.abs(w).max())
    np.testing.assert_allclose(forces[kept[1:] - 1], run.contact_forces[1:], rtol=1e-5)
    last = [getattr(run.energies, name)[-1] for name in ENERGIES]
    np.testing.assert_allclose(one["energies"], last, atol=1e-6 * run.energies.work)
    np.testing.assert_allclose(other["energies"], last, atol=1e-6 * run.energies.work)
