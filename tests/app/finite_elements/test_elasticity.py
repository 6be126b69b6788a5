"""The elements themselves: exact where the answer is a polynomial; plain words where scikit-fem misses."""

import numpy as np
import pytest

import traction as tr
from traction.app.finite_elements import elasticity
from traction.app.finite_elements.elasticity import Factored, Solid, graded, scikit_fem

MATERIAL = tr.Material(7.0, 0.3, 2.0)
BOXES = {
    "plane": (graded(0.1, 0.2, 2.0), graded(0.2, 0.2, 1.0)),
    "solid": (graded(0.5, 0.5, 2.0, 1.6), graded(0.5, 0.5, 1.0, 1.6), graded(0.5, 0.5, 1.5, 1.6)),
}


@pytest.fixture(params=BOXES)
def solid(request):
    return Solid(BOXES[request.param], MATERIAL)


def test_graded_elements_grow_from_fine_to_the_end():
    ends = graded(0.1, 0.4, 3.0, 1.3)
    sizes = np.diff(ends)
    assert (ends[0], ends[-1]) == (0.0, 3.0)
    assert sizes[:4] == pytest.approx(0.1)
    assert (sizes[1:] / sizes[:-1]).max() < 1.4
    assert graded(0.1, 0.4, 0.4)[-1] == pytest.approx(0.4)


def test_motions_as_a_whole_cost_no_force_and_weigh_what_they_should(solid):
    axes, n = solid.nodes.shape
    for axis in range(axes):
        moved = np.zeros((axes, n))
        moved[axis] = 1.0
        assert np.abs(solid.stiffness @ moved.ravel()).max() < 1e-12 * 7.0
        volume = np.prod([ends[-1] for ends in solid.lines])
        assert moved.ravel() @ solid.mass() @ moved.ravel() == pytest.approx(2.0 * volume)
        half = solid.mass((0.0, solid.lines[0][-2]))  # the last elements weigh nothing
        assert moved.ravel() @ half @ moved.ravel() == pytest.approx(
            2.0 * volume * solid.lines[0][-2] / solid.lines[0][-1]
        )
    turned = np.zeros((axes, n))
    turned[0], turned[1] = -solid.nodes[1], solid.nodes[0]
    assert np.abs(solid.stiffness @ turned.ravel()).max() < 1e-11


def test_the_lattice_numbers_each_node_once_by_its_place(solid):
    assert np.array_equal(np.sort(solid.lattice, axis=None), np.arange(solid.nodes.shape[1]))
    for axis, line in enumerate(solid.lines):
        places = np.moveaxis(solid.nodes[axis][solid.lattice], axis, 0)
        assert places[::2].reshape(len(line), -1) == pytest.approx(
            np.repeat(line[:, None], places[0].size, 1)
        )
        assert (np.diff(places, axis=0) > 0.0).all()


def test_a_column_under_pressure_shortens_as_it_should(solid):
    """Free sides: -p/E per depth in space, -p (1 - nu^2)/E in plane strain; a patch test."""
    last, depth = len(solid.lines) - 1, solid.lines[-1][-1]
    held = [solid.along(k, solid.on(k, 0.0)) for k in range(last)]
    held.append(solid.along(last, solid.on(last, depth)))
    load = solid.traction((last, 0.0), last, lambda *x: 3.0 + 0.0 * x[0])
    u = Factored(solid.stiffness, np.concatenate(held))(load)
    strain = 3.0 / 7.0 * (1.0 - 0.3**2 if last == 1 else 1.0)
    assert u[solid.along(last, solid.on(last, 0.0))] == pytest.approx(strain * depth, rel=1e-10)


def test_without_scikit_fem_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(elasticity, "find_spec", lambda _: None)
    with pytest.raises(tr.InputError, match=r"pip install traction\[fem\]"):
        scikit_fem()


def test_a_motion_needs_a_density():
    with pytest.raises(tr.InputError, match="density"):
        _ = Solid(BOXES["plane"], tr.Material(7.0, 0.3)).mass()
