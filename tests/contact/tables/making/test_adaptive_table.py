"""Tables that `tr.creep_table` makes: the error that they state holds, limits are those of theory."""

import math

import numpy as np
import pytest

import traction as tr
from traction.contact.tables.making.adaptive_table import REFERENCE, choose_cells
from traction.contact.tables.making.ellipses import FAR, EllipseSolutions
from traction.contact.tables.reduced_creepages import random_creepages

UNLIKE = tr.Pair(tr.STEEL, tr.Material(3e9, 0.4))
ROLLED = {"gap": tr.Sphere(0.1), "grid": tr.Grid(8, 8, 1e-3, 1e-3), "friction": 0.3, "load": 1.0}
CIRCLE = (5e-3, 5e-3, 80e3, 0.3)


@pytest.fixture(scope="module")
def seen():
    """What is reported while `coarse` is made."""
    return []


@pytest.fixture(scope="module")
def coarse(seen):
    return tr.creep_table(ratios=1.0, error=0.05, progress=lambda done, total: seen.append((done, total)))


def compare(table, ratio, cells, count, seed=99, farthest=math.inf):
    """Errors of a table at random creepages against elements, and what it states there, over mu N.

    Far towards full sliding the elements are finer, as those of the table are.
    """
    apart = EllipseSolutions(ratio, table.splines.poisson_ratio, cells, "cpu")
    creepages = random_creepages(count, seed)
    creepages = creepages[np.linalg.norm(creepages, axis=1) < farthest]
    contact = (math.sqrt(ratio) * 1e-2, 1e-2 / math.sqrt(ratio), 5e4, 0.4)
    scaled = creepages * table.creepage_scales(*contact)
    fx, fy, mz = table.forces(scaled, *contact)
    found = np.stack((fx, fy, mz / 1e-2), axis=-1) / (5e4 * 0.4)
    far, solved = np.linalg.norm(creepages, axis=1) > FAR / (1.0 - FAR), np.empty_like(found)
    for elements, part in ((apart, ~far), (apart.finer, far)):
        solved[part] = elements.forces(creepages[part]) if part.any() else 0.0
    return np.abs(found - solved).max(axis=1), table.error_at(scaled, *contact)


def test_stated_error_is_what_was_asked_for_and_holds(coarse):
    assert 0.005 < coarse.error <= 0.05
    near = FAR / (1.0 - FAR)  # farther, the table has finer elements than these, and integrals
    off, stated = compare(coarse, 1.0, coarse.cells, 500, farthest=near)
    assert (off <= stated).all()
    assert stated.max() <= coarse.error
    assert stated.min() < 0.7 * coarse.error  # a map, not one number


def test_small_creepages_have_the_forces_of_the_linear_theory(coarse):
    a, b, load, mu = CIRCLE
    steel = tr.Pair(tr.STEEL, tr.STEEL)
    k = tr.kalker_coefficients(1.0, steel.poisson_ratio)
    for creepage in ((1e-7, 0, 0), (0, 1e-7, 0), (0, 0, 1e-5), (1e-7, -2e-7, 1e-5)):
        linear = k.force(creepage, (a, b), steel.shear_modulus)
        assert coarse.forces(creepage, *CIRCLE) == pytest.approx(linear, rel=0.02, abs=1e-6 * mu * load)


def test_far_sliding_has_the_forces_of_the_integral(coarse):
    limit = CIRCLE[2] * CIRCLE[3]
    fx, fy, mz = coarse.forces((0.6e3, 0.8e3, 0.0), *CIRCLE)
    assert (fx / limit, fy / limit) == pytest.approx((-0.6, -0.8), abs=1e-3)
    _, _, mz = coarse.forces((0.0, 0.0, 1e9), *CIRCLE)
    assert mz / (limit * CIRCLE[0]) == pytest.approx(-3.0 * math.pi / 16.0, rel=1e-3)  # of Hertz's pressure


def test_a_table_of_one_contact_agrees_with_the_solver(coarse):
    pair = tr.Pair(tr.STEEL, tr.STEEL)
    a = tr.hertz.sphere(0.46, pair, force=80e3).radius
    n = tr.press(tr.Sphere(0.46), tr.Grid(20, 20, a / 8, a / 8), pair, force=80e3)
    t = tr.roll_steady(n, 0.3, creepage=(1e-3, -5e-4, 0.3))
    fx, fy, mz = coarse.forces(t.creepage, a, a, 80e3, 0.3)
    allowed = (coarse.error_at(t.creepage, a, a, 80e3, 0.3) + 5e-3) * 0.3 * 80e3
    assert np.abs(np.subtract((fx, fy, mz / a), (*t.force, t.moment / a))).max() < allowed


def test_simplified_theories_stand_beside_the_table(coarse):
    found = coarse.compare(*CIRCLE)
    assert found.table.shape == found.fastsim.shape == (200, 3)
    assert found.rms["fastsim"] < 0.05 + coarse.error  # of mu N; most where the circle spins
    spins = np.abs(found.creepage[:, 2]) / coarse.creepage_scales(*CIRCLE)[2]
    assert found.differences("fastsim")[spins < 0.5].max() < 0.05 + coarse.error
    assert 0.1 < found.largest["fastsim"] < 0.16 + coarse.error
    assert found.rms["fastrip"] < found.rms["fastsim"] < found.rms["polach"] < found.rms["linear"]
    assert found.largest["fastrip"] < 0.08 + coarse.error
    assert found.rms["fastrip"] < 0.02 + coarse.error
    small = coarse.compare(*CIRCLE, creepage=[(1e-8, 0, 0), (0, 2e-8, 0), (0, 0, 1e-6)])
    assert max(small.largest.values()) < 1e-5
    with pytest.raises(tr.InputError, match="rows of"):
        coarse.compare(*CIRCLE, creepage=[1.0, 2.0])


def test_elements_grow_with_the_accuracy():
    cells = [choose_cells(1.0, error, "cpu") for error in (0.02, 5e-3, 2e-3)]
    assert cells == sorted(cells)
    assert choose_cells(1.0, 0.02, "gpu") == 40


def test_elongated_ellipses_have_more_elements():
    cells = [choose_cells(ratio, 5e-3, "cpu") for ratio in (1.0, 3.0, 10.0)]
    assert cells == sorted(cells)
    assert cells[0] < cells[2]


def test_wide_ellipses_have_more_rows():
    """Under spin the force along x rises in steps with the row of the pole."""
    cells = choose_cells(0.1, 5e-3, "cpu")
    long, wide = (EllipseSolutions(ratio, 0.28, cells, "cpu").normal.grid for ratio in (10.0, 0.1))
    assert wide.ny / wide.nx > long.nx / long.ny > 1.0


def test_progress_is_reported(coarse, seen):
    assert coarse.ratios == [1.0]
    assert all(0 < done <= total == 100 for done, total in seen)
    assert seen


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"pair": UNLIKE}, "mismatch"),
        ({"ratios": 0.01}, "of line contacts there is no table"),
        ({"ratios": (2.0, 0.5)}, "must ascend"),
        ({"ratios": (1.0, 2.0, 3.0)}, "give one a/b, or two"),
        ({"error": 1e-4}, "error = 0.0001 must be"),
        ({"error": -1.0}, "must be positive"),
        ({"device": "tpu"}, "device"),
        ({"load": 1.0}, "load = 1.0 is not used"),
        ({"spin": 1.0}, "spin = 1.0 is not used"),
        ({"tol": 1e-4}, "tol = 0.0001 is not used"),
        ({"gap": tr.Sphere(0.1)}, "give gap, grid and friction together"),
        ({**ROLLED, "ratios": 1.0}, "ratios = 1.0 is not used"),
        ({**ROLLED, "error": 0.01}, "error = 0.01 is not used"),
    ],
)
def test_bad_input_is_named(given, words):
    with pytest.raises(tr.InputError, match=words):
        tr.creep_table(**given)


@pytest.mark.slow
def test_half_a_per_cent_holds_at_points_that_are_not_in_the_table():
    table = tr.creep_table(ratios=1.0)
    assert table.error <= 5e-3
    off, stated = compare(table, 1.0, table.cells, 2000)
    assert (off <= stated).all()
    off, stated = compare(table, 1.0, REFERENCE, 200)
    assert (off <= stated).all()


@pytest.mark.slow
def test_a_range_of_ratios_holds_between_its_nodes():
    table = tr.creep_table(ratios=(0.8, 1.25), error=0.03)
    assert table.error <= 0.03
    for ratio in (0.8, 0.93, 1.1, 1.25):
        off, stated = compare(table, ratio, table.cells, 200)
        assert (off <= stated).all()
