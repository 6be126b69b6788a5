"""The labelled dataset of a run, in memory (xarray) and as netCDF; needs the extra `data`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.outputs.atomic import has_unfinished, replace_file
from traction.outputs.dataset import load_extra, make_dataset
from traction.outputs.netcdf import NetcdfFile, PatientFile, create_variable, storable
from traction.outputs.variable import Variable
from traction.results.field import SAMPLE, Constant, Coordinate, Field, Layout, Samples
from traction.results.folder import RunFolder, missing_export
from traction.results.memory import MemoryStore, Store
from traction.results.storage.run_files import DATA, hash_file

if TYPE_CHECKING:
    import xarray

CHUNK_BYTES = 1 << 20  #: of a stored variable: read and checked at once


def to_dataset(store: Store) -> xarray.Dataset:
    """All samples with their coordinates, units and long names.

    The samples come from the checked segments, not from `data.nc`; a damaged segment raises a `DamagedError`.
    """
    return build_dataset(store.layout, store.samples(), attributes_of(store))


def build_dataset(layout: Layout, samples: Samples, attributes: Mapping[str, str]) -> xarray.Dataset:
    """A dataset of `samples`."""
    named = [item.name for item in layout.fields if item.labels_samples]
    return make_dataset(variables_of(layout, samples), attributes, named)


def variables_of(layout: Layout, samples: Samples) -> list[Variable]:
    """All that a run stores, as variables."""
    found = [
        Variable(item.name, samples[item.name], item.unit, item.long_name, (SAMPLE, *item.dims))
        for item in layout.fields
    ]
    found += [Variable(one.name, one.values, one.unit, one.long_name, one.dims) for one in layout.constants]
    return found + [
        Variable(one.name, one.values, one.unit, one.long_name, (one.name,)) for one in layout.coordinates
    ]


def export_netcdf(folder: RunFolder) -> Path:
    """Write `data.nc` into the run folder, segment by segment, so that memory does not limit it.

    The file gets its name when it is complete and on the disk. Its variables carry checksums, which every
    netCDF reader checks, and the manifest stores that of the file.
    """
    library = load_extra("h5netcdf")
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
                    file.variables[name][first : first + len(values), ...] = storable(values)
        digest = hash_file(temporary)
    folder.note_export(DATA, digest)
    return path


def restore_netcdf(folder: RunFolder) -> None:
    """Make `data.nc` of a complete run where it is missing, and clear what killed processes have left."""
    missing = has_netcdf() and missing_export(folder.path, DATA, folder.manifest.exports)
    if missing or has_unfinished(folder.path):
        with folder.lock():
            folder.clear_unfinished()
            if missing:
                export_netcdf(folder)


def has_netcdf() -> bool:
    """Whether `data.nc` can be written."""
    return all(find_spec(name) is not None for name in ("xarray", "h5netcdf"))


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


def _describe(file: NetcdfFile, folder: RunFolder, count: int) -> None:
    """Dimensions, attributes, coordinates and constants, and storage for the fields."""
    layout = folder.layout
    file.dimensions = {SAMPLE: count or None, **{item.name: len(item.values) for item in layout.coordinates}}
    file.attrs.update(attributes_of(folder))
    for item in layout.coordinates:
        create_variable(file, item.name, (item.name,), item.values.dtype, labels(item), item.values)
    for one in layout.constants:
        create_variable(file, one.name, one.dims, one.values.dtype, labels(one), one.values)
    names = [item.name for item in layout.fields if item.labels_samples]
    for field in layout.fields:
        options: dict[str, Any] = {}
        shape, dtype = layout.shapes[field.name], np.dtype(field.dtype)
        if count and all(shape):
            row = dtype.itemsize * int(np.prod(shape))
            options = {"chunks": (max(1, min(count, CHUNK_BYTES // row)), *shape), "fletcher32": True}
        dims = (SAMPLE, *field.dims)
        variable = create_variable(file, field.name, dims, dtype, labels(field), **options)
        others = [name for name in names if name != field.name]
        if others and not field.labels_samples:
            variable.attrs["coordinates"] = " ".join(others)
