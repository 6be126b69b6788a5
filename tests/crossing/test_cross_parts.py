"""The condensed march of wheels on elastic contacts: cut anywhere, resumed, the same bits."""

import itertools

import numpy as np
import pytest

import traction as tr
from coarse import LONG_STEPS
from traction.crossing.cross import make_march
from traction.crossing.results.energies import ENERGIES
from traction.crossing.setup import prepare_crossing
from traction.results.storage.container import pack, unpack
from traction.state_arrays import flatten_state, unflatten_state
from traction.trains.travel import read_travel

pytestmark = pytest.mark.filterwarnings(
    "ignore:wheel .* meets a step of the track", "ignore:method .* wheels meet the steps of the track"
)

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
FELT = {"held": None, "springs": True}  #: whether wheels feel the modes left out
TRAINS = {
    "wheels": [(WHEEL, 0.0), (WHEEL, 3.0)],
    "close wheels": [(WHEEL, 0.0), (WHEEL, 0.6)],
    "flat and forces": [(WORN, 1.0), (8e4, 0.0), (tr.HarmonicAxle(8e4, 2e4, 6.0), 4.0)],
}
ROUGH = tr.Irregularity.harmonic(2e-4, 2.0)


def prepared(contact, ends, train, **given):
    """A new one each time, as in another process: nothing remembers anything."""
    options = {"model": "modes", "size": 20, "method": None, "dt": 4e-4, "end": 0.25, **given}
    rough = ROUGH if options["method"] is None and options["model"] == "modes" else None
    residual = FELT[ends] if options["model"] == "modes" else None
    return prepare_crossing(
        tr.Bridge(ENDS[ends], tr.STEEL), tr.Train(TRAINS[train]), read_travel(SPEED, options["end"]), GRAVITY,
        contact=contact, wheel=None, grid=None, irregularity=rough, residual=residual, options={}, **options,
    )  # fmt: skip


def through_a_file(state):
    """The state as another process reads it."""
    return unflatten_state(type(state), unpack(pack(flatten_state(state)))[0])


def cut_at(make, stops):
    """Columns and energies at the stops, each march made anew from the stored state of the one before."""
    march = make_march(make())
    state, totals, found = march.begin(), np.zeros(len(ENERGIES)), []
    for stop in stops:
        march = make_march(make())
        before, known = flatten_state(state), through_a_file(state)
        state, part = march.advance(known, stop)
        assert all(np.array_equal(before[name], one) for name, one in flatten_state(known).items())
        totals = part.energies.count(totals)[-1]
        last = part.columns.at(slice(-1, None))
        found.append((last, totals, part.columns.contact_forces[1:]))
    return found


def assert_same_bits(make, run, stops):
    """All columns, energies and forces in the steps, against the crossing in one go."""
    found = cut_at(make, stops)
    columns = {
        "coordinates": run.modal, "velocities": run.bending.velocities, "vehicle": run.vehicle,
        "vehicle_velocity": run.vehicle_velocity, "contact_forces": run.contact_forces,
        "approach": run.approach, "in_contact": run.in_contact,
    }  # fmt: skip
    for name, whole in columns.items():
        parts = np.concatenate([getattr(last, name) for last, _, _ in found])
        np.testing.assert_array_equal(parts, whole[stops], err_msg=name)
    for k, name in enumerate(ENERGIES):
        parts = np.array([totals[k] for _, totals, _ in found])
        np.testing.assert_array_equal(parts, getattr(run.energies, name)[stops], err_msg=name)
    every = np.concatenate([forces for _, _, forces in found])
    kept = make().times.kept
    np.testing.assert_array_equal(every[kept[1:] - 1], run.contact_forces[1:])


@LONG_STEPS  # bits are equal at any step
@pytest.mark.sampled(3)
@pytest.mark.parametrize("train", ["wheels", "flat and forces"])
@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("contact", ["hertz", "half-space"])
def test_a_cut_condensed_march_is_the_crossing(contact, ends, train):
    end = 0.25 if contact == "hertz" else 0.15
    run = tr.cross(
        tr.Bridge(ENDS[ends], tr.STEEL), TRAINS[train], SPEED, contact=contact, size=20, dt=4e-4,
        t_end=end, irregularity=ROUGH, residual=FELT[ends],
    )  # fmt: skip
    count = run.t.size - 1
    meets = int(np.searchsorted(run.t, 0.1))  # the second wheel meets the bridge
    stops = sorted({1, 2, 20, 50, meets - 1, meets, meets + 1, count})
    assert_same_bits(lambda: prepared(contact, ends, train, end=end), run, stops)
    assert run.energies.work > 0.0


METHODS = (
    ("modes", "newmark"),
    ("modes", "energy-conserving"),
    ("elements", "hht"),
    ("differences", "radau-iia"),
)
STEPS = (("held", 2e-3), ("springs", 2e-3), ("springs", 1.9e-3))
#: of all combinations those that are quick; each contact, kind of ends and step is among them
QUICK = {
    ("hertz", "newmark", "springs", 1.9e-3), ("hertz", "energy-conserving", "springs", 2e-3),
    ("hertz", "hht", "held", 2e-3), ("half-space", "newmark", "held", 2e-3),
}  # fmt: skip


def cuts():
    for contact, (model, method), (ends, dt) in itertools.product(("hertz", "half-space"), METHODS, STEPS):
        slow = [] if (contact, method, ends, dt) in QUICK else [pytest.mark.slow]
        yield pytest.param(contact, model, method, ends, dt, marks=slow)


@LONG_STEPS  # bits are equal at any step
@pytest.mark.parametrize(("contact", "model", "method", "ends", "dt"), list(cuts()))
def test_a_cut_march_by_a_method_is_the_crossing(contact, model, method, ends, dt):
    """On springs the second wheel meets a step of the track, at the end of a step or within one."""
    given = {"model": model, "size": 8 if model == "modes" else 5, "method": method, "dt": dt}
    residual = {"residual": FELT[ends]} if model == "modes" else {}
    run = tr.cross(
        tr.Bridge(ENDS[ends], tr.STEEL),
        TRAINS["close wheels"],
        SPEED,
        contact=contact,
        t_end=0.03,
        on_failure="return",  # bits of steps that are too long for the forces, and quick
        **given,
        **residual,
    )
    meets = int(np.searchsorted(run.t, 0.02))
    stops = [5, 6, meets - 1, meets, meets + 1, run.t.size - 1]
    assert_same_bits(lambda: prepared(contact, ends, "close wheels", end=0.03, **given), run, stops)
