"""Half-space laws in pieces: within 1e-6 of solutions, energy the integral, whatever is asked first."""

import numpy as np
import pytest

import traction as tr
from traction.laws import half_space_table
from traction.laws.half_space_law import HalfSpaceLaw
from traction.laws.half_space_table import (
    ERROR,
    MOST_SOLVED,
    HalfSpaceTable,
    NotConvexError,
    NotTabulatedError,
    SolvedApproach,
    divide_interval,
    tabulate_half_space,
)
from traction.laws.kernels.law_values import BEGINS, KNOWN, find_piece, piece_response, pieces_mean

from .test_half_space_law import CASES

SPHERE = tr.Sphere(1.0), tr.Grid(24, 24, 1.0 / 8.0, 1.0 / 8.0)


@pytest.fixture
def table(unit_pair):
    return HalfSpaceTable(HalfSpaceLaw(*SPHERE, unit_pair))


@pytest.mark.parametrize("case", CASES)
def test_it_is_the_solution(unit_pair, case):
    """Also where elements enter one by one, or a second contact far away begins."""
    surface, grid, largest = CASES[case]
    table = HalfSpaceTable(HalfSpaceLaw(surface, grid, unit_pair))
    law = HalfSpaceLaw(surface, grid, unit_pair, tol=1e-10)
    depths = np.random.default_rng(3).uniform(0.0, 1.0, 25) ** 2 * (largest - law.first_touch)
    for depth in (1e-9 * largest, *depths):
        exact, found = law.response(law.first_touch + depth), table.response(law.first_touch + depth)
        assert found.force == pytest.approx(exact.force, rel=ERROR)
        assert found.energy == pytest.approx(exact.energy, rel=ERROR)
        assert found.stiffness == pytest.approx(exact.stiffness, rel=2e-2)
        size, pressure = table.patch_size(law.first_touch + depth), law.memory["pressure"]
        assert size.peak_pressure == pytest.approx(pressure.max(), rel=1e-3)
        cells = (pressure > 0.0).sum()
        assert size.area == pytest.approx(cells * grid.cell_area, abs=0.1 * cells * grid.cell_area)


def test_energy_is_the_integral_of_the_force(table):
    table.response(0.9)
    for depth in (0.05, 0.4):
        table.response(depth)
    rows = table.rows
    ends, known = rows[1:, BEGINS], (rows[:-1, KNOWN] == 1.0) & (rows[:-1, BEGINS] >= table.first_touch)
    nodes, weights = np.polynomial.legendre.leggauss(2)
    for k in np.flatnonzero(known):
        a, b = rows[k, BEGINS], ends[k]
        at = 0.5 * (a + b) + 0.5 * (b - a) * nodes
        work = (
            0.5 * (b - a) * sum(w * piece_response(rows, k, x)[0] for w, x in zip(weights, at, strict=True))
        )
        assert rows[k + 1, 4] - rows[k, 4] == pytest.approx(work, abs=1e-15 * rows[-2, 4])


def test_the_mean_force_is_that_of_the_energy(table):
    for depth in (0.1, 0.15, 0.5):
        table.response(depth)
    rows = table.rows
    for start, end in ((0.1, 0.15), (0.15, 0.1), (0.1, 0.5), (0.1, 0.1 + 1e-9), (-1.0, 0.1), (0.1, -1.0)):
        mean, slope = pieces_mean(rows, 0, len(rows), start, end)
        energies = [table.response(x).energy for x in (start, end)]
        assert mean * (end - start) == pytest.approx(energies[1] - energies[0], rel=1e-9, abs=1e-15)
        if abs(end - start) > 1e-3 and end > 0.0:
            ahead, back = (pieces_mean(rows, 0, len(rows), start, end + d)[0] for d in (1e-7, -1e-7))
            assert slope == pytest.approx((ahead - back) / 2e-7, rel=1e-5)


def test_what_was_asked_before_changes_no_bit(unit_pair):
    asked = [0.03, 0.9, 0.2, 0.5, 0.21]
    one, other = (HalfSpaceTable(HalfSpaceLaw(*SPHERE, unit_pair)) for _ in range(2))
    first = {x: one.response(x) for x in asked}
    assert {x: other.response(x) for x in reversed(asked)} == first
    assert all(one.response(x) == first[x] for x in asked)


def test_contact_is_lost_at_the_first_touch(table):
    touch = table.first_touch
    assert touch > 0.0
    assert table.response(touch) == table.response(-1e30) == tr.Response(0.0, 0.0, 0.0)
    assert table.response(touch * (1.0 + 1e-12)).force > 0.0
    assert table.patch_size(0.99 * touch) == (0.0, 0.0)
    assert table.contact(touch).force == 0.0


def test_gaps_of_the_table_have_no_force(table):
    table.response(0.5)
    rows = table.rows
    row = find_piece(rows, 0, len(rows), 0.2)
    assert rows[row, KNOWN] == 0.0
    assert np.isnan(piece_response(rows, row, 0.2)).all()
    assert np.isnan(pieces_mean(rows, 0, len(rows), 0.5, 0.2)).all()


def test_patches_are_solved_in_full(table):
    found = table.contact(0.6)
    assert found.force == pytest.approx(table(0.6), rel=1e-9)
    assert found.pressure.max() == pytest.approx(table.patch_size(0.6).peak_pressure, rel=1e-6)
    assert found.ok


def test_it_costs_about_one_solution_for_each_corner(table):
    for approach in np.linspace(0.01, 0.9, 200):
        table.response(approach)
    assert table.solver.evaluations < 0.75 * len(table.rows)


def test_equal_laws_share_what_is_solved(unit_pair, monkeypatch):
    monkeypatch.setattr(half_space_table, "_kept", type(half_space_table._kept)())
    monkeypatch.setattr(half_space_table, "KEPT", 2)
    radii = [1.0, 2.0, 1.0, 3.0, 4.0, 1.0]
    found = [tabulate_half_space(HalfSpaceLaw(tr.Sphere(R), SPHERE[1], unit_pair)) for R in radii]
    assert found[0] is found[2]
    assert found[5] is not found[0]  # kept by two others
    gap = SPHERE[0].gap(SPHERE[1])
    assert tabulate_half_space(HalfSpaceLaw(gap, SPHERE[1], unit_pair))(0.1) == found[0](0.1)


def test_a_force_without_bounds_is_refused(table, monkeypatch):
    def falling(x):
        return SolvedApproach(x, 1.0 + np.sin(1e6 * x), -1.0, x, 1.0, 0.0, 1.0)

    with pytest.raises(NotConvexError, match=f"more than {MOST_SOLVED}"):
        divide_interval(falling(1.0), falling(2.0), falling)
    monkeypatch.setattr(
        half_space_table, "divide_interval", lambda *_: divide_interval(falling(1.0), falling(2.0), falling)
    )
    with pytest.raises(NotTabulatedError, match='solve="every-step"'):
        table.response(0.1)


def test_only_edges_beside_gaps_are_remembered(table):
    """What a cell begins from is discarded once the cells on both sides are solved."""
    for approach in np.linspace(0.01, 0.9, 100):
        table.response(approach)
    assert len(table._cells) > 5
    assert list(table._starts) == [max(table._cells) + 1]


def test_tables_of_functions_are_not_kept():
    """What a function closes over may change, which its table would not see."""
    radius = 0.02

    def gap(x, y):
        return (x**2 + y**2) / (2.0 * radius)

    grid, pair = tr.Grid(16, 16, 5e-5, 5e-5), tr.Pair(tr.STEEL, tr.STEEL)
    for radius in (0.02, 0.04):  # noqa: B007 - read by the function
        law = HalfSpaceLaw(tr.FunctionSurface(gap), grid, pair)
        solved = law.response(2e-6, law.begin()).force
        assert tabulate_half_space(law).response(2e-6).force == pytest.approx(solved, rel=2e-6)


def test_an_interrupt_leaves_the_table_as_it_was(monkeypatch):
    law = HalfSpaceLaw(tr.Sphere(0.02), tr.Grid(16, 16, 5e-5, 5e-5), tr.Pair(tr.STEEL, tr.STEEL))
    table = HalfSpaceTable(law)

    def interrupted(self, cells):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(HalfSpaceTable, "_stack", interrupted)
        with pytest.raises(KeyboardInterrupt):
            table.response(2e-6)
    assert table.response(2e-6).force == pytest.approx(law.response(2e-6, law.begin()).force, rel=2e-6)
