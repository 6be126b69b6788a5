"""Variables as a file whose suffix says the format."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from traction import checks
from traction.errors import InputError
from traction.outputs.mat_file import write_mat
from traction.outputs.netcdf import write_netcdf
from traction.outputs.tabular import TableColumn, write_csv
from traction.outputs.variable import Variable

SUFFIXES = {".nc": "netCDF", ".mat": "MATLAB", ".csv": "a table as text"}


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
