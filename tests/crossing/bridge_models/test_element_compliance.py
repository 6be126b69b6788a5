"""Compliance of a loaded element: the beam under a force, exactly; and forces of wheels as by modes."""

import numpy as np
import pytest

import traction as tr
from traction.beams.discrete.kernels.element_shapes import BeamCells, own_compliances
from traction.crossing.bridge_models.bridge_model import bridge_model

BENDING = tr.Beam(20.0, 2.08e9, 7900.0)
SHEAR = tr.Beam(
    20.0, 2.08e9, 7900.0, shear_stiffness=4e9, rotary_inertia=800.0, supports=("pinned", "clamped")
)
SPANS = tr.Beam.spans(
    [
        tr.Beam(6.0, 4e8, 1500.0, shear_stiffness=2e9, supports=("pinned", "pinned")),
        tr.Beam(9.0, 8e8, 1500.0, shear_stiffness=1e9, supports=("pinned", "pinned")),
    ]
)
BEAMS = {"bending": BENDING, "shear": SHEAR, "spans": SPANS}


@pytest.mark.parametrize("size", [2, 3, 5, 12])
@pytest.mark.parametrize("name", BEAMS)
def test_with_it_the_beam_deflects_under_a_force_as_it_should(name, size):
    beam = BEAMS[name]
    model = bridge_model(beam, "elements", size, felt=True)
    x = np.sort(np.random.default_rng(1).uniform(0.0, beam.length, 25))
    rows, (soft, turn) = model.rows(x), model.softness(x)
    found = np.einsum("ij,ij->i", rows, np.linalg.solve(model.stiffness, rows.T).T)
    exact = np.array([float(beam.bend([(1.0, at)]).deflection(at)) for at in x.tolist()])
    np.testing.assert_allclose(found + soft, exact, atol=1e-12 * exact.max())
    assert np.abs(found - exact).max() > 1e-4 * exact.max()
    assert (soft >= 0.0).all()
    step = 1e-6
    slopes = (model.softness(x + step)[0] - model.softness(x - step)[0]) / (2.0 * step)
    np.testing.assert_allclose(turn, slopes, atol=1e-7 * np.abs(turn).max())


@pytest.mark.parametrize("size", [2, 3, 5, 12])
@pytest.mark.parametrize("name", BEAMS)
def test_with_it_the_beam_deflects_under_other_forces_as_it_should(name, size):
    """In one element, in neighbours and far apart; and its slope is that as all wheels move."""
    beam = BEAMS[name]
    model = bridge_model(beam, "elements", size, felt=True)
    x = np.random.default_rng(2).uniform(0.01, beam.length - 0.01, 14)
    rows, (between, turn) = model.rows(x), (felt[0] for felt in model.softness_between(x[None]))
    found = rows @ np.linalg.solve(model.stiffness, rows.T)
    exact = np.array([beam.bend([(1.0, at)]).deflection(x) for at in x.tolist()])
    others = ~np.eye(x.size, dtype=bool)
    np.testing.assert_allclose((found + between)[others], exact[others], atol=1e-12 * exact.max())
    assert np.abs(found - exact)[others].max() > 1e-5 * exact.max()
    np.testing.assert_array_equal(between, between.T)
    assert not np.diag(between).any()
    step = 1e-6
    ahead, back = (model.softness_between(x[None] + way)[0][0] for way in (step, -step))
    np.testing.assert_allclose(turn, (ahead - back) / (2.0 * step), atol=1e-7 * np.abs(turn).max())


def test_wheels_that_are_far_apart_do_not_feel_each_other():
    model = bridge_model(BENDING, "elements", 4, felt=True)
    assert model.softness_between(np.array([[2.0, 7.0], [9.0, 11.0]])) is None
    assert model.softness_between(np.array([[2.0, 3.0, -1.0]]))[0][0, 0].tolist()[2] == 0.0
    assert model.softness_between(np.array([[2.0]])) is None


@pytest.mark.parametrize("shear", [{}, {"shear_stiffness": 5e7}])
def test_one_element_is_the_clamped_beam(shear):
    """By the beam at rest, and in the middle l^3/(192 EI) + l/(4 kGA)."""
    beam = tr.Beam(4.0, 3e8, 1000.0, **shear)
    x = np.linspace(0.1, 3.9, 7)
    found = np.empty((x.size, 2))
    phi = 12.0 * 3e8 / (shear.get("shear_stiffness", np.inf) * 16.0)
    ends = np.array([0.0, 4.0])
    cells = BeamCells(
        ends, np.array([4.0]), np.array([0, 1]), np.array([phi]), np.zeros(4, int), np.ones(2), True
    )
    own_compliances(cells, np.array([3e8]), x, found)
    exact = [float(beam.bend([(1.0, at)]).deflection(at)) for at in x.tolist()]
    np.testing.assert_allclose(found[:, 0], exact, rtol=1e-10)
    middle = 64.0 / (192.0 * 3e8) + 1.0 / shear.get("shear_stiffness", np.inf)
    assert found[3, 0] == pytest.approx(middle, rel=1e-12)


@pytest.mark.parametrize("name", ["bending", "shear"])
def test_outside_the_beam_there_is_none(name):
    model = bridge_model(BEAMS[name], "elements", 4, felt=True)
    for found in model.softness(np.array([-0.1, 20.1, -1e9])):
        assert not found.any()


THICK = {"shear_stiffness": 2.5e9, "rotary_inertia": 800.0}


@pytest.mark.parametrize(
    ("shear", "speed", "ends", "limit"),
    [
        ({}, 30.0, ("pinned", "pinned"), 1e-4),
        ({}, 70.0, ("pinned", "pinned"), 3e-4),
        (THICK, 30.0, ("pinned", "pinned"), 4e-4),
        (THICK, 41.0, ("clamped", "clamped"), 5e-4),  # elements pass at the frequency of the contact
        (THICK, 80.0, ("clamped", "pinned"), 9e-4),
    ],
)
def test_forces_on_elements_are_those_of_modes(shear, speed, ends, limit):
    """To 1e-3 of the load at 100 elements."""
    beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=ends, damping=tr.Rayleigh(1.0, 1e-5), **shear)
    train = [(tr.Wheel(0.46, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3)), 0.0)]
    given = {"contact": "hertz", "dt": 5e-5, "t_end": 0.1}
    bridge = tr.Bridge(beam, tr.STEEL)
    modes = tr.cross(bridge, train, speed, size=200, residual=True, **given)
    run = tr.cross(bridge, train, speed, model="elements", **given)
    assert np.abs(run.contact_forces - modes.contact_forces).max() < limit * run.contacts[0].load
    assert run.energies.closure < 1e-8


def test_elements_that_shear_have_a_node_in_their_middle_under_wheels():
    thick, thin = (bridge_model(BEAMS[name], "elements", 10, felt=True) for name in ("shear", "bending"))
    assert thick.discrete.nodes.size == 21
    assert thin.discrete.nodes.size == 11
    spans = bridge_model(SPANS, "elements", 10, felt=True).discrete
    assert spans.geometry.firsts.tolist() == [0, 8, 20]  # 4 and 6 of them
    assert bridge_model(SPANS, "elements", 10).discrete.nodes.size == 11


def test_forces_of_a_method_at_soft_ends_are_those_of_the_condensed_march():
    """There the step of the track is rounded, by 5e-4 of the approach at rest."""
    ends = tr.Support(4e9, 0.0)
    bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=(ends, ends)), tr.STEEL)
    train = [(tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3)), 0.0)]
    given = {"contact": "hertz", "dt": 5e-5, "t_end": 0.03, "size": 4}
    one, other = (tr.cross(bridge, train, 30.0, method=method, **given) for method in (None, "newmark"))
    off = np.abs(one.contact_forces - other.contact_forces).max() / one.contacts[0].load
    assert off < 4e-4


@pytest.mark.parametrize(("name", "size"), [("bending", 5000), ("shear", 2500)])
def test_bridges_of_too_many_displacements_are_refused(name, size):
    with pytest.raises(tr.InputError, match="at most 8000 of them march together with wheels"):
        bridge_model(BEAMS[name], "elements", size, felt=True)
