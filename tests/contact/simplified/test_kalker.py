"""Kalker's coefficients: the table, what computes it, the reference program, and what they mean."""

import json

import numpy as np
import pytest

import traction as tr
from reference_cases import DATA_FOLDER
from traction.contact.simplified import kalker

CONVERGED = (4.115, 3.670, 1.467, 1.186)  # circle, nu = 0.25
#: a/b, Poisson's ratio, C11, C22, C23 (Kalker 1990, table E.3), and how far series and rounding are off there
PRINTED = (
    (0.1, 0.0, 2.51, 2.51, 0.334, 0.005),
    (0.1, 0.25, 3.31, 2.52, 0.473, 0.005),
    (0.1, 0.5, 4.85, 2.53, 0.731, 0.012),
    (0.5, 0.25, 3.62, 3.01, 0.929, 0.005),
    (1.0, 0.0, 3.40, 3.40, 1.33, 0.005),
    (1.0, 0.5, 5.20, 3.98, 1.63, 0.005),
    (2.0, 0.0, 4.37, 4.37, 2.35, 0.005),
    (2.0, 0.25, 5.10, 4.90, 2.62, 0.005),
    (2.0, 0.5, 6.11, 5.56, 2.96, 0.005),
    (5.0, 0.25, 7.78, 8.14, 6.63, 0.010),
    (10.0, 0.25, 11.7, 12.8, 14.6, 0.015),
)


def numbers(found):
    return np.array([getattr(found, name) for name in kalker.NAMES])


def test_circle_has_the_converged_values():
    assert numbers(tr.kalker_coefficients(1.0, 0.25)) == pytest.approx(CONVERGED, rel=3e-3)


@pytest.mark.parametrize(("ratio", "nu", "C11", "C22", "C23", "limit"), PRINTED)
def test_kalkers_printed_table_is_met(ratio, nu, C11, C22, C23, limit):
    found = tr.kalker_coefficients(ratio, nu)
    assert (found.C11, found.C22, found.C23) == pytest.approx((C11, C22, C23), rel=limit)


@pytest.mark.parametrize("cells", [18, 27])
def test_coarse_grids_compute_the_same(cells):
    assert numbers(tr.kalker_coefficients(1.0, 0.25, cells=cells)) == pytest.approx(CONVERGED, rel=3e-3)


@pytest.mark.parametrize(("ratio", "nu"), [(0.13, 0.45), (0.8, 0.3), (1.3, 0.06), (7.0, 0.28)])
def test_table_interpolates_what_is_computed(ratio, nu):
    table, found = tr.kalker_coefficients(ratio, nu), tr.kalker_coefficients(ratio, nu, cells=24)
    assert numbers(table)[:3] == pytest.approx(numbers(found)[:3], rel=2e-3)
    assert table.C33 == pytest.approx(found.C33, rel=1e-2)


def test_reference_program_converges_to_the_table():
    reference = json.loads((DATA_FOLDER / "kalker.json").read_text())
    # its errors are of first order: extrapolation from 26 and 56 elements leaves some permille
    for row in reference["kalker_coefficients"]["rows"]:
        coarse, fine = (
            np.array([row[k], row[k + 1], 0.5 * (row[k + 2] + row[k + 3]), row[k + 4]]) for k in (2, 7)
        )
        ours = numbers(tr.kalker_coefficients(row[0], 0.25))
        limit = fine + (fine - coarse) * 26.0 / (56.0 - 26.0)
        assert fine[:3] == pytest.approx(ours[:3], rel=0.016)
        assert limit == pytest.approx(ours, rel=0.015)
        assert (np.abs(limit / ours - 1.0)[:3] < np.abs(fine / ours - 1.0)[:3] + 0.007).all()


def test_at_no_compressibility_effect_longitudinal_and_lateral_are_alike():
    # with nu = 0 the influence of px and of py is the same
    found = tr.kalker_coefficients(1.0, 0.0)
    assert found.C11 == pytest.approx(found.C22, rel=1e-3)
    grown = [tr.kalker_coefficients(1.0, nu) for nu in (0.0, 0.2, 0.5)]
    assert np.all(np.diff([numbers(k) for k in grown], axis=0)[:, :3] > 0.0)


def test_forces_are_those_of_rolling_at_small_creepage(steel_pair):
    ball = tr.hertz.ellipse(0.3, 0.9, steel_pair, force=1e4)
    a, b = ball.semi_axes
    grid = tr.Grid(34, 34, 2.0 * a / 30, 2.0 * b / 30)
    n = tr.press(tr.Paraboloid(0.3, 0.9), grid, steel_pair, force=1e4)
    known = tr.kalker_coefficients(a / b, steel_pair.poisson_ratio)
    creepage = (2e-8, -3e-8, 2e-8 / np.sqrt(a * b))
    t = tr.roll_steady(n, 1.0, creepage=creepage)
    expected = known.force(creepage, (a, b), steel_pair.shear_modulus)
    assert (*t.force, t.moment) == pytest.approx(expected, rel=5e-3)


def test_beyond_the_table_the_remedy_is_named():
    with pytest.raises(tr.InputError, match=r"ratio = 20 must be 0\.1 to 10; give cells"):
        tr.kalker_coefficients(20.0, 0.25)
    with pytest.raises(tr.InputError, match=r"poisson_ratio = -0\.1 must be 0 to 0\.5"):
        tr.kalker_coefficients(1.0, -0.1)
    assert tr.kalker_coefficients(20.0, 0.25, cells=12).C11 > tr.kalker_coefficients(10.0, 0.25).C11


def test_table_holds_what_its_heading_says():
    lines = kalker.TABLE.read_text().splitlines()
    assert f"{kalker.TABLE_CELLS} and {2 * kalker.TABLE_CELLS} cells" in lines[1]
    table = np.loadtxt(kalker.TABLE, delimiter=",", skiprows=3)
    shape = (kalker.RATIOS.size, kalker.POISSON_RATIOS.size)
    assert table[:, 0].reshape(shape)[:, 0] == pytest.approx(kalker.RATIOS, rel=1e-6)
    assert table[:, 1].reshape(shape)[0] == pytest.approx(kalker.POISSON_RATIOS)


@pytest.mark.slow
def test_table_is_reproduced(tmp_path):
    kalker.write_table(tmp_path / "table.csv")
    again, stored = (
        np.loadtxt(path, delimiter=",", skiprows=3) for path in (tmp_path / "table.csv", kalker.TABLE)
    )
    assert again == pytest.approx(stored, rel=1e-5)
