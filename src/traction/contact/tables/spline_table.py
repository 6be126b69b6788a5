"""`SplineTable`: the numbers of a creep-force table, all that an evaluation in any language needs.

Cubic splines pass through node values of reduced creep forces, continued by the symmetries of rolling. Bodies
of one material have two symmetries. Mirrored in the plane y = 0, (x, -y, -w) has (F_x, -F_y, -M_z); reversed,
(-x, -y, -w) has the forces reversed. Together x alone turns F_x alone. Nodes with x, y >= 0 and w of both
signs therefore fill all of space. In polar coordinates the azimuth is periodic, and a meridian passes over
the pole to the azimuth + pi, so that the splines of both angles are periodic; what is stored is their part
over the stored range, and it is as smooth at its ends as inside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError

POLAR, BOX = "polar", "box"
ORDER = 4  #: functions of a cubic spline that are not zero at a place

#: what the compiled functions take: numbers, knots of log(a/b), coefficients of log C, knots, coefficients
PackedTable = tuple[np.ndarray, np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
TURN = np.array([-1.0, 1.0, 1.0])  #: of (F_x, F_y, M_z) where x turns
MIRROR = np.array([1.0, -1.0, -1.0])  #: where y and w turn
FEWEST = 4  #: nodes along an axis of a cubic spline
QUARTER = 0.5 * math.pi
#: first and last node of each coordinate
ENDS = {
    POLAR: ((0.0, 1.0), (0.0, QUARTER), (-QUARTER, QUARTER)),
    BOX: ((0.0, 2.0), (0.0, 2.0), (-2.0, 2.0)),
}
END_SLACK = 1e-4  #: by which nodes may end before; files of other programs have a finite number for infinity

Triple = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class SplineTable:
    """Cubic B-splines of reduced creep forces over three coordinates and log(a/b).

    With c = sqrt(a b) and the limit mu N, creepages are reduced to

        x = G c^2 C11 xi/(3 mu N),  y = G c^2 C22 eta/(3 mu N),  w = G c^3 Cs phi/(mu N)

    by Kalker's C11 and C22 and a scale of spin Cs, Kalker's C23 or another, and forces to F_x/(mu N),
    F_y/(mu N) and M_z/(mu N c). Stored are x, y >= 0 and w of both signs: F_x turns
    its sign with x alone; F_y and M_z turn theirs where y and w do.

    Polar coordinates are s = r/(r + radius) with r = |(x, y, w)|, the azimuth atan2(y, x), 0 to pi/2, and the
    latitude atan2(w, hypot(x, y)), -pi/2 to pi/2; the forces are s times the splines. Box coordinates are
    u(x), u(y) and u(w) with u = x for |x| <= 1 and sign(x) (2 - 1/|x|) beyond; the forces are the splines.
    """

    coordinates: str  #: "polar" or "box"
    radius: float  #: r at which s = 1/2; not used by "box"
    knots: tuple[np.ndarray, np.ndarray, np.ndarray]  #: of the three coordinates, n + 4 of n functions
    coefficients: np.ndarray  #: (n0, n1, n2, n3, 3): log(a/b), three coordinates, (F_x, F_y, M_z)
    ratios: np.ndarray  #: a/b of the nodes, (n0,), ascending
    ratio_knots: np.ndarray  #: of log(a/b), (n0 + 4,), or (0,) with one ratio
    scales: np.ndarray  #: B-spline coefficients of log C11, log C22, log Cs over log(a/b), (3, n0)
    shear_modulus: float  #: combined G, Pa
    poisson_ratio: float  #: combined nu
    slack: float = 1e-3  #: relative difference from the ratios that is allowed

    def __post_init__(self) -> None:
        _require_sound(self)
        for array in (*self.knots, self.coefficients, self.ratios, self.ratio_knots, self.scales):
            array.setflags(write=False)

    @property
    def limits(self) -> tuple[float, float]:
        """Least and largest a/b."""
        return float(self.ratios[0]) / (1.0 + self.slack), float(self.ratios[-1]) * (1.0 + self.slack)

    @cached_property
    def packed(self) -> PackedTable:
        """What the compiled functions take."""
        low, high = np.log(self.limits)
        kind = 0.0 if self.coordinates == POLAR else 1.0
        numbers = np.array([kind, self.radius, self.shear_modulus, low, high])
        first, second, third = self.knots
        return numbers, self.ratio_knots, self.scales, (first, second, third), self.coefficients

    def creepage_scales(self, a: ArrayLike, b: ArrayLike, load: ArrayLike, friction: ArrayLike) -> np.ndarray:
        """Creepages (xi, eta, phi) that x = 1, y = 1 and w = 1 stand for, (..., 3)."""
        from scipy.interpolate import BSpline

        along, across, pushed, mu = np.broadcast_arrays(
            *(np.asarray(one, dtype=float) for one in (a, b, load, friction))
        )
        c = np.sqrt(along * across)
        place = np.clip(np.log(along / across), *np.log(self.ratios[[0, -1]]))
        logs = [
            BSpline(self.ratio_knots, one, 3)(place) if self.ratio_knots.size else np.full(c.shape, one[0])
            for one in self.scales
        ]
        unit = mu * pushed / (self.shear_modulus * c * c)
        factors = (3.0, 3.0, 1.0 / c)
        return np.stack([f * unit / np.exp(log) for f, log in zip(factors, logs, strict=True)], axis=-1)


def _require_sound(table: SplineTable) -> None:
    """Shapes and order of knots have to be those that evaluations read without looking."""
    arrays = {
        "coefficients": table.coefficients, "ratios": table.ratios, "ratio_knots": table.ratio_knots,
        "scales": table.scales, **{f"knots[{k}]": one for k, one in enumerate(table.knots)},
    }  # fmt: skip
    for name, array in arrays.items():
        if array.dtype != np.float64 or not array.flags.c_contiguous or not np.isfinite(array).all():
            _refuse(f"{name} must be finite numbers of double precision")
    for name in ("radius", "shear_modulus"):
        if not 0.0 < getattr(table, name) < math.inf:
            _refuse(f"{name} = {getattr(table, name)} must be positive")
    if not -1.0 < table.poisson_ratio <= 0.5:
        _refuse(f"poisson_ratio = {table.poisson_ratio} must be above -1 and at most 0.5")
    if not 0.0 <= table.slack < 1.0:
        _refuse(f"slack = {table.slack} must be from 0 to below 1")
    shape, count = table.coefficients.shape, table.ratios.size
    if len(shape) != 5 or shape[0] != count or shape[-1] != 3:
        _refuse(f"coefficients has shape {shape}, expected ({count}, n1, n2, n3, 3)")
    if table.ratios.ndim != 1 or not count or table.ratios[0] <= 0.0 or (np.diff(table.ratios) <= 0.0).any():
        _refuse(f"ratios = {table.ratios} must be positive and ascend")
    if table.scales.shape != (3, count):
        _refuse(f"scales has shape {table.scales.shape}, expected (3, {count})")
    if count > 1:
        _require_knots("ratio_knots", table.ratio_knots, count)
    elif table.ratio_knots.size:
        _refuse("one ratio has no ratio_knots")
    for k, one in enumerate(table.knots):
        _require_knots(f"knots[{k}]", one, shape[1 + k])


def _require_knots(name: str, knots: np.ndarray, count: int) -> None:
    """Knots of so many cubic functions."""
    if count < ORDER or knots.shape != (count + ORDER,):
        _refuse(f"{name} has shape {knots.shape}, expected ({count + ORDER},) and at least {2 * ORDER} knots")
    if (np.diff(knots) < 0.0).any() or (np.diff(knots[ORDER - 1 : 1 - ORDER]) <= 0.0).any():
        _refuse(f"{name} must ascend")


def _refuse(fault: str) -> None:
    raise InputError(f"the splines of a creep table are not sound: {fault}; make the table anew.")


def fit_table(
    coordinates: str,
    nodes: tuple[ArrayLike, ArrayLike, ArrayLike],
    values: ArrayLike,
    *,
    ratios: ArrayLike,
    creep_coefficients: ArrayLike,
    shear_modulus: float,
    poisson_ratio: float,
    radius: float = 1.0,
) -> SplineTable:
    """Splines through values at nodes: the parameters are those of `CreepTable.from_nodes`.

    Nodes: polar, s from 0 to 1, azimuth from 0 to pi/2, latitude from -pi/2 to pi/2; box, u(x) and u(y) from
    0 to 2, u(w) from -2 to 2. The last one is symmetric about 0. Values in polar coordinates are over s.
    """
    checks.choice("coordinates", coordinates, (POLAR, BOX))
    places = _take_places(nodes)
    shapes, forces = (
        np.atleast_1d(checks.finite_array(name, one).copy())
        for name, one in (("ratios", ratios), ("values", values))
    )
    _check_nodes(coordinates, places, shapes, forces)
    scales = _take_scales(creep_coefficients, shapes.size)
    knots, coefficients = fit_ellipses(coordinates, places, forces)
    return join_ellipses(
        coordinates, knots, coefficients, shapes, scales,
        shear_modulus=checks.positive("shear_modulus", shear_modulus, "Pa"),
        poisson_ratio=checks.poisson_ratio("poisson_ratio", poisson_ratio),
        radius=checks.positive("radius", radius),
    )  # fmt: skip


def fit_ellipses(coordinates: str, nodes: Triple, values: np.ndarray) -> tuple[Triple, np.ndarray]:
    """Knots and coefficients over the coordinates, for each ellipse by itself, (n0, m1, m2, m3, 3)."""
    fit_three = _fit_polar if coordinates == POLAR else _fit_box
    return fit_three(nodes, symmetrised(coordinates, values))


def join_ellipses(
    coordinates: str,
    knots: Triple,
    coefficients: np.ndarray,
    ratios: np.ndarray,
    scales: np.ndarray,
    *,
    shear_modulus: float,
    poisson_ratio: float,
    radius: float,
) -> SplineTable:
    """Splines over the ratios too, from coefficients of each ellipse; scales: logarithms of C11, C22, Cs."""
    ratio_knots = np.zeros(0)
    if ratios.size > 1:
        ratio_knots, coefficients = fit_axis(np.log(ratios), coefficients, 0)
        _, scales = fit_axis(np.log(ratios), scales, 1)
    return SplineTable(
        coordinates=coordinates,
        radius=radius,
        knots=knots,
        coefficients=np.ascontiguousarray(coefficients),
        ratios=ratios,
        ratio_knots=ratio_knots,
        scales=np.ascontiguousarray(scales),
        shear_modulus=shear_modulus,
        poisson_ratio=poisson_ratio,
    )


def fit_axis(nodes: np.ndarray, values: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Knots and coefficients of the cubic spline along an axis; the nodes next to the ends are no knots."""
    from scipy.interpolate import make_interp_spline

    spline = make_interp_spline(nodes, values, k=3, axis=axis)
    return np.array(spline.t), np.moveaxis(spline.c, 0, axis)


def fit_circle(nodes: np.ndarray, values: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Knots and coefficients of the periodic cubic spline along an axis, whose last value is the first."""
    from scipy.interpolate import BSpline

    count, period = nodes.size - 1, nodes[-1] - nodes[0]
    knots = np.concatenate((nodes[-4:-1] - period, nodes, nodes[1:4] + period))
    matrix = BSpline.design_matrix(nodes[:-1], knots, 3).toarray()
    matrix[:, :3] += matrix[:, count:]  # the last three functions are the first, a period later
    given = np.moveaxis(values, axis, 0)[:-1]
    found = np.linalg.solve(matrix[:, :count], given.reshape(count, -1)).reshape(given.shape)
    return knots, np.moveaxis(np.concatenate((found, found[:3])), 0, axis)


def _cut(
    knots: np.ndarray, coefficients: np.ndarray, axis: int, ends: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """The part of a spline between two of its knots."""
    inside = knots[3:-3]
    low, high = (3 + int(np.argmin(np.abs(inside - end))) for end in ends)
    part = np.take(coefficients, np.arange(low - 3, high), axis=axis)
    return np.ascontiguousarray(knots[low - 3 : high + 4]), part


def _fit_polar(nodes: Triple, values: np.ndarray) -> tuple[Triple, np.ndarray]:
    """Knots and coefficients over polar coordinates."""
    s, azimuth, latitude = nodes
    forward = np.concatenate((azimuth, math.pi - azimuth[-2::-1]))  # 0 to pi
    circle = np.concatenate((forward - math.pi, forward[1:]))
    upper = latitude[latitude >= 0.0]
    climb = np.concatenate((upper, math.pi - upper[-2::-1]))  # over the pole and down to pi
    meridian = np.concatenate((-climb[::-1], climb[1:]))
    at_azimuth, at_latitude, signs = _reduce_angles(circle, meridian, azimuth, latitude)
    whole = values[:, :, at_azimuth, at_latitude, :] * signs
    quarter = 0.5 * math.pi
    third, c = fit_circle(meridian, whole, 3)
    third, c = _cut(third, c, 3, (-quarter, quarter))
    second, c = fit_circle(circle, c, 2)
    second, c = _cut(second, c, 2, (0.0, quarter))
    first, c = fit_axis(s, c, 1)
    return (first, second, third), c


def _reduce_angles(
    circle: np.ndarray, meridian: np.ndarray, azimuth: np.ndarray, latitude: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every azimuth and latitude of whole circles the numbers of the nodes, and signs of the forces."""
    turned, raised = np.meshgrid(circle, meridian, indexing="ij")
    behind = np.abs(raised) > 0.5 * math.pi * (1.0 + 1e-12)
    raised = np.where(behind, np.sign(raised) * math.pi - raised, raised)
    turned = np.where(behind, turned + math.pi, turned)
    turned = np.where(turned > math.pi * (1.0 + 1e-12), turned - 2.0 * math.pi, turned)
    mirrored = turned < 0.0
    turned, raised = np.abs(turned), np.where(mirrored, -raised, raised)
    backward = turned > 0.5 * math.pi * (1.0 + 1e-12)
    turned = np.where(backward, math.pi - turned, turned)
    signs = np.where(mirrored[..., None], MIRROR, 1.0) * np.where(backward[..., None], TURN, 1.0)
    return _nearest(azimuth, turned), _nearest(latitude, raised), signs


def _nearest(nodes: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Number of the nearest node of each place."""
    return np.abs(places[..., None] - nodes).argmin(axis=-1)


def _fit_box(nodes: Triple, values: np.ndarray) -> tuple[Triple, np.ndarray]:
    """Knots and coefficients over box coordinates."""
    ahead, aside, turned = nodes
    whole = np.concatenate((values[:, :0:-1] * TURN, values), axis=1)
    mirrored = whole[:, :, :0:-1, ::-1] * MIRROR
    whole = np.concatenate((mirrored, whole), axis=2)
    third, c = fit_axis(turned, whole, 3)
    second, c = fit_axis(np.concatenate((-aside[:0:-1], aside)), c, 2)
    second, c = _cut(second, c, 2, (0.0, 2.0))
    first, c = fit_axis(np.concatenate((-ahead[:0:-1], ahead)), c, 1)
    first, c = _cut(first, c, 1, (0.0, 2.0))
    return (first, second, third), c


def symmetrised(coordinates: str, values: np.ndarray) -> np.ndarray:
    """Values that keep the symmetries on the planes x = 0 and y = 0 and at the poles exactly."""
    kept = values.copy()
    if coordinates == POLAR:
        # one value for all azimuths, of which that of the other pole is the mirror image
        pole = 0.5 * (kept[:, :, :, -1] + kept[:, :, :, 0] * MIRROR).mean(axis=2, keepdims=True)
        kept[:, :, :, -1], kept[:, :, :, 0] = pole, pole * MIRROR
        kept[:, :, :, (0, -1), 0] = 0.0
        kept[:, :, -1, :, 0] = 0.0
    else:
        kept[:, 0, ..., 0] = 0.0
    on_plane = kept[:, :, 0]
    kept[:, :, 0] = 0.5 * (on_plane + on_plane[:, :, ::-1] * MIRROR)
    return kept


def _take_places(nodes: object) -> Triple:
    """Nodes of three coordinates."""
    given = checks.items("nodes", nodes, "three arrays, one for each coordinate")
    if len(given) != 3:
        raise InputError(f"nodes has {len(given)} arrays; it has three, one for each coordinate.")
    first, second, third = (checks.finite_array(f"nodes[{k}]", one).copy() for k, one in enumerate(given))
    return first, second, third


def _take_scales(creep_coefficients: ArrayLike, count: int) -> np.ndarray:
    """Logarithms of the coefficients, (3, count)."""
    found = checks.finite_array("creep_coefficients", creep_coefficients)
    if found.size != 3 * count or found.shape[0] != 3:
        raise InputError(f"creep_coefficients has shape {found.shape}, expected (3, {count}): C11, C22, Cs.")
    if (found <= 0.0).any():
        raise InputError(f"creep_coefficients: {float(found.min()):g} must be positive.")
    return np.log(found.reshape(3, count))


def _check_nodes(coordinates: str, nodes: Triple, ratios: np.ndarray, values: np.ndarray) -> None:
    """Nodes have to ascend over the whole range of each coordinate, and one value to belong to each."""
    asked = (ratios.size, *(one.size for one in nodes), 3)
    if values.shape != asked:
        raise InputError(f"values has shape {values.shape}; the nodes ask for {asked}.")
    if ratios.size in (2, 3) or min(one.size for one in nodes) < FEWEST:
        raise InputError(
            f"ratios and nodes: {asked[:-1]} values; give one ratio or at least {FEWEST} of each."
        )
    for name, one in zip(("ratios", "nodes[0]", "nodes[1]", "nodes[2]"), (ratios, *nodes), strict=True):
        if one.ndim != 1 or not (np.diff(one) > 0.0).all():
            raise InputError(f"{name} = {one} must ascend.")
    if ratios[0] <= 0.0:
        raise InputError(f"ratios: a/b = {ratios[0]:g} must be positive.")
    for k, (one, ends) in enumerate(zip(nodes, ENDS[coordinates], strict=True)):
        if np.abs(one[[0, -1]] - ends).max() > END_SLACK:
            raise InputError(
                f"nodes[{k}] is from {one[0]:.6g} to {one[-1]:.6g}; in {coordinates} coordinates it must be "
                f"from {ends[0]:.6g} to {ends[1]:.6g}."
            )
    if not np.allclose(nodes[2], -nodes[2][::-1], rtol=0.0, atol=1e-9) or nodes[2].size % 2 == 0:
        raise InputError(f"nodes[2] = {nodes[2]} must be symmetric about 0, with a node there.")
