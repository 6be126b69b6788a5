"""Refinement of the nodes of a creep table: of a law in closed form, whose errors are known everywhere."""

import numpy as np
import pytest

from saturating_table import saturating_law
from traction.contact.tables.creep_table import CreepTable
from traction.contact.tables.making import refinement
from traction.contact.tables.making.refinement import first_grid, refine, spline_forces
from traction.contact.tables.reduced_creepages import polar_coordinates, polar_creepages
from traction.contact.tables.spline_table import MIRROR

FIRST = (9, 5, 13)


class ClosedForm:
    """Stands for `Ellipses`: a law whose saturation grows with a/b, and that jumps by `noise`."""

    def __init__(self, noise=0.0):
        self.noise, self.batches, self._known = noise, 0, set()
        self.coefficients = self
        self.poisson_ratio = 0.28
        self.reducing = np.array([3.0, 3.0, 1.0])

    def find(self, ratio):
        return self

    def unit_scales(self, ratios):
        return np.ones((len(ratios), 3))

    def at(self, places):
        inside = places[(places[:, 1] > 0.0) & (places[:, 1] < 1.0)]  # the ends are not solved
        asked = set(map(tuple, inside.round(9).tolist()))
        self.batches += not asked <= self._known
        self._known |= asked
        s = np.clip(places[:, 1:2], 1e-9, 1.0 - 1e-9)
        reduced = polar_creepages(s[:, 0], places[:, 2], places[:, 3], 1.0)
        jumps = self.noise * np.sin(1e5 * places.sum(axis=1))[:, None] * (places[:, 1:2] % 1.0 > 0.0)
        return saturating_law(reduced * places[:, :1] ** 0.2) / s + jumps


def off_at_random(ellipses, splines, ratios, count=3000):
    rng = np.random.default_rng(1)
    way = np.abs(rng.normal(size=(count, 3)))
    way[:, 2] *= rng.choice((-1, 1), size=count)
    s = rng.uniform(0.0, 1.0, (count, 1))
    places = polar_coordinates(way / np.linalg.norm(way, axis=1, keepdims=True) * s / (1.0 - s), 1.0)
    places = np.column_stack((np.exp(rng.uniform(*np.log(ratios[[0, -1]]), count)), places))
    exact = saturating_law(polar_creepages(*places[:, 1:].T, 1.0) * places[:, :1] ** 0.2)
    return np.abs(spline_forces(splines, ellipses, places) - exact).max(axis=1)


@pytest.mark.parametrize("ratios", [np.array([2.0]), np.geomspace(0.2, 5.0, 5)])
@pytest.mark.parametrize("tolerance", [3e-3, 3e-4])
def test_splines_miss_the_law_by_the_tolerance_at_most(ratios, tolerance):
    ellipses, seen = ClosedForm(), []
    grid, splines = refine(first_grid(ratios, FIRST, ellipses), ellipses, tolerance, seen.append)
    assert grid.errors.max() <= tolerance
    assert seen[-1] == grid.errors.max()
    assert off_at_random(ellipses, splines, ratios).max() < 1.15 * tolerance
    assert grid.values.shape[:-1] == grid.solved.shape == tuple(one.size for one in grid.axes)
    assert grid.axes[3] == pytest.approx(-grid.axes[3][::-1])


def test_nodes_are_solved_only_where_splines_do_not_suffice():
    ellipses = ClosedForm()
    grid, _ = refine(first_grid(np.geomspace(0.2, 5.0, 5), FIRST, ellipses), ellipses, 3e-4, lambda _: None)
    assert 0.0 < grid.solved.mean() < 0.8
    assert grid.solved[:, (0, -1)].all()  # no creepage and full sliding are known without a solution


def test_a_round_asks_for_new_nodes_and_middles_at_once():
    """Every call is a batch, whose time on a GPU hardly depends on its size."""
    ellipses, rounds = ClosedForm(), []
    refine(first_grid(np.array([1.0]), FIRST, ellipses), ellipses, 3e-4, rounds.append)
    assert len(rounds) <= 5
    assert ellipses.batches <= len(rounds)


def test_what_jumps_is_not_divided_without_end():
    """Errors of elements do not decrease with the size of cells."""
    ellipses = ClosedForm(noise=1e-3)
    grid, _ = refine(first_grid(np.array([1.0]), FIRST, ellipses), ellipses, 1e-3, lambda _: None)
    assert grid.solved.size < 50_000
    assert grid.errors.max() < 4e-3


@pytest.mark.parametrize("noise", [0.0, 1e-4])
def test_nodes_of_one_creepage_have_one_value(noise):
    """All azimuths at a pole, both poles, and latitudes of both signs at the azimuth 0."""
    ellipses = ClosedForm(noise)
    grid, _ = refine(first_grid(np.array([1.0]), FIRST, ellipses), ellipses, 1e-4, lambda _: None)
    assert not grid.solved.all()  # some are guessed by splines
    for found, mirror in ((grid.values, MIRROR), (grid.solved[..., None], True)):
        lower, upper = found[..., 0, :], found[..., -1, :]
        assert np.array_equal(upper, np.broadcast_to(upper[:, :, :1], upper.shape))
        assert np.array_equal(lower, upper * mirror)
        assert np.array_equal(found[:, :, 0], found[:, :, 0, ::-1] * mirror)


def test_slopes_at_pure_spin_are_those_beside_it():
    ellipses = ClosedForm()
    grid, splines = refine(first_grid(np.array([1.0]), FIRST, ellipses), ellipses, 1e-4, lambda _: None)
    table = CreepTable(splines, grid.nodes, grid.values, error=1e-4)
    spin = np.linspace(0.2, 8.0, 40)[:, None] * [[[0.0, 0.0, 1.0]], [[0.0, 0.0, -1.0]]]
    for azimuth in (0.1, 0.7, 1.5):
        beside = 1e-7 * np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        at, near = (table.jacobian(one, 1.0, 1.0, 1.0, 1.0) for one in (spin, spin + beside))
        assert near == pytest.approx(at, abs=0.01)  # as far as splines over the azimuth make it
    for k, step in enumerate(1e-4 * np.eye(3)):
        ahead, behind = (
            np.stack(table.forces(spin + side * step, 1.0, 1.0, 1.0, 1.0), axis=-1) for side in (1.0, -1.0)
        )
        assert (ahead - behind) / 2e-4 == pytest.approx(at[..., k], abs=1e-6)
    slopes = at[..., 1, 1]  # of the law
    assert slopes == pytest.approx(-3.0 / np.hypot(1.0, spin[..., 2]), abs=0.03)


def test_the_last_round_does_not_divide(monkeypatch):
    """What is returned belongs together: the grid, its splines and the errors in its cells."""
    monkeypatch.setattr(refinement, "MOST_ROUNDS", 2)
    ellipses, seen = ClosedForm(), []
    grid, splines = refine(first_grid(np.array([1.0]), FIRST, ellipses), ellipses, 1e-5, seen.append)
    assert len(seen) == 2
    assert seen[-1] == grid.errors.max() < np.inf
    assert grid.errors.max() > 1e-5  # more rounds would have divided
    places = np.stack(np.meshgrid(*grid.axes, indexing="ij"), axis=-1)[:, 1:].reshape(-1, 4)
    values = (grid.values * grid.axes[1][:, None, None, None])[:, 1:].reshape(-1, 3)
    assert spline_forces(splines, ellipses, places) == pytest.approx(values, abs=1e-6)
