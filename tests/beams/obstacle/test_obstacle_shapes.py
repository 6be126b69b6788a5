"""Obstacles of all shapes, supports and loads: against closed forms, finer meshes and a second method."""

import numpy as np
import pytest
from scipy.optimize import nnls

import traction as tr

CLAMPED, PINNED = ("clamped", "clamped"), ("pinned", "pinned")
CANTILEVER, FREE = ("clamped", "free"), ("free", "free")


def beam(length, supports, shear=None, **more):
    return tr.Beam(length, 1.0, 1.0, shear_stiffness=shear, supports=supports, **more)


CASES = {
    "clamped": (beam(8.0, CLAMPED), 1.0, 1.0, {}),
    "clamped with shear": (beam(8.0, CLAMPED, 20.0), 1.0, 1.0, {}),
    "pinned": (beam(4.0, PINNED), 8.0, 1.0, {}),
    "inclined": (beam(8.0, CANTILEVER), 1.0, tr.obstacle.inclined(0.5, 0.1), {}),
    "inclined with shear": (beam(8.0, CANTILEVER, 20.0), 1.0, tr.obstacle.inclined(0.5, 0.1), {}),
    "round": (beam(6.0, PINNED), 1.0, tr.obstacle.curved(0.5, 3.0, 3.0), {}),
    "round with shear": (beam(6.0, PINNED, 20.0), 1.0, tr.obstacle.curved(0.5, 3.0, 3.0), {}),
    "hollow": (beam(6.0, PINNED), 2.0, tr.obstacle.curved(1.0, -10.0, 2.5), {}),
    "step down": (beam(8.0, CANTILEVER), 1.0, tr.obstacle.stepped([1.0, 1.3], [5.0]), {}),
    "step down with shear": (beam(8.0, CANTILEVER, 20.0), 1.0, tr.obstacle.stepped([1.0, 1.3], [5.0]), {}),
    "step up": (beam(8.0, CANTILEVER), 1.0, tr.obstacle.stepped([1.5, 1.0], [4.0]), {}),
    "two sides": (beam(8.0, CLAMPED), lambda x: 3.0 * np.sin(np.pi * x / 4.0), 0.3, {"above": 0.3}),
    "two sides, shear": (
        beam(8.0, CLAMPED, 20.0),
        lambda x: 3.0 * np.sin(np.pi * x / 4.0),
        0.3,
        {"above": 0.3},
    ),
    "wavy": (beam(8.0, CLAMPED), 1.0, lambda x: 0.6 + 0.1 * np.cos(3.0 * x), {}),
    "wavy with shear": (beam(8.0, CLAMPED, 20.0), 1.0, lambda x: 0.6 + 0.1 * np.cos(3.0 * x), {}),
    "foundation": (beam(8.0, CLAMPED, foundation=0.5), 2.0, 0.8, {}),
    "foundation, shear": (beam(8.0, CLAMPED, 20.0, foundation=0.5), 2.0, 0.8, {}),
    "springs": (tr.Beam(8.0, 1.0, 1.0, supports=(tr.Support(3.0, 1.0), tr.Support(2.0, 0.0))), 1.0, 1.0, {}),
    "spans": (tr.Beam.spans([beam(5.0, CLAMPED), beam(4.0, CLAMPED)]), 3.0, 0.5, {}),
    "growing load": (beam(8.0, CLAMPED, 50.0), lambda x: x / 3.0, 0.7, {}),
    "point load": (beam(8.0, CLAMPED), 0.0, 0.3, {"forces": [(2.0, 3.0)]}),
    "free on a hollow": (beam(8.0, FREE), 1.0, tr.obstacle.curved(2.0, -20.0, 4.0), {}),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_contact_conditions_and_refinement(name):
    model, load, obstacle, more = CASES[name]
    coarse = tr.obstacle.solve(model, load, obstacle, 120, **more)
    fine = tr.obstacle.solve(model, load, obstacle, 400, **more)
    for contact in (coarse, fine):
        proof = contact.certificate
        assert proof.penetration < 3e-5
        assert proof.pull <= 1e-9
        assert proof.balance < 1e-12
        assert proof.moment_balance < 1e-12
    x = np.linspace(0.0, model.length, 301)
    size = np.abs(fine.deflection(x)).max()
    assert coarse.deflection(x) == pytest.approx(fine.deflection(x), abs=2e-4 * size)
    assert coarse.force == pytest.approx(fine.force, abs=1e-4 * sum(abs(z.force) for z in fine.zones))
    assert fine.fitted


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["clamped", "round with shear", "wavy", "spans", "step down", "point load"])
def test_second_method(name):
    """The same by the flexibility of finite elements at many nodes and non-negative least squares."""
    model, load, obstacle, more = CASES[name]
    elements = model.elements(480)
    x = elements.nodes[1:-1]
    x = x[np.abs(x[:, None] - model.ends).min(axis=1) > 1e-6]
    sampler = elements.sampler("deflection", x).toarray()
    flexibility = sampler @ np.linalg.solve(elements.banded_matrix("stiffness").csr().toarray(), sampler.T)
    free = model.bend(more.get("forces", ()), load=load).deflection(x)
    gap = (
        np.full(x.size, obstacle)
        if not callable(obstacle)
        else np.minimum(obstacle(x - 1e-9), obstacle(x + 1e-9))
    )
    root = np.linalg.cholesky(0.5 * (flexibility + flexibility.T) + 1e-14 * np.eye(x.size))
    force, _ = nnls(root.T, np.linalg.solve(root, free - gap), maxiter=10000)
    contact = tr.obstacle.solve(model, load, obstacle, 240, **more)
    assert contact.deflection(x) == pytest.approx(free - flexibility @ force, abs=3e-3 * np.abs(gap).max())
    assert contact.force == pytest.approx(force.sum(), rel=1e-3)


def test_symmetric_problem_has_two_equal_ends():
    exact = tr.obstacle.exact(0.0)
    (zone,) = tr.obstacle.solve(beam(8.0, CLAMPED), 1.0, 1.0, 60).zones
    assert zone.start == pytest.approx(exact.free_length, abs=1e-10)
    assert zone.end == pytest.approx(8.0 - exact.free_length, abs=1e-10)
    assert [force for force, _ in zone.point_forces] == pytest.approx([exact.point_force] * 2, rel=1e-8)


def test_point_contact_of_a_pinned_beam():
    """Until the moment at mid-span vanishes: F = (5 p l^4/384 - EI g) 48/l^3."""
    contact = tr.obstacle.solve(beam(4.0, PINNED), 1.0, 1.0, 61)
    (zone,) = contact.zones
    assert zone.start == zone.end == pytest.approx(2.0, abs=1e-9)
    assert contact.force == pytest.approx((5.0 * 256.0 / 384.0 - 1.0) * 48.0 / 64.0, rel=1e-10)
    assert contact.point_force == contact.force


def test_upper_and_lower_obstacle_are_mirror_images():
    model = beam(8.0, CANTILEVER, 20.0)
    down = tr.obstacle.solve(model, 1.0, 1.0, 60)
    up = tr.obstacle.solve(model, -1.0, 5.0, 60, above=1.0)
    x = np.linspace(0.0, 8.0, 50)
    assert up.deflection(x) == pytest.approx(-down.deflection(x), abs=1e-9)
    assert up.force == pytest.approx(-down.force, rel=1e-9)
    assert up.zones[0].side == -1


def test_edge_of_a_step_carries_a_point_force():
    contact = tr.obstacle.solve(*CASES["step down with shear"][:3], 200)
    (edge,) = [zone for zone in contact.zones if zone.start == zone.end]
    assert edge.start == 5.0
    assert edge.force == pytest.approx(2.1675, abs=1e-3)


def test_free_beam_lies_flat():
    contact = tr.obstacle.solve(beam(8.0, FREE), 1.0, 1.0, 40)
    assert contact.deflection(np.linspace(0.0, 8.0, 9)) == pytest.approx(np.ones(9), abs=1e-12)
    assert contact.contact_force([1.0, 4.0]) == pytest.approx([1.0, 1.0], rel=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tr.obstacle.curved(1.0, 0.0, 2.0), "radius = 0.0 m"),
        (lambda: tr.obstacle.stepped([1.0, 2.0], [1.0, 2.0]), "places has 2 values, expected 1"),
        (lambda: tr.obstacle.stepped([1.0, 2.0, 3.0], [2.0, 1.0]), "increasing"),
        (lambda: tr.obstacle.inclined(1.0, np.inf), "slope = inf"),
    ],
)
def test_bad_shapes(make, message):
    with pytest.raises(tr.InputError, match=message):
        make()
