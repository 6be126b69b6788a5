"""The table of a sweep, and one of its results over what was varied."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from traction.results.sweeps.sweep import SweepTable, quantiles_of
from traction.results.sweeps.sweep_column import Column, Value
from traction.results.sweeps.sweep_folder import load_sweep
from traction.studio.messages import Facts, RefusedError, numbers

MOST_ROWS = 20_000
MOST_CURVES = 7  #: of which each has a colour of its own
LEVELS = (0.05, 0.25, 0.75, 0.95)  #: shares of the samples below the edges of bands

Runs = dict[str, str]  #: identifiers of the run folders, by the names of the variants


def describe_sweep(folder: str, runs: Runs) -> Facts:
    """Columns and rows, with the run behind each row."""
    table = load_sweep(folder).table
    columns = (*table.varied, *table.results)
    headlines = {one.name for one in table.headlines}
    rows = [
        {
            "variant": name,
            "run": runs.get(name),
            "status": table.status[row],
            "message": table.message[row],
            "values": [_plain(one.values[row]) for one in columns],
            "texts": [one.figure(row) for one in columns],
        }
        for row, name in enumerate(table.variants[:MOST_ROWS])
    ]
    return {
        "varied": [_describe(one, True) for one in table.varied],
        "results": [_describe(one, one.name in headlines) for one in table.results],
        "rows": rows,
        "axes": [{"name": one.name, "size": one.size, "sampled": one.is_sampled} for one in table.axes],
    }


def map_sweep(folder: str, runs: Runs, result: str | None, over: str | None = None) -> Facts:
    """A result over what was varied: a map of two lists, curves of more, bands or points of samples.

    `over` is the key along x. Bands are quantiles of the samples at each value of a list; where all is
    sampled, each sample is a point and the bands are those of all of them.
    """
    table = load_sweep(folder).table
    column = _choose(table, result)
    along = [one for one in table.varied if one.is_number and one.varies]
    if not along:
        raise RefusedError(422, "nothing that was varied is a number; look at the table.")
    keys = [runs.get(name) for name in table.variants]
    lists = [axis for axis in table.axes if axis.size > 1 and axis.is_grid]
    offered = [one for one in along if not lists or any(axis.name == one.name for axis in lists)] or along
    x = next((one for one in offered if one.name == over), offered[0])
    unit = "" if column.unit == "1" else column.unit
    about: Facts = {
        "result": column.name,
        "label": column.name,
        "unit": unit,
        "over": [one.name for one in offered],
        "y": None,
        "bands": [],
        "dots": False,
    }
    grid = [axis for axis in table.axes if axis.size > 1]
    if len(grid) == 2 == len(along) and all(axis.is_grid for axis in grid):
        axes = along if over is None or x is along[1] else along[::-1]
        return about | _map(table, column, axes, keys)
    if table.samples is not None and lists:
        return about | _bands(table, column, x)
    dots = table.samples is not None
    curves = _scatter(column, x, keys) if dots or len(lists) < 2 else _curves(table, column, x, keys)
    bands = _band_levels(column.numbers[None, :], [x.numbers.min(), x.numbers.max()]) if dots else []
    return about | curves | {"dots": dots, "bands": bands}


def _map(table: SweepTable, column: Column, axes: list[Column], keys: list[str | None]) -> Facts:
    """The result over two lists; the axes are those of y and x."""
    places = _order_axes(table, [one.name for one in axes])
    y, x = axes
    values, runs = (
        np.transpose(flat.reshape([axis.size for axis in table.axes]), places).reshape(
            len(set(y.values)), len(set(x.values))
        )
        for flat in (column.numbers, np.array(keys, dtype=object))
    )
    facts = {"values": numbers(values), "runs": runs.tolist()}
    return {"x": _axis(x, _unique(x)), "y": _axis(y, _unique(y)), "series": [], **facts}


def _bands(table: SweepTable, column: Column, x: Column) -> Facts:
    """Quantiles of the samples over a list; of further lists, all values are samples too."""
    last = _order_axes(table, [x.name])
    shape = [axis.size for axis in table.axes]
    rows = np.transpose(column.numbers.reshape(shape), last).reshape(-1, len(_unique(x))).T
    places = _unique(x)
    middle = numbers(quantiles_of(rows, np.array([0.5]))[0])
    bands = _band_levels(rows, places)
    series = [{"label": "median", "values": middle, "runs": [None] * len(middle)}]
    return {
        "x": _axis(x, places),
        "values": middle,
        "runs": [None] * len(middle),
        "series": series,
        "bands": bands,
    }


def _band_levels(rows: np.ndarray, places: Sequence[float] | np.ndarray) -> list[Facts]:
    """Bands of samples: 5 to 95 % and 25 to 75 %; a row of samples for each place, or one for all of them."""
    low, first, third, high = quantiles_of(rows, np.array(LEVELS))
    wide = [(LEVELS[0], low, high), (LEVELS[1], first, third)]
    return [
        {
            "label": f"{100 * level:.0f} to {100 - 100 * level:.0f} % of the samples",
            "x": numbers(np.asarray(places), 10),
            "low": numbers(np.broadcast_to(a, len(places))),
            "high": numbers(np.broadcast_to(b, len(places))),
        }
        for level, a, b in wide
    ]


def _curves(table: SweepTable, column: Column, x: Column, keys: list[str | None]) -> Facts:
    """A curve over a list for each combination of the others."""
    others = [one for one in table.varied if one is not x]
    groups: dict[tuple[str, ...], list[int]] = {}
    for row in range(len(table.variants)):
        groups.setdefault(tuple(f"{one.name} = {one.text(row)}" for one in others), []).append(row)
    series = []
    for words, rows in list(groups.items())[:MOST_CURVES]:
        order = sorted(rows, key=lambda row: float(x.numbers[row]))
        values = {"values": numbers(column.numbers[order]), "runs": [keys[k] for k in order]}
        series.append({"label": ", ".join(words), "x": numbers(x.numbers[order], 10), **values})
    first = series[0]
    flat = {"values": first["values"], "runs": first["runs"], "series": series}
    return {"x": {**_axis(x, x.numbers), "values": first["x"]}, **flat}


def _scatter(column: Column, x: Column, keys: list[str | None]) -> Facts:
    """Every variant at its value of a key."""
    order = np.argsort(x.numbers, kind="stable")
    values, runs = numbers(column.numbers[order]), [keys[k] for k in order]
    series = [{"label": column.name, "values": values, "runs": runs}]
    return {"x": _axis(x, x.numbers[order]), "values": values, "runs": runs, "series": series}


def _order_axes(table: SweepTable, names: list[str]) -> list[int]:
    """Places of all axes with these as the last ones."""
    last = [next(k for k, axis in enumerate(table.axes) if axis.name == name) for name in names]
    return [k for k in range(len(table.axes)) if k not in last] + last


def _unique(column: Column) -> np.ndarray:
    """Values of a list in the order in which they were given."""
    return np.array(list(dict.fromkeys(column.numbers.tolist())))


def _choose(table: SweepTable, result: str | None) -> Column:
    offered = [one for one in table.results if one.is_number]
    if result is None and offered:
        return (table.headlines or tuple(offered))[0]
    found = next((one for one in offered if one.name == result), None)
    if found is None:
        raise RefusedError(404, "this sweep has no such result that is a number.")
    return found


def _describe(column: Column, headline: bool) -> Facts:
    unit = "" if column.unit == "1" else column.unit
    return {
        "name": column.name,
        "label": column.label,
        "unit": unit,
        "number": column.is_number,
        "headline": headline,
    }


def _axis(column: Column, values: np.ndarray) -> Facts:
    unit = "" if column.unit == "1" else column.unit
    return {"name": column.name, "label": column.name, "unit": unit, "values": numbers(values, 10)}


def _plain(value: Value) -> Value | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value
