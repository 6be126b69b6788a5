"""`CreepTable`: creep forces of elliptical contacts of any size and load, smooth and with derivatives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.tables.exports.table_exports import TableExports
from traction.contact.tables.kernels import table_forces as kernels
from traction.contact.tables.reduced_creepages import (
    find_cells,
    random_creepages,
    stored_side,
    table_coordinates,
)
from traction.contact.tables.spline_table import BOX, POLAR, SplineTable, fit_table
from traction.contact.tables.table_variables import (
    AXES,
    node_dims,
    node_variables,
    read_table,
    spline_variables,
)
from traction.contact.tables.theory_comparison import TheoryComparison, compare_theories
from traction.contact.tables.usetab_file import Usetab, read_usetab, take_nodes
from traction.errors import InputError
from traction.materials import STEEL, Material, Pair
from traction.outputs.result import Result
from traction.outputs.sketch import sketch
from traction.outputs.variable import Variable, axis, data, figure, number

MAY_BE_ZERO = ("load", "friction")


@dataclass(frozen=True, eq=False, repr=False)
class CreepTable(TableExports, Result):
    """Creep forces of elliptical contacts of all sizes and loads, smooth, with exact derivatives.

    Result of `tr.creep_table`. With c = sqrt(a b), the forces over mu N and the moment over mu N c depend on
    a/b, Poisson's ratio and

        x = G c^2 C11 xi/(3 mu N),  y = G c^2 C22 eta/(3 mu N),  w = G c^3 Cs phi/(mu N)

    alone, with Kalker's C11 and C22 and the scale of spin Cs = sqrt(b/a C11^2 + a/b C22^2)/3 (Kalker's C23 in
    tables of USETAB files). `splines` are cubic in bounded coordinates of x, y and w, from no creepage to
    full sliding, and in log(a/b).
    """

    splines: SplineTable  #: knots and coefficients
    nodes: tuple[np.ndarray, np.ndarray, np.ndarray]  #: of the three coordinates
    values: np.ndarray  #: reduced forces at the nodes, in polar coordinates over s, (n0, n1, n2, n3, 3)
    error: float  #: largest error that is stated, over mu N (moments: over mu N c); NaN where not known
    #: error that is stated between nodes, at all a/b, over mu N, (n1 - 1, n2 - 1, n3 - 1)
    error_map: np.ndarray | None = None
    cells: int = 0  #: elements across each axis of a circle; 0 where not known
    discretisation: str = "not known"  #: of the elements
    origin: str = "given nodes"  #: how values and error were found

    def __post_init__(self) -> None:
        for array in (*self.nodes, self.values, self.error_map):
            if array is not None:
                array.setflags(write=False)

    @classmethod
    def from_nodes(
        cls,
        coordinates: str,
        nodes: tuple[ArrayLike, ArrayLike, ArrayLike],
        values: ArrayLike,
        *,
        ratios: ArrayLike,
        creep_coefficients: ArrayLike,
        shear_modulus: float,
        poisson_ratio: float,
        radius: float = 1.0,
        origin: str = "given nodes",
    ) -> CreepTable:
        """Return the table through reduced forces at nodes of the coordinates.

        Parameters
        ----------
        coordinates
            "polar" or "box", as `SplineTable` defines them.
        nodes
            Ascending nodes of each coordinate, with x, y >= 0 and w of both signs.
        values
            F_x/(mu N), F_y/(mu N), M_z/(mu N c) at the nodes, (n0, n1, n2, n3, 3); in polar coordinates
            over s, with their limit at s = 0.
        ratios
            a/b, ascending, (n0,): one, or at least four.
        creep_coefficients
            C11, C22, Cs that reduce the creepages, (3, n0).
        shear_modulus
            Combined shear modulus G, Pa.
        poisson_ratio
            Combined Poisson ratio.
        radius
            r at which s = 1/2; polar coordinates.
        origin
            Where the values come from.

        Returns
        -------
        CreepTable
            The table; its error is not known.
        """
        splines = fit_table(
            coordinates, nodes, values, ratios=ratios, creep_coefficients=creep_coefficients,
            shear_modulus=shear_modulus, poisson_ratio=poisson_ratio, radius=radius,
        )  # fmt: skip
        first, second, third = (np.array(one, dtype=float) for one in nodes)
        return cls(splines, (first, second, third), np.array(values, dtype=float), np.nan, origin=origin)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> CreepTable:
        """Return the table of a netCDF file that `save` has written.

        Parameters
        ----------
        path
            Name of the file, which ends in .nc.

        Raises
        ------
        InputError
            If the file is not there or not that of a creep table.
        """
        splines, nodes, found = read_table(path)
        return cls(
            splines,
            nodes,
            found["values"],
            float(found["error"]),
            found.get("error_map"),
            cells=int(found["cells"]),
            discretisation=str(found["discretisation"]),
            origin=str(found["origin"]),
        )

    @classmethod
    def from_usetab(cls, path: str | os.PathLike[str], pair: Pair | None = None) -> CreepTable:
        """Return the table of a USETAB (TABCON) file; its error is not known.

        Parameters
        ----------
        path
            Name of the file.
        pair
            Materials, of which the combined shear modulus is used; by default steel on steel. The forces of
            such files are those of Poisson's ratio 0.28.

        Raises
        ------
        InputError
            If the file is not there or not a USETAB file.

        Examples
        --------
        >>> table = tr.CreepTable.from_usetab("tabcon")  # doctest: +SKIP
        """
        return table_of_usetab(read_usetab(path), pair, "a USETAB file")

    @property
    def ratios(self) -> np.ndarray:
        """a/b of the nodes, ascending."""
        return self.splines.ratios

    def forces(
        self, creepage: ArrayLike, a: ArrayLike, b: ArrayLike, load: ArrayLike, friction: ArrayLike
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (F_x, F_y, M_z) on body 1, N and N m; arrays broadcast.

        Parameters
        ----------
        creepage
            (xi, eta, phi): creepages (-) and spin (rad/m), (..., 3).
        a
            Semi-axis along the rolling direction, m.
        b
            Semi-axis across it, m.
        load
            Normal force N, N.
        friction
            Coefficient of friction mu.

        Raises
        ------
        InputError
            If a/b is outside the table, or a value is out of range.
        """
        found, _ = self._evaluate(creepage, a, b, load, friction)
        return found[..., 0], found[..., 1], found[..., 2]

    def jacobian(
        self, creepage: ArrayLike, a: ArrayLike, b: ArrayLike, load: ArrayLike, friction: ArrayLike
    ) -> np.ndarray:
        """Return the derivatives of (F_x, F_y, M_z) by (xi, eta, phi), N, N m and per rad/m, (..., 3, 3).

        They are the exact derivatives of `forces`, whose parameters `creepage`, `a`, `b`, `load` and
        `friction` it takes.
        """
        return self._evaluate(creepage, a, b, load, friction)[1]

    def _evaluate(self, *given: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        creepages, contacts, shape = self._check(*given)
        forces, jacobians = np.empty((len(creepages), 3)), np.empty((len(creepages), 3, 3))
        kernels.creep_forces_of_many(creepages, contacts, self.splines.packed, forces, jacobians)
        require_finite_forces(forces, creepages, contacts)
        return forces.reshape(*shape, 3), jacobians.reshape(*shape, 3, 3)

    def error_at(
        self, creepage: ArrayLike, a: ArrayLike, b: ArrayLike, load: ArrayLike, friction: ArrayLike
    ) -> np.ndarray:
        """Return the error that is stated near creepages, over mu N (moments: over mu N c).

        It takes `creepage`, `a`, `b`, `load` and `friction` as `forces` does. Without load or friction it
        is 0.

        Raises
        ------
        InputError
            If the error of the table is not known, as of one that was read from a file of another program.
        """
        creepages, contacts, shape = self._check(creepage, a, b, load, friction)
        if self.error_map is None:
            raise InputError(
                f"the error of this table is not known ({self.origin}); use tr.creep_table(...)."
            )
        carried = contacts[:, 2] * contacts[:, 3] > 0.0  # without load or friction forces are exactly zero
        reduced = stored_side(creepages[carried] / self.splines.creepage_scales(*contacts[carried].T))
        places = table_coordinates(self.splines.coordinates, reduced, self.splines.radius)
        errors = np.zeros(len(creepages))
        errors[carried] = self.error_map[find_cells(self.nodes, places)]
        return errors.reshape(shape)

    def compare(
        self, a: float, b: float, load: float, friction: float, *, creepage: ArrayLike | None = None
    ) -> TheoryComparison:
        """Return FASTSIM, FaStrip, Polach's formula and the linear theory beside the table, with errors.

        Parameters
        ----------
        a
            Semi-axis along the rolling direction, m.
        b
            Semi-axis across it, m.
        load
            Normal force N, N.
        friction
            Coefficient of friction mu.
        creepage
            (xi, eta, phi) of the cases, (K, 3); 200 random ones, from none to full sliding, unless given.

        Returns
        -------
        TheoryComparison
            Forces by each theory; `largest` and `rms` are their differences from the table, over mu N.
        """
        axes = checks.positive("a", a, "m"), checks.positive("b", b, "m")
        push, mu = checks.positive("load", load, "N"), checks.positive("friction", friction)
        if creepage is None:
            creepage = random_creepages(200, seed=0) * self.creepage_scales(*axes, push, mu)
        motions = np.atleast_2d(checks.finite_array("creepage", creepage))
        if motions.ndim != 2 or motions.shape[1] != 3 or not len(motions):
            raise InputError(f"creepage has shape {motions.shape}; it has rows of (xi, eta, spin).")
        found = np.stack(self.forces(motions, *axes, push, mu), axis=-1)
        material = Material.from_shear_modulus(self.splines.shear_modulus, self.splines.poisson_ratio)
        return compare_theories(motions, found, axes, push, mu, Pair(material, material))

    def creepage_scales(self, a: ArrayLike, b: ArrayLike, load: ArrayLike, friction: ArrayLike) -> np.ndarray:
        """Return the creepages (xi, eta, phi) that x = 1, y = 1 and w = 1 stand for, (..., 3).

        It takes `a`, `b`, `load` and `friction` as `forces` does.
        """
        _, contacts, shape = self._check((0.0, 0.0, 0.0), a, b, load, friction)
        return self.splines.creepage_scales(*contacts.T).reshape(*shape, 3)

    def _check(self, *given: ArrayLike) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
        """Rows of creepages (m, 3) and of (a, b, load, friction), (m, 4), and the shape of the result."""
        rows = check_rows(*given)
        require_ratio(self.splines, rows[1][:, 0] / rows[1][:, 1])
        return rows

    def _row_dims(self) -> tuple[str, ...]:
        return node_dims(self.splines)

    def _headline(self) -> str:
        low, high = self.ratios[0], self.ratios[-1]
        shapes = f"a/b = {low:.4g}" + (f" to {high:.4g}" if high > low else "")
        return f"{self.values[..., 0].size} nodes, {shapes}, Poisson's ratio {self.splines.poisson_ratio:.4g}"

    def _variables(self) -> Iterator[Variable]:
        splines = self.splines
        yield figure("error", self.error, "1", "stated error over mu N")
        yield figure("node_count", self.values[..., 0].size, "1", "nodes")
        yield number("shear_modulus", splines.shear_modulus, "Pa", "combined shear modulus")
        yield number("poisson_ratio", splines.poisson_ratio, "1", "combined Poisson ratio")
        yield number("radius", splines.radius, "1", "r at which the radial coordinate is 1/2")
        yield number(
            "slack", splines.slack, "1", "relative difference of a/b from the ratios that is allowed"
        )
        yield number("cells", self.cells, "1", "elements across each axis of a circle")
        yield Variable("coordinates", splines.coordinates, "", "coordinates of the table")
        yield Variable("discretisation", self.discretisation, "", "discretisation of the nodes")
        yield Variable("origin", self.origin, "", "how values and error were found")
        yield from node_variables(splines, self.nodes, self.values)
        yield from spline_variables(splines)
        if self.error_map is not None:
            words = "stated error between nodes, over mu N"
            over = tuple(f"interval_{k}" for k in (1, 2, 3))
            yield data("error_map", self.error_map, "1", words, *over)

    def _sketch(self) -> str:
        """Reduced forces over the first coordinate, where the others are in their middle."""
        name, unit, words = AXES[self.splines.coordinates][0]
        _, _, azimuths, latitudes, _ = self.values.shape
        curves = self.values[self.ratios.size // 2, :, azimuths // 2, latitudes // 2]
        if self.splines.coordinates == POLAR:
            curves = curves * self.nodes[0][:, None]
        shown = data("drawn", curves, "1", "forces over mu N", name, "curve")
        return sketch([axis(name, self.nodes[0], unit, words), shown], "drawn")


def table_of_usetab(content: Usetab, pair: Pair | None, origin: str) -> CreepTable:
    """The table through the forces of a USETAB file."""
    metals = Pair(STEEL, STEEL) if pair is None else checks.instance("pair", pair, Pair)
    found = take_nodes(content)
    table = CreepTable.from_nodes(BOX, **found, shear_modulus=metals.shear_modulus, origin=origin)
    return replace(table, cells=content.cells or 0)


def check_rows(
    creepage: ArrayLike, a: ArrayLike, b: ArrayLike, load: ArrayLike, friction: ArrayLike
) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Rows of creepages (m, 3) and of (a, b, load, friction), (m, 4), and their common shape."""
    motion = checks.finite_array("creepage", creepage)
    if motion.ndim == 0 or motion.shape[-1] != 3:
        raise InputError(f"creepage has shape {motion.shape}; its last axis is (xi, eta, spin).")
    given = ("a", a, " m"), ("b", b, " m"), ("load", load, " N"), ("friction", friction, "")
    sizes = [_check_sizes(*one) for one in given]
    try:
        shape = np.broadcast_shapes(motion.shape[:-1], *(one.shape for one in sizes))
    except ValueError as error:
        raise InputError(
            f"creepage {motion.shape} and a, b, load, friction {[one.shape for one in sizes]} do not "
            "broadcast to one shape."
        ) from error
    rows = np.broadcast_to(motion, (*shape, 3)).reshape(-1, 3)
    contacts = np.stack([np.broadcast_to(one, shape).ravel() for one in sizes], axis=1)
    return np.ascontiguousarray(rows), np.ascontiguousarray(contacts), shape


def _check_sizes(name: str, values: ArrayLike, unit: str) -> np.ndarray:
    """Finite numbers that are positive, or may be zero, in their own shape."""
    found = checks.finite_points(name, values, unit.strip())
    zero = name in MAY_BE_ZERO
    wrong = found < 0.0 if zero else found <= 0.0
    if wrong.any():
        limit = "zero or more" if zero else "positive"
        raise InputError(f"{name} = {float(found[wrong].flat[0])}{unit} must be {limit}.")
    if not zero and found.size and found.min() < checks.SMALLEST:  # a/b would overflow
        raise InputError(
            f"{name} = {float(found.min())}{unit} must be at least {checks.SMALLEST}; check the unit."
        )
    return found


def require_finite_forces(forces: np.ndarray, creepages: np.ndarray, contacts: np.ndarray) -> None:
    """Numbers of extreme sizes overflow in the reduced creepages."""
    wrong = ~np.isfinite(forces).all(axis=1)
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        a, b, load, friction = contacts[k].tolist()
        raise InputError(
            f"creepage = {creepages[k].tolist()} with a = {a:g} m, b = {b:g} m, load = {load:g} N and "
            f"friction = {friction:g}: the reduced creepage is beyond the range of numbers; check the units."
        )


def require_ratio(splines: SplineTable, ratio: np.ndarray) -> None:
    """All a/b have to be in the table."""
    low, high = splines.limits
    wrong = (ratio < low) | (ratio > high)
    if wrong.any():
        held = f"{splines.ratios[0]:.6g}"
        if splines.ratios.size > 1:
            held = f"from {held} to {splines.ratios[-1]:.6g}"
        raise InputError(
            f"a/b = {float(ratio[wrong][0]):.6g} is outside the table, whose a/b is {held}; "
            "make a table with ratios=(least, largest)."
        )
