"""Contact as a law: force, stiffness and energy belong together, and depend on memory and approach alone."""

import math

import numpy as np
import pytest

import traction as tr
from coarse import FEW_ELEMENTS
from convergence import observed_order
from traction.contact.normal.kernels.window_products import multiply_by_waves, tabulate_waves
from traction.laws import continuation
from traction.laws.contact_law import Response
from traction.laws.half_space_law import HalfSpaceLaw
from traction.laws.power_law import PowerLaw

SIZE = 1.0 / 16.0  #: of an element; a unit sphere at approach 1 has a contact of radius 16 elements
GRID = tr.Grid(40, 40, SIZE, SIZE)
FLOOR = 0.02  #: waviness that makes the contact uneven, m


def wavy(x, y):
    """A ball off the centre of the grid, with waves that let elements enter and leave one by one."""
    return ((x - 0.01) ** 2 + (y + 0.02) ** 2) / 2.0 + FLOOR * np.sin(9.0 * x + 1.0) * np.cos(7.0 * y)


def two_balls(x, y):
    """Two balls; the second touches later, far outside the contact of the first."""
    return np.minimum((x + 0.7) ** 2 + y**2, (x - 0.7) ** 2 + (y - 0.1) ** 2 + 0.05)


CASES = {
    "sphere": (tr.Sphere(1.0), GRID, 1.0),
    "wavy": (wavy, GRID, 0.9),
    "two balls": (two_balls, GRID, 0.15),
    "long elements": (tr.Sphere(1.0, center=(0.01, 0.03)), tr.Grid(96, 20, 0.025, 0.125), 1.0),
    "one row": (tr.Sphere(1.0), tr.Grid(40, 1, SIZE, SIZE), 0.5),
    "line": (tr.Cylinder(1.0), tr.Grid.line(100, 0.02, length=10.0), 1.5),
}


def bounce(largest, steps):
    """Approaches of a whole contact, from apart to apart."""
    return [largest * math.sin(math.pi * k / steps) for k in range(-1, steps + 2)]


def energy_of(contact):
    """Half the work of the pressure on the displacement."""
    return 0.5 * float(np.vdot(contact.pressure, contact.displacement())) * contact.grid.cell_area


@FEW_ELEMENTS  # both are solved on the same grid
@pytest.mark.parametrize("case", CASES)
def test_law_equals_press(unit_pair, case):
    surface, grid, largest = CASES[case]
    law = HalfSpaceLaw(surface, grid, unit_pair)
    touched = 0
    for approach in bounce(largest, 9):
        answer = law.response(approach)
        exact = tr.press(surface, law.grid, unit_pair, approach=approach, tol=1e-11)
        assert answer.force == pytest.approx(exact.force, rel=1e-9)
        assert answer.stiffness == pytest.approx(exact.stiffness, rel=1e-8)
        assert answer.energy == pytest.approx(energy_of(exact), rel=1e-9)
        np.testing.assert_array_equal(law.memory["contact"], exact.contact)
        touched += exact.force > 0.0
    assert touched >= 8


@pytest.mark.parametrize("case", CASES)
def test_force_is_the_derivative_of_the_energy(unit_pair, case):
    surface, grid, largest = CASES[case]
    law = HalfSpaceLaw(surface, grid, unit_pair, tol=1e-10)
    for approach in (0.3 * largest, 0.77 * largest):
        middle, step = law.response(approach), 5e-4 * largest
        low, high = (law.response(approach + s).energy for s in (-step, step))
        assert (high - low) / (2.0 * step) == pytest.approx(middle.force, rel=1e-6)


def test_energy_is_the_integral_of_the_force(unit_pair):
    """Simpson's rule over intervals in which few elements enter."""
    law = HalfSpaceLaw(tr.Sphere(1.0), GRID, unit_pair)
    answers = [law.response(approach) for approach in np.linspace(0.0, 0.9, 401)]
    force = np.array([answer.force for answer in answers])
    integral = 0.9 / 1200.0 * (force[0] + 4.0 * force[1::2].sum() + 2.0 * force[2:-1:2].sum() + force[-1])
    assert answers[-1].energy == pytest.approx(integral, rel=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_stiffness_is_the_derivative_of_the_force_while_the_contact_stays(unit_pair, case):
    surface, grid, largest = CASES[case]
    law = HalfSpaceLaw(surface, grid, unit_pair)
    compared = 0
    for approach in np.linspace(0.2, 0.9, 8) * largest:
        middle = law.response(approach)
        contact = law.memory["contact"]
        step = 1e-5 * approach
        below, above = law.response(approach - step), law.response(approach + step)
        if np.array_equal(law.memory["contact"], contact) and below.stiffness == middle.stiffness:
            assert (above.force - below.force) / (2.0 * step) == pytest.approx(middle.stiffness, rel=1e-7)
            compared += 1
    assert compared >= 4


def test_sphere_of_32_elements_is_within_half_a_percent_of_hertz(unit_pair):
    law, hertz = HalfSpaceLaw(tr.Sphere(1.0), GRID, unit_pair), PowerLaw.hertz(1.0, unit_pair)
    here, there = law.response(1.0), hertz.response(1.0)
    assert here.force == pytest.approx(there.force, rel=5e-3)
    assert here.stiffness == pytest.approx(there.stiffness, rel=3e-2)
    assert here.energy == pytest.approx(there.energy, rel=5e-3)


def test_force_and_energy_converge_to_hertz(unit_pair):
    hertz, errors, sizes = PowerLaw.hertz(1.0, unit_pair).response(0.9), [], []
    for n in (12, 24, 48, 96):
        answer = HalfSpaceLaw(tr.Sphere(1.0), tr.Grid.around(1.2, 1.2, n, n), unit_pair).response(0.9)
        errors.append([abs(answer.force / hertz.force - 1.0), abs(answer.energy / hertz.energy - 1.0)])
        sizes.append(1.0 / n)
    assert observed_order(sizes, np.array(errors)[:, 0]) >= 1.2
    assert observed_order(sizes, np.array(errors)[:, 1]) >= 1.2


def test_line_law_is_that_of_hertz(steel_pair):
    hertz = tr.hertz.line(0.5, steel_pair, force=1e6, length=0.5)
    grid = tr.Grid.line(200, 2.2 * hertz.half_width / 200, length=0.5)
    answer = HalfSpaceLaw(tr.Cylinder(0.5), grid, steel_pair).response(hertz.approach)
    assert answer.force == pytest.approx(1e6, rel=1e-3)
    assert answer.stiffness == pytest.approx(hertz.stiffness, rel=5e-3)


@pytest.mark.parametrize("approach", [-1.0, 0.0, 3.0])
def test_bodies_that_do_not_touch_answer_nothing(unit_pair, approach):
    gap = tr.Sphere(1.0).gap(GRID) + 3.0
    law = HalfSpaceLaw(gap, GRID, unit_pair)
    law.response(3.2)
    assert law.response(approach + float(gap.min()) - 3.0) == Response(0.0, 0.0, 0.0)
    assert not law.memory["contact"].any()
    assert law.contact(approach).force == 0.0
    assert PowerLaw(2.0, 1.5).response(min(approach, 0.0)) == Response(0.0, 0.0, 0.0)


@pytest.mark.parametrize("approach", [1e-12, 1e-60, 1e-170, 5e-324])
def test_touching_by_any_little_is_no_error(steel_pair, approach):
    law = HalfSpaceLaw(tr.Sphere(1.0), tr.Grid(9, 9, 1e-3, 1e-3), steel_pair)
    answer = law.response(approach)
    assert answer.force == pytest.approx(approach * answer.stiffness, rel=1e-9)
    assert law.contact(approach).ok


def test_approach_counts_from_gap_zero(unit_pair):
    plain = HalfSpaceLaw(tr.Sphere(1.0), GRID, unit_pair).response(0.5)
    raised = HalfSpaceLaw(tr.Sphere(1.0).gap(GRID) + 2.0, GRID, unit_pair).response(2.5)
    assert raised.force == pytest.approx(plain.force, rel=1e-9)
    assert raised.energy == pytest.approx(plain.energy, rel=1e-9)


def test_contact_is_certified_and_leaves_the_memory(unit_pair):
    law, plain = (HalfSpaceLaw(wavy, GRID, unit_pair) for _ in range(2))
    for approach in (0.3, 0.5, 0.52):
        contact = law.contact(approach)
        answer = law.response(approach)
        assert contact.ok
        assert contact.certificate.largest <= 1.01 * law.tol
        assert contact.approach == approach
        assert contact.force == pytest.approx(answer.force, rel=1e-7)
        assert contact.stiffness == pytest.approx(answer.stiffness, rel=1e-8)
        assert answer == plain.response(approach)
    assert law.evaluations == 3


def test_answers_are_pure_in_memory_and_approach(unit_pair):
    law = HalfSpaceLaw(wavy, GRID, unit_pair)
    for approach in bounce(0.8, 11)[:5]:
        law.response(approach)
    memory = {name: value.copy() for name, value in law.memory.items()}
    expected = [law.response(approach) for approach in (0.71, 0.72, 0.4, -0.1, 0.3)]
    for before in ([], [0.05], [0.9, -1.0], [0.71, 0.7]):
        other = HalfSpaceLaw(wavy, GRID, unit_pair)
        for approach in before:
            other.response(approach)
        other.memory = memory
        assert [other.response(approach) for approach in (0.71, 0.72, 0.4, -0.1, 0.3)] == expected
    law.memory = memory
    assert law.response(0.71) == expected[0]


def test_a_poor_memory_costs_iterations_and_no_accuracy(unit_pair):
    law, poor = (HalfSpaceLaw(wavy, GRID, unit_pair) for _ in range(2))
    law.response(0.5)
    shifted = {name: np.roll(law.memory[name], 3, axis=-1) for name in ("pressure", "rate", "contact")}
    poor.memory = {**law.memory, **shifted}
    here, there = law.response(0.5), poor.response(0.5)
    assert there.force == pytest.approx(here.force, rel=1e-9)
    assert there.stiffness == pytest.approx(here.stiffness, rel=1e-8)
    assert there.energy == pytest.approx(here.energy, rel=1e-9)


def test_memory_survives_a_file(unit_pair, tmp_path):
    law = HalfSpaceLaw(tr.Sphere(1.0), tr.Grid(16, 16, SIZE, SIZE), unit_pair)
    law.response(0.5)
    assert law.grid.nx > 16
    np.savez(tmp_path / "memory.npz", **law.memory)
    again = HalfSpaceLaw(tr.Sphere(1.0), tr.Grid(16, 16, SIZE, SIZE), unit_pair)
    with np.load(tmp_path / "memory.npz") as stored:
        again.memory = dict(stored)
    assert again.grid == law.grid
    assert [again.response(a) for a in (0.52, 0.9, 0.1)] == [law.response(a) for a in (0.52, 0.9, 0.1)]


def test_memory_cannot_be_changed_from_outside(unit_pair):
    law = HalfSpaceLaw(tr.Sphere(1.0), GRID, unit_pair)
    law.response(0.5)
    with pytest.raises(ValueError, match="read-only"):
        law.memory["pressure"][20, 20] = 0.0
    memory = {name: value.copy() for name, value in law.memory.items()}
    law.memory = memory
    memory["pressure"][:] = 7.0
    assert law.memory["pressure"].max() < 7.0


def test_an_unchanged_contact_costs_no_iteration(unit_pair):
    law = HalfSpaceLaw(tr.Sphere(1.0), GRID, unit_pair)
    law.response(0.5)
    spent = law.iterations
    law.response(0.5 * (1.0 + 1e-6))
    assert law.iterations == spent
    law.response(0.55)
    assert law.iterations > spent


@pytest.mark.parametrize("surface", [tr.Sphere(1.0), wavy])
def test_a_small_grid_grows_and_answers_like_a_large_one(unit_pair, surface):
    small = HalfSpaceLaw(surface, tr.Grid(12, 12, SIZE, SIZE), unit_pair)
    large = HalfSpaceLaw(surface, tr.Grid(48, 48, SIZE, SIZE), unit_pair)
    assert small.grid.shape == (12, 12)
    for approach in (0.02, 0.3, 0.9, 0.91, 0.2):
        here, there = small.response(approach), large.response(approach)
        for name in ("force", "stiffness", "energy"):
            assert getattr(here, name) == pytest.approx(getattr(there, name), rel=1e-8)
    beside = (48 - small.grid.nx) // 2
    assert 0 < beside < 12
    np.testing.assert_allclose(small.grid.x, large.grid.x[beside:-beside], rtol=0.0, atol=1e-14)


def test_only_the_direction_that_is_too_short_grows(unit_pair):
    law = HalfSpaceLaw(tr.Sphere(1.0), tr.Grid(12, 40, SIZE, SIZE), unit_pair)
    law.response(0.9)
    assert law.grid.nx > 30
    assert law.grid.ny == 40


def test_a_line_grid_grows(unit_pair):
    small = HalfSpaceLaw(tr.Cylinder(1.0), tr.Grid.line(20, 0.05, length=20.0), unit_pair)
    large = HalfSpaceLaw(tr.Cylinder(1.0), tr.Grid.line(60, 0.05, length=20.0), unit_pair)
    assert small.response(2.0).force == pytest.approx(large.response(2.0).force, rel=1e-9)
    assert small.grid.shape[0] == 1
    assert small.grid.nx > 20


def test_a_contact_that_begins_far_from_the_first_is_found(unit_pair):
    """The second ball touches outside the window of the first."""
    law = HalfSpaceLaw(two_balls, GRID, unit_pair)
    law.response(0.045)
    assert not law.memory["contact"][:, 20:].any()
    law.response(0.075)
    assert law.memory["contact"][:, 20:].any()


def heights():
    """A ball known only on a little more than the grid."""
    at = np.linspace(-0.5, 0.5, 41)
    return tr.HeightMap(at, at, (at[:, None] ** 2 + at[None, :] ** 2) / 2.0)


@pytest.mark.parametrize(
    ("surface", "words"),
    [
        (tr.Sphere(1.0).gap(tr.Grid(12, 12, SIZE, SIZE)), "An array cannot grow"),
        (tr.Sphere(1.0), "4 times the given one"),
        (heights(), "known only from -0.5 to 0.5"),
        (lambda x, y: 0.0 * x + 0.0 * y, "no grid is large enough"),
    ],
    ids=["array", "sphere", "height map", "flat"],
)
def test_a_grid_that_cannot_grow_is_an_error_with_a_remedy(unit_pair, surface, words):
    law = HalfSpaceLaw(surface, tr.Grid(12, 12, SIZE, SIZE), unit_pair)
    law.response(-0.1)
    before = law.memory
    with pytest.raises(tr.ConvergenceError, match=words) as caught:
        law.response(4.0)
    assert "reaches the edge of the grid in x and y" in str(caught.value)
    assert law.grid.shape == (12, 12)
    assert all(np.array_equal(before[name], law.memory[name]) for name in before)


@pytest.mark.parametrize("approach", [math.nan, math.inf, -math.inf, "1 mm", None])
def test_an_approach_must_be_a_finite_number(unit_pair, approach):
    for law in (HalfSpaceLaw(tr.Sphere(1.0), GRID, unit_pair), PowerLaw(1.0, 1.5)):
        with pytest.raises(tr.InputError, match="approach"):
            law.response(approach)
    with pytest.raises(tr.InputError, match="approach"):
        HalfSpaceLaw(tr.Sphere(1.0), GRID, unit_pair).contact(approach)


def test_bad_input_is_named(unit_pair):
    with pytest.raises(tr.InputError, match="tol"):
        HalfSpaceLaw(tr.Sphere(1.0), GRID, unit_pair, tol=0.0)
    with pytest.raises(tr.InputError, match="grid"):
        HalfSpaceLaw(tr.Sphere(1.0), "fine", unit_pair)
    with pytest.raises(tr.InputError, match="pair"):
        HalfSpaceLaw(tr.Sphere(1.0), GRID, 1.0)
    with pytest.raises(tr.UndefinedError, match="length"):
        HalfSpaceLaw(tr.Cylinder(1.0), tr.Grid.line(20, 0.1), unit_pair)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pressure": np.zeros((41, 40))}, "grid of"),
        ({"pressure": np.zeros((200, 200))}, "grid of"),
        ({"pressure": np.full((40, 40), np.nan)}, "pressure"),
        ({"rate": np.zeros((40, 42))}, "rate"),
        ({"contact": np.zeros((40, 40))}, "contact"),
        ({"approach": math.inf}, "approach"),
        ({"stiffness": "much"}, "stiffness"),
        ({"more": 1.0}, "must hold"),
    ],
)
def test_a_wrong_memory_is_an_error(unit_pair, change, words):
    law = HalfSpaceLaw(tr.Sphere(1.0), GRID, unit_pair)
    with pytest.raises(tr.InputError, match=words):
        law.memory = {**law.memory, **change}
    with pytest.raises(tr.InputError, match="must hold"):
        law.memory = None


def test_no_convergence_is_an_error(unit_pair, monkeypatch):
    monkeypatch.setattr(continuation, "MAX_ITERATIONS", 2)
    with pytest.raises(tr.ConvergenceError, match="no convergence after 2 iterations"):
        HalfSpaceLaw(wavy, GRID, unit_pair).response(0.5)


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (7, 1), (2, 3), (8, 12), (13, 10)])
def test_compiled_product_equals_the_sum(unit_pair, shape):
    ny, nx = shape
    grid = tr.Grid(nx, ny, 0.1, 0.07)
    half_space = tr.HalfSpace(grid, unit_pair)
    field = np.random.default_rng(4).normal(size=shape)
    tables = tabulate_waves(half_space.spectrum("z", "z", shape).lags, nx + 3)
    result = np.empty(shape)
    multiply_by_waves(field, tables, half_space.factor("z", "z"), result)
    exact = half_space.direct("z", "z", field)
    np.testing.assert_allclose(result, exact, rtol=0.0, atol=1e-13 * np.abs(exact).max())


def test_a_far_larger_approach_is_found_from_a_small_contact(unit_pair):
    """The window around the small contact does not lead to the large one: the whole overlap does."""
    surface, grid, _ = CASES["line"]
    law = HalfSpaceLaw(surface, grid, unit_pair, tol=1e-10)
    law(0.04)
    assert law(0.809428407) == pytest.approx(HalfSpaceLaw(surface, grid, unit_pair)(0.809428407), rel=1e-9)
