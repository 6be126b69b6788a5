"""Fields on other grids, and displacements of a whole grid by few elements."""

import numpy as np
import pytest

import traction as tr
from traction.contact.normal import normal_solver
from traction.contact.normal.coarse_grids import resample_field, resample_pressure
from traction.contact.normal.contact_window import Window
from traction.contact.normal.normal_problem import check_problem

PAIR = tr.Pair(tr.STEEL, tr.STEEL)


@pytest.mark.parametrize("target", [tr.Grid(9, 7, 0.3, 0.2, (0.1, -0.05)), tr.Grid(1, 1, 1.0, 1.0)])
def test_a_linear_field_is_the_same_on_another_grid(target):
    source = tr.Grid(12, 10, 0.25, 0.3, (0.05, 0.1))
    (x, y), (u, v) = source.mesh(), target.mesh()
    found = resample_field(2.0 + x - 3.0 * y, source, target)
    assert found == pytest.approx(2.0 + u - 3.0 * v, abs=1e-12)


def test_outside_of_a_grid_there_is_nothing():
    source = tr.Grid(4, 4, 1.0, 1.0)
    found = resample_field(np.ones((4, 4)), source, tr.Grid(8, 8, 1.0, 1.0))
    assert found.sum() == 16.0
    assert (found[2:6, 2:6] == 1.0).all()


def test_pressures_keep_their_edge():
    """The square of Hertz' pressure is quadratic, so its interpolation errs by the square of the step."""
    coarse, fine = tr.Grid(20, 20, 0.12, 0.12), tr.Grid(50, 50, 0.05, 0.05)
    exact = [np.sqrt(np.maximum(0.0, 1.0 - np.hypot(*grid.mesh()) ** 2)) for grid in (coarse, fine)]
    inside = exact[1] > 0.3
    error = np.abs(resample_pressure(exact[0], coarse, fine) - exact[1])[inside].max()
    assert error < 0.5 * 0.12**2 / 0.3


def test_products_by_waves_are_those_by_transforms(monkeypatch):
    grid, window = tr.Grid(14, 11, 1e-4, 1.5e-4), Window(2, 3, 5, 6)
    pressure = np.zeros(grid.shape)
    pressure[window.slices] = np.random.default_rng(1).uniform(0.0, 1e9, (5, 6))
    problem = check_problem(np.zeros(grid.shape), grid, PAIR, force=1.0, approach=None, periodic=None)
    by_waves = normal_solver.displace_grid(problem, pressure, window)
    monkeypatch.setattr(normal_solver, "has_waves", lambda half_space: False)
    assert by_waves == pytest.approx(normal_solver.displace_grid(problem, pressure, window), rel=1e-12)
