"""Variables as a file whose suffix says the format: netCDF, MATLAB (version 5) or CSV."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.outputs.atomic import write_atomic
from traction.outputs.netcdf import write_netcdf
from traction.outputs.tabular import TableColumn, write_csv
from traction.outputs.variable import Variable

MOST_BYTES = 2**31 - 1  #: of one variable in a file of version 5
SUFFIXES = {".nc": "netCDF", ".mat": "MATLAB", ".csv": "a table as text"}


def write_mat(path: Path, variables: Sequence[Variable], attributes: Mapping[str, str]) -> None:
    """Write a file that is either complete or not there.

    Dimensions are in the same order as in Python, a single dimension is a column, text a cell array; the
    structs `units`, `long_names` and `dimensions` have a field for each variable that has them, `attributes`
    says what the result is.
    """
    from scipy.io import savemat

    for one in variables:
        if one.values.nbytes > MOST_BYTES:
            raise InputError(
                f"{one.name} has {one.values.nbytes / 2**30:.3g} GiB, more than the 2 GiB that a .mat file "
                "holds; save as .nc, which MATLAB reads by ncread."
            )
    content: dict[str, object] = {one.name: _matlab(one.values) for one in variables}
    content |= {
        "units": {one.name: one.unit for one in variables if one.unit},
        "long_names": {one.name: one.long_name for one in variables},
        "dimensions": {one.name: ", ".join(one.dims) for one in variables if one.dims},
        "attributes": dict(attributes),
    }
    store = io.BytesIO()
    savemat(store, content, long_field_names=True, oned_as="column")
    write_atomic(path, store.getvalue())


def _matlab(values: np.ndarray) -> np.ndarray:
    return values.astype(object) if values.dtype.kind == "U" else values


def save_variables(
    path: str | os.PathLike[str],
    variables: Callable[[], Sequence[Variable]],
    attributes: Mapping[str, str],
    columns: Callable[[str], Sequence[TableColumn]],
) -> Path:
    """Write `variables`, or for CSV `columns`, which are asked for with what to call the request."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path = {path!r} must be the name of a file, such as 'result.nc'.")
    file = checks.path("path", path)
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        known = ", ".join(f"{one} ({words})" for one, words in SUFFIXES.items())
        raise InputError(f"path = {str(file)!r} must end in one of {known}: the suffix says the format.")
    if not file.parent.is_dir():
        raise InputError(f"path = {str(file)!r}: the folder {file.parent} does not exist; create it first.")
    if suffix == ".csv":
        write_csv(file, columns("CSV"))
    elif suffix == ".mat":
        write_mat(file, variables(), attributes)
    else:
        write_netcdf(file, variables(), attributes)
    return file
