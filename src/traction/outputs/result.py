"""`Result`: what every result can do with the variables that it declares."""

from __future__ import annotations

import math
import os
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from traction.errors import InputError
from traction.outputs.dataset import make_dataset
from traction.outputs.saving import save_variables
from traction.outputs.sketch import sketch
from traction.outputs.tabular import TableColumn, make_columns, make_frame
from traction.outputs.variable import Variable
from traction.printable import escaped
from traction.quantities import figure_text
from traction.version import __version__

if TYPE_CHECKING:
    import pandas
    import xarray

KEPT = "\N{NO-BREAK SPACE}"  #: between words that stay on one line
WIDTH = 100  #: characters of a line of the summary
MOST_LINES = 5
ROUNDING = 1e-7  #: of the scale of a figure, below which a summary shows zero: solvers end at about 1e-6


class Result(ABC):
    """A result that can be taken elsewhere: labelled data, files, a summary and a view for notebooks.

    A subclass declares its variables once, by `_variables`, its headline by `_headline`, the dimensions of
    the rows of its table by `_rows` and the variable of its picture by `_drawn`.
    """

    _rows: ClassVar[tuple[str, ...]] = ()  #: dimensions of the rows of the table; () is one row
    _drawn: ClassVar[str] = ""  #: variable that the small picture shows

    @abstractmethod
    def _variables(self) -> Iterable[Variable]:
        """All quantities, with units and long names; those that cost time as functions."""

    def _headline(self) -> str:
        """What the result is of and how it ended, in a few words."""
        return ""

    def _row_dims(self) -> tuple[str, ...]:
        return self._rows

    def to_xarray(self) -> xarray.Dataset:
        """Return all quantities as a labelled dataset.

        Every variable and coordinate is in SI and has the attributes `units` (empty for text) and
        `long_name`. Times are the coordinate `time`; axles, wheels, modes, contacts and supports are numbered
        from 1, as in reports, while indices of Python start from 0.

        Returns
        -------
        xarray.Dataset

        Raises
        ------
        InputError
            If xarray is not installed (``pip install traction[data]``).

        Examples
        --------
        >>> import traction as tr
        >>> found = tr.hertz.sphere(radius=0.01, pair=tr.Pair(tr.STEEL, tr.STEEL), force=100.0)
        >>> found.to_xarray()["peak_pressure"].attrs["units"]
        'Pa'

        """
        return make_dataset(tuple(self._variables()), self._attributes())

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table of the result, as `save` writes it to CSV.

        Columns are named by their variables and are in SI; `frame.attrs["units"]` has the units. Quantities
        at several positions or of several axles have a column for each, as `deflection[10]` at x = 10 m and
        `axle_force[1]` of the first axle.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        InputError
            If the result has no table, or pandas is not installed (``pip install traction[data]``).

        """
        return make_frame(self._columns("to_pandas", tuple(self._variables())))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the result to a file whose suffix says the format.

        The file is complete or not there: an existing one is replaced as a whole.

        Parameters
        ----------
        path : str or path
            `.nc` writes netCDF with all variables, units and long names; `.mat` the same for MATLAB, with
            the units in the struct `units`; `.csv` a table with names and units in its first row. The table
            has the quantities that run over its rows (times, places, elements of the grid); other ones
            are in the other two formats.

        Returns
        -------
        pathlib.Path
            The file.

        Raises
        ------
        InputError
            If the suffix is unknown, the result has no table, or a package is missing.
        StorageError
            If the disk does not take the file.

        """
        return save_variables(
            path,
            lambda: tuple(self._variables()),
            self._attributes(),
            lambda asked: self._columns(asked, tuple(self._variables())),
        )

    def _columns(self, asked: str, variables: Sequence[Variable]) -> list[TableColumn]:
        columns = make_columns(variables, self._row_dims())
        if not columns:
            names = ", ".join(f"{one.name} ({' x '.join(one.dims)})" for one in variables if one.dims)
            raise InputError(
                f"{asked}: this result has no table, as its quantities run over different or too many "
                f"dimensions: {names}. Save as .nc or .mat, or use to_xarray()."
            )
        return columns

    def _attributes(self) -> dict[str, str]:
        words = {"title": self._title(), "summary": self._headline(), "source": f"traction {__version__}"}
        return {name: text for name, text in words.items() if text}

    @classmethod
    def _title(cls) -> str:
        """The name of the class in words."""
        return " ".join(re.findall(r"[A-Z][a-z0-9]*", cls.__name__)).capitalize()

    def _figures(self) -> list[tuple[str, str]]:
        """Names and texts of the key figures that are known."""
        found = []
        for one in self._variables():
            value = one.values.item() if one.is_figure else math.nan
            if math.isfinite(value):
                shown = value if abs(value) > ROUNDING * one.scale else type(value)(0)
                found.append((one.long_name, figure_text(shown, one.unit)))
        return found

    def __repr__(self) -> str:
        head = ": ".join(filter(None, (type(self).__name__, self._headline())))
        figures = ", ".join(f"{name} {text}".replace(" ", KEPT) for name, text in self._figures())
        lines = [*textwrap.wrap(head, WIDTH)[: MOST_LINES - 2]]
        lines += textwrap.wrap(figures, WIDTH, initial_indent="  ", subsequent_indent="  ")
        return "\n".join(lines[:MOST_LINES]).replace(KEPT, " ")

    def _repr_html_(self) -> str:
        return html_view(self._title(), self._headline(), self._figures(), self._sketch())

    def _sketch(self) -> str:
        return sketch(tuple(self._variables()), self._drawn)


def html_view(title: str, headline: str, figures: Sequence[tuple[str, str]], picture: str) -> str:
    """A headline, the key figures and a picture side by side, in the colours of the page around them."""
    cell = "style='text-align:right;white-space:nowrap;padding-left:1em'"
    rows = "".join(
        f"<tr><td style='text-align:left'>{escaped(name)}</td><td {cell}>{escaped(text)}</td></tr>"
        for name, text in figures
    )
    head = f"<strong>{escaped(title)}</strong>" + (f": {escaped(headline)}" if headline else "")
    table = f"<table>{rows}</table>" if rows else ""
    return (
        f"<div><p>{head}</p><div style='display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start'>"
        f"{table}{picture}</div></div>"
    )
