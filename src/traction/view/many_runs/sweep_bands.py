"""Quantile bands of a sweep with samples: a result over a key of a list, or over all samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.printable import literal
from traction.results.sweeps.sweep import Sweep, SweepTable
from traction.results.sweeps.sweep_column import Column
from traction.view.arguments import figure
from traction.view.chart import new_axes
from traction.view.figures import CYCLE, DARK, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
FAINT, STRONG = 0.18, 0.42  #: opacity of the widest and of the narrowest band
MOST_BANDS = 4  #: combinations of other keys, a colour each


@figure
def sweep_bands(
    sweep: Sweep | SweepTable,
    quantity: str,
    ax: Axes | None = None,
    *,
    levels: Sequence[float] = LEVELS,
    over: str | None = None,
    legend: bool = True,
    title: str | None = None,
) -> Axes:
    """Plot quantile bands of a result over the samples of a sweep.

    Over a key with a list of values each band has at each value the quantiles of its samples. Over a key that
    was sampled the samples are points, and the bands those of all of them.

    Parameters
    ----------
    sweep
        Result of `tr.sweep` with samples, or its table.
    quantity
        Name of the result.
    over
        Key along the axis: one that has a list of values, or, where none has, one that was sampled; by
        default the first one.
    levels
        Shares of the samples below the edges of the bands, from 0 to 1, in pairs around the middle one.
    legend, ax, title
        As in `sweep_plot`.

    Raises
    ------
    InputError
        If nothing was sampled, the result is not a number, or the levels are not an odd number of them.

    Examples
    --------
    >>> bridge = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
    >>> case = tr.Scenario.build("modes", modes=1, beam=bridge)
    >>> vary = {"beam.length": "10:30:3 m", "beam.mass_per_length": "lognormal(7.9, 0.5 t/m)"}
    >>> ax = tr.view.sweep_bands(tr.sweep(case, vary, samples=9), "frequency of mode 1")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['5 to 95 % of the samples', '25 to 75 %', 'median']
    """
    table = sweep.table if isinstance(sweep, Sweep) else sweep
    shares = _checked_levels(levels)
    if table.samples is None:
        raise InputError("the sweep has no samples; sweep_plot shows its results.")
    result = table.column(quantity)
    words = quantity[:1].upper() + quantity[1:] if title is None else title
    measured = result.shown_in.name if title is None else literal(result.label)
    lists = [one for one in table.axes if not one.is_sampled and one.size > 1]
    names = [one.keys[0] for one in lists] or list(table.samples.keys)
    along = table.column(checks.choice("over", names[0] if over is None else over, tuple(names)))
    if not along.is_number:
        raise InputError(f'over = "{along.name}" is not a number in every variant; choose another key.')
    ax = new_axes(ax)
    if lists:
        _draw_over_list(ax, table, result, along, shares)
    else:
        _draw_all(ax, table, result, along, shares)
    return style_axes(ax, literal(along.label), measured, literal(words), legend=legend)


def _checked_levels(levels: Sequence[float]) -> np.ndarray:
    """Levels in rising order, an odd number of them."""
    shares = np.sort(np.atleast_1d(checks.finite_array("levels", levels)))
    if shares.ndim != 1 or shares.size % 2 == 0 or shares[0] < 0.0 or shares[-1] > 1.0:
        raise InputError(
            f"levels = {checks.shown(levels)} must be an odd number of shares from 0 to 1, such as "
            "(0.05, 0.5, 0.95)."
        )
    return shares


def _draw_over_list(ax: Axes, table: SweepTable, result: Column, along: Column, shares: np.ndarray) -> None:
    """Bands along the values of a key, a colour for each combination of the other lists."""
    axes = [one for one in table.axes if not one.is_sampled]
    place = next(k for k, one in enumerate(axes) if along.name in one.keys)
    first = np.arange(len(table)).reshape(*(one.size for one in axes), -1)[..., 0]
    rows = np.moveaxis(first, place, 0).reshape(axes[place].size, -1)  # of the first sample
    others = [key for k, one in enumerate(axes) if k != place for key in one.keys]
    columns = [one for one in table.varied if one.name in others and one.varies]
    if rows.shape[1] > MOST_BANDS:
        raise InputError(
            f"{rows.shape[1]} combinations of {', '.join(one.name for one in columns)} are too many bands, "
            f"at most {MOST_BANDS}; sweep fewer values, or draw quantiles of to_xarray()."
        )
    found = np.moveaxis(table.quantiles(result.name, tuple(shares)), place + 1, 1)
    bands = result.shown_in.of(found.reshape(shares.size, *rows.shape))
    x = along.shown_in.of(along.numbers[rows[:, 0]])
    order = np.argsort(x)
    for number, row in enumerate(rows[0]):
        label = ", ".join(f"{one.name} = {one.text(row)} {one.shown_in.name}".strip() for one in columns)
        _fill(ax, x[order], bands[:, order, number], shares, CYCLE[number], literal(label))


def _draw_all(ax: Axes, table: SweepTable, result: Column, along: Column, shares: np.ndarray) -> None:
    """All samples as points, and the bands of all of them across the axes."""
    x, y = along.shown_in.of(along.numbers), result.shown_in.of(result.numbers)
    bands = result.shown_in.of(table.quantiles(result.name, tuple(shares)).reshape(shares.size, -1)[:, :1])
    ends = np.array([np.nanmin(x), np.nanmax(x)])
    _fill(ax, ends, np.repeat(bands, 2, axis=1), shares, CYCLE[0])
    ax.plot(x, y, "o", color=DARK, ms=3.5, alpha=0.7, label="samples")


def _fill(
    ax: Axes, x: np.ndarray, bands: np.ndarray, shares: np.ndarray, color: str, label: str = ""
) -> None:
    """Pairs of quantiles as areas, from the widest to the narrowest, and the middle one as a line."""
    pairs = shares.size // 2
    for k in range(pairs):
        opacity = FAINT if pairs == 1 else FAINT + (STRONG - FAINT) * k / (pairs - 1)
        ends = f"{_percent(shares[k])} to {_percent(shares[-1 - k])} %"
        words = f"{ends} of the samples" if k == 0 else ends
        name = "_" if label else words
        ax.fill_between(x, bands[k], bands[-1 - k], color=color, alpha=opacity, lw=0.0, label=name)
    middle = "median" if shares[pairs] == 0.5 else f"{_percent(shares[pairs])} %"
    ax.plot(x, bands[pairs], color=color, lw=2.0, label=label or middle)


def _percent(share: float) -> str:
    return f"{100.0 * share:.6g}"
