"""`flash_temperature`: the temperature of two surfaces that roll or slide over each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.temperature.heat_sharing import ClassicalBodies, Two, TwoBodies
from traction.errors import InputError
from traction.grid import Grid
from traction.materials import Material, Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, counter, data, figure, number

EQUAL = "equal"
DISCRETISATIONS = ("exact", "classical")


@dataclass(frozen=True, eq=False, repr=False)
class FlashTemperature(Result):
    """Result of `tr.flash_temperature`: temperatures of the surfaces, and the heat that flows into each.

    As an array, ``np.asarray(result)``, it is the field `temperature`.
    """

    _rows, _drawn = ("y", "x"), "temperature"

    grid: Grid  #: elements of the fields
    speed: float  #: rolling speed V, m/s
    velocities: tuple[float, float]  #: of the surfaces of body 1 and 2 through the contact along x, m/s
    bulk: tuple[float, float]  #: temperature of body 1 and 2 far from the contact, K
    peclet: tuple[float, float]  #: Peclet numbers v a/(2 kappa) of body 1 and 2; 0 where one takes no heat
    power: np.ndarray  #: frictional power per area, W/m2, (ny, nx)
    flux: np.ndarray  #: heat flux into body 1 and 2, W/m2, (2, ny, nx)
    surfaces: np.ndarray  #: temperature of the surface of body 1 and 2, K, (2, ny, nx)
    contact: np.ndarray  #: elements in contact, (ny, nx)

    def __post_init__(self) -> None:
        for array in (self.power, self.flux, self.surfaces, self.contact):
            array.setflags(write=False)

    @property
    def temperature(self) -> np.ndarray:
        """Temperature of the hotter surface, K, (ny, nx); that of both in contact, if they share the heat."""
        return np.asarray(self.surfaces.max(axis=0))

    @property
    def largest(self) -> float:
        """Highest temperature inside the contact, K, as CONTACT prints it; NaN without contact.

        A body that is hotter by its bulk temperature may be hotter outside; `temperature` is the field.
        """
        inside = self.surfaces[:, self.contact]
        return float(inside.max()) if inside.size else float("nan")

    @property
    def share(self) -> float:
        """Heat that enters body 1 over all heat of friction; NaN without any."""
        total = float(self.power.sum())
        return float(self.flux[0].sum()) / total if total > 0.0 else float("nan")

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        """Return `temperature`, for functions of numpy."""
        return np.array(self.temperature, dtype=dtype)  # type: ignore[call-overload]

    def max(self, axis: int | None = None, out: None = None) -> np.ndarray | float:
        """Return the highest temperature, K, over the grid or along an `axis`, as numpy does (into `out`)."""
        found = self.temperature.max(axis=axis, out=out)
        return float(found) if axis is None else found

    def _headline(self) -> str:
        if not self.contact.any():
            return f"{self.speed:g} m/s, no contact"
        return f"{self.speed:g} m/s, highest temperature in the contact {self.largest:.4g} K"

    def _variables(self) -> Iterator[Variable]:
        yield figure("highest", self.largest, "K", "highest temperature in the contact")
        yield figure("heat", float(self.power.sum()) * self.grid.cell_area, "W", "frictional power")
        yield number("speed", self.speed, "m/s", "rolling speed")
        yield number("share", self.share, "1", "share of the heat that enters body 1")
        yield axis("x", self.grid.x, "m", "position along x")
        yield axis("y", self.grid.y, "m", "position along y")
        yield counter("body", 2, "number of the body")
        yield data("bulk", self.bulk, "K", "bulk temperature", "body")
        yield data("velocity", self.velocities, "m/s", "velocity through the contact", "body")
        yield data("peclet", self.peclet, "1", "Peclet number", "body")
        yield data("temperature", self.temperature, "K", "temperature of the hotter surface", "y", "x")
        yield data("surfaces", self.surfaces, "K", "temperature of the surface", "body", "y", "x")
        yield data("flux", self.flux, "W/m2", "heat flux into the body", "body", "y", "x")
        yield data("power", self.power, "W/m2", "frictional power per area", "y", "x")


def flash_temperature(
    t: TangentialContact,
    speed: float,
    materials: Pair | Material | Sequence[Material] | None = None,
    *,
    velocities: ArrayLike | None = None,
    bulk: ArrayLike = (0.0, 0.0),
    share: str | float = EQUAL,
    discretisation: str | None = None,
) -> FlashTemperature:
    """Compute the surface temperatures of a rolling or sliding contact by the heat of its friction.

    Parameters
    ----------
    t
        Steady rolling, the result of `tr.roll_steady`.
    speed
        Rolling speed V, m/s: that of the contact over body 2. The frictional power is `t.power_density`
        times V.
    materials
        Materials of body 1 and 2 with density, specific heat and conductivity: a pair, or one material for
        both; those of the contact by default.
    velocities
        Velocities (v1, v2) of the surfaces through the contact along x, m/s, in axes that move with it. By
        default v2 = -V in rolling along +x, and v1 = v2 + V xi: so creepage xi = 1 is the sliding of a body 1
        that does not turn.
    bulk
        Temperatures (B1, B2) of the bodies far away, K (or degrees Celsius: then all temperatures are).
    share
        "equal": the heat divides so that both surfaces are equally warm wherever they touch; or the part of
        it that enters body 1 everywhere, from 0 to 1.
    discretisation
        "exact": heat that is constant in each element, exactly integrated. "classical" reproduces CONTACT
        (Vollebregt), which conducts into the depth only, takes V for both bodies and counts the heat of the
        element itself twice: on its own grids that is some 10 % too hot. By default as `t` was computed.

    Returns
    -------
    FlashTemperature
        Temperatures and heat fluxes over the grid of the contact; `temperature` is the field, K.

    Raises
    ------
    InputError
        If a material has no thermal constants, `t` is not steady rolling, or a value is out of range.
    UndefinedError
        If a body of a line contact does not move through it, and so warms up without end.

    Notes
    -----
    Both bodies are half spaces, insulated outside the contact; see `tr.HeatedHalfSpace`. Lateral velocities
    and the variation of the velocity by spin are neglected beside V.

    The benchmark of Ertz and Knothe (2002, Wear 253), 100 kN on semi-axes of 5.88 and 10.54 mm, mu = 0.3 and
    1 m/s of slip at 30 m/s, steel of 7850 kg/m3, 450 J/(kg K) and 50 W/(m K), has the highest temperature
    166.8 K in CONTACT. ``discretisation="classical"`` returns it: 166.8 K for tractions of whole cells, the
    default for these, and 167.2 K for those of covered elements. It belongs to elements of 0.2 mm: with finer
    ones CONTACT's sum falls, to 152.6 K in the limit, as it counts the heat of each element twice there. The
    default for covered elements, "exact", returns 151.4 K on that grid.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> n = tr.press(tr.Paraboloid(0.46, 0.46), tr.Grid(24, 24, 0.6e-3, 0.6e-3), pair, force=80e3)
    >>> t = tr.roll_steady(n, 0.3, creepage=(-0.01, 0.0, 0.0))
    >>> hot = tr.flash_temperature(t, 30.0)
    >>> print(f"{hot.largest:.0f} K, {hot.share:.0%} of the heat enters body 1")
    63 K, 50% of the heat enters body 1
    """
    checks.instance("t", t, TangentialContact, "give the result of tr.roll_steady.")
    if t.motion != "steady rolling":
        raise InputError(
            f"t is a {t.motion}, whose heat is not steady. Give the result of tr.roll_steady; steps of "
            "tr.roll with friction by temperature have their own result.temperature."
        )
    V = checks.positive("speed", speed, "m/s", "it is that of the contact over body 2.")
    bodies = _check_materials(t.normal.pair if materials is None else materials)
    cold = checks.point("bulk", bulk, "K")
    part, own = _check_share(share), velocities is not None
    if discretisation is None:
        as_solved = t.discretisation == "classical" and part is None and not own
        discretisation = "classical" if as_solved else "exact"
    grid, touches, power, through = t.normal.grid, t.normal.contact, V * t.power_density, -t.direction * V
    if checks.choice("discretisation", discretisation, DISCRETISATIONS) == "classical":
        if part is not None or own:
            raise InputError('discretisation="classical" has its own share and velocities; omit them.')
        passing = through, through
        classical = ClassicalBodies(grid, bodies, V, t.direction, cold, touches)
        flux, surfaces = classical.share(power), classical.heat(power)
    else:
        passing = through + V * t.creepage[0], through
        if velocities is not None:
            passing = checks.point("velocities", velocities, "m/s")
        parts = None if part is None else (part, 1.0 - part)
        two = TwoBodies.moving(grid, bodies, passing, parts, cold, touches)
        flux = two.divide(power, parts)
        surfaces = two.heat(flux)
    first, second = (
        abs(v) * t.normal.semi_axes[0] / (2.0 * material.diffusivity) if heat.any() else 0.0
        for material, v, heat in zip(bodies, passing, flux, strict=True)
    )
    return FlashTemperature(grid, V, passing, cold, (first, second), power, flux, surfaces, touches.copy())


def _check_share(share: object) -> float | None:
    """The part of body 1, or none: equal temperatures."""
    if isinstance(share, str):
        checks.choice("share", share, (EQUAL,))
        return None
    part = checks.finite("share", share)
    if not 0.0 <= part <= 1.0:
        raise InputError(f"share = {part} must lie between 0 and 1: the part of the heat that enters body 1.")
    return part


def _check_materials(materials: object) -> Two[Material]:
    if isinstance(materials, Pair):
        return materials.upper, materials.lower
    if isinstance(materials, Material):
        return materials, materials
    upper, lower = checks.pair("materials", materials, "a tr.Pair, a tr.Material or two of them")
    return checks.instance("materials[0]", upper, Material), checks.instance("materials[1]", lower, Material)
