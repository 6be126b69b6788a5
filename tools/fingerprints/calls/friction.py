"""Friction: shifts, steady and transient rolling, the linear and the simplified theory."""

from __future__ import annotations

import numpy as np

import traction as tr
from fingerprints.calls.bodies import ALUMINIUM, MU, STEEL, UNLIKE, ball, ellipse, roller
from fingerprints.cases import call, each
from fingerprints.results import FASTSIM, KALKER, Numbers, stress, take, tangential

DISCRETISATIONS = ("covered", "classical")
CREEPAGE = (1e-3, 5e-4, 0.2)


@call("friction/shift_displacement")
def shift_displacement() -> Numbers:
    """A ball shifted and turned."""
    return tangential(tr.shift(ball(), MU, displacement=(1e-6, -4e-7, 2e-4)), tangent=True)


@call("friction/shift_force")
def shift_force() -> Numbers:
    """One force given, and both."""
    one = tr.shift(ball(), MU, displacement=(None, 2e-7, 0.0), force=(-150.0, None))
    both = tr.shift(ball(), MU, displacement=(None, None, 1e-4), force=(100.0, -120.0))
    return {"one": tangential(one), "both": tangential(both)}


@call("friction/shift_history")
def shift_history() -> Numbers:
    """There, back, and under more pressure."""
    n = ball()
    more = tr.press(tr.Sphere(0.1), n.grid, STEEL, force=1150.0, tol=1e-9)
    first = tr.shift(n, MU, displacement=(1.2e-6, 0.0, 0.0))
    second = tr.shift(n, MU, displacement=(-1.5e-6, 2e-7, 0.0), previous=first)
    third = tr.shift(more, MU, displacement=(3e-7, 0.0, 0.0), previous=second)
    return {"second": tangential(second), "third": tangential(third)}


@call("friction/shift_unlike")
def shift_unlike() -> Numbers:
    """Unlike bodies: pressure and traction depend on each other."""
    return tangential(tr.shift(ball(UNLIKE, 20), MU, displacement=(8e-7, 0.0, 0.0)))


@call("friction/shift_line")
def shift_line() -> Numbers:
    """A roller that is pulled."""
    n = roller()
    return tangential(tr.shift(n, MU, displacement=(None, 0.0, 0.0), force=(-0.657 * MU * n.force, None)))


@each("friction/steady_creepage_{}", DISCRETISATIONS)
def steady_creepage(discretisation: str) -> Numbers:
    """Creepages and spin of a wheel on a rail."""
    t = tr.roll_steady(ellipse(), MU, creepage=CREEPAGE, discretisation=discretisation)
    return {**tangential(t, tangent=True), "displacement": t.displacement()}


@each("friction/steady_force_{}", DISCRETISATIONS)
def steady_force(discretisation: str) -> Numbers:
    """One force given, and both, under spin."""
    n = ellipse()
    one = tr.roll_steady(
        n, MU, creepage=(None, 2e-4, 0.0), force=(-1.5e4, None), discretisation=discretisation
    )
    both = tr.roll_steady(
        n, MU, creepage=(None, None, 0.1), force=(1e4, -8e3), direction=-1, discretisation=discretisation
    )
    return {"one": tangential(one), "both": tangential(both)}


@each("friction/steady_spin_{}", DISCRETISATIONS)
def steady_spin(discretisation: str) -> Numbers:
    """Pure spin, small and large."""
    found = {}
    for spin in (0.2, 3.0):
        t = tr.roll_steady(ball(), MU, creepage=(0.0, 0.0, spin), discretisation=discretisation)
        found[f"{spin}"] = tangential(t)
    return found


@each("friction/steady_unlike_{}", DISCRETISATIONS)
def steady_unlike(discretisation: str) -> Numbers:
    """Unlike bodies that roll freely and with creepage."""
    n = ball(UNLIKE, 20)
    free = tr.roll_steady(n, MU, creepage=(0.0, 0.0, 0.0), discretisation=discretisation)
    driven = tr.roll_steady(n, MU, creepage=(-8e-4, 3e-4, 0.0), discretisation=discretisation)
    return {"free": tangential(free), "driven": tangential(driven)}


@each("friction/steady_line_{}", DISCRETISATIONS)
def steady_line(discretisation: str) -> Numbers:
    """Rollers by creepage and by force, of like and unlike bodies."""
    n, unlike = roller(), roller(tr.Pair(ALUMINIUM, tr.STEEL))
    crept = tr.roll_steady(n, MU, creepage=(8e-4, 0.0, 0.0), discretisation=discretisation)
    force = (-0.5 * MU * n.force, None)
    pulled = tr.roll_steady(
        n, MU, creepage=(None, 0.0, 0.0), force=force, distance=n.grid.dx, discretisation=discretisation
    )
    other = tr.roll_steady(unlike, MU, creepage=(4e-4, 0.0, 0.0), discretisation=discretisation)
    return {"crept": tangential(crept), "pulled": tangential(pulled), "unlike": tangential(other)}


@call("friction/steady_stress")
def steady_stress() -> Numbers:
    """Stress under pressure and tractions."""
    t = tr.roll_steady(ellipse(), MU, creepage=CREEPAGE)
    points = np.array([[0.0, 0.0, -2e-3], [1e-3, -1e-3, -1e-3], [4e-3, 0.0, -1e-4]])
    return stress(t.stress(points))


@call("friction/roll_covered", {"scheme": "covered"})
@call("friction/roll_world_fixed", {"scheme": "world-fixed"})
@call("friction/roll_moving", {"scheme": "moving"})
@call("friction/roll_interpolated", {"scheme": "moving-interpolated", "interpolation_cell": 0.8})
@call("friction/roll_classical", {"discretisation": "classical"})
def roll_schemes(options: dict[str, object]) -> Numbers:
    """Several steps of different lengths by each scheme, creepage given."""
    t = tr.shift(ball(), MU, displacement=(5e-7, 0.0, 0.0))
    found = {}
    for k, cells in enumerate((1.0, 0.6, 0.6, 0.25, 1.0)):
        distance = cells * t.normal.grid.dx
        t = tr.roll(t, MU, distance=distance, creepage=(1.5e-3, -4e-4, 0.5), **options)
        found[f"step {k}"] = tangential(t)
    return found


@each("friction/roll_force_{}", ("covered", "world-fixed", "moving"))
def roll_force(scheme: str) -> Numbers:
    """A roller with its force held, as from Cattaneo to Carter."""
    n = roller()
    force = (-0.657 * MU * n.force, None)
    t = tr.shift(n, MU, displacement=(None, 0.0, 0.0), force=force)
    crept = []
    for cells in (1.0, 0.5, 0.5, 2.5, 0.1):
        distance = cells * n.grid.dx
        t = tr.roll(t, MU, distance=distance, creepage=(None, 0.0, 0.0), force=force, scheme=scheme)
        crept.append(t.creepage)
    return {**tangential(t, tangent=True), "creepages": crept}


@each("friction/roll_varying_{}", ("covered", "world-fixed"))
def roll_varying(scheme: str) -> Numbers:
    """The normal force changes on the way, backwards."""
    n = ball()
    t = tr.shift(n, MU, displacement=(0.0, 3e-7, 0.0))
    found = {}
    for force in (1050.0, 1120.0, 980.0, 930.0):
        pressed = tr.press(tr.Sphere(0.1), n.grid, STEEL, force=force, tol=1e-9)
        distance = 0.7 * n.grid.dx
        t = tr.roll(
            t, MU, distance=distance, creepage=(1e-3, 0.0, 0.3), normal=pressed, direction=-1, scheme=scheme
        )
        found[f"{force}"] = tangential(t)
    return found


@each("friction/roll_unlike_{}", ("covered", "moving"))
def roll_unlike(scheme: str) -> Numbers:
    """Unlike bodies begin to roll."""
    t = tr.shift(ball(UNLIKE, 20), MU, displacement=(0.0, 0.0, 0.0))
    for _ in range(3):
        distance = t.normal.grid.dx
        t = tr.roll(t, MU, distance=distance, creepage=(5e-4, 0.0, 0.0), scheme=scheme)
    return tangential(t)


@call("friction/operator")
def rolling_operator() -> Numbers:
    """Matrices of rolling and steps by them."""
    n = roller()
    bound = MU * n.pressure[0]
    found: Numbers = {}
    for elements in ("constant", "linear"):
        operator = tr.RollingOperator(n.grid, STEEL, 0.4, elements)
        found[elements] = take(operator, "influence earlier difference inverse transport condition")
        found[f"{elements} interpolated"] = operator.interpolated(0.7)
    operator = tr.RollingOperator(n.grid, STEEL, 1.0)
    steady = operator.roll_steady(bound, creepage=8e-4)
    step = operator.roll(steady.traction, bound, force=0.6 * float(steady.traction.sum() * n.grid.dx))
    names = "traction slip stick creepage iterations"
    return {**found, "steady": take(steady, names), "step": take(step, names)}


@each("friction/fastsim_{}", ("parabolic", "elliptic"))
def fastsim(bound: str) -> Numbers:
    """The simplified theory on Hertz's and on a solved contact."""
    hertz = tr.hertz.ellipse(0.46, 0.3, STEEL, force=1e5)
    closed = tr.fastsim(hertz, MU, creepage=CREEPAGE, bound=bound, strips=17, steps=23)
    solved = tr.fastsim(ellipse(), MU, creepage=(-2e-3, 0.0, 0.4), bound=bound, direction=-1)
    return {"hertz": take(closed, FASTSIM), "solved": take(solved, FASTSIM)}


@call("friction/quick_theories")
def quick_theories() -> Numbers:
    """FaStrip, FASTSIM with a reduced slope, and falling friction in all three."""
    hertz, law = tr.hertz.ellipse(0.46, 0.3, STEEL, force=1e5), tr.friction.polach(0.4, 0.4, 0.6)
    falling = {"creepage": CREEPAGE, "speed": 20.0}
    found = {
        "strips": tr.fastrip(hertz, MU, creepage=CREEPAGE, strips=17, steps=23),
        "back": tr.fastrip(ellipse(), MU, creepage=(-2e-3, 0.0, 0.4), direction=-1),
        "falling": tr.fastrip(hertz, law, **falling),
        "slope": tr.fastsim(hertz, law, slope=(0.6, 0.3, 0.5), **falling),
    }
    numbers = {name: take(one, "x y bound traction stick force moment") for name, one in found.items()}
    return {**numbers, "polach": tr.polach(hertz, law, slope=(0.5, 0.3), **falling).force}


@each("friction/heat_{}", DISCRETISATIONS)
def heat(discretisation: str) -> Numbers:
    """Flash temperatures of a wheel, and friction that falls with them."""
    n, fields = ellipse(), "velocities peclet power flux surfaces temperature share"
    t = tr.roll_steady(n, MU, creepage=(-0.02, 0.0, 0.3), discretisation=discretisation)
    law = tr.friction.thermal([50.0, 450.0], [0.35, 0.15], bulk=(40.0, 0.0))
    coupled = tr.roll_steady(n, law, creepage=(-0.02, 0.0, 0.3), speed=25.0, discretisation=discretisation)
    warm = tr.flash_temperature(t, 25.0, bulk=(40.0, 0.0))
    return {"temperature": take(warm, fields), "coupled": tangential(coupled), "mu": coupled.coefficient}


@each("friction/varying_{}", DISCRETISATIONS)
def varying(discretisation: str) -> Numbers:
    """Steps of rolling over a slippery place, with friction by temperature and slip speed, and a layer."""
    falling = tr.friction.exponential(0.2, (0.15, 1.0), memory=(2e-6, 1e-3))
    warm = tr.friction.thermal([50.0, 450.0], [1.0, 0.5], law=falling, bulk=(20.0, 0.0))
    track = tr.friction.along_track([0.0, 0.0, 1e-3, 1e-3], [1.0, 0.3, 0.3, 1.0], warm)
    options = {"creepage": (-0.02, 0.0, 0.3), "speed": 25.0, "discretisation": discretisation}
    t = tr.roll_steady(ellipse(), track, position=-2e-3, layer=tr.Layer(4e9, 5e-5), **options)
    numbers = {"steady": tangential(t), "steady heat": t.temperature}
    for k in range(3):
        t = tr.roll(t, track, distance=4e-4, layer=tr.Layer(4e9, 5e-5), **options)
        numbers |= {f"step {k}": tangential(t), f"heat {k}": t.temperature}
    return {**numbers, "mean": track.mean(np.linspace(-1e-3, 2e-3, 7), 5e-4)}


@call("friction/heated_half_space")
def heated_half_space() -> Numbers:
    """Coefficients of influence at rest, slow and fast."""
    grid = tr.Grid(9, 6, 0.3e-3, 0.5e-3)
    return {str(v): tr.HeatedHalfSpace(grid, tr.STEEL, v).lags for v in (0.0, 1e-3, -30.0)}


@call("friction/kalker")
def kalker() -> Numbers:
    """Kalker's coefficients, from the table and computed, and linear forces."""
    table = [tr.kalker_coefficients(ratio, nu) for ratio, nu in ((0.13, 0.1), (1.0, 0.28), (4.7, 0.45))]
    own = tr.kalker_coefficients(1.6, 0.3, cells=8)
    found = {f"table {k}": take(one, KALKER) for k, one in enumerate(table)}
    force = own.force((1e-4, 2e-4, 0.1), (5e-3, 3e-3), 8.2e10)
    return {**found, "computed": take(own, KALKER), "force": force}


BATCH = "force moment creepage dissipation stick_share iterations traction slip stick"


@each("friction/batch_{}", ("float64", "mixed"))
def batch(precision: str) -> Numbers:
    """Members with creepages and with forces, of both discretisations, and shifts."""
    n = ball()
    rows = np.linspace(-1.0, 1.0, 9)[:, None] * (2e-3, 1e-3, 1.0)
    forces = np.full((9, 2), np.nan)
    forces[::3, 0] = 50.0
    many = tr.Batch(n.grid, STEEL, precision=precision)
    found = {d: many.roll_steady(n, MU, rows, forces, discretisation=d, fields=True) for d in DISCRETISATIONS}
    found["shift"] = many.shift(n, MU, rows * 1e-3, forces, fields=True)
    return {name: take(one, BATCH) for name, one in found.items()}


FALLING = tr.friction.exponential(0.15, (0.2, 1.0), (0.05, 0.2), memory=(3e-6, 1e-3))
FILM = tr.Layer(4e9, 50e-6, 200e6, hardening=2e13)


@call("friction/batch_laws")
def batch_of_laws() -> Numbers:
    """Members with a law on a yielding layer, and with a field of coefficients."""
    n, rows = ball(), np.linspace(-1.0, 1.0, 9)[:, None] * (2e-3, 1e-3, 1.0)
    many, found = tr.Batch(n.grid, STEEL), {}
    for d in DISCRETISATIONS:
        found[f"law {d}"] = many.roll_steady(
            n, FALLING, rows, speed=20.0, layer=FILM, discretisation=d, fields=True
        )
        found[f"field {d}"] = many.roll_steady(
            n, MU + 0.1 * (n.grid.mesh()[1] > 0.0), rows, discretisation=d, fields=True
        )
    return {name: take(one, BATCH) for name, one in found.items()}


@call("friction/laws")
def laws() -> Numbers:
    """Coefficients and slopes of all forms."""
    speeds = np.array([0.0, 0.01, 0.3, 2.0, 20.0])
    found = {
        "linear": tr.friction.linear(0.2, (0.15, 1.5), (0.05, 0.3)),
        "rational": tr.friction.rational(0.1, (0.2, 0.8), (0.08, 2.0)),
        "exponential": FALLING,
        "polach": tr.friction.polach(0.55, 0.4, 0.6),
        "own": tr.friction.own(lambda s: 0.1 + 0.2 / (1.0 + s)),
    }
    return {name: np.array((law.coefficient(speeds), law.derivative(speeds))) for name, law in found.items()}


@each("friction/falling_{}", DISCRETISATIONS)
def falling(discretisation: str) -> Numbers:
    """A law with memory and a layer that yields: steady, and a step of rolling."""
    n, between = ellipse(), {"speed": 20.0, "layer": FILM, "discretisation": discretisation}
    t = tr.roll_steady(n, FALLING, creepage=(4e-3, 5e-4, 0.2), **between)
    step = tr.roll(t, FALLING, distance=n.grid.dx, creepage=(1e-2, 0.0, 0.2), **between)
    return {
        "steady": {**tangential(t, tangent=True), "coefficient": t.coefficient, "plastic": t.plastic_work},
        "step": {**tangential(step), "coefficient": step.coefficient},
    }


@call("friction/place")
def place() -> Numbers:
    """Friction that varies over the contact."""
    n = ellipse()
    return tangential(tr.roll_steady(n, np.where(n.grid.mesh()[1] > 0.0, 0.4, 0.1), creepage=CREEPAGE))


@call("friction/creep_table")
def creep_table() -> Numbers:
    """Creep forces over loads and creepages, by creepage and by force."""
    given = {"gap": tr.Sphere(0.1), "grid": tr.Grid(12, 12, 2.5e-4, 2.5e-4), "friction": MU, "pair": STEEL}
    free = tr.creep_table(**given, load=[800.0, 1000.0], longitudinal=[0.0, 1e-3], lateral=[0.0], spin=[0.1])
    held = tr.creep_table(**given, load=[1000.0], force_x=[-100.0, 50.0], lateral=[1e-4])
    return {"creepage": dict(free.values), "force": dict(held.values)}


@call("friction/stress_history")
def stress_history() -> Numbers:
    """Stress below a wheel that rolls past."""
    t = tr.roll_steady(ball(), MU, creepage=(-1e-3, 0.0, 0.0))
    return stress(tr.stress_history(t, [(0.0, 0.0, -3e-4)], [-1e-3, 0.0, 4e-4]))
