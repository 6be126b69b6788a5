"""Adaptive meshes: few elements, the shear layer resolved, an indicator that falls."""

import numpy as np
import pytest

import traction as tr
from traction.beams.obstacle.mesh_adaptation import error_indicators, refine_mesh


@pytest.mark.sampled(3)
@pytest.mark.parametrize("space", ["linear", "dual"])
@pytest.mark.parametrize("epsilon", [0.0, 0.01, 0.023, 0.1, 0.23, 0.5, 2.0])
def test_benchmark_with_few_elements(cantilever, epsilon, space):
    exact = tr.obstacle.exact(epsilon)
    adapted = tr.obstacle.adapt(cantilever(epsilon), 1.0, 1.0, multiplier=space)
    contact = adapted.contact
    assert adapted.converged
    assert contact.elements <= 200
    assert contact.excess_force == pytest.approx(exact.excess_force, abs=1e-6)
    assert contact.free_length == pytest.approx(exact.free_length, abs=1e-5)
    assert contact.contact_force(contact.free_length) == pytest.approx(
        float(exact.contact_force(exact.free_length * (1.0 + 1e-12))), rel=2e-2 if space == "linear" else 0.1
    )


def test_elements_gather_in_the_layer(cantilever):
    adapted = tr.obstacle.adapt(cantilever(0.023), 1.0, 1.0)
    contact = adapted.contact
    h, middle = np.diff(contact.nodes), 0.5 * (contact.nodes[1:] + contact.nodes[:-1])
    layer = (middle > contact.free_length) & (middle < contact.free_length + 0.1)
    assert h[layer].max() < 0.25 * h[~layer].max()
    assert h[middle < contact.free_length].min() > 0.2  # the free part is exact as it is
    assert (np.diff(adapted.elements) > 0).all()
    assert adapted.indicators[-1] < 1e-6 * adapted.indicators[0]


def test_indicator_follows_the_error(cantilever):
    exact, beam = tr.obstacle.exact(0.23), cantilever(0.23)
    ratios = []
    for n in (40, 80, 160):
        contact = tr.obstacle.solve(beam, 1.0, 1.0, n)
        ratios.append(error_indicators(contact).sum() / abs(contact.excess_force - exact.excess_force))
    assert max(ratios) < 4.0 * min(ratios)


def test_room_for_elements_is_kept():
    eta = np.array([0.0, 3.0, 2.0, 1.0])
    nodes = np.arange(5.0)
    assert refine_mesh(nodes, eta, 5).tolist() == [0.0, 1.0, 1.5, 2.0, 3.0, 4.0]
    assert refine_mesh(nodes, eta, 4).tolist() == nodes.tolist()


def test_load_that_no_cubic_follows():
    beam = tr.Beam(8.0, 1.0, 1.0)
    load = lambda x: 1.0 + np.tanh(20.0 * (x - 1.0))  # noqa: E731
    adapted = tr.obstacle.adapt(beam, load, 0.5, tolerance=1e-6, most_elements=300)
    fine = tr.obstacle.solve(beam, load, 0.5, 1500)
    assert adapted.converged
    assert adapted.contact.free_length == pytest.approx(fine.free_length, rel=1e-5)


@pytest.mark.parametrize(("name", "value"), [("tolerance", 0.0), ("most_elements", 0)])
def test_bad_input(cantilever, name, value):
    with pytest.raises(tr.InputError, match=name):
        tr.obstacle.adapt(cantilever(0.1), 1.0, 1.0, **{name: value})
