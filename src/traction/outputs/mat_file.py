"""Variables as a MATLAB file (version 5), with their units and long names in two structs."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from traction.errors import InputError
from traction.outputs.atomic import write_atomic
from traction.outputs.variable import Variable

MOST_BYTES = 2**31 - 1  #: of one variable in a file of version 5


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
