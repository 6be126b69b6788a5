"""The table of a sweep, and one of its results over what was varied."""

from __future__ import annotations

import math

import numpy as np

from traction.results.sweeps.sweep import SweepTable
from traction.results.sweeps.sweep_column import Column, Value
from traction.results.sweeps.sweep_folder import load_sweep
from traction.studio.json_text import numbers
from traction.studio.refusal import RefusedError

MOST_ROWS = 20_000

Facts = dict[str, object]
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


def map_sweep(folder: str, runs: Runs, result: str | None) -> Facts:
    """A result over one or two varied values."""
    table = load_sweep(folder).table
    column = _choose(table, result)
    keys = [runs.get(name) for name in table.variants]
    along = [one for one in table.varied if one.is_number and one.varies]
    grid = [axis for axis in table.axes if axis.size > 1]
    about = {"result": column.name, "label": column.name, "unit": "" if column.unit == "1" else column.unit}
    if len(grid) == 2 and len(along) == 2 and all(axis.is_grid for axis in grid):
        shape = tuple(axis.size for axis in table.axes if axis.size > 1)
        y, x = (next(one for one in along if one.name == axis.name) for axis in grid)
        return {
            **about,
            "x": _axis(x, x.numbers.reshape(shape)[0]),
            "y": _axis(y, y.numbers.reshape(shape)[:, 0]),
            "values": numbers(column.numbers.reshape(shape)),
            "runs": np.array(keys, dtype=object).reshape(shape).tolist(),
        }
    if not along:
        raise RefusedError(422, "nothing that was varied is a number; look at the table.")
    order = np.argsort(along[0].numbers, kind="stable")
    return {
        **about,
        "x": _axis(along[0], along[0].numbers[order]),
        "y": None,
        "values": numbers(column.numbers[order]),
        "runs": [keys[k] for k in order],
    }


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
