"""`BeamResult`: results along a beam, which are written at places of one's choice."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.outputs.dataset import make_dataset
from traction.outputs.result import Result
from traction.outputs.saving import save_variables
from traction.outputs.tabular import make_frame
from traction.outputs.variable import Variable, axis

if TYPE_CHECKING:
    import pandas
    import xarray

SHAPE_PLACES = 101  #: along a beam, at which shapes are written unless others are given


class BeamResult(Result):
    """A result with quantities along a beam; `to_xarray`, `to_pandas` and `save` take the places x (m)."""

    @abstractmethod
    def _default_places(self) -> np.ndarray:
        """Where quantities are written unless asked otherwise, m."""

    @abstractmethod
    def _variables_at(self, x: np.ndarray) -> Iterable[Variable]:
        """All quantities, those along the beam at places x (m)."""

    def _variables(self) -> Iterable[Variable]:
        return self._variables_at(self._default_places())

    def to_xarray(self, *, x: ArrayLike | None = None) -> xarray.Dataset:
        """Return all quantities as a labelled dataset.

        Parameters
        ----------
        x : array, optional
            Places along the beam, m; midspans, or 101 places of results at rest, unless given.

        Raises
        ------
        InputError
            If a place lies outside the beam, or as `Result.to_xarray`.

        Examples
        --------
        >>> beam = tr.Beam(20.0, 2e10, 1e4, supports=("pinned", "pinned"))
        >>> found = beam.bend([(1e5, 10.0)]).to_xarray(x=[5.0, 10.0])
        >>> print(f"{float(found.moment.sel(x=10.0)) / 1e3:.0f} kN m, {found.moment.attrs['units']}")
        500 kN m, N m
        """
        return make_dataset(self._chosen(x), self._attributes())

    def to_pandas(self, *, x: ArrayLike | None = None) -> pandas.DataFrame:
        """Return the table of the result, with quantities at places x (m) as columns or rows.

        Otherwise as `Result.to_pandas`.
        """
        return make_frame(self._columns("to_pandas", self._chosen(x)))

    def save(self, path: str | os.PathLike[str], *, x: ArrayLike | None = None) -> Path:
        """Write the result to a file: `.nc` (netCDF), `.mat` (MATLAB) or `.csv` (a table).

        `path` and errors are those of `Result.save`, places `x` (m) those of `to_xarray`.
        """
        return save_variables(
            path,
            lambda: self._chosen(x),
            self._attributes(),
            lambda asked: self._columns(asked, self._chosen(x)),
        )

    def _chosen(self, x: ArrayLike | None) -> tuple[Variable, ...]:
        if x is None:
            return tuple(self._variables())
        places = np.atleast_1d(checks.finite_array("x", x, unit="m"))
        if places.ndim != 1 or places.size == 0:
            raise InputError(f"x has shape {places.shape}; give one position or a list of positions, in m.")
        return tuple(self._variables_at(places))


def places_axis(x: np.ndarray) -> Variable:
    """The coordinate along the beam."""
    return axis("x", x, "m", "position along the beam")


def times_axis(t: np.ndarray) -> Variable:
    """The coordinate of time."""
    return axis("time", t, "s", "time")
