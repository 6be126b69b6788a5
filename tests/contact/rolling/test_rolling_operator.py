"""Matrices of rolling: closed forms, limits, inverses, and the wiggles that `tr.roll` shows as well."""

import numpy as np
import pytest

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
LINE = tr.Grid.line(24, 1e-4, length=0.1)
SOLID = tr.Grid(9, 7, 1e-4, 1.5e-4)
MU, SHARE = 0.3, 0.657


def operator(step, elements="constant", grid=LINE, **more):
    return tr.RollingOperator(grid, PAIR, step, elements, **more)


def test_linear_elements_have_their_closed_form():
    """Hats on a half plane: second differences of the second integral of log|x|."""
    step = 0.3
    x = np.arange(LINE.nx) + step  # of centres moved, from the first element

    def second(x):
        return 0.5 * x**2 * np.log(np.abs(np.where(x == 0.0, 1.0, x))) - 0.75 * x**2

    shape = second(x + 1.0) - 2.0 * second(x) + second(x - 1.0)
    scale = -2.0 * (1.0 - PAIR.poisson_ratio) * LINE.dx / (np.pi * PAIR.shear_modulus)
    column = operator(step, "linear").earlier[:, 0]
    # but for a constant, since a half plane has no absolute displacement
    np.testing.assert_allclose(np.diff(column), np.diff(scale * shape), rtol=1e-9)


def test_bilinear_elements_are_sums_of_small_boxes():
    parts, step = 60, 0.25
    fine = tr.Grid(2 * parts, 2 * parts, SOLID.dx / parts, SOLID.dy / parts)
    x, y = fine.mesh()
    hat = (1.0 - np.abs(x) / SOLID.dx) * (1.0 - np.abs(y) / SOLID.dy)
    places = (np.arange(SOLID.nx) + step) * SOLID.dx
    expected = tr.HalfSpace(fine, PAIR).at_points("x", "x", hat, places, np.full(SOLID.nx, SOLID.dy))
    found = operator(step, "linear", SOLID).earlier[SOLID.nx : 2 * SOLID.nx, 0]
    np.testing.assert_allclose(found, expected, rtol=1e-3)


@pytest.mark.parametrize("grid", [LINE, SOLID], ids=["line", "solid"])
@pytest.mark.parametrize("direction", ["x", "y"])
def test_products_are_those_of_the_half_space(grid, direction):
    traction = np.random.default_rng(1).normal(size=grid.shape)
    found = operator(0.5, grid=grid, direction=direction).influence @ traction.ravel()
    expected = tr.HalfSpace(grid, PAIR).product(direction, direction, traction)
    np.testing.assert_allclose(found, expected.ravel(), rtol=1e-10)


@pytest.mark.parametrize("elements", ["constant", "linear"])
@pytest.mark.parametrize("grid", [LINE, SOLID], ids=["line", "solid"])
def test_limits_of_the_step(elements, grid):
    whole, short = operator(1.0, elements, grid), operator(1e-9, elements, grid)
    tiny = 1e-6 * np.abs(whole.difference).max()
    np.testing.assert_allclose(short.earlier, short.influence, atol=tiny)
    # one element on, A' is A with its columns moved
    at = np.arange(grid.nx * grid.ny).reshape(grid.shape)
    here, ahead = at[:, :-1].ravel(), at[:, 1:].ravel()
    np.testing.assert_allclose(whole.earlier[here], whole.influence[ahead], atol=1e-7 * tiny)
    # so that tractions which stick are moved by one element, but for those that leave at the end
    carried = whole.transport[:, ahead]
    np.testing.assert_allclose(carried, np.eye(at.size)[:, here], atol=1e-8)


@pytest.mark.parametrize("elements", ["constant", "linear"])
def test_inverse_reproduces_and_grows_with_short_steps(elements):
    conditions = []
    for step in (1.0, 0.1, 0.01):
        o = operator(step, elements)
        np.testing.assert_allclose(o.inverse @ o.difference, np.eye(LINE.nx), atol=1e-10)
        conditions.append(o.condition)
        assert o.condition == pytest.approx(
            np.linalg.norm(o.difference, 2) * np.linalg.norm(o.inverse, 2), rel=1e-9
        )
    assert conditions[0] < 4.0
    assert conditions[0] < conditions[1] < conditions[2]


def test_difference_needs_no_length():
    bare = tr.RollingOperator(tr.Grid.line(24, 1e-4), PAIR, 0.2)
    size = np.abs(bare.difference).max()
    np.testing.assert_allclose(bare.difference, operator(0.2).difference, atol=1e-12 * size)
    with pytest.raises(tr.UndefinedError, match="length"):
        bare.influence  # noqa: B018


def test_interpolated_matrix_is_as_well_conditioned_as_that_of_a_whole_step():
    o = operator(0.01)
    assert np.linalg.cond(o.interpolated(1.0)) == pytest.approx(operator(1.0).condition)
    np.testing.assert_allclose(o.interpolated(0.01), o.difference)


def test_waves_along_x_in_three_dimensions_have_the_symbol_of_a_line():
    grid, theta, step = tr.Grid(41, 41, 1e-4, 1e-4), np.pi, 0.3
    o = operator(step, grid=grid)
    x, y = grid.mesh()
    reach = 0.5 * 41e-4
    fade = np.cos(0.5 * np.pi * x / reach) ** 2 * np.cos(0.5 * np.pi * y / reach) ** 2
    wave = fade * np.cos(theta * x / grid.dx)
    found = (o.difference @ wave.ravel())[wave.size // 2]
    unit = 2.0 * (1.0 - PAIR.poisson_ratio) * grid.dx / PAIR.shear_modulus
    assert found / unit == pytest.approx(float(tr.rolling_waves.difference(theta, step).real), rel=0.02)


@pytest.fixture(scope="module")
def roller():
    """A roller pressed on a plane, 48 elements wide."""
    hertz = tr.hertz.line(0.5, PAIR, force=178.9e3, length=0.2)
    grid = tr.Grid.line(54, 2.0 * hertz.semi_axes[0] / 48, length=0.2)
    return tr.press(tr.Cylinder(0.5), grid, PAIR, force=178.9e3, tol=1e-9)


def test_steps_are_those_of_tr_roll(roller):
    bound, force = MU * roller.pressure[0], -SHARE * MU * roller.force
    t = tr.shift(roller, MU, displacement=(None, 0.0, 0.0), force=(force, None))
    o = operator(0.3, grid=roller.grid)
    traction = t.traction[0, 0]
    for _ in range(5):
        rolled = o.roll(traction, bound, force=force)
        traction = rolled.traction
        t = tr.roll(
            t, MU, distance=0.3 * roller.grid.dx, creepage=(None, 0, 0), force=(force, None), scheme="moving"
        )
    assert rolled.creepage == pytest.approx(t.creepage[0], rel=1e-4)
    np.testing.assert_allclose(traction, t.traction[0, 0], atol=1e-5 * bound.max())
    assert (np.abs(traction) <= bound * (1.0 + 1e-9)).all()
    assert (rolled.slip[~rolled.stick] * traction[~rolled.stick] <= 0.0).all()


@pytest.mark.parametrize("given", ["creepage", "force"])
def test_steady_rolling_is_that_of_tr_roll_steady(roller, given):
    bound, force = MU * roller.pressure[0], -SHARE * MU * roller.force
    t = tr.roll_steady(roller, MU, creepage=(None, 0.0, 0.0), force=(force, None), discretisation="classical")
    value = {"creepage": t.creepage[0], "force": force}[given]
    found = operator(1.0, grid=roller.grid).roll_steady(bound, **{given: value})
    assert found.creepage == pytest.approx(t.creepage[0], rel=1e-5)
    np.testing.assert_allclose(found.traction, t.traction[0, 0], atol=2e-5 * bound.max())
    assert (found.stick == t.stick[0]).all()


def wave_number(profile):
    """Of what is left of a profile when its smooth part is taken away, rad per element."""
    rough = np.diff(profile, 2) * np.hanning(profile.size - 2)
    size = np.abs(np.fft.rfft(rough, 4096))
    return 2.0 * np.pi * int(np.argmax(size)) / 4096


def test_wiggles_of_tr_roll_have_the_predicted_length(roller):
    """At a twentieth of an element per step, once rolling is steady."""
    step, force = 0.05, -SHARE * MU * roller.force
    t = tr.shift(roller, MU, displacement=(None, 0.0, 0.0), force=(force, None))
    for _ in range(round(2 * 48 / step)):
        t = tr.roll(
            t, MU, distance=step * roller.grid.dx, creepage=(None, 0, 0), force=(force, None), scheme="moving"
        )
    stick = np.flatnonzero(t.stick[0])
    predicted = 2.0 * np.pi / tr.rolling_waves.wiggle(step).wavelength
    assert wave_number(t.traction[0, 0, stick]) == pytest.approx(predicted, rel=0.03)
    smooth = operator(1.0, grid=roller.grid).roll_steady(MU * roller.pressure[0], force=force)
    assert wave_number(smooth.traction[stick]) < 0.25 * predicted


@pytest.mark.parametrize("elements", ["constant", "linear"])
def test_linear_elements_wiggle_as_well(roller, elements):
    bound, force = MU * roller.pressure[0], -SHARE * MU * roller.force

    def roughness(step):
        t = operator(step, elements, roller.grid).roll_steady(bound, force=force)
        return np.abs(np.diff(t.traction[t.stick], 3)).sum() / bound.max()

    assert roughness(0.02) > 1.5 * roughness(1.0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: operator(0.0), "step"),
        (lambda: operator(0.1, "cubic"), "elements"),
        (lambda: operator(0.1, grid=tr.Grid(100, 100, 1e-4, 1e-4)), "at most 4096"),
        (lambda: operator(0.1, grid=SOLID).roll_steady(np.ones(9), creepage=1e-3), "not a line"),
        (lambda: operator(0.1).roll_steady(-np.ones(24), creepage=1e-3), "not be negative"),
        (lambda: operator(0.1).roll_steady(np.ones(24), force=1.0), "less than that of friction"),
        (lambda: operator(0.1).roll(np.ones(3), np.ones(24), force=0.0), "traction"),
    ],
)
def test_bad_input_is_refused(call, words):
    with pytest.raises(tr.InputError, match=words):
        call()
