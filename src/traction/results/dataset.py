"""The labelled dataset of a run, in memory (xarray) and as netCDF; needs the extra `data`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.errors import InputError
from traction.results.field import SAMPLE, Constant, Coordinate, Field, Layout, Samples
from traction.results.folder import RunFolder
from traction.results.memory import MemoryStore, Store
from traction.results.storage.atomic import replace_file
from traction.results.storage.file_names import DATA, hash_file
from traction.results.storage.hdf5_guard import PatientFile

if TYPE_CHECKING:
    import xarray

File = Any  #: h5netcdf, which has no types
CHUNK_BYTES = 1 << 20  #: of a stored variable: read and checked at once


def to_dataset(store: Store) -> xarray.Dataset:
    """All samples with their coordinates, units and long names.

    The samples come from the checked segments, not from `data.nc`; a damaged segment raises a `DamagedError`.
    """
    return build_dataset(store.layout, store.samples(), attributes_of(store))


def build_dataset(layout: Layout, samples: Samples, attributes: Mapping[str, str]) -> xarray.Dataset:
    """A dataset of `samples`."""
    xr = _load("xarray")
    variables: dict[str, Any] = {
        item.name: ((SAMPLE, *item.dims), samples[item.name], labels(item)) for item in layout.fields
    }
    for constant in layout.constants:
        variables[constant.name] = (constant.dims, constant.values.copy(), labels(constant))
    coordinates = {item.name: (item.name, item.values.copy(), labels(item)) for item in layout.coordinates}
    for item in layout.fields:
        if item.labels_samples:
            coordinates[item.name] = variables.pop(item.name)
    return xr.Dataset(variables, coordinates, dict(attributes))


def export_netcdf(folder: RunFolder) -> Path:
    """Write `data.nc` into the run folder, segment by segment, so that memory does not limit it.

    The file gets its name when it is complete and on the disk. Its variables carry checksums, which every
    netCDF reader checks, and the manifest stores that of the file.
    """
    library = _load("h5netcdf")
    path = folder.path / DATA
    count = folder.acknowledged
    with replace_file(path, remedy=folder.remedy) as temporary:
        target = PatientFile(temporary)
        with closing(target), library.File(target, "w") as file:
            _describe(file, folder, count)
            for first, samples in folder.blocks():
                if target.error is not None:  # `closing` raises it
                    break
                for name, values in samples.items():
                    file.variables[name][first : first + len(values), ...] = _storable(values)
        digest = hash_file(temporary)
    folder.note_export(DATA, digest)
    return path


def attributes_of(store: Store) -> dict[str, str]:
    """Global attributes of the dataset."""
    manifest = store.manifest
    if isinstance(store, MemoryStore):
        return {"kind": manifest.kind, "status": str(store.status), "message": manifest.message}
    seed = {} if manifest.seed is None else {"seed": str(manifest.seed)}
    versions = {f"{name}_version": version for name, version in sorted(manifest.versions.items())}
    return {
        "kind": manifest.kind,
        "scenario": manifest.scenario_name,
        "status": str(store.status),
        "message": manifest.message,
        "created": manifest.created,
        **seed,
        **versions,
    }


def labels(item: Field | Coordinate | Constant) -> dict[str, str]:
    """Unit and long name, as netCDF readers expect them."""
    return {"units": item.unit, "long_name": item.long_name}


def _describe(file: File, folder: RunFolder, count: int) -> None:
    """Dimensions, attributes, coordinates and constants, and storage for the fields."""
    layout = folder.layout
    file.dimensions = {SAMPLE: count or None, **{item.name: len(item.values) for item in layout.coordinates}}
    file.attrs.update(attributes_of(folder))
    for item in layout.coordinates:
        _create(file, item, (item.name,), item.values.dtype, data=_storable(item.values))
    for constant in layout.constants:
        _create(file, constant, constant.dims, constant.values.dtype, data=_storable(constant.values))
    names = [item.name for item in layout.fields if item.labels_samples]
    for field in layout.fields:
        options: dict[str, Any] = {}
        shape, dtype = layout.shapes[field.name], np.dtype(field.dtype)
        if count and all(shape):
            row = dtype.itemsize * int(np.prod(shape))
            options = {"chunks": (max(1, min(count, CHUNK_BYTES // row)), *shape), "fletcher32": True}
        variable = _create(file, field, (SAMPLE, *field.dims), dtype, **options)
        others = [name for name in names if name != field.name]
        if others and not field.labels_samples:
            variable.attrs["coordinates"] = " ".join(others)


def _create(
    file: File, item: Field | Coordinate | Constant, dims: tuple[str, ...], dtype: np.dtype, **options: Any
) -> File:
    """A variable with its labels; netCDF has no booleans, but xarray reads them back as such."""
    truth = dtype == np.dtype(bool)
    variable = file.create_variable(item.name, dims, np.dtype(np.int8) if truth else dtype, **options)
    variable.attrs.update({**labels(item), **({"dtype": "bool"} if truth else {})})
    return variable


def _storable(values: np.ndarray) -> np.ndarray:
    return values.astype(np.int8) if values.dtype == bool else values


def _load(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(
            f"{name} is not installed; labelled data need it: pip install traction[data]"
        ) from error
