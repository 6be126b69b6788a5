"""The half space of a pair: products, symmetry, signs, and the reference program's numbers."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import traction as tr

SOFT = tr.Material.from_shear_modulus(1e9, 0.2)
RUBBER = tr.Material.from_shear_modulus(2e6, 0.49)
PAIR = tr.Pair(tr.STEEL, SOFT)
PAIRS = {"mismatched": PAIR, "equal": tr.Pair(tr.STEEL, tr.STEEL), "rigid lower": tr.Pair(SOFT, tr.RIGID)}
DIRECTIONS = list(product("xyz", repeat=2))
GRIDS = {
    "square": tr.Grid(6, 6, 1e-3, 1e-3),
    "odd by even": tr.Grid(7, 4, 1e-3, 1.7e-3, center=(0.3, -0.1)),
    "even by odd": tr.Grid(8, 5, 2e-3, 0.5e-3),
    "one row": tr.Grid(9, 1, 1e-3, 3e-3),
    "one column": tr.Grid(1, 6, 1e-3, 1e-3),
    "one element": tr.Grid(1, 1, 1e-3, 2e-3),
    "line": tr.Grid.line(8, 1e-3),
    "line with length": tr.Grid.line(7, 1e-3, length=0.05, center=0.2),
}
FINITE = [name for name in GRIDS if name != "line"]
all_directions = pytest.mark.parametrize(("i", "j"), DIRECTIONS)


def random_field(grid, seed=0):
    return np.random.default_rng(seed).normal(size=grid.shape)


def assert_close(found, expected, accuracy=1e-12, scale=None):
    scale = np.abs(expected).max() if scale is None else scale
    np.testing.assert_allclose(found, expected, rtol=0, atol=accuracy * scale)


def by_fft(space, i, j, traction):
    """`product`, also of lines without length, whose values are right up to a constant."""
    return space.shifted(i, j, traction, (0, 0), space.grid.shape)


def matrix(space, i, j):
    """Dense influence matrix, column by column."""
    n = space.grid.nx * space.grid.ny
    return np.stack([space.product(i, j, e.reshape(space.grid.shape)).ravel() for e in np.eye(n)], axis=1)


@all_directions
@pytest.mark.parametrize("name", GRIDS)
def test_product_by_fft_is_the_sum(name, i, j):
    space = tr.HalfSpace(GRIDS[name], PAIR)
    traction = random_field(space.grid)
    scale = np.abs(space.direct("z", "z", traction)).max()
    assert_close(by_fft(space, i, j, traction), space.direct(i, j, traction), scale=scale)


@all_directions
@pytest.mark.parametrize("name", FINITE)
def test_product_is_the_displacement_at_the_centres(name, i, j):
    space = tr.HalfSpace(GRIDS[name], PAIR)
    traction = random_field(space.grid)
    at_centres = space.at_points(i, j, traction, *space.grid.mesh())
    scale = np.abs(space.product("z", "z", traction)).max()
    assert_close(space.product(i, j, traction), at_centres, 1e-11, scale)


def test_product_is_linear():
    space = tr.HalfSpace(GRIDS["odd by even"], PAIR)
    a, b = random_field(space.grid, 1), random_field(space.grid, 2)
    assert_close(
        space.product("x", "z", 3.0 * a - b),
        3.0 * space.product("x", "z", a) - space.product("x", "z", b),
        1e-13,
    )


@all_directions
@pytest.mark.parametrize("name", GRIDS)
def test_reciprocity(name, i, j):
    """Work of one load on the displacement of the other is mutual (Betti): x A_ij y = y A_ji x."""
    space = tr.HalfSpace(GRIDS[name], PAIR)
    a, b = random_field(space.grid, 1), random_field(space.grid, 2)
    one, other = np.vdot(a, by_fft(space, i, j, b)), np.vdot(b, by_fft(space, j, i, a))
    scale = np.linalg.norm(a) * np.linalg.norm(by_fft(space, "z", "z", b))
    assert one == pytest.approx(other, abs=1e-12 * scale)


def test_mismatch_couples_pressure_and_shear():
    """So that the two tests above do not compare zeros."""
    space, traction = tr.HalfSpace(GRIDS["odd by even"], PAIR), random_field(GRIDS["odd by even"])
    for i, j in DIRECTIONS:
        assert np.abs(space.product(i, j, traction)).max() > 0.0
        uncoupled = tr.HalfSpace(space.grid, PAIRS["equal"]).product(i, j, traction)
        assert uncoupled.any() == ((i == "z") == (j == "z"))


@given(st.sampled_from(FINITE), st.sampled_from(sorted(PAIRS)), st.integers(0, 2**32 - 1))
def test_pressure_stores_energy(name, pair, seed):
    """p A_zz p > 0 for any p, smooth or not."""
    space = tr.HalfSpace(GRIDS[name], PAIRS[pair])
    pressure = random_field(space.grid, seed)
    energy = np.vdot(pressure, space.product("z", "z", pressure))
    assert energy > 1e-6 * np.linalg.norm(pressure) * np.linalg.norm(space.product("z", "z", pressure))


@pytest.mark.parametrize("name", FINITE)
@pytest.mark.parametrize("pair", PAIRS)
def test_all_tractions_store_energy(name, pair):
    """The whole matrix of three directions is symmetric and positive definite."""
    space = tr.HalfSpace(GRIDS[name], PAIRS[pair])
    whole = np.block([[matrix(space, i, j) for j in "xyz"] for i in "xyz"])
    assert_close(whole, whole.T, 1e-13)
    assert np.linalg.eigvalsh(whole).min() > 1e-3 * np.linalg.eigvalsh(matrix(space, "z", "z")).min()


@pytest.mark.parametrize("pair", PAIRS)
def test_pressure_pushes_the_bodies_apart(pair):
    space = tr.HalfSpace(GRIDS["square"], PAIRS[pair])
    assert (space.product("z", "z", np.ones((6, 6))) > 0.0).all()


def test_traction_drags_body_1_along():
    space = tr.HalfSpace(GRIDS["square"], PAIR)
    for i in "xy":
        assert (space.product(i, i, np.ones((6, 6))) > 0.0).all()


@pytest.mark.parametrize("axis", "xy")
def test_pressure_draws_the_surface_of_body_1_towards_the_load(axis):
    """Body 2 is rigid: u = u1, which points to the load while nu < 1/2, and vanishes at nu = 1/2."""
    grid = tr.Grid(5, 5, 1e-3, 1e-3)
    pressure = np.zeros((5, 5))
    pressure[2, 2] = 1e6
    u = tr.HalfSpace(grid, tr.Pair(SOFT, tr.RIGID)).product(axis, "z", pressure)
    beside = u[2] if axis == "x" else u[:, 2]
    assert (beside[3:] < 0.0).all()
    assert (beside[:2] > 0.0).all()
    below = tr.HalfSpace(grid, tr.Pair(tr.RIGID, SOFT)).product(axis, "z", pressure)
    assert_close(below, -u)  # for body 2, u = -u2: the other way round
    rubber = tr.Pair(tr.Material(1e6, 0.5), tr.RIGID)
    assert not tr.HalfSpace(grid, rubber).product(axis, "z", pressure).any()


def test_point_load_of_boussinesq_and_cerruti():
    """Far from one element of body 1 on a rigid body (Johnson 1985, 3.2 and 3.6), x away along x."""
    G, nu, x, size, p = 1e9, 0.2, 1.0, 1e-3, 1e6
    space = tr.HalfSpace(tr.Grid(1, 1, size, size), tr.Pair(SOFT, tr.RIGID))
    force = p * size**2
    expected = {
        ("z", "z"): (1 - nu) / (2 * math.pi * G) * force / x,
        ("x", "z"): -(1 - 2 * nu) / (4 * math.pi * G) * force / x,
        ("x", "x"): force / (2 * math.pi * G * x),
        ("y", "y"): (1 - nu) * force / (2 * math.pi * G * x),
        ("z", "x"): (1 - 2 * nu) / (4 * math.pi * G) * force / x,
    }
    for (i, j), value in expected.items():
        assert space.at_points(i, j, np.full((1, 1), p), x, 0.0) == pytest.approx(value, rel=1e-6)


@all_directions
@pytest.mark.parametrize("name", ["odd by even", "line with length"])
def test_bodies_add_up(name, i, j):
    """u1 - u2 of the bodies alone is that of the pair."""
    grid, pair = GRIDS[name], tr.Pair(RUBBER, SOFT)
    traction = random_field(grid)
    parts = [tr.HalfSpace.of_body(grid, pair, body).product(i, j, traction) for body in (1, 2)]
    assert_close(
        parts[0] + parts[1],
        tr.HalfSpace(grid, pair).product(i, j, traction),
        scale=np.abs(parts[0]).max() + 1e-300,
    )


def test_a_body_alone_has_its_own_constants():
    grid, traction = GRIDS["square"], random_field(GRIDS["square"])
    softness = tr.HalfSpace.of_body(grid, tr.Pair(SOFT, RUBBER), 1).product("z", "z", traction)
    assert_close(softness, tr.HalfSpace.of_body(grid, tr.Pair(SOFT, tr.STEEL), 1).product("z", "z", traction))
    with pytest.raises(tr.InputError, match="body = 0 is not known"):
        tr.HalfSpace.of_body(grid, PAIR, 0)


def test_single_element_of_the_reference_program():
    """CONTACT (rev. 2707) with its elements of 1 x 1, G = 1, nu = 0.28; its pi has seven digits."""
    unit = tr.Material.from_shear_modulus(1.0, 0.28)
    space = tr.HalfSpace(tr.Grid(2, 1, 1.0, 1.0), tr.Pair(unit, unit))
    load = np.array([[1.0, 0.0]])
    assert space.product("z", "z", load)[0, 0] == pytest.approx(0.8079838954, rel=2e-7)
    a0, a1 = space.product("x", "x", load)[0]
    assert 0.999 * (a0 - a1) == pytest.approx(0.6430263243, rel=2e-7)


TARGETS = {
    "itself": tr.Grid(7, 4, 1e-3, 1.7e-3, center=(0.3, -0.1)),
    "shifted": tr.Grid(7, 4, 1e-3, 1.7e-3, center=(0.303, -0.1017)),
    "far away": tr.Grid(7, 4, 1e-3, 1.7e-3, center=(0.32, -0.1 - 17e-3)),
    "larger": tr.Grid(13, 10, 1e-3, 1.7e-3, center=(0.3, -0.1)),
    "smaller": tr.Grid(3, 2, 1e-3, 1.7e-3, center=(0.3, -0.1)),
    "half an element off": tr.Grid(6, 4, 1e-3, 1.7e-3, center=(0.3, -0.1)),
    "finer": tr.Grid(5, 5, 0.4e-3, 0.3e-3, center=(0.3, -0.1)),
}


@all_directions
@pytest.mark.parametrize("name", TARGETS)
def test_on_another_grid(name, i, j):
    space, target = tr.HalfSpace(GRIDS["odd by even"], PAIR), TARGETS[name]
    traction = random_field(space.grid)
    expected = space.at_points(i, j, traction, *target.mesh())
    scale = np.abs(space.at_points("z", "z", traction, *target.mesh())).max()
    assert_close(space.on_grid(i, j, traction, target), expected, 1e-10, scale)


def test_aligned_grids_go_by_fft(monkeypatch):
    """Grids that line up never take the slow way."""

    def refuse(*_):
        raise AssertionError("direct")

    monkeypatch.setattr(tr.HalfSpace, "at_points", refuse)
    space, traction = tr.HalfSpace(GRIDS["odd by even"], PAIR), random_field(GRIDS["odd by even"])
    for name in ("itself", "shifted", "far away", "larger"):
        space.on_grid("z", "z", traction, TARGETS[name])
    for name in ("half an element off", "finer"):
        with pytest.raises(AssertionError, match="direct"):
            space.on_grid("z", "z", traction, TARGETS[name])


@all_directions
def test_on_another_line(i, j):
    space = tr.HalfSpace(GRIDS["line with length"], PAIR)
    traction = random_field(space.grid)
    for target in (tr.Grid.line(12, 1e-3, center=0.2035), tr.Grid.line(5, 0.3e-3, center=0.2)):
        expected = space.at_points(i, j, traction, *target.mesh())
        assert_close(space.on_grid(i, j, traction, target), expected, 1e-11, scale=1e-12)


@given(
    st.sampled_from(DIRECTIONS),
    st.tuples(st.integers(-9, 9), st.integers(-9, 9)),
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
)
def test_shifted_by_any_offset(directions, shift, shape):
    """Against the product on one grid that holds both the load and the target."""
    i, j = directions
    grid = tr.Grid(30, 30, 1e-3, 1.4e-3)
    load = np.random.default_rng(0).normal(size=(4, 5))
    whole = np.zeros(grid.shape)
    whole[12:16, 12:17] = load
    top, left = 12 + shift[0], 12 + shift[1]
    space = tr.HalfSpace(grid, PAIR)
    expected = space.product(i, j, whole)[top : top + shape[0], left : left + shape[1]]
    scale = np.abs(space.product("z", "z", whole)).max()
    assert_close(space.shifted(i, j, load, shift, shape), expected, scale=scale)


def test_the_longer_the_strip_the_deeper():
    """A half plane has no absolute displacement: with the length l it grows by 2 ln(l)/(pi E*) per force."""
    traction = np.abs(random_field(tr.Grid.line(6, 1e-3)))
    depths = [
        tr.HalfSpace(tr.Grid.line(6, 1e-3, length=length), PAIR).product("z", "z", traction)
        for length in (10.0, 30.0)
    ]
    force = traction.sum() * 1e-3
    assert_close(
        depths[1] - depths[0],
        np.full((1, 6), 2 * math.log(3.0) * force / (math.pi * PAIR.effective_modulus)),
        1e-5,
    )


@all_directions
def test_a_line_without_length_differs_by_a_constant(i, j):
    """From a very long strip, in directions that depend on the length at all."""
    traction = random_field(tr.Grid.line(6, 1e-3))
    endless, long = (
        by_fft(tr.HalfSpace(tr.Grid.line(6, 1e-3, length=length), PAIR), i, j, traction)
        for length in (None, 1e3)
    )
    difference = endless - long
    assert_close(difference - difference.mean(), np.zeros((1, 6)), 1e-5, scale=np.abs(endless).max() + 1e-300)


def test_values_on_a_line_need_its_length():
    space, traction = tr.HalfSpace(tr.Grid.line(3, 1e-3), PAIR), np.ones((1, 3))
    for evaluate in (
        lambda: space.product("z", "z", traction),
        lambda: space.on_grid("x", "x", traction, tr.Grid.line(5, 1e-3)),
    ):
        with pytest.raises(tr.UndefinedError, match="displacement is not defined without a reference length"):
            evaluate()
    assert space.product("x", "z", traction).shape == (1, 3)


def test_points_of_a_line_need_its_length():
    with pytest.raises(tr.UndefinedError, match="displacement is not defined without a reference length"):
        tr.HalfSpace(tr.Grid.line(3, 1e-3), PAIR).at_points("z", "z", np.ones((1, 3)), 0.0, 0.0)


def test_points_take_any_shape():
    space = tr.HalfSpace(GRIDS["square"], PAIR)
    x, y = np.linspace(-1, 1, 4), np.linspace(-2, 2, 3)[:, None]
    u = space.at_points("z", "z", np.ones((6, 6)), x, y)
    assert u.shape == (3, 4)
    assert u[2, 1] == space.at_points("z", "z", np.ones((6, 6)), x[1], y[2, 0])
    assert np.shape(space.at_points("z", "z", np.ones((6, 6)), 0.0, 0.0)) == ()


def test_spectra_are_shared_by_equal_grids_only():
    """Elements of the same shape share one spectrum, whatever their size, place and (for A_zz) material."""
    spectrum = tr.HalfSpace(tr.Grid(6, 5, 1e-3, 2e-3), PAIR).spectrum("z", "z", (5, 6))
    same = tr.HalfSpace(tr.Grid(6, 5, 2e-3, 4e-3, center=(1, 1)), PAIRS["equal"])
    assert same.spectrum("z", "z", (5, 6)) is spectrum
    assert tr.HalfSpace(tr.Grid(6, 5, 1e-3, 1e-3), PAIR).spectrum("z", "z", (5, 6)) is not spectrum
    tangential = [tr.HalfSpace(same.grid, pair).spectrum("x", "x", (5, 6)) for pair in (PAIR, PAIRS["equal"])]
    assert tangential[0] is not tangential[1]


@pytest.mark.parametrize("lengths", [(0.05, 0.07), (0.05, None)])
def test_spectra_of_lines_know_their_length(lengths):
    traction = np.ones((1, 7))
    products = [
        by_fft(tr.HalfSpace(tr.Grid.line(7, 1e-3, length=length), PAIR), "z", "z", traction)
        for length in lengths
    ]
    assert np.abs(products[0] - products[1]).max() > 1e-3 * np.abs(products[0]).max()


METHODS = {
    "product": lambda space, t: space.product("z", "z", t),
    "direct": lambda space, t: space.direct("z", "z", t),
    "at_points": lambda space, t: space.at_points("z", "z", t, 0.0, 0.0),
    "on_grid": lambda space, t: space.on_grid("z", "z", t, space.grid),
}


@pytest.mark.parametrize("method", METHODS)
def test_bad_tractions_are_named(method):
    space = tr.HalfSpace(tr.Grid(4, 3, 1e-3, 1e-3), PAIR)
    with pytest.raises(tr.InputError, match=r"traction has shape \(4, 3\), expected \(3, 4\)"):
        METHODS[method](space, np.ones((4, 3)))
    with pytest.raises(tr.InputError, match=r"traction\[1, 2\] = nan must be finite"):
        METHODS[method](space, np.where(np.arange(12).reshape(3, 4) == 6, np.nan, 1.0))


def test_unknown_direction():
    space = tr.HalfSpace(tr.Grid(4, 3, 1e-3, 1e-3), PAIR)
    for method in (space.product, space.direct):
        with pytest.raises(tr.InputError, match="direction 'n' is not known; choose from 'x', 'y' and 'z'"):
            method("n", "z", np.ones((3, 4)))
