"""Variables as netCDF, by h5netcdf; needs the extra `data`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from traction.errors import InputError
from traction.outputs.atomic import replace_file
from traction.outputs.extras import load_extra
from traction.outputs.hdf5_guard import PatientFile
from traction.outputs.variable import Variable, sizes_of
from traction.regular_files import open_regular

NetcdfFile = Any  #: h5netcdf, which has no types


def write_netcdf(path: Path, variables: Sequence[Variable], attributes: Mapping[str, str]) -> None:
    """Write a file that is either complete or not there; what was there before is replaced as a whole."""
    library = load_extra("h5netcdf")
    with replace_file(path) as temporary:
        target = PatientFile(temporary)
        with closing(target), library.File(target, "w") as file:
            file.dimensions = sizes_of(variables)
            file.attrs.update(attributes)
            for one in variables:
                values = one.values
                create_variable(file, one.name, one.dims, values.dtype, one.labels, data=values)


def create_variable(
    file: NetcdfFile,
    name: str,
    dims: tuple[str, ...],
    dtype: np.dtype,
    labels: Mapping[str, str],
    data: np.ndarray | None = None,
    **options: object,
) -> NetcdfFile:
    """A variable with its labels; netCDF has no booleans, but xarray reads them back as such."""
    truth, text = dtype == np.dtype(bool), dtype.kind == "U"
    kind = load_extra("h5py").string_dtype() if text else np.dtype(np.int8) if truth else dtype
    given = {} if data is None else {"data": storable(data)}
    variable = file.create_variable(name, dims, kind, **given, **options)
    variable.attrs.update({**labels, **({"dtype": "bool"} if truth else {})})
    return variable


def storable(values: np.ndarray) -> np.ndarray:
    """The same in a type that netCDF has."""
    if values.dtype.kind == "U":
        return values.astype(object)
    return values.astype(np.int8) if values.dtype == bool else values


def read_netcdf(path: Path) -> dict[str, np.ndarray]:
    """All variables of a file, by their names; texts as they were."""
    library = load_extra("h5netcdf")
    try:
        with open_regular(path) as source, library.File(source, "r") as file:
            return {name: _read_values(variable[...]) for name, variable in file.variables.items()}
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise InputError(f"{str(path)!r} cannot be read as netCDF: {error}.") from error


def _read_values(values: object) -> np.ndarray:
    """Numbers as they are, and texts, which HDF5 returns as objects, as such."""
    found = np.array(values)
    if found.dtype.kind == "O":
        plain = [one.decode() if isinstance(one, bytes) else str(one) for one in found.ravel()]
        return np.array(plain).reshape(found.shape)
    return np.array([found.item().decode()]).reshape(()) if found.dtype.kind == "S" else found
