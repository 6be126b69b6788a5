"""Grids: where their elements lie, their parts, and what they refuse."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import traction as tr

SIZES = st.integers(1, 30)
WIDTHS = st.floats(1e-6, 1e2)
PLACES = st.floats(-1e2, 1e2)
GRIDS = st.builds(tr.Grid, SIZES, SIZES, WIDTHS, WIDTHS, center=st.tuples(PLACES, PLACES))


@given(GRIDS)
def test_elements_lie_side_by_side_around_the_centre(grid):
    for places, n, width, centre in (
        (grid.x, grid.nx, grid.dx, grid.center[0]),
        (grid.y, grid.ny, grid.dy, grid.center[1]),
    ):
        assert places.shape == (n,)
        rounding = 1e-14 * (abs(centre) + n * width)
        np.testing.assert_allclose(np.diff(places), width, rtol=0, atol=4 * rounding)
        assert (places[0] + places[-1]) / 2 == pytest.approx(centre, abs=rounding)
    assert grid.shape == (grid.ny, grid.nx)
    assert grid.cell_area == grid.dx * grid.dy


def test_coordinates_by_hand():
    grid = tr.Grid(4, 3, 0.5, 2.0, center=(1.0, -1.0))
    np.testing.assert_array_equal(grid.x, [0.25, 0.75, 1.25, 1.75])
    np.testing.assert_array_equal(grid.y, [-3.0, -1.0, 1.0])


@given(GRIDS)
def test_mesh_has_the_layout_of_fields(grid):
    x, y = grid.mesh()
    assert x.shape == y.shape == grid.shape
    np.testing.assert_array_equal(x, np.broadcast_to(grid.x, grid.shape))
    np.testing.assert_array_equal(y.T, np.broadcast_to(grid.y, grid.shape[::-1]))


@given(GRIDS, st.data())
def test_window_keeps_the_places_of_its_elements(grid, data):
    def block(n):
        start = data.draw(st.integers(0, n - 1))
        return slice(start, data.draw(st.integers(start + 1, n)))

    rows, columns = block(grid.ny), block(grid.nx)
    part = grid.window(rows, columns)
    np.testing.assert_allclose(part.x, grid.x[columns], rtol=0, atol=1e-13 * (np.abs(grid.x).max() + grid.dx))
    np.testing.assert_allclose(part.y, grid.y[rows], rtol=0, atol=1e-13 * (np.abs(grid.y).max() + grid.dy))
    assert (part.dx, part.dy, part.is_line) == (grid.dx, grid.dy, grid.is_line)


def test_window_of_a_line_is_a_line():
    part = tr.Grid.line(6, 0.1, length=2.0).window(slice(None), slice(3, None))
    assert (part.is_line, part.length, part.shape) == (True, 2.0, (1, 3))
    np.testing.assert_allclose(part.x, [0.05, 0.15, 0.25])


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(slice(2, 2), slice(None)), (slice(None), slice(9, None)), (slice(0, 4, 2), slice(None))],
)
def test_window_must_be_a_block(rows, columns):
    with pytest.raises(tr.InputError, match=r"must select a block of the \(4, 5\) elements"):
        tr.Grid(5, 4, 1.0, 1.0).window(rows, columns)


def test_line():
    grid = tr.Grid.line(4, 0.5, center=3.0)
    assert (grid.shape, grid.is_line, grid.length, grid.dy, grid.center) == (
        (1, 4),
        True,
        None,
        1.0,
        (3.0, 0.0),
    )
    assert grid.cell_area == 0.5
    np.testing.assert_array_equal(grid.x, [2.25, 2.75, 3.25, 3.75])
    np.testing.assert_array_equal(grid.y, [0.0])


@given(WIDTHS, WIDTHS, SIZES, SIZES, PLACES)
def test_around_covers_its_area(half_x, half_y, nx, ny, centre):
    grid = tr.Grid.around(half_x, half_y, nx, ny, center=(centre, -centre))
    assert grid.nx * grid.dx == pytest.approx(2.0 * half_x)
    assert grid.ny * grid.dy == pytest.approx(2.0 * half_y)
    assert (grid.shape, grid.center) == ((ny, nx), (centre, -centre))


def test_grids_are_values():
    grid = tr.Grid(4, 3, 0.5, 2.0)
    assert grid == tr.Grid(4, 3, 0.5, 2.0, center=np.zeros(2))
    assert len({grid, tr.Grid(4, 3, 0.5, 2.0), tr.Grid(4, 3, 0.5, 2.5)}) == 2
    with pytest.raises(AttributeError):
        grid.nx = 5


def test_grids_hold_plain_numbers():
    grid = tr.Grid(np.int8(4), np.int64(3), np.float32(0.5), np.array(2.0), length=np.float16(1.0))
    assert {type(value) for value in (grid.nx, grid.ny)} == {int}
    assert {type(value) for value in (grid.dx, grid.dy, grid.length, *grid.center)} == {float}
    assert grid == tr.Grid(4, 3, 0.5, 2.0, length=1.0)


BAD = {
    "no elements": (lambda: tr.Grid(0, 3, 1.0, 1.0), "nx = 0 must be at least 1"),
    "no rows": (lambda: tr.Grid(3, -1, 1.0, 1.0), "ny = -1 must be at least 1"),
    "half an element": (lambda: tr.Grid(2.5, 3, 1.0, 1.0), "nx = 2.5 must be a whole number"),
    "a truth": (lambda: tr.Grid(True, 3, 1.0, 1.0), "nx = True must be a whole number"),
    "no width": (lambda: tr.Grid(2, 3, 0.0, 1.0), "dx = 0.0 m must be positive"),
    "negative width": (lambda: tr.Grid(2, 3, 1.0, -1e-3), "dy = -0.001 m must be positive"),
    "nan width": (lambda: tr.Grid(2, 3, math.nan, 1.0), "dx = nan must be finite, in m"),
    "infinite width": (lambda: tr.Grid(2, 3, 1.0, math.inf), "dy = inf must be finite, in m"),
    "text": (lambda: tr.Grid(2, 3, "1 mm", 1.0), "dx = '1 mm' must be a number, in m"),
    "centre of one": (lambda: tr.Grid(2, 3, 1.0, 1.0, center=0.0), "center = 0.0 must be two numbers"),
    "centre of three": (
        lambda: tr.Grid(2, 3, 1.0, 1.0, center=(0, 0, 0)),
        "center = (0, 0, 0) must be two numbers",
    ),
    "nan centre": (lambda: tr.Grid(2, 3, 1.0, 1.0, center=(0, math.nan)), "center[1] = nan must be finite"),
    "nested centre": (
        lambda: tr.Grid(2, 3, 1.0, 1.0, center=(1, (2, 3))),
        "center[1] = (2, 3) must be a number, in m",
    ),
    "text for a truth": (
        lambda: tr.Grid(2, 1, 1.0, 1.0, is_line="no"),
        "is_line = 'no' must be True or False",
    ),
    "no length": (lambda: tr.Grid(2, 3, 1.0, 1.0, length=0.0), "length = 0.0 m must be positive"),
    "line of two rows": (
        lambda: tr.Grid(2, 2, 1.0, 1.0, is_line=True),
        "a line grid has ny = 1 and dy = 1 m",
    ),
    "line, no elements": (lambda: tr.Grid.line(0, 1.0), "nx = 0 must be at least 1"),
    "line, nan centre": (lambda: tr.Grid.line(2, 1.0, center=math.nan), "center = nan must be finite"),
    "around nothing": (lambda: tr.Grid.around(0.0, 1.0, 4, 4), "half_width_x = 0.0 m must be positive"),
    "around, no elements": (lambda: tr.Grid.around(1.0, 1.0, 4, 0), "ny = 0 must be at least 1"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_named(case):
    make, message = BAD[case]
    with pytest.raises(tr.InputError, match=re.escape(message)):
        make()


def test_reference_length():
    assert tr.Grid.line(3, 1.0, length=0.1).reference_length("approach") == 0.1
    with pytest.raises(
        tr.UndefinedError, match=r"approach is not defined .*tr\.Grid\.line\(nx, dx, length=0\.1\)"
    ):
        tr.Grid.line(3, 1.0).reference_length("approach")
