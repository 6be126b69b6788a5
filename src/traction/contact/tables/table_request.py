"""`creep_table`: creep forces at given combinations, or as a smooth table for all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.batch.batch import DEVICES, find_device
from traction.contact.friction.friction_input import Friction
from traction.contact.rolling.creep_forces import CreepForces, combine, roll_at_all
from traction.contact.tables.creep_table import CreepTable
from traction.contact.tables.making.adaptive_table import USUAL_ERROR, make_table
from traction.errors import InputError
from traction.friction_laws.layer import Layer
from traction.grid import Grid
from traction.materials import STEEL, Pair
from traction.outputs.progress import telling
from traction.surfaces import GapInput

RATIOS = (0.1, 10.0)  #: a/b that may be asked for: that of `tr.kalker_coefficients`
USUAL_RATIOS = (0.2, 5.0)  #: a/b of a table unless given: slender ellipses take most nodes
LEAST_ERROR, LARGEST_ERROR = 1e-3, 0.1  #: over mu N, that may be asked for
LEAST_RANGE = 1.05  #: of the largest a/b over the least


@overload
def creep_table(
    *,
    pair: Pair | None = None,
    ratios: ArrayLike | None = None,
    error: float = USUAL_ERROR,
    device: str = "cpu",
    progress: Callable[[int, int], None] | bool | None = None,
) -> CreepTable: ...


@overload
def creep_table(
    *,
    gap: GapInput,
    grid: Grid,
    friction: Friction,
    load: ArrayLike | None = None,
    approach: ArrayLike | None = None,
    longitudinal: ArrayLike | None = None,
    lateral: ArrayLike | None = None,
    spin: ArrayLike = 0.0,
    force_x: ArrayLike | None = None,
    force_y: ArrayLike | None = None,
    speed: float | None = None,
    layer: Layer | None = None,
    pair: Pair | None = None,
    direction: int = 1,
    discretisation: str = "covered",
    tol: float = 1e-6,
    progress: Callable[[int, int], None] | bool | None = None,
) -> CreepForces: ...


def creep_table(
    *,
    gap: GapInput | None = None,
    grid: Grid | None = None,
    friction: Friction | None = None,
    load: ArrayLike | None = None,
    approach: ArrayLike | None = None,
    longitudinal: ArrayLike | None = None,
    lateral: ArrayLike | None = None,
    spin: ArrayLike = 0.0,
    force_x: ArrayLike | None = None,
    force_y: ArrayLike | None = None,
    speed: float | None = None,
    layer: Layer | None = None,
    pair: Pair | None = None,
    direction: int = 1,
    discretisation: str = "covered",
    tol: float = 1e-6,
    ratios: ArrayLike | None = None,
    error: float = USUAL_ERROR,
    device: str = "cpu",
    progress: Callable[[int, int], None] | bool | None = None,
) -> CreepForces | CreepTable:
    """Compute creep forces as a smooth table for all ellipses, or at every combination of what is given.

    Without `gap` and `grid` the result is a `CreepTable`: forces of elliptical contacts of all sizes, loads
    and creepages, for models of motion. With them it is a `CreepForces`: one contact, at the combinations of
    the loads, creepages and forces given.

    Parameters
    ----------
    gap
        Undeformed distance: an array over the grid (m), a surface, or a function of x and y.
    grid
        Grid of the contact.
    friction
        Coefficient of friction mu, or a law of `tr.friction`.
    load, approach
        Normal loads (N, per metre for line contact), or approaches (m): one number or several of one of them.
    longitudinal, lateral
        Creepages xi and eta (-), one number or several; zero unless given.
    spin
        Spin phi, rad/m, one number or several.
    force_x, force_y
        Tangential forces on body 1 (N, per metre for line contact) in place of the creepage along x or y.
    speed, layer
        Speed of rolling (m/s), which a law needs, and a `tr.Layer` between the bodies.
    pair
        Materials of the two bodies; steel on steel unless given. A table for all ellipses is one for bodies
        of the same material.
    direction, discretisation, tol
        As in `tr.roll_steady`, for given combinations.
    ratios
        a/b of the ellipses of the table, a along the rolling direction: one number, or (least, largest), from
        0.1 to 10; 0.2 to 5 unless given.
    error
        Error of the table that is asked for, over mu N (moments: over mu N c, c = sqrt(a b)), against covered
        elements, 60 across the shorter axis; 0.001 to 0.1. `table.error` is the one that is stated.
    device
        "cpu" or "gpu", where the nodes of the table are solved.
    progress
        Function called with how much is done and its total; True, False and the default are those of
        `tr.simulate`.

    Returns
    -------
    CreepTable or CreepForces
        `CreepTable`: smooth forces with derivatives. `CreepForces`: forces, moments, dissipation and stick
        areas over loads, creepages and spins, as the scenario kind "creep-table" stores them; `to_xarray`,
        `to_pandas` and `save` take them elsewhere.

    Raises
    ------
    InputError
        If a list is empty, both a creepage and a force are given along one direction, arguments of both kinds
        are mixed, a ratio or error is out of range, or the materials for all ellipses are unlike.
    ConvergenceError
        If a combination or a node does not converge.

    Warns
    -----
    CoarseGridWarning
        If the error that was asked for is not reached.

    Notes
    -----
    A table for all ellipses has its nodes where its error asks for them. It is solved with covered elements
    in batches, and its error is measured in cells between nodes and at random creepages and ratios. It is an
    estimate from these samples, not a bound.

    At 0.5 % a circle takes 4,100 contacts and 11 s of one core, a/b = 3 7,100 and 26 s.
    The default, 0.2 to 5 at 0.5 %, takes 205,000 contacts and six minutes of one core; it has 509,000
    nodes, 51 MB as netCDF and 39 MB as C source, so make it once and `save` it. A smaller range or a larger
    error is quicker and smaller. Ranges up to a/b = 10 may end above 0.5 %, with a warning.
    ``progress=True`` shows how far a table is.

    Examples
    --------
    >>> grid = tr.Grid(16, 16, 1e-3, 1e-3)
    >>> wheel = tr.Paraboloid(0.46, 0.3)
    >>> table = tr.creep_table(gap=wheel, grid=grid, friction=0.3, load=1e5, longitudinal=[0.0, 1e-3, 3e-3])
    >>> table["force_x"].shape
    (1, 3, 1, 1)
    >>> print(f"{-table['force_x'][0, -1, 0, 0] / 1e3:.1f} kN")
    26.5 kN

    A table for all circles, with an error of at most 5 % of mu N:

    >>> table = tr.creep_table(ratios=1.0, error=0.05)
    >>> fx, fy, mz = table.forces((1e-3, 0.0, 0.0), a=5e-3, b=5e-3, load=80e3, friction=0.3)
    >>> print(f"{fx / 1e3:.0f} kN, {table.error < 0.05}")
    -8 kN, True
    """
    if gap is None and grid is None:
        given = {
            "friction": friction, "load": load, "approach": approach, "longitudinal": longitudinal,
            "lateral": lateral, "force_x": force_x, "force_y": force_y, "speed": speed, "layer": layer,
            "spin": _unless_usual(spin, 0.0), "direction": _unless_usual(direction, 1),
            "tol": _unless_usual(tol, 1e-6), "discretisation": _unless_usual(discretisation, "covered"),
        }  # fmt: skip
        _require_absent(
            given, "a table for all ellipses takes pair, ratios, error and device; give gap and grid"
        )
        return _make(pair, ratios, error, device, progress)
    if gap is None or grid is None or friction is None:
        raise InputError("give gap, grid and friction together, or none of them for a table of all ellipses.")
    given = {
        "ratios": ratios,
        "error": _unless_usual(error, USUAL_ERROR),
        "device": _unless_usual(device, "cpu"),
    }
    _require_absent(given, "it belongs to a table for all ellipses, made without gap and grid; give neither")
    axes = combine((load, approach), (longitudinal, force_x), (lateral, force_y), spin)
    options = {"direction": direction, "discretisation": discretisation, "tol": tol}
    options |= {"speed": speed, "layer": layer}
    bodies = Pair(STEEL, STEEL) if pair is None else pair
    return roll_at_all((gap, grid, bodies), friction, axes, options, progress)


def _unless_usual(value: object, usual: str | float) -> object:
    """The value, or None where it is its default."""
    return None if checks.equals(value, usual) else value


def _require_absent(given: Mapping[str, object], remedy: str) -> None:
    """What belongs to the other kind of table is refused."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name} = {checks.shown(value)} is not used: {remedy}.")


def _make(
    pair: Pair | None,
    ratios: ArrayLike | None,
    error: float,
    device: str,
    progress: Callable[[int, int], None] | bool | None,
) -> CreepTable:
    """A table for all ellipses of some ratios."""
    bodies = Pair(STEEL, STEEL) if pair is None else checks.instance("pair", pair, Pair)
    if bodies.mismatch != 0.0:
        raise InputError(
            f"pair has the mismatch {bodies.mismatch:.4g}: pressure then shifts the surfaces, and forces "
            "over mu N depend on the friction too, so that no table serves all; use tr.roll_steady, or "
            "bodies of one material."
        )
    shapes = _check_ratios(ratios)
    aim = checks.positive("error", error)
    if not LEAST_ERROR <= aim <= LARGEST_ERROR:
        raise InputError(
            f"error = {aim:g} must be {LEAST_ERROR:g} to {LARGEST_ERROR:g} of mu N: it is stated against 60 "
            "elements across, which have errors of their own."
        )
    find_device(checks.choice("device", device, DEVICES))
    with telling(progress, "creep table") as told:

        def report(reached: float) -> None:
            if told is not None:
                told(max(1, round(100.0 * min(1.0, aim / max(reached, 1e-9)))), 100)

        return make_table(shapes, bodies.poisson_ratio, bodies.shear_modulus, aim, device, report)


def _check_ratios(ratios: ArrayLike | None) -> tuple[float, ...]:
    """One a/b, or the least and the largest."""
    if ratios is None:
        return USUAL_RATIOS
    found = np.atleast_1d(checks.finite_array("ratios", ratios))
    if found.ndim != 1 or found.size not in (1, 2):
        raise InputError(f"ratios has shape {found.shape}; give one a/b, or two: (least, largest).")
    low, high = float(found[0]), float(found[-1])
    for value in (low, high):
        if not RATIOS[0] <= value <= RATIOS[1]:
            raise InputError(
                f"ratios: a/b = {value:g} must be {RATIOS[0]:g} to {RATIOS[1]:g}; of line contacts "
                "there is no table, use tr.carter or tr.roll_steady."
            )
    if low == high:
        return (low,)
    if math.log(high / low) < math.log(LEAST_RANGE):
        raise InputError(
            f"ratios = ({low:g}, {high:g}) must ascend by a factor of {LEAST_RANGE} or more; or give one."
        )
    return low, high
