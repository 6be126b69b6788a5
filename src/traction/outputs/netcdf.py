"""Variables as netCDF, by h5netcdf; needs the extra `data`.

HDF5 does not survive a disk that fills up: closing the file fails half-way, and the process crashes later.
With a `PatientFile` it finds that all went well, and the one who closes the file gets the error.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.errors import InputError
from traction.outputs.atomic import replace_file
from traction.outputs.dataset import load_extra
from traction.outputs.variable import Variable, sizes_of
from traction.regular_files import open_regular

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

NetcdfFile = Any  #: h5netcdf, which has no types


class PatientFile(io.FileIO):
    """A new file; `error` is the first failure."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "x+")
        self.error: OSError | None = None
        self._end = 0  # as far as HDF5 knows

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move, beyond the end too."""
        if whence == os.SEEK_END:
            offset, whence = self._end + offset, os.SEEK_SET
        return super().seek(offset, whence)

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read what there is; zeros stand for what could not be written."""
        view, place = memoryview(buffer).cast("B"), self.tell()
        view[:] = bytes(len(view))
        try:
            super().readinto(view)
        except OSError as error:
            self.error = self.error or error
        self.seek(place + len(view))
        return len(view)

    def write(self, data: ReadableBuffer) -> int:
        """Write, or remember why not."""
        rest, place = memoryview(data).cast("B"), self.tell()
        end = place + len(rest)
        try:
            while self.error is None and rest:
                rest = rest[super().write(rest) :]
        except OSError as error:
            self.error = error
        self._end = max(self._end, self.seek(end))
        return end - place

    def truncate(self, size: int | None = None) -> int:
        """Set the end."""
        self._end = self.tell() if size is None else size
        try:
            if self.error is None:
                super().truncate(self._end)
        except OSError as error:
            self.error = error
        return self._end

    def close(self) -> None:
        """Wait until all is on the disk, close, and raise what went wrong."""
        if self.closed:
            return
        try:
            try:
                os.fsync(self.fileno())
            finally:
                super().close()
        except OSError as error:
            self.error = self.error or error
        if self.error is not None:
            raise self.error


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
