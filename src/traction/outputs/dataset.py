"""Variables as a labelled dataset, and packages of the extra `data`, which are installed where needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from traction.errors import InputError
from traction.outputs.variable import Variable

if TYPE_CHECKING:
    import xarray


def load_extra(name: str) -> Any:
    """A package of the extra `data`; where it is missing, an `InputError` says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(
            f"{name} is not installed; labelled data need it: pip install traction[data]"
        ) from error


def make_dataset(
    variables: Sequence[Variable], attributes: Mapping[str, str], coordinates: Sequence[str] = ()
) -> xarray.Dataset:
    """A dataset of copies of the values; further `coordinates` are named."""
    found = {one.name: (one.dims, one.values.copy(), one.labels) for one in variables}
    names = [one.name for one in variables if one.is_coordinate or one.name in coordinates]
    labels = {name: found.pop(name) for name in names}
    return load_extra("xarray").Dataset(found, labels, dict(attributes))
