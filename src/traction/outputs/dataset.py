"""Variables as a labelled dataset; needs the extra `data`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from traction.outputs.extras import load_extra
from traction.outputs.variable import Variable

if TYPE_CHECKING:
    import xarray


def make_dataset(
    variables: Sequence[Variable], attributes: Mapping[str, str], coordinates: Sequence[str] = ()
) -> xarray.Dataset:
    """A dataset of copies of the values; further `coordinates` are named."""
    found = {one.name: (one.dims, one.values.copy(), one.labels) for one in variables}
    names = [one.name for one in variables if one.is_coordinate or one.name in coordinates]
    labels = {name: found.pop(name) for name in names}
    return load_extra("xarray").Dataset(found, labels, dict(attributes))
