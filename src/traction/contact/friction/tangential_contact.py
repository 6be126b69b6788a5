"""`TangentialContact`: tractions and slips of a contact with friction, and quantities derived from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_certificate import FrictionCertificate
from traction.contact.stick_slip.interface import Interface
from traction.contact.stick_slip.lagged_friction import AT_REST, Unrest
from traction.halfspace.half_space import HalfSpace
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, components, data, figure, number
from traction.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from traction.contact.friction.friction_input import Friction
    from traction.friction_laws.layer import Layer
    from traction.halfspace.subsurface import Stress


#: unit of rigid slip and slip, of the rigid rotation, of the dissipation and of its density, by the motion
UNITS = {
    "shift": ("m", "rad", "J", "J/m2"),
    "steady rolling": ("1", "rad/m", "J/m", "J/m3"),
    "rolling step": ("1", "rad/m", "J", "J/m2"),
}


SHIFTS = {
    "displacement_x": "shift along x",
    "displacement_y": "shift along y",
    "rotation": "rotation",
}
CREEPAGES = {
    "longitudinal": "longitudinal creepage xi",
    "lateral": "lateral creepage eta",
    "spin": "spin phi",
}
PER_LENGTH = {"J": "J/m", "J/m": "J/m2"}  #: of a line contact


@dataclass(frozen=True, eq=False)
class InterfaceState:
    """Law and layer between the bodies at the end of a step; fields over the grid, (ny, nx)."""

    interface: Interface
    coefficient: np.ndarray  #: that bounds tractions, without the factor of the place
    memory: np.ndarray  #: that particles remember: the same, unless friction lags behind its law
    yielding: np.ndarray  #: yield stress of the layer, Pa; infinite where it stays elastic
    flow: np.ndarray  #: plastic displacement of the layer, per distance rolled (-), of a shift in m
    unrest: Unrest = AT_REST  #: of steps of whole cells

    @property
    def friction(self) -> np.ndarray:
        """Coefficient of friction with the factor of the place."""
        factor = self.interface.factor
        return self.coefficient if factor is None else self.coefficient * factor


@dataclass(frozen=True, eq=False, repr=False)
class TangentialContact(Result):
    """Result of `tr.shift`, `tr.roll_steady`, `tr.roll`: tractions on body 1, slips of body 1 over body 2."""

    _rows, _drawn = ("y", "x"), "traction_size"

    normal: NormalContact  #: normal contact at the end of the step
    #: coefficient of friction mu; of a law that at rest, without factors of the place; of a field, and of
    #: coefficients along the track or by temperature, the largest; `coefficient` has those of the elements
    friction: float
    traction: np.ndarray  #: p_x, p_y, Pa, (2, ny, nx)
    slip: np.ndarray  #: per distance rolled (-), of a shift in m; (2, ny, nx), zero outside the contact
    #: mask of the elements that stick, (ny, nx); in transient rolling, of the cells of which most does
    stick: np.ndarray
    creepage: tuple[float, float, float]  #: xi, eta (-), phi (rad/m); of a shift dx, dy (m), rotation (rad)
    #: frictional work: J per metre rolled (`roll_steady`), J per step (`shift`, `roll`); per metre of length
    #: for line contact. In steady rolling of like bodies by covered elements it equals `wear_number`.
    dissipation: float
    status: Status  #: CONVERGED, or what went wrong
    message: str  #: the status with its numbers
    certificate: FrictionCertificate  #: errors of the friction law, computed from the solution
    iterations: int  #: Newton steps on the finest grid
    products: int = 0  #: half-space products on the finest grid
    residuals: tuple[float, ...] = ()  #: relative error per iteration
    seconds: float = 0.0  #: wall time
    motion: str = "rolling step"  #: "shift", "steady rolling" or "rolling step"; decides the units
    direction: int = 1  #: +1 or -1: steady rolling along x
    discretisation: str = "covered"  #: elements of steady rolling, "covered" or "classical"
    state: object = field(default=None, repr=False)  #: tractions on the material, for the next step
    interface: InterfaceState | None = field(default=None, repr=False)  #: law and layer, where there are
    #: fall of friction with the slip over what an element resists by; from 1 on solutions are not unique
    steepness: float = 0.0
    #: distance rolled by which friction lags behind its law, m; 0 where it follows at once
    lag: float = 0.0
    #: whether falling friction is known to have another solution; None where the search did not converge
    other_solutions: bool | None = False
    plastic_work: float = 0.0  #: part of the dissipation that is plastic flow of a layer; J, or J/m
    position: float = 0.0  #: of the contact along the track, m: of the origin of its coordinates
    #: of the hotter surface, by which friction was found, K, (ny, nx); None where it does not matter
    temperature: np.ndarray | None = field(default=None, repr=False)
    heat: object = field(default=None, repr=False)  #: heat that the surfaces carry, for the next step
    _tangent: Callable[[], np.ndarray] | None = field(default=None, repr=False)
    _approach_tangent: Callable[[], np.ndarray] | None = field(default=None, repr=False)
    _power: Callable[[], np.ndarray] | None = field(default=None, repr=False)
    _friction_change: Callable[..., np.ndarray] | None = field(default=None, repr=False)
    #: x at which the force of each element acts, m
    _arms: np.ndarray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for array in (self.traction, self.slip, self.stick):
            array.setflags(write=False)

    @property
    def ok(self) -> bool:
        """Whether the solution passed its certificate."""
        return self.status is Status.CONVERGED

    @property
    def bound(self) -> np.ndarray:
        """Traction bound g = mu p, or the yield stress of a layer if that is lower, Pa, (ny, nx)."""
        if self.interface is None:
            return self.friction * self.normal.pressure
        return np.minimum(self.coefficient * self.normal.pressure, self.interface.yielding)

    @property
    def coefficient(self) -> np.ndarray:
        """Coefficient of friction of each element, with its memory, (ny, nx)."""
        if self.interface is None:
            return np.full(self.normal.grid.shape, self.friction)
        return self.interface.friction

    @property
    def yielding(self) -> np.ndarray:
        """Mask of the elements whose layer flows plastically, (ny, nx)."""
        if self.interface is None:
            return np.zeros(self.normal.grid.shape, dtype=bool)
        return self.interface.flow > 0.0

    @property
    def sliding(self) -> np.ndarray:
        """Mask of the elements in contact that slip, (ny, nx); a layer that flows may take up all slip."""
        moving = self.normal.contact & ~self.stick
        if self.interface is None:
            return moving
        return moving & (~self.yielding | (np.hypot(*self.slip) > 1e-9 * self.interface.flow))

    @cached_property
    def force(self) -> tuple[float, float]:
        """Tangential force on body 1, (F_x, F_y), N; per metre for line contact."""
        total = self.traction.sum(axis=(1, 2)) * self.normal.grid.cell_area
        return float(total[0]), float(total[1])

    @cached_property
    def moment(self) -> float:
        """Moment of the tractions about z through the origin, M_z = integral of x p_y - y p_x, N m."""
        x, y = self.normal.grid.mesh()
        x = x if self._arms is None else self._arms  # where the forces of the elements act
        return float((x * self.traction[1] - y * self.traction[0]).sum()) * self.normal.grid.cell_area

    @property
    def wear_number(self) -> float:
        """T gamma = -(xi F_x + eta F_y + phi M_z), N: power of the rigid slip over the rolling speed."""
        (xi, eta, phi), (fx, fy) = self.creepage, self.force
        return -(xi * fx + eta * fy + phi * self.moment)

    @cached_property
    def power_density(self) -> np.ndarray:
        """Frictional work per area, (ny, nx), for maps of wear and heat; nowhere below 0.

        J/m2 per metre rolled (`roll_steady`): times the rolling speed, the frictional power in W/m2. J/m2
        per step (`shift`, `roll`). Its sum times the area of a cell is the dissipation, in steady rolling
        at 32 elements across within 5e-5, of unlike bodies within 1 %.
        """
        if self._power is None:
            raise AttributeError("power_density is not available for this contact.")
        density = self._power()
        density.setflags(write=False)
        return density

    def change_with(
        self, friction: Friction, *, speed: float | None = None, layer: Layer | None = None
    ) -> np.ndarray:
        """Return the change of (F_x, F_y, M_z) with friction to first order, for exact derivatives.

        `friction`, `speed` (m/s) and `layer` are near those of the result: with a parameter changed by h, the
        change over h is the derivative by it, creepages constant. For steady rolling and shifts of like
        bodies.
        """
        if self._friction_change is None:
            raise AttributeError("change_with is not available for this contact.")
        return self._friction_change(friction, speed, layer)

    @cached_property
    def tangent(self) -> np.ndarray:
        """Derivatives of (F_x, F_y, M_z) by (xi, eta, phi), (3, 3): exact, by linear solves.

        For bodies of different materials the pressure follows, at the same normal force.
        """
        if self._tangent is None:
            raise AttributeError("tangent is not available for this contact.")
        return self._tangent()

    @cached_property
    def approach_tangent(self) -> np.ndarray:
        """Derivatives of (F_x, F_y, M_z) by the approach, N/m and N, (3,), at constant creepages.

        By one linear solve. Like `tangent` they hold while no element changes between stick and slip. For
        bodies of different materials the approach is that of the final contact, `normal.approach`.
        """
        if self._approach_tangent is None:
            raise AttributeError("approach_tangent is not available for this contact.")
        return self._approach_tangent()

    def displacement(self) -> np.ndarray:
        """Return the tangential displacement difference u1 - u2 over the grid, m, (2, ny, nx)."""
        half_space = HalfSpace(self.normal.grid, self.normal.pair)
        loads = dict(zip("xyz", (*self.traction, self.normal.pressure), strict=True))
        if self.normal.pair.mismatch == 0.0:
            del loads["z"]  # bodies of one material are not drawn sideways against each other
        return np.array([sum(half_space.product(i, j, load) for j, load in loads.items()) for i in "xy"])

    def stress(self, points: ArrayLike, body: int = 2) -> Stress:
        """Return the stress under pressure and tractions inside one of the bodies.

        Parameters
        ----------
        points
            Coordinates (x, y, z), m, shape (..., 3); z >= 0 in body 1 and z <= 0 in body 2.
        body
            1 or 2.
        """
        from traction.halfspace.subsurface import subsurface_stress

        load = np.concatenate((self.traction, self.normal.pressure[None]))
        return subsurface_stress(points, self.normal.grid, load, self.normal.pair, body=body)

    def _headline(self) -> str:
        share = f"{int(self.stick.sum())} of {int(self.normal.contact.sum())} elements stick"
        return f"{self.motion}, {share}, {self.message}"

    def _variables(self) -> Iterator[Variable]:
        grid, (slip, turn, lost, density) = self.normal.grid, UNITS[self.motion]
        per, limit = "/m" if grid.is_line else "", self.friction * self.normal.force
        extent = self.normal.semi_axes[0]
        rigid = SHIFTS if self.motion == "shift" else CREEPAGES
        for name, value in zip("xy", self.force, strict=True):
            yield figure(f"force_{name}", value, f"N{per}", f"force along {name}", limit)
        yield figure("moment", self.moment, "N" if per else "N m", "spin moment", limit * extent)
        yield figure("normal_force", self.normal.force, f"N{per}", "normal force")
        xi, eta, phi = self.creepage
        moved = float(np.nanmax(np.abs([xi, eta, phi * extent, 0.0])))  # by all three, at the edge
        scales = (moved, moved, moved / extent if extent else 0.0)
        units = (slip, slip, turn)
        for k, (name, words) in enumerate(rigid.items()):
            if np.isnan(self.creepage[k]):  # not defined: a line grid without a length
                yield number(name, self.creepage[k], units[k], words)
            else:
                yield figure(name, self.creepage[k], units[k], words, scales[k])
        yield figure("dissipation", self.dissipation, PER_LENGTH[lost] if per else lost, "energy dissipated")
        share = float(self.stick.sum()) / max(1, int(self.normal.contact.sum()))
        yield number("stick_share", share, "1", "share of the contact that sticks")
        yield number("friction", self.friction, "1", "coefficient of friction")
        yield number("iterations", self.iterations, "1", "Newton steps on the finest grid")
        yield axis("x", grid.x, "m", "position along x")
        yield axis("y", grid.y, "m", "position along y")
        yield components()
        size = np.hypot(*self.traction)
        yield data("traction", self.traction, "Pa", "tangential traction on body 1", "component", "y", "x")
        yield data("slip", self.slip, slip, "slip of body 1 over body 2", "component", "y", "x")
        yield data("traction_size", size, "Pa", "size of the tangential traction", "y", "x")
        yield data("pressure", self.normal.pressure, "Pa", "contact pressure", "y", "x")
        yield data("stick", self.stick, "1", "elements that stick", "y", "x")
        if self.interface is not None:
            yield number(
                "plastic_work", self.plastic_work, lost, "part of it that is plastic flow of a layer"
            )
            yield number("steepness", self.steepness, "1", "fall of friction over resistance of an element")
            if self.motion == "rolling step" and self.interface.interface.law.may_lag:
                yield number("lag", self.lag, "m", "distance by which friction lags behind its law")
            yield data("coefficient", self.coefficient, "1", "coefficient of friction", "y", "x")
            yield data("flow", self.interface.flow, slip, "plastic flow of the layer", "y", "x")
        if self._power is not None:
            yield data("power_density", self.power_density, density, "frictional work per area", "y", "x")
