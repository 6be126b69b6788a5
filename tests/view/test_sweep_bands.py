"""Quantile bands: over a list, over samples, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from traction.errors import InputError
from traction.results.sweeps.sweep import SweepTable
from traction.results.sweeps.sweep_column import Column, SweepAxis
from traction.view import sweep_bands, sweep_plot

SAMPLES = SweepAxis("sample", ("mass",), 5, ("uniform(1, 5)",), "5 samples")


def table(*axes, failed=()):
    """Result: speed + 10 gap + mass, of masses 1 to 5."""
    shape = tuple(one.size for one in axes)
    grids = np.meshgrid(*(np.arange(1.0, size + 1.0) for size in shape), indexing="ij")
    named = {one.keys[0]: grid.ravel() for one, grid in zip(axes, grids, strict=True)}
    weights = {"speed": 1.0, "gap": 10.0, "mass": 1.0}
    peak = sum(weights[key] * values for key, values in named.items())
    peak[list(failed)] = np.nan
    varied = tuple(Column(key, "1", tuple(values.tolist())) for key, values in named.items())
    names = tuple(map(str, range(peak.size)))
    status = tuple("failed" if k in failed else "done" for k in range(peak.size))
    return SweepTable(names, varied, (Column("peak", "1", tuple(peak)),), status, ("",) * peak.size, axes)


def listed(key, size):
    return SweepAxis(key, (key,), size)


def edges(ax, number=0):
    """Lower and upper edge of a filled area, by x."""
    path = ax.collections[number].get_paths()[0].vertices
    return {x: (path[path[:, 0] == x, 1].min(), path[path[:, 0] == x, 1].max()) for x in set(path[:, 0])}


def test_bands_over_a_list_hold_the_quantiles_at_each_value():
    ax = sweep_bands(table(listed("speed", 3), SAMPLES), "peak")
    assert edges(ax)[2.0] == pytest.approx((3.2, 6.8))  # 2 + 1.2 to 2 + 4.8
    assert edges(ax, 1)[3.0] == pytest.approx((5.0, 7.0))
    np.testing.assert_allclose(ax.lines[0].get_data(), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert ax.get_xlabel() == "speed"
    two = table(listed("gap", 2), listed("speed", 3), SAMPLES)
    two = sweep_bands(two, "peak", over="speed", levels=[0.5])
    assert [line.get_ydata()[0] for line in two.lines] == [14.0, 24.0]
    assert [text.get_text() for text in two.get_legend().get_texts()] == ["gap = 1", "gap = 2"]


def test_samples_alone_are_points_in_the_bands_of_all():
    ax = sweep_bands(table(listed("speed", 1), SAMPLES, failed=(4,)), "peak")
    assert ax.get_xlabel() == "mass"
    median, points = ax.lines
    assert set(median.get_ydata()) == {3.5}  # of 2 to 5: one failed
    np.testing.assert_allclose(points.get_ydata(), [2.0, 3.0, 4.0, 5.0, np.nan])


def test_samples_of_several_keys_are_not_joined():
    both = table(SweepAxis("sample", ("mass", "gap"), 5, ("uniform(1, 5)", "uniform(1, 5)")))
    gap = Column("gap", "1", (5.0, 1.0, 4.0, 2.0, 3.0))
    points = replace(both, varied=(*both.varied, gap))
    assert sweep_plot(points, "peak").lines[0].get_linewidth() == 0.0
    assert sweep_plot(table(SAMPLES), "peak").lines[0].get_linewidth() > 0.0


@pytest.mark.parametrize(
    ("axes", "options", "message"),
    [
        ((listed("speed", 3),), {}, "the sweep has no samples; sweep_plot shows its results"),
        ((listed("speed", 3), SAMPLES), {"over": "mass"}, "over = 'mass' is not known"),
        ((listed("speed", 3), SAMPLES), {"levels": (0.1, 0.9)}, "must be an odd number of shares"),
        ((listed("speed", 3), SAMPLES), {"levels": (-0.1, 0.5, 1.1)}, "must be an odd number of shares"),
        (
            (listed("gap", 5), listed("speed", 3), SAMPLES),
            {"over": "speed"},
            "5 combinations of gap",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(axes, options, message):
    with pytest.raises(InputError, match=message):
        sweep_bands(table(*axes), "peak", **options)
