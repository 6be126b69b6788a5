"""The energy balance of crossings by any method: exact where the method is, and what the others do to it."""

import numpy as np
import pytest

import traction as tr
from coarse import LONG_STEPS
from convergence import observed_order
from traction.crossing.marches.method_energies import PathWorks
from traction.crossing.marches.method_march import MethodMarch
from traction.crossing.setup import CrossingSetup

pytestmark = pytest.mark.filterwarnings("ignore:wheel .* meets a step of the track")

CLAMPED = tr.Beam(20.0, 2e11 * 0.0104, 7900.0)
SPRINGS = tr.Beam(20.0, 2e11 * 0.0104, 7900.0, supports=(tr.Support(1e9, 0.0), tr.Support(1e9, 0.0)))
SPAN = tr.Beam(10.0, 4e8, 1500.0, shear_stiffness=2e9, supports=("pinned", "pinned"))
SPANS = tr.Beam.spans([SPAN, SPAN])
BEAMS = {"clamped": CLAMPED, "springs": SPRINGS, "spans": SPANS}
WHEEL = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 0.0, 9e3))
TRAIN = [(1e5, 0.0), (tr.HarmonicAxle(8e4, 2e4, 6.0), 3.0), (WHEEL, 5.0), (WHEEL, 8.0)]
ROUGH = tr.Irregularity.harmonic(3e-4, 2.0)
HELD = {
    "springs": tr.Beam(10.0, 1e9, 3000.0, supports=(tr.Support(1e9, 0.0), tr.Support(5e8, 0.0))),
    "simply supported": tr.Beam(10.0, 1e9, 3000.0, supports=("pinned", "pinned"), damping=0.02),
    "overhang": tr.Beam.spans(
        [
            tr.Beam(2.0, 1e9, 3000.0, supports=("free", "pinned")),
            tr.Beam(6.0, 1e9, 3000.0, supports=("pinned", "pinned")),
            tr.Beam(2.0, 1e9, 3000.0, supports=("pinned", "free")),
        ]
    ),
}
FLAT = tr.Irregularity.flat(0.46, 0.03, at=3.0, worn=False)  #: with a kink
DIFFERENT = ("newmark", "rk4", "energy-conserving", "radau-iia")  #: one of each family of methods
EDGE = tr.Irregularity(lambda x: np.where(np.asarray(x) > 3.21, 5e-5, 0.0), lambda x: np.zeros(np.shape(x)))


def crossed(beam, train=TRAIN, *, contact="hertz", model="modes", **options):
    given = {
        "size": 8 if model == "modes" else 10,
        "dt": 1e-3,
        "t_end": 0.5,
        "irregularity": ROUGH,
        **options,
    }
    return tr.cross(tr.Bridge(beam, tr.STEEL), train, 30.0, contact=contact, model=model, **given)


@LONG_STEPS  # it keeps energy at any step
@pytest.mark.sampled(3)
@pytest.mark.parametrize("model", ["modes", "elements"])
@pytest.mark.parametrize("held", BEAMS)
def test_energy_conserving_method_keeps_it_while_wheels_roll(held, model):
    """Coarse steps, a rough rail, plain forces, steps of the track, loss of contact: all is found again."""
    run = crossed(BEAMS[held], model=model, method="energy-conserving")
    energies = run.energies
    assert energies.closure < 1e-10
    for part in (energies.drive, energies.axles, energies.vehicles_kinetic):
        assert np.ptp(part) > 1e-3 * energies.work
    assert np.ptp(run.approach) > (0.3 if held == "springs" else 0.02) * run.contacts[0].static
    assert run.lost_contact == (held == "springs")


def test_drive_of_the_energy_conserving_method_tends_to_that_along_the_slopes():
    """Its works are those of the track in the middle of each step: second order beside the path."""
    steps, off = np.array([8e-4, 4e-4, 2e-4]), []
    for dt in steps:
        run = crossed(CLAMPED, [(WHEEL, 0.0)], method="energy-conserving", dt=dt, t_end=0.2)
        (part, kept) = run.ledger.args
        marched = part.energies
        along = PathWorks(marched.wheels, marched.rows, marched.starts, marched.ends).in_steps()
        apart = np.cumsum(along.drive)[kept[1:] - 1] - run.energies.drive[1:]
        off.append(np.abs(apart).max() / run.energies.work)
    assert off[0] > 1e-5
    assert observed_order(steps, off) == pytest.approx(2.0, abs=0.3)


def test_energy_conserving_method_with_the_half_space():
    run = crossed(CLAMPED, [(WHEEL, 0.0)], contact="half-space", method="energy-conserving", t_end=0.1)
    assert run.energies.closure < 1e-8


def over_a_step(held, method, dt, contact="hertz", second=1.13, **options):
    """Two wheels, the second of which meets a bridge that sags under the first, within a step.

    Forces of steps so coarse may be worthless; the balance of their energies is not.
    """
    if method == "euler-forward":
        options["allow_unstable"] = True
    return tr.cross(
        tr.Bridge(HELD[held], tr.STEEL), [(WHEEL, 0.0), (WHEEL, second)], 40.0, contact=contact, size=4,
        dt=dt, method=method, on_failure="return", **options,
    )  # fmt: skip


@LONG_STEPS  # the balance closes at any step
@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("held", "method"),
    [
        pytest.param(held, name, marks=[] if held == "springs" or name in DIFFERENT else [pytest.mark.slow])
        for held in HELD
        for name in tr.methods()
    ],
)
@pytest.mark.parametrize("refined", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_balance_closes_with_any_method(held, method, refined):
    """However coarse the steps: what a method adds is the work of what its equations lack along its path."""
    grows = method == "euler-forward"
    dt, end = (5e-5, 0.05) if grows else (1e-3, 0.06 if refined == 1 else None)
    run = over_a_step(held, method, dt / refined, t_end=end)
    assert run.energies.closure < 1e-6
    if method != "energy-conserving":  # which has none by construction
        assert run.energies.drift > 1e-9
    marched = run.ledger.args[0].energies
    assert np.abs(marched.starts.force[1:] - marched.ends.force).max() < 1e-9 * run.contacts[1].load
    met = np.searchsorted(run.t, 1.13 / 40.0)
    step = abs(run.deflection(0.0)[met])
    assert (step > 0.02 * run.contacts[1].static) == (held != "simply supported")


@LONG_STEPS  # the balance closes at any step
@pytest.mark.sampled(5)
@pytest.mark.parametrize("method", [name for name in tr.methods() if name != "euler-forward"])
def test_balance_closes_with_any_method_and_the_half_space(method):
    grid = tr.Grid(12, 12, 1.5e-3, 1.5e-3)
    run = over_a_step("springs", method, 5e-4, "half-space", t_end=0.04, grid=grid)
    assert run.energies.closure < 1e-5


@LONG_STEPS  # the balance closes at any step
@pytest.mark.sampled(5)
@pytest.mark.parametrize("rail", ["flat", "edge"])
@pytest.mark.parametrize("method", ["newmark", "rk4", "radau-iia"])
def test_balance_closes_over_kinks_and_edges(method, rail):
    """A wheel rolls over the kink of a fresh flat and over an edge of the rail, wherever in a step."""
    wheel = tr.Wheel(0.46, 1e3, suspension=WHEEL.suspension, irregularity=FLAT if rail == "flat" else None)
    run = tr.cross(
        tr.Bridge(HELD["simply supported"], tr.STEEL), [(wheel, 0.0)], 40.0, contact="hertz", size=4, dt=1e-3,
        on_failure="return", method=method, irregularity=EDGE if rail == "edge" else None,
    )  # fmt: skip
    assert np.ptp(run.contact_forces) > 0.5 * run.contacts[0].load
    assert run.energies.closure < 1e-6


@LONG_STEPS  # the balance closes at any step
@pytest.mark.sampled(5)
@pytest.mark.parametrize("off", [-2e-6, 2e-6])
@pytest.mark.parametrize(
    "method",
    [
        pytest.param(name, marks=[] if name in DIFFERENT else [pytest.mark.slow])
        for name in tr.methods()
        if name != "euler-forward"
    ],
)
def test_passage_next_to_the_end_of_a_step(method, off):
    """Of which a step of two millionths is left."""
    run, even = (
        over_a_step("springs", method, 5e-4, second=0.5 + 0.02 * one, t_end=0.02) for one in (off, 0.0)
    )
    assert run.energies.closure < 1e-6
    near = 1e-4 * np.abs(even.modal).max()
    np.testing.assert_allclose(run.modal, even.modal, atol=near)


@pytest.mark.filterwarnings("ignore:a wheel 2 m from another axle")
@pytest.mark.parametrize("halvings", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("method", "order"),
    [("newmark", 2.0), ("rk4", 4.0), pytest.param("radau-iia", 4.0, marks=pytest.mark.slow)],
)
def test_methods_keep_their_order_over_a_step_of_the_track(method, order, halvings, monkeypatch):
    """What a method adds falls by its order (that of the cubic path at most): no step hides the passage.

    At once, as if ends were level; over an arc the wheel meets an edge within a step.
    """
    monkeypatch.setattr(CrossingSetup, "soft_ends", (False, False))
    ends = tr.Support(4e9, 0.0)
    bridge = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0, supports=(ends, ends)), tr.STEEL)
    added = []
    for dt in 4e-4 / 2.0 ** np.arange(halvings + 1):
        run = tr.cross(
            bridge,
            [(WHEEL, 0.0), (WHEEL, 2.0)],
            30.0,
            contact="hertz",
            size=4,
            dt=dt,
            method=method,
            t_end=0.1,
            residual=True,
        )
        assert not run.lost_contact
        added.append(np.abs(run.energies.numerical).max())
    assert (-np.diff(np.log2(added)) > order - 0.2).all()


def test_what_newmark_adds_is_known():
    """Undamped, kinetic and strain energy gain the work of the mean of the forces at both ends, exactly."""
    run = crossed(CLAMPED, [(WHEEL, 0.0)], method="newmark", t_end=0.2, irregularity=None)
    energies, n = run.energies, run.modal.shape[1]
    F, load = run.contact_forces[:, 0], run.contacts[0].load
    shapes = np.stack([run.modes.deflection(float(x)) for x in run.places[:, 0]])
    push = np.concatenate([F[:, None] * shapes, (load - F)[:, None], np.zeros((F.size, 1))], axis=1)
    q = np.concatenate([run.modal, run.vehicle], axis=1)
    assert q.shape[1] == n + 2
    gained = np.r_[0.0, np.cumsum((0.5 * (push[1:] + push[:-1]) * np.diff(q, axis=0)).sum(axis=1))]
    added = gained + energies.gravity - energies.gravity[0] + energies.contact - energies.contact[0]
    np.testing.assert_allclose(added - energies.drive, energies.numerical, atol=1e-9 * energies.work)
    assert energies.drift > 1e-6


@LONG_STEPS  # works agree at any step
@pytest.mark.parametrize(
    ("held", "method", "model"),
    [
        ("clamped", "newmark", "modes"),
        ("spans", "newmark", "modes"),
        *(
            pytest.param(held, "radau-iia", "elements", marks=pytest.mark.slow)
            for held in ("clamped", "spans")
        ),
    ],
)
def test_drive_and_slopes_agree(held, method, model):
    """What the drive does along the slopes is what contact energy and coordinates do not take up."""
    energies = crossed(BEAMS[held], model=model, method=method).energies
    assert energies.closure < 1e-4
    assert energies.drift > energies.closure
    assert np.ptp(energies.drive) > 0.02 * energies.work


def test_numerical_energy_falls_with_the_order_of_the_method():
    """Backward Euler takes energy in proportion to the step; Newmark's rule with its square."""
    taken = {}
    for method in ("euler-backward", "newmark"):
        runs = [crossed(CLAMPED, [(WHEEL, 0.0)], method=method, dt=dt, t_end=0.1) for dt in (2e-4, 1e-4)]
        taken[method] = [np.abs(run.energies.numerical).max() for run in runs]
    orders = {method: np.log2(one / other) for method, (one, other) in taken.items()}
    assert orders["euler-backward"] == pytest.approx(1.0, abs=0.3)
    assert orders["newmark"] == pytest.approx(2.0, abs=0.5)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("model", ["modes", "elements", "differences"])
def test_default_methods_and_steps(model):
    """Nothing chosen: the balance and the method's own part of it are far below 1e-4 of the work."""
    bridge = tr.Bridge(CLAMPED, tr.STEEL)
    size = None if model == "modes" else 30
    run = tr.cross(bridge, [(WHEEL, 0.0)], 30.0, contact="hertz", t_end=0.1, model=model, size=size)
    assert run.energies.closure < 1e-6
    assert run.energies.drift < 1e-5


def test_default_step_of_explicit_methods_is_stable():
    bridge, train = tr.Bridge(CLAMPED, tr.STEEL), [(WHEEL, 0.0)]
    given = {"contact": "hertz", "t_end": 0.05, "method": "verlet"}
    run = tr.cross(bridge, train, 30.0, **given)
    assert run.energies.drift < 1e-4
    with pytest.raises(tr.InputError, match="stability limit"):
        tr.cross(bridge, train, 30.0, **given, dt=1.2 * float(run.t[1]))


def over_soft_ends(dt, speed=30.0, **given):
    """Two wheels that roll onto a bridge on stiff springs, over their arcs."""
    ends = tr.Support(4e9, 0.0)
    bridge = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0, supports=(ends, ends)), tr.STEEL)
    given = {"method": "newmark", "t_end": 0.1, "residual": True} | given
    return tr.cross(bridge, [(WHEEL, 0.0), (WHEEL, 2.0)], speed, contact="hertz", size=4, dt=dt, **given)


def test_steps_end_where_the_share_of_a_soft_end_begins_to_change(monkeypatch):
    found, find = [], MethodMarch._find_kink

    def locate(march, wheels, state, end):
        kink = find(march, wheels, state, end)
        if kink is not None:
            found.append(np.nanmin(np.abs(np.abs(wheels.transitions(kink.t, kink.q)) - 1.0)))
        return kink

    monkeypatch.setattr(MethodMarch, "_find_kink", locate)
    over_soft_ends(4e-4, t_end=0.07)
    assert len(found) >= 3  # the first wheel begins inside; the second rolls in and out
    assert max(found) <= 1e-4


@pytest.mark.filterwarnings("ignore:a wheel 2 m from another axle")
def test_a_share_that_changes_within_less_than_a_step_is_resolved():
    """The first wheel begins at the joint, whose arc it leaves within 25 us: no step hides that."""
    given, steps, finest = {"residual": False, "t_end": 0.012}, (4e-4, 2e-4, 1e-4), 2.5e-5
    fine = over_soft_ends(finest, **given).modal
    runs = [over_soft_ends(dt, **given).modal for dt in steps]
    off = [np.abs(run - fine[:: round(dt / finest)]).max(axis=0) for run, dt in zip(runs, steps, strict=True)]
    most, orders = np.max(off, axis=1) / np.abs(fine).max(), -np.diff(np.log2(off), axis=0)
    assert most[0] < 1e-3
    assert most[2] < 4e-5
    assert (orders > 1.65).all()
    assert (-np.diff(np.log2(most)) > 1.9).all()


@pytest.mark.filterwarnings("ignore:a wheel 2 m from another axle")
@pytest.mark.parametrize(("speed", "dt"), [(30.0, 4e-4), (30.0, 1e-4), (83.0, 1e-4)])
def test_no_part_of_a_step_changes_a_share_by_more_than_a_sixteenth(speed, dt, monkeypatch):
    """At 0.4 ms the wheel leaves its arc within the step, too."""
    changes, find = [], MethodMarch._find_part

    def record(march, wheels, state, end):
        part = find(march, wheels, state, end)
        one, other = (
            np.clip(0.5 * (1.0 + wheels.transitions(at.t, at.q)), 0.0, 1.0) for at in (state, part or end)
        )
        changes.append(np.abs(other - one).max())
        return part

    monkeypatch.setattr(MethodMarch, "_find_part", record)
    over_soft_ends(dt, speed, residual=False, t_end=0.07 * 30.0 / speed)
    assert 0.03 < max(changes) <= 0.0625
    assert sum(changes) > 1.4  # of the first wheel from the middle on, and of the second


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:a wheel 2 m from another axle")
def test_newmark_keeps_its_order_over_soft_ends():
    """In the coordinates of the bridge too, which feel the share of the wheels."""
    fine, steps = over_soft_ends(2.5e-5), np.array([4e-4, 2e-4, 1e-4])
    off = []
    for dt in steps:
        every = round(dt / 2.5e-5)
        off.append(np.abs(over_soft_ends(dt).modal - fine.modal[::every]).max(axis=0))
    orders = -np.diff(np.log2(off), axis=0)
    assert (orders > 1.75).all()
    assert (orders < 2.25).all()
