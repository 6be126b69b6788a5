"""A beam that lands on an obstacle: no energy created, at rest on the static solution, no penetration."""

import numpy as np
import pytest

import traction as tr
from convergence import observed_order

SPACES = ("point", "constant", "linear", "dual")


def cantilever(epsilon, damping):
    shear = None if epsilon == 0.0 else epsilon**-2
    return tr.Beam(6.0, 1.0, 1.0, shear_stiffness=shear, supports=("clamped", "free"), damping=damping)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("epsilon", [0.0, 0.23])
def test_comes_to_rest_on_the_static_solution(epsilon, space):
    beam = cantilever(epsilon, tr.Rayleigh(1.0, 0.05))
    landing = tr.land(beam, 1.0, 1.0, 60, t_end=40.0, dt=0.05, multiplier=space)
    assert landing.distance_from_rest[-1] < 1e-6
    static = tr.obstacle.solve(beam, 1.0, 1.0, 60)
    x = np.linspace(0.0, 6.0, 61)
    assert landing.deflection(x)[-1] == pytest.approx(static.deflection(x), abs=5e-4)
    assert landing.force[-1] == pytest.approx(static.force, rel=5e-3)
    assert np.abs(landing.velocity(x)[-1]).max() < 1e-5


@pytest.mark.sampled(5)
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("dt", [0.2, 0.02, 0.005])
@pytest.mark.parametrize(("damping", "chi"), [(0.0, 0.0), (tr.Rayleigh(0.2, 0.01), 0.0), (0.0, 0.05)])
def test_no_energy_is_created(space, dt, damping, chi):
    given = {"t_end": 6.0, "dt": dt, "multiplier": space, "dissipation": chi, "samples": 100000}
    landing = tr.land(cantilever(0.23, damping), 1.0, 1.0, 30, **given)
    scale = np.abs(landing.energy).max()
    assert np.diff(landing.energy).max() < 1e-11 * scale
    assert np.diff(landing.lost).min() > -1e-11 * scale
    assert (np.diff(landing.damped) >= 0.0).all()
    assert landing.energy[0] - landing.energy[-1] == pytest.approx(
        landing.damped[-1] + landing.lost[-1], abs=1e-11 * scale
    )
    assert landing.force.min() >= 0.0


def test_constraints_hold_at_every_step():
    landing = tr.land(cantilever(0.23, 0.0), 1.0, 1.0, 40, t_end=5.0, multiplier="point")
    assert landing.deflection(landing.model.nodes).max() <= 1.0 + 1e-10


def test_free_fall_until_the_obstacle():
    beam = tr.Beam(4.0, 1.0, 2.0, supports=("free", "free"))
    landing = tr.land(beam, 3.0, 1.0, 16, t_end=2.0, dt=0.01, velocity=0.2, dissipation=0.0, samples=1000)
    t = landing.t
    flying = 0.2 * t + 0.75 * t**2 < 0.99
    assert landing.deflection(1.7)[flying] == pytest.approx((0.2 * t + 0.75 * t**2)[flying], rel=1e-9)
    assert landing.deflection([0.0, 2.0, 4.0])[-1] == pytest.approx(np.ones(3), abs=1e-7)
    assert landing.force[-1] == pytest.approx(12.0, rel=1e-6)
    assert landing.distance_from_rest[-1] < 1e-5


@pytest.mark.parametrize("chi", [0.0, 0.05])
def test_free_vibration_without_contact(chi):
    """Far above the obstacle the method is that of linear vibration: of order 2 without chi, 1 with it."""
    beam = tr.Beam(1.0, 1.0, 1.0)
    errors = []
    for steps in (400, 800, 1600):
        landing = tr.land(beam, 1.0, 9.0, 6, t_end=0.2, dt=0.2 / steps, dissipation=chi)
        model = landing.model
        omega, shapes = model.shapes(model.size)
        exact = shapes @ ((shapes.T @ landing.loads) / omega**2 * (1.0 - np.cos(omega * 0.2)))
        errors.append(np.abs(model.deflection(landing.q[-1] - exact, model.nodes)).max())
    assert observed_order([4.0, 2.0, 1.0], errors) == pytest.approx(2.0 if chi == 0.0 else 1.0, abs=0.3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"damping": 0.05}, "Rayleigh"),
        ({"obstacle": lambda x: 0.5 - 0.2 * x}, "inside the straight beam"),
        ({"dt": 0.0}, "dt = 0.0 s must be positive"),
        ({"dt": 1e-9}, "steps until t_end"),
        ({"t_end": -1.0}, "t_end"),
        ({"dissipation": 0.6}, "at most 0.5"),
        ({"elements": 5000}, "at most 2000"),
    ],
)
def test_bad_input(change, message):
    given = {"damping": 0.0, "obstacle": 1.0, "elements": 20, "t_end": 10.0} | change
    beam = cantilever(0.0, given.pop("damping"))
    with pytest.raises(tr.InputError, match=message):
        tr.land(beam, 1.0, given.pop("obstacle"), given.pop("elements"), **given)
