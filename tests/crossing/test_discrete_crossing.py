"""Discrete beams under axles: the thesis bridge, all methods alike, energy, entry, and what is refused."""

import gc
import itertools
import weakref

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from reference_cases import reference_dynamics
from traction.beams.discrete import discrete_march as marching
from traction.beams.discrete.discrete_beam import MOST_ROWS
from traction.beams.discrete.discrete_march import march_beam

LENGTH, EI, MASS, FORCE, SPEED = 20.0, 2e11 * 0.0104, 7900.0, 76e3 * 9.81, 30.0
BRIDGE = reference_dynamics()["moving_load"]["clamped_bridge"]["values_best"]["v=30"]
COMPILED = ("newmark", "hht", "generalized-alpha", "verlet", "rk4")
DAMPINGS = {"none": 0.0, "ratio": 0.02, "ratios": (0.01, 0.02, 0.03), "rayleigh": tr.Rayleigh(1.0, 1e-4)}


def bridge(**options):
    return tr.Beam(LENGTH, EI, MASS, **options)


def crossing(model, dt, method, **options):
    steps = int(np.ceil(LENGTH / SPEED / dt))
    t = dt * np.arange(steps + 1)
    places = SPEED * t[:, None]
    return t, *march_beam(model, t, places, np.full_like(places, FORCE), method, **options)


def test_thesis_bridge_by_elements():
    model = bridge().elements(100)
    t, q, _, _ = crossing(model, LENGTH / SPEED / 10_000, "newmark")
    w = model.deflection(q, 10.0)
    assert w.max() == pytest.approx(BRIDGE["max_midspan_m"], rel=1e-5)
    assert t[w.argmax()] == pytest.approx(BRIDGE["t_s"], abs=1e-4)
    assert w[[2500, 5000, 7500, 10_000]] == pytest.approx(BRIDGE["midspan at T/4,T/2,3T/4,T"], rel=2e-4)


@pytest.mark.parametrize("method", ["verlet", pytest.param("rk4", marks=pytest.mark.slow)])
def test_thesis_bridge_by_differences(method):
    """Grid and step of the thesis, 3.8976e-5 s."""
    model = bridge().differences(100)
    _, q, _, _ = crossing(model, 3.8976e-5, method, observe=model.sampler("deflection", [10.0]))
    assert q.max() == pytest.approx(BRIDGE["max_midspan_m"], rel=1e-3)


def models():
    """Each model and each damping is among the quick ones."""
    quick = {"elements": ("none", "ratios"), "differences": ("ratio", "rayleigh")}
    for kind, damping in itertools.product(quick, DAMPINGS):
        yield pytest.param(kind, damping, marks=[] if damping in quick[kind] else [pytest.mark.slow])


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("kind", "damping"), list(models()))
@pytest.mark.parametrize("method", COMPILED)
def test_compiled_marches_are_those_of_integrate(method, kind, damping):
    model = getattr(bridge(damping=DAMPINGS[damping]), kind)(7)
    dt = min(0.9 * model.stability_limit(method), 1e-3)
    t = dt * np.arange(151)
    places = np.stack((SPEED * t - 0.01, 12.0 - SPEED * t), axis=1)
    forces = FORCE * np.stack((np.cos(50.0 * t), np.ones(t.size)), axis=1)
    rng = np.random.default_rng(1)
    start = 1e-2 * rng.standard_normal(model.size), rng.standard_normal(model.size)
    found = march_beam(model, t, places, forces, method, q0=start[0], v0=start[1])
    same = marching._AxleMarch(model, tr.method(method), t, dt, places, forces, *start, 1, None)
    expected = marching._march_generally(same)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-11 * np.abs(theirs).max())


@pytest.mark.parametrize("method", [name for name in tr.methods() if name not in COMPILED])
def test_every_method_marches(method):
    model = bridge(damping=0.02).elements(4)
    t = 1e-5 * np.arange(401)
    places, forces = SPEED * t[:, None] + 5.0, np.full((t.size, 1), FORCE)
    options = {"allow_unstable": True} if method == "euler-forward" else {}
    q, _, _ = march_beam(model, t, places, forces, method, **options)
    expected, _, _ = march_beam(model, t, places, forces, "rk4")
    order = tr.method(method).order
    assert q == pytest.approx(expected, abs=(3e-2 if order == 1 else 1e-4) * np.abs(expected).max())


def test_options_of_the_method_are_used():
    model, t = bridge().elements(4), 1e-3 * np.arange(101)
    axles = SPEED * t[:, None], np.full((t.size, 1), FORCE)
    base = march_beam(model, t, *axles, "newmark")[0]
    assert np.abs(march_beam(model, t, *axles, "newmark", gamma=0.6, beta=0.4)[0] - base).max() > 1e-6
    with pytest.raises(tr.InputError, match="is not an option of method"):
        march_beam(model, t, *axles, "newmark", radius=0.5)


def test_deflection_converges_with_elements():
    exact = BRIDGE["max_midspan_m"]
    sizes, errors = np.array([4, 8, 16]), []
    for n in sizes:
        model = bridge().elements(int(n))
        _, q, _, _ = crossing(model, 1e-5, "newmark", observe=model.sampler("deflection", [10.0]))
        errors.append(abs(q.max() - exact))
    assert errors[-1] < 1e-4 * exact
    assert observed_order(1.0 / sizes, errors) > 3.0


@pytest.mark.parametrize("kind", ["elements", "differences"])
def test_work_of_the_axle_is_the_energy(kind):
    """With the mean force over a step Newmark's method keeps the balance, and then the bridge its energy."""
    model = getattr(bridge(), kind)(20)
    t = 1e-4 * np.arange(10_001)
    places, forces = SPEED * t[:, None], np.full((t.size, 1), FORCE)
    q, v, _ = march_beam(model, t, places, forces, "newmark")
    energy = model.energy(q[::50], v[::50])
    gone = t[::50] > LENGTH / SPEED + 1e-3
    assert np.ptp(energy[gone]) < 1e-9 * energy.max()
    loads = np.zeros_like(q)
    for k in range(t.size):
        marching.add_forces(model.geometry, places[k], forces[k], loads[k])
    work = np.cumsum(0.5 * ((loads[1:] + loads[:-1]) * (q[1:] - q[:-1])).sum(axis=1))
    assert energy[1:] == pytest.approx(work[49::50], rel=1e-8, abs=1e-9 * energy.max())


@pytest.mark.parametrize("kind", ["elements", "differences"])
def test_entry_and_exit_have_no_jumps(kind):
    """At a support the axle hands its force over: the accelerations begin at nothing."""
    model = getattr(bridge(supports=("pinned", "pinned")), kind)(20)
    first = []
    for dt in (1e-6, 1e-7):
        t = dt * np.arange(-10, 11)
        for places in (SPEED * t[:, None], LENGTH + SPEED * t[::-1, None]):
            a = march_beam(model, t, places, np.full_like(places, FORCE), "newmark")[2]
            assert (a[:11] == 0.0).all()
            first.append(np.abs(a[11]).max())
    assert first[2:] == pytest.approx(0.1 * np.array(first[:2]), rel=0.01)


def test_observed_and_thinned_results_are_those_of_the_full_march():
    model = bridge().elements(10)
    _, q, v, a = crossing(model, 1e-3, "hht")
    rows = model.sampler("moment", [3.0, 10.0])
    _, m, dm, ddm = crossing(model, 1e-3, "hht", observe=rows, every=7)
    for full, seen in ((q, m), (v, dm), (a, ddm)):
        assert seen == pytest.approx(
            model.moment(full, [3.0, 10.0])[::7], rel=1e-9, abs=1e-9 * np.abs(seen).max()
        )
    slow = crossing(model, 1e-3, "radau-iia", observe=rows, every=7)
    assert slow[1].shape == m.shape


def test_damping_of_one_mode_decays_as_it_should():
    model = bridge(damping=0.05).elements(10)
    omega, shapes = model.shapes(1)
    t = np.linspace(0.0, 1.0, 20_001)
    none = np.zeros((t.size, 0))
    q, _, _ = march_beam(model, t, none, none, "newmark", q0=shapes[:, 0])
    h, w = 0.05 * omega[0], omega[0] * np.sqrt(1.0 - 0.05**2)
    exact = np.exp(-h * t) * (np.cos(w * t) + h / w * np.sin(w * t))
    middle = model.deflection(q, 10.0) / model.deflection(shapes[:, 0], 10.0)
    assert middle == pytest.approx(exact, abs=1e-4)


LONG = 0.01 * np.arange(11)


def bad(**changes):
    t = 1e-3 * np.arange(11)
    given = {"t": t, "places": np.ones((11, 1)), "forces": np.ones((11, 1)), "method": "newmark"} | changes
    model = given.pop("model", None) or bridge().elements(4)
    march_beam(model, given.pop("t"), given.pop("places"), given.pop("forces"), **given)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "elements"}, "must be a discrete beam"),
        ({"t": np.array([0.0])}, "at least two times"),
        ({"t": np.r_[0.0, np.geomspace(1e-3, 1e-2, 10)]}, "equal distances"),
        ({"places": np.ones((10, 1))}, r"expected \(11, axles\)"),
        ({"places": np.full((11, 1), np.nan)}, "must be finite"),
        ({"method": "newmrk"}, "did you mean 'newmark'"),
        ({"q0": np.zeros(3)}, r"q0 has shape \(3,\), expected \(6,\)"),
        ({"every": 0}, "every = 0"),
        ({"observe": np.ones((1, 3))}, "use model.sampler"),
        (
            {"method": "verlet", "t": 0.01 * np.arange(11)},
            r"dt = 0.01 s is above the stability limit 0.00[0-9]+ s of method 'verlet'",
        ),
        ({"method": "rk4", "t": LONG}, "allow_unstable=True to run it anyway"),
        ({"method": "euler-forward"}, "unstable for every step"),
        ({"allow_unstable": 1}, "must be True or False"),
    ],
)
def test_bad_input(changes, message):
    with pytest.raises(tr.InputError, match=message):
        bad(**changes)


def test_results_too_large_to_keep_are_refused():
    model = bridge().elements(1000)
    t = 1e-4 * np.arange(1_000_001)
    none = np.zeros((t.size, 0))
    with pytest.raises(tr.InputError, match="too many to keep; give every="):
        march_beam(model, t, none, none, "newmark")


def test_a_march_that_explodes_says_when():
    model = bridge().elements(10)
    t = 1e-3 * np.arange(2001)
    axles = SPEED * t[:, None], np.full((t.size, 1), FORCE)
    with pytest.raises(tr.ConvergenceError, match="not finite at t = ") as caught:
        march_beam(model, t, *axles, "verlet", allow_unstable=True)
    assert np.isfinite(caught.value.result[0]).all()


def test_a_discrete_beam_is_gone_with_its_crossing():
    run = tr.moving_load(bridge(), [(FORCE, 0.0)], SPEED, model="elements", size=10, dt=1e-2)
    first = run.moment(5.0)
    assert run.discrete.row("moment", 5.0) is run.discrete.row("moment", 5.0)  # and is not made anew
    np.testing.assert_array_equal(run.moment(5.0), first)
    np.testing.assert_array_equal(first, run.discrete.moment(run.q, 5.0))
    kept = weakref.ref(run.discrete)
    del run
    gc.collect()
    assert kept() is None


def test_a_discrete_beam_keeps_so_many_rows():
    model = bridge().elements(4)
    for x in np.linspace(0.0, LENGTH, MOST_ROWS + 10):
        model.row("deflection", float(x))
    assert len(vars(model)["_kept_rows"]) <= MOST_ROWS
