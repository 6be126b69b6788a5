"""The content of a creep-force table as labelled variables, and a table from the file that holds them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from traction import checks
from traction.contact.tables.reduced_creepages import box_creepages, polar_creepages
from traction.contact.tables.spline_table import BOX, POLAR, SplineTable
from traction.errors import InputError
from traction.outputs.netcdf import read_netcdf
from traction.outputs.variable import Variable, axis, data

Triple = tuple[np.ndarray, np.ndarray, np.ndarray]

FORCES = {
    "force_x": "force along x over mu N",
    "force_y": "force along y over mu N",
    "moment": "moment over mu N c",
}
CREEPAGES = {"x": "longitudinal creepage x", "y": "lateral creepage y", "w": "spin w"}
#: names of the coordinates, with their units and meanings
AXES = {
    POLAR: (
        ("radial_coordinate", "1", "radial coordinate s = r/(r + radius) of reduced creepages"),
        ("azimuth", "rad", "azimuth atan2(y, x) of reduced creepages"),
        ("latitude", "rad", "latitude atan2(w, hypot(x, y)) of reduced creepages"),
    ),
    BOX: (
        ("box_x", "1", "box coordinate u of the reduced longitudinal creepage x"),
        ("box_y", "1", "box coordinate u of the reduced lateral creepage y"),
        ("box_w", "1", "box coordinate u of the reduced spin w"),
    ),
}


def node_dims(splines: SplineTable) -> tuple[str, ...]:
    """Dimensions of what is given at nodes."""
    return ("ratio", *(name for name, _, _ in AXES[splines.coordinates]))


def node_variables(splines: SplineTable, nodes: Triple, values: np.ndarray) -> Iterator[Variable]:
    """Coordinates, reduced creepages and reduced forces at the nodes."""
    dims, shape = node_dims(splines), values.shape[:-1]
    yield axis("ratio", splines.ratios, "1", "ratio a/b of the semi-axes")
    for (name, unit, words), places in zip(AXES[splines.coordinates], nodes, strict=True):
        yield axis(name, places, unit, words)
    s, azimuth, latitude = np.meshgrid(*nodes, indexing="ij")
    if splines.coordinates == POLAR:
        reduced = polar_creepages(s, azimuth, latitude, splines.radius)
    else:
        reduced = box_creepages(np.stack((s, azimuth, latitude), axis=-1))
    for k, (name, words) in enumerate(CREEPAGES.items()):
        yield data(f"reduced_{name}", np.broadcast_to(reduced[..., k], shape), "1", f"reduced {words}", *dims)
    factor = 1.0 if splines.coordinates == BOX else nodes[0][:, None, None]
    for k, (name, words) in enumerate(FORCES.items()):
        yield data(name, values[..., k] * factor, "1", words, *dims)
    yield axis("output", np.array(list(FORCES)), "", "force or moment")
    yield data("values", values, "1", "values of the splines at the nodes", *dims, "output")


def spline_variables(splines: SplineTable) -> Iterator[Variable]:
    """Knots and coefficients."""
    yield axis("scale", np.array(["C11", "C22", "Cs"]), "", "creep coefficient")
    yield data(
        "scales", splines.scales, "1", "B-spline coefficients of log C over log(a/b)", "scale", "ratio"
    )
    if splines.ratio_knots.size:
        yield data("ratio_knots", splines.ratio_knots, "1", "knots of log(a/b)", "ratio_knot")
    for k, knots in enumerate(splines.knots, 1):
        yield data(f"knots_{k}", knots, "1", f"knots of coordinate {k}", f"knot_{k}")
    over = ("ratio", "function_1", "function_2", "function_3", "output")
    yield data("coefficients", splines.coefficients, "1", "B-spline coefficients", *over)


def read_table(path: str | os.PathLike[str]) -> tuple[SplineTable, Triple, dict[str, np.ndarray]]:
    """Splines, nodes and all variables of a file."""
    file = checks.path("path", path)
    found = read_netcdf(file)
    remedy = "and is not the file of a creep table; write one with table.save('table.nc')."
    try:
        coordinates = str(found["coordinates"])
        first, second, third = (_read_array(found, name) for name, _, _ in AXES[coordinates])
        knots = _read_array(found, "knots_1"), _read_array(found, "knots_2"), _read_array(found, "knots_3")
        splines = SplineTable(
            coordinates=coordinates,
            knots=knots,
            coefficients=_read_array(found, "coefficients"),
            ratios=_read_array(found, "ratio"),
            ratio_knots=_read_array(found, "ratio_knots") if "ratio_knots" in found else np.zeros(0),
            scales=_read_array(found, "scales"),
            **{name: float(found[name]) for name in ("radius", "shear_modulus", "poisson_ratio", "slack")},
        )
        for name in ("discretisation", "origin"):
            found[name]
        float(found["error"]), int(found["cells"])
        found |= {name: _read_array(found, name) for name in ("values", "error_map") if name in found}
        _require_nodes(splines, (first, second, third), found["values"], found.get("error_map"))
    except KeyError as error:
        raise InputError(f"{str(file)!r} has no {error.args[0]!r} {remedy}") from error
    except (TypeError, ValueError) as error:
        raise InputError(f"{str(file)!r} is damaged ({error}) {remedy}") from error
    return splines, (first, second, third), found


def _read_array(found: dict[str, np.ndarray], name: str) -> np.ndarray:
    """Numbers of a file in the precision and order of this machine."""
    return np.ascontiguousarray(found[name], dtype=float)


def _require_nodes(
    splines: SplineTable, nodes: Triple, values: np.ndarray, error_map: np.ndarray | None
) -> None:
    """Values and errors have to be those of the nodes."""
    sizes = tuple(one.size for one in nodes)
    asked = (splines.ratios.size, *sizes, 3)
    if values.shape != asked:
        raise InputError(f"values has shape {values.shape}, expected {asked} of the nodes")
    if error_map is not None and error_map.shape != (asked := tuple(size - 1 for size in sizes)):
        raise InputError(f"error_map has shape {error_map.shape}, expected {asked} of the nodes")
