"""Variables as columns of a table, and tables as CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from traction.outputs.atomic import write_atomic
from traction.outputs.dataset import load_extra
from traction.outputs.variable import Variable, sizes_of

if TYPE_CHECKING:
    import pandas

MOST_COLUMNS = 1000  #: of one variable, whose further dimensions are spread over columns
ROWS_AT_ONCE = 20_000


@dataclass(frozen=True, eq=False)
class TableColumn:
    """Values with a name and an SI unit."""

    name: str
    unit: str
    values: np.ndarray

    @property
    def heading(self) -> str:
        """Name and unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


def make_columns(variables: Sequence[Variable], rows: tuple[str, ...]) -> list[TableColumn]:
    """The table whose rows run over the dimensions `rows`, the last one fastest; none is a table of one row.

    Coordinates of the rows come first. A variable with further dimensions has a column for each place along
    these, at most 1000; single numbers are left out unless there is only one row, and so are variables that
    do not run over all rows.
    """
    sizes = sizes_of(variables)
    shape = tuple(sizes[dim] for dim in rows)
    known = {one.name: one for one in variables if one.is_coordinate}
    found: list[TableColumn] = []
    for k, dim in enumerate(rows):
        if dim in known:
            along = known[dim].values.reshape([-1 if k == j else 1 for j in range(len(rows))])
            found.append(TableColumn(dim, known[dim].unit, np.broadcast_to(along, shape).ravel()))
    for one in variables:
        further = [dim for dim in one.dims if dim not in rows]
        if one.is_coordinate or not set(rows) <= set(one.dims) or (not rows and one.dims):
            continue
        if math.prod(sizes[dim] for dim in further) <= MOST_COLUMNS:
            found += _spread(one, rows, further, known)
    return found


def _spread(
    one: Variable, rows: tuple[str, ...], further: Sequence[str], known: dict[str, Variable]
) -> Iterable[TableColumn]:
    """A column for each place along the further dimensions, named by their coordinates."""
    order = [one.dims.index(dim) for dim in (*further, *rows)]
    values = one.values.transpose(order)
    labels = {
        dim: _labels(known[dim].values) if dim in known else list(map(str, range(1, size + 1)))
        for dim, size in zip(further, values.shape, strict=False)
    }
    for place in product(*(range(n) for n in values.shape[: len(further)])):
        words = [labels[dim][k] for dim, k in zip(further, place, strict=True)]
        name = f"{one.name}[{', '.join(words)}]" if words else one.name
        yield TableColumn(name, one.unit, values[place].ravel())


def _labels(values: np.ndarray) -> list[str]:
    """Texts of the values of a coordinate, without round-off unless it tells two of them apart."""
    texts = [f"{value:.12g}" if isinstance(value, float) else str(value) for value in values.tolist()]
    return texts if len(set(texts)) == len(texts) else list(map(str, values.tolist()))


def make_frame(columns: Sequence[TableColumn]) -> pandas.DataFrame:
    """A table for pandas, with the SI units in `attrs["units"]`."""
    frame = load_extra("pandas").DataFrame({one.name: one.values for one in columns})
    frame.attrs["units"] = {one.name: one.unit for one in columns}
    return frame


def write_csv(path: Path, columns: Sequence[TableColumn]) -> None:
    """Write a table as `csv_blocks` has it."""
    write_atomic(path, [block.encode() for block in csv_blocks(columns)])


def csv_blocks(columns: Sequence[TableColumn]) -> Iterator[str]:
    """A table as text: headings with units, numbers with all their digits; a missing number is empty."""
    yield ",".join(_quoted(one.heading) for one in columns) + "\n"
    total = max((one.values.size for one in columns), default=0)
    for first in range(0, total, ROWS_AT_ONCE):
        part = slice(first, first + ROWS_AT_ONCE)
        rows = zip(*(_texts(one.values[part]) for one in columns), strict=True)
        yield "".join(f"{','.join(row)}\n" for row in rows)


def _texts(values: np.ndarray) -> list[str]:
    """The shortest texts that are read back as the same values."""
    if values.dtype.kind == "f":
        texts = list(map(repr, values.tolist()))
        for k in np.flatnonzero(np.isnan(values)).tolist():
            texts[k] = ""
        return texts
    missing = (value != value for value in values.tolist())  # not a number, among texts
    return ["" if gone else _quoted(str(value)) for gone, value in zip(missing, values.tolist(), strict=True)]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\n\r') else text
