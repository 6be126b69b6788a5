"""A half space under Hertz's pressure (thesis, 7.1): order of convergence, and three answers that agree."""

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from traction.app.finite_elements.meshed_half_space import load_half_space

STEEL = tr.Material(2.1e11, 0.3)
PAIR = tr.Pair(tr.RIGID, STEEL)
HERTZ = tr.hertz.sphere(0.1, PAIR, force=1000.0)


def largest_error(halvings):
    """On the surface within five radii, of the approach."""
    meshed = load_half_space(HERTZ, STEEL, halvings=halvings)
    near = meshed.r < 5.0 * HERTZ.radius
    return np.abs(meshed.displacement - HERTZ.displacement(meshed.r))[near].max() / HERTZ.approach


def test_the_surface_converges_as_the_edge_of_the_pressure_allows():
    """The pressure ends like a root, so that displacements converge with the power 3/2 of the elements."""
    errors = [largest_error(halvings) for halvings in range(3)]
    assert observed_order([1.0, 0.5, 0.25], errors) == pytest.approx(1.5, abs=0.2)
    assert errors[-1] < 3e-4


def test_elements_closed_form_and_half_space_solver_agree():
    meshed = load_half_space(HERTZ, STEEL)
    assert meshed.work == pytest.approx(0.8 * HERTZ.force * HERTZ.approach, rel=1e-4)
    a = HERTZ.radius
    contact = tr.press(tr.Sphere(0.1), tr.Grid.around(1.2 * a, 1.2 * a, 96, 96), PAIR, force=1000.0)
    for x in (0.0, 0.7 * a, 1.5 * a, 4.0 * a):
        here = -contact.displacement(tr.Grid(1, 1, 1e-3 * a, 1e-3 * a, center=(x, 0.0)), body=2)[0, 0]
        in_mesh = np.interp(x, meshed.r, meshed.displacement)
        assert here == pytest.approx(in_mesh, rel=2e-3)
        assert float(HERTZ.displacement(x)) == pytest.approx(in_mesh, rel=2e-3)
