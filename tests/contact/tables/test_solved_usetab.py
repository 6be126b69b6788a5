"""Solved USETAB tables: each row is the contact that it stands for, by the single solver."""

import time

import numpy as np
import pytest

import traction as tr
from traction.contact.tables import solved_usetab
from traction.contact.tables.solved_usetab import press_ellipse, solve_cases
from traction.contact.tables.usetab_file import read_printed_coefficients


@pytest.fixture(scope="module")
def solved():
    return solve_cases(10, divisions=1, long_ratios=(4.0, 1.0))


def test_the_ellipse_has_unit_load_and_size():
    n = press_ellipse(4.0, 20)
    assert n.force == pytest.approx(1.0)
    assert n.semi_axes == pytest.approx((2.0, 0.5), rel=5e-3)


@pytest.mark.parametrize("place", [(1, 1, 0, 2), (1, 1, 1, 1), (1, 1, 1, 5), (1, 0, 1, 7), (2, 0, 0, 1)])
def test_rows_are_those_of_the_single_solver(solved, place):
    ratio, i, j, k = place
    c11, c22, c23 = read_printed_coefficients(float(solved.ratios[ratio]))
    x, y, w = solved.creepages[i], solved.creepages[j], solved.spins[k]
    creepage = -3.0 * x / c11, -3.0 * y / c22, -w / c23
    sliding = np.abs([x, y, w]).max() > 1e4
    n = press_ellipse(float(solved.ratios[ratio]), 30 if sliding else 10)
    t = tr.roll_steady(n, 1.0, creepage=creepage)
    expected = (*t.force, t.moment)
    assert solved.values[place] == pytest.approx(expected, abs=3e-3 if sliding else 1e-5)


def test_equal_nodes_and_mirror_images(solved):
    values = solved.values
    assert values[0].tolist() == values[2].tolist()  # a/b = 1 twice
    assert values[:, 1].tolist() == values[:, 3].tolist()  # xi = 1 twice
    assert values[..., 0, :].tolist() == values[..., 4, :].tolist()  # psi = 0 twice
    mirrored = values[:, :, 0, 4:] * (1.0, -1.0, -1.0)
    assert values[:, :, 0, :4] == pytest.approx(mirrored, abs=1e-8)
    assert not values[:, 0, 0, 0].any()
    assert np.hypot(values[..., 0], values[..., 1]).max() <= 1.0 + 1e-9


def test_what_the_progress_raises_ends_the_solution(monkeypatch):
    begun = []

    def solve_slowly(ratio, **settings):
        begun.append(ratio)
        time.sleep(0.05)
        return np.zeros((3, 3, 5, 3))

    def stop(done, total):
        raise KeyboardInterrupt

    monkeypatch.setattr(solved_usetab, "_solve_ratio", solve_slowly)
    with pytest.raises(KeyboardInterrupt):
        solve_cases(10, divisions=1, long_ratios=(64.0, 32.0, 16.0, 8.0, 4.0, 2.0, 1.0), tell=stop)
    assert len(begun) < 5
