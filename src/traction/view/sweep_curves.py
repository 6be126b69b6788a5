"""Figures of sweeps: a result over what was varied, and quantile bands where the sweep has samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.printable import literal
from traction.results.manifest import RunStatus
from traction.results.sweeps.sweep import Sweep, SweepTable
from traction.results.sweeps.sweep_column import Column
from traction.view.arguments import figure
from traction.view.chart import colour_bar, family_colors, new_axes
from traction.view.figures import CYCLE, DARK, FAMILY, MARKERS, ORANGE, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CURVES = len(CYCLE)  #: with distinct colours; more become a map
MOST_MARKERS = 60  #: points of a curve that are marked
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
FAINT, STRONG = 0.18, 0.42  #: opacity of the widest and of the narrowest band
MOST_BANDS = 4  #: combinations of other keys, a colour each


@figure
def sweep_plot(
    sweep: Sweep | SweepTable,
    quantity: str,
    ax: Axes | None = None,
    *,
    over: str | None = None,
    legend: bool = True,
    title: str | None = None,
) -> Axes:
    """Plot a result over a varied key: a curve, a family of curves, or a map.

    Up to six combinations of the other keys are curves; more values of one other key are a map. Samples of
    several keys are points; `sweep_bands` draws their quantiles. Crosses are variants that failed.

    Parameters
    ----------
    sweep
        Result of `tr.sweep`, or its table.
    quantity
        Name of the result.
    over
        Key along the axis; by default the one with the most values.
    legend
        Whether to draw a legend.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the result is not a number, or `over` is not a varied key.

    Examples
    --------
    >>> bridge = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
    >>> case = tr.Scenario.build("modes", modes=1, beam=bridge)
    >>> table = tr.sweep(case, {"beam.length": "10:30:3 m"}).table
    >>> ax = tr.view.sweep_plot(table, "frequency of mode 1")
    >>> ax.get_xlabel()
    'beam.length (m)'
    """
    table = sweep.table if isinstance(sweep, Sweep) else sweep
    result = table.column(quantity)
    if not result.is_number:
        raise InputError(f'"{quantity}" is not a number in every variant; choose another result.')
    along = _along(table, over)
    others = _others(table, along)
    groups = _groups(others, len(table))
    ax = new_axes(ax)
    words = quantity[:1].upper() + quantity[1:] if title is None else title
    words, name, over_name = literal(words), literal(result.label), literal(along.label)
    measured = result.shown_in.name if title is None else name  # a title that names it is enough
    if len(groups) > MOST_CURVES and len(others) == 1 and along.varies:
        _map(ax, table, along, others[0], result, measured)
        return style_axes(ax, over_name, literal(others[0].label), words, grid=False)
    _curves(ax, table, along, groups, result, joined=not _is_sampled(table, along))
    return style_axes(ax, over_name, measured, words, legend=legend and 1 < len(groups) <= MOST_CURVES)


def _along(table: SweepTable, over: str | None) -> Column:
    """The varied column along the axis."""
    if over is not None:
        if over not in [column.name for column in table.varied]:
            names = ", ".join(column.name for column in table.varied)
            raise InputError(f'over = "{over}" must be a key that is varied: {names}.')
        return table.column(over)
    # numbers before texts, then the one with the most values
    return max(table.varied, key=lambda column: (column.is_number and column.varies, len(set(column.values))))


def _others(table: SweepTable, along: Column) -> list[Column]:
    """Columns that distinguish variants with the same value along the axis."""
    if len(set(along.values)) == len(table):  # one after the other, or side by side with other keys
        return []
    return [column for column in table.varied if column is not along and column.varies]


def _groups(others: Sequence[Column], count: int) -> dict[str, list[int]]:
    """Rows with the same values of the other keys, by words for them."""
    groups: dict[str, list[int]] = {}
    for row in range(count):
        words = ", ".join(f"{one.name} = {one.text(row)} {one.shown_in.name}".strip() for one in others)
        groups.setdefault(words, []).append(row)
    return groups


def _places(column: Column) -> tuple[np.ndarray, list[str] | None]:
    """Positions of the values on an axis, and their names where they are no numbers."""
    if column.is_number:
        return column.shown_in.of(column.numbers), None
    names = list(dict.fromkeys(str(value) for value in column.values))
    places = np.array([names.index(str(value)) for value in column.values], dtype=np.float64)
    return places, list(map(literal, names))


def _failed(table: SweepTable) -> np.ndarray:
    return np.array([status == RunStatus.FAILED for status in table.status])


def _is_sampled(table: SweepTable, column: Column) -> bool:
    """Whether the values of a key are samples, which are points and no curve where other keys vary, too."""
    several = sum(one.varies for one in table.varied) > 1
    return several and table.samples is not None and column.name in table.samples.keys


def _curves(
    ax: Axes,
    table: SweepTable,
    along: Column,
    groups: dict[str, list[int]],
    result: Column,
    *,
    joined: bool = True,
) -> None:
    """A curve for each group, broken where there is no result; crosses at the bottom in its colour."""
    x, names = _places(along)
    y, failed = result.shown_in.of(result.numbers), _failed(table)
    marked = not joined or max(len(rows) for rows in groups.values()) <= MOST_MARKERS
    few = len(groups) <= MOST_CURVES
    colors, markers = (CYCLE, MARKERS) if few else (family_colors(len(groups)), "o" * len(groups))
    for (words, rows), color, marker in zip(groups.items(), colors, markers, strict=False):
        order = np.array(sorted(rows, key=lambda row: x[row]))
        style = {"color": color, "marker": marker if marked else "", "label": literal(words) or "_"}
        ax.plot(x[order], y[order], lw=1.8 if names is None and joined else 0.0, ms=5.0, **style)
        lost = order[failed[order]]
        if lost.size:
            bottom, across = np.full(lost.size, 0.03), ax.get_xaxis_transform()
            color = ORANGE if len(groups) == 1 else color
            ax.plot(x[lost], bottom, "x", color=color, mew=2.0, ms=7.0, transform=across, clip_on=False)
    if failed.any():
        ax.margins(y=0.12)  # room for the crosses
    if names is not None:
        ax.set_xticks(range(len(names)), names)
        ax.margins(x=0.1)


def _map(ax: Axes, table: SweepTable, along: Column, other: Column, result: Column, label: str) -> None:
    """The result as colours; cells of variants that failed, or are not done, are empty."""
    axes = []
    for column in (along, other):
        places, names = _places(column)
        values, index = np.unique(places, return_inverse=True)
        axes.append((values, index, names))
    (x, column_of, across), (y, row_of, up) = axes
    cells = np.full((y.size, x.size), np.nan)
    cells[row_of, column_of] = result.shown_in.of(result.numbers)
    shown = np.ma.masked_invalid(cells)
    drawn = ax.pcolormesh(x, y, shown, cmap=FAMILY, shading="nearest", rasterized=True)
    failed = _failed(table)
    ax.plot(x[column_of[failed]], y[row_of[failed]], "x", color=ORANGE, mew=2.0, ms=7.0)
    for names, ticks in ((across, ax.set_xticks), (up, ax.set_yticks)):
        if names is not None:
            ticks(range(len(names)), names)
    colour_bar(ax, drawn, label)


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
