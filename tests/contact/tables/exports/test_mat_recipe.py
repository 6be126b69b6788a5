"""The function for MATLAB on the how-to page, line by line in numpy: a .mat file has all that it needs."""

import numpy as np
import pytest
from scipy.io import loadmat

from saturating_table import saturating_table


def splines(t, x):
    """The four B-splines that are not zero at x, and their numbers."""
    i = min(max(int((t <= x).sum()), 4), t.size - 4)
    b = np.ones(1)
    for d in (1, 2, 3):
        left, right = x - t[i - d : i], t[i : i + d] - x
        e = b / (left + right)
        b = np.append(right * e, 0.0) + np.append(0.0, left * e)
    return np.arange(i - 4, i), b


def creep_forces(T, creepage, a, b, load, friction):
    c, limit = np.sqrt(a * b), friction * load
    if limit == 0:
        return np.zeros(3)
    slack = 1 + T["slack"].item()
    if not (a / b * slack >= T["ratio"].min() and a / b <= T["ratio"].max() * slack):
        raise ValueError("a/b is outside the table")
    if T["coordinates"].item().item() != "polar":
        raise ValueError("this function is for polar coordinates")
    i0, w0 = np.array([0]), np.ones(1)
    if "ratio_knots" in T:
        i0, w0 = splines(T["ratio_knots"].ravel(), np.log(a / b))
    scale = T["shear_modulus"].item() * c**2 / limit * np.array([1 / 3, 1 / 3, c])
    v = scale * np.exp(T["scales"][:, i0] @ w0) * creepage
    ahead, aside = 1 - 2 * (v[0] < 0), 1 - 2 * (v[1] < 0)
    x, y, w = abs(v[0]), abs(v[1]), aside * v[2]
    r = np.linalg.norm(v)
    s = r / (r + T["radius"].item())
    i1, w1 = splines(T["knots_1"].ravel(), s)
    i2, w2 = splines(T["knots_2"].ravel(), np.arctan2(y, x))
    i3, w3 = splines(T["knots_3"].ravel(), np.arctan2(w, np.hypot(x, y)))
    f = np.zeros(3)
    for k in range(3):
        part = T["coefficients"][..., k][np.ix_(i0, i1, i2, i3)].reshape((w0.size, 64), order="F")
        part = (w1 @ (w0 @ part).reshape((4, 16), order="F")).reshape((4, 4), order="F")
        f[k] = s * (w2 @ part @ w3)
    return limit * f * (ahead, aside, aside * c)


@pytest.mark.parametrize("ratios", [(1.0,), (0.5, 1.0, 2.0, 4.0)])
def test_forces_from_a_mat_file(tmp_path, ratios):
    table = saturating_table(9, 5, 9, ratios=ratios)
    table.save(tmp_path / "table.mat")
    T = loadmat(tmp_path / "table.mat")
    for creepage in ([0.0, 0.0, 0.0], [0.3, -0.2, 0.5], [-2.0, 0.4, -0.1], [0.0, 0.0, 3.0], [1e6, 1.0, -2.0]):
        expected = table.forces(creepage, 1.0, 1.0, 2.0, 0.4)
        found = creep_forces(T, np.array(creepage), 1.0, 1.0, 2.0, 0.4)
        assert found == pytest.approx(np.array(expected), rel=1e-12, abs=1e-12)
    assert not creep_forces(T, np.ones(3), 1.0, 1.0, 0.0, 0.4).any()
    with pytest.raises(ValueError, match="outside the table"):
        creep_forces(T, np.ones(3), 1.0, 3.0, 2.0, 0.4)


def test_tables_of_other_coordinates_are_refused(tmp_path):
    saturating_table(9, 9, 17, coordinates="box").save(tmp_path / "table.mat")
    with pytest.raises(ValueError, match="polar"):
        creep_forces(loadmat(tmp_path / "table.mat"), np.ones(3), 1.0, 1.0, 2.0, 0.4)
