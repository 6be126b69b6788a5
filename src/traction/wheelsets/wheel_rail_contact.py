"""`WheelRailContact` and `ContactPatch`: result of `tr.wheel_rail`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from traction import checks
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.simplified.fastsim import FastsimContact
from traction.contact.stick_slip.lagged_friction import describe_lag
from traction.errors import InputError, UndefinedError
from traction.materials import STEEL, Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, components, counter, data, figure, number
from traction.quantities import counted
from traction.status import Status
from traction.wheelsets.derivatives import ForceDerivatives
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.rail_memory import RailMemory
from traction.wheelsets.patches.rolling import TableForces
from traction.wheelsets.search.locus import NearMiss

FRAMES = ("track", "wheelset")
FLAT = 0.1  #: change of the rail's angle over a patch beyond which a plane is a rough model of it, rad
#: peak pressure over the effective modulus; with steel on steel 4.6 GPa, at which even hardened bearing
#: steels keep dents (static load ratings of ISO 76)
ELASTIC = 0.04
#: from x forward, y left, z up to x forward, y right, z down
TO_CONTACT = np.array([1.0, -1.0, -1.0])


@dataclass(frozen=True)
class WheelRailCertificate:
    """Errors of a wheel/rail solution, computed from it."""

    #: error of the given vertical force at the height found, relative; 0 where a height is given
    force_error: float
    #: distance of a patch's reference point from the mean of the overlap at the final height, m
    reference: float
    normal: float  #: largest error of the contact conditions of a patch
    tangential: float  #: largest error of the law of friction in a patch, over the largest bound

    def holds(self) -> bool:
        """Whether all errors are within their limits: 1e-4, 1e-5 m, and 1e-5 for both contacts.

        The height is found to a vertical force within 3e-5.
        """
        return bool(
            self.force_error <= 1e-4
            and self.reference <= 1e-5
            and self.normal <= 1e-5
            and self.tangential <= 1e-5
        )

    def __str__(self) -> str:
        return (
            f"vertical force {self.force_error:.1e}, reference point {self.reference:.1e} m, normal contact "
            f"{self.normal:.1e}, friction {self.tangential:.1e}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class ContactPatch(Result):
    """A contact patch of a wheel: place, creepages, normal and tangential contact.

    Axes are x forward, s along the surface of the rail to the left and n along its normal, into the wheel;
    forces act on the wheel. With ``convention="contact"``, numbers (not the fields of `normal` and
    `tangential`) are as CONTACT prints them: s to the right, n into the rail, creepages and forces of
    the rail.
    """

    side: str  #: "left" or "right"
    place: tuple[float, float]  #: y, z of the reference point in the turned rail profile, m
    wheel_place: tuple[float, float, float]  #: the same in the wheel: x, and y and z of its profile, m
    origin: tuple[float, float, float]  #: the same in the track, m
    angle: float  #: contact angle about x, rad
    creepage: tuple[float, float, float]  #: xi, eta (-) and spin phi (rad/m)
    speed: float  #: rolling speed to which they refer, m/s
    force: tuple[float, float, float]  #: normal, along x, along the surface; N
    moment: tuple[float, float, float]  #: about x, s and n through the reference point, N m
    turning: float  #: change of the rail's angle over the overlap, rad
    normal: NormalContact = field(repr=False)  #: pressure over the patch
    #: friction: solved, or by FASTSIM or a table
    tangential: TangentialContact | FastsimContact | TableForces = field(repr=False)

    @property
    def peak_pressure(self) -> float:
        """Largest contact pressure, Pa."""
        return self.normal.peak_pressure

    @property
    def traction(self) -> np.ndarray:
        """Tractions on the wheel over the grid of the patch, along x and s, Pa, (2, ny, nx).

        FASTSIM and tables have none on the grid.
        """
        if not isinstance(self.tangential, TangentialContact):
            raise UndefinedError('tractions over the grid need tangential="half-space".')
        return self.tangential.traction

    @property
    def elements(self) -> int:
        """Number of elements in contact."""
        return int(self.normal.contact.sum())

    def _headline(self) -> str:
        return f"{self.side} wheel, {counted(self.elements, 'element')} in contact"

    def _variables(self) -> Iterator[Variable]:
        grid, limit = self.normal.grid, self.tangential.friction * self.force[0]
        yield figure("place_y", self.place[0], "m", "lateral place on the rail")
        yield figure("angle", self.angle, "rad", "contact angle")
        yield figure("normal_force", self.force[0], "N", "normal force")
        yield figure("force_x", self.force[1], "N", "force along x", limit)
        yield figure("force_s", self.force[2], "N", "force along the surface", limit)
        yield figure("peak_pressure", self.peak_pressure, "Pa", "peak pressure")
        names = ("longitudinal", "lateral", "spin")
        words = ("longitudinal creepage xi", "lateral creepage eta", "spin phi")
        for name, value, unit, long_name in zip(
            names, self.creepage, ("1", "1", "rad/m"), words, strict=True
        ):
            yield number(name, value, unit, long_name)
        yield axis("x", grid.x, "m", "position along x")
        yield axis("y", grid.y, "m", "position along the surface")
        yield data("pressure", self.normal.pressure, "Pa", "contact pressure", "y", "x")
        if isinstance(self.tangential, TangentialContact):
            traction = self.tangential.traction
            yield components()
            yield data("traction", traction, "Pa", "traction on the wheel", "component", "y", "x")

    _rows, _drawn = ("y", "x"), "pressure"


@dataclass(frozen=True, eq=False, repr=False)
class WheelRailContact(Result):
    """Result of `tr.wheel_rail`: patches of one or both wheels, and their forces on the wheelset.

    Forces act on the wheelset, in x forward, y left, z up. With ``convention="contact"`` they act on the
    rails, in x forward, y right, z down.
    """

    _rows = ("patch",)

    side: str  #: "left", "right" or "both"
    convention: str  #: "traction" or "contact"
    y: float  #: lateral shift of the wheelset, m
    z: float  #: height of its centre, from where the nominal radius rolls on the rails' tops, m
    yaw: float  #: rad
    roll: float  #: rad
    pitch_rate: float  #: rad/s, given or that of pure rolling
    force: np.ndarray  #: sum over all patches in the axes of the track, N, (3,)
    moment: np.ndarray  #: about the origin of the track, N m, (3,)
    patches: tuple[ContactPatch, ...]  #: from right to left
    near_misses: tuple[NearMiss, ...]  #: where wheel and rail come close without touching
    status: Status  #: CONVERGED, or what went wrong
    message: str  #: the status with its numbers
    certificate: WheelRailCertificate  #: errors, computed from the solution
    radius: float  #: nominal radius of the wheels, m
    distance: float = 0.0  #: rolled since the steady position from which transient rolling began, m
    _differentiate: Callable[[], ForceDerivatives] | None = field(default=None, repr=False)
    _remember: Callable[[str], RailMemory] | None = field(default=None, repr=False)

    @property
    def ok(self) -> bool:
        """Whether the solution passed its certificate."""
        return self.status is Status.CONVERGED

    @property
    def notices(self) -> tuple[str, ...]:
        """Limits of validity that the result exceeds, as sentences."""
        found = []
        for patch in self.patches:
            where = f"the patch at y = {patch.place[0] * 1e3:.4g} mm of the {patch.side} rail"
            if patch.turning > FLAT:
                found.append(
                    f"{where} spans {patch.turning:.2f} rad of its profile; more than {FLAT} rad is "
                    "conformal contact, of which a planar patch is a rough model."
                )
            if excess := describe_excess(patch.peak_pressure, patch.normal.pair):
                found.append(f"{where} has a peak pressure of {excess}.")
            lag = patch.tangential.lag if isinstance(patch.tangential, TangentialContact) else 0.0
            if lag > 0.0:
                found.append(f"{where}: {describe_lag(lag)}.")
        return tuple(found)

    @cached_property
    def derivatives(self) -> ForceDerivatives:
        """Derivatives of total force and moment by y, z, yaw, roll and by all velocities.

        By position they are differences of solutions at the height found, by velocities they follow from the
        exact tangents of the patches.
        """
        if self._differentiate is None:
            raise AttributeError("derivatives are not available for this contact.")
        return self._differentiate()

    def remember(self, discretisation: str = "covered") -> RailMemory:
        """Return what the next step of transient rolling begins from: tractions on the rails.

        Parameters
        ----------
        discretisation
            Of the elements by which a steady result is solved again on the lattice of the rails.
        """
        if self._remember is None:
            raise InputError(
                "previous has lost its tractions on the rails; compute it again by tr.wheel_rail."
            )
        return self._remember(discretisation)

    def force_in(self, frame: str) -> np.ndarray:
        """Return the total force in the axes of a frame, N, (3,).

        Parameters
        ----------
        frame
            "track" or "wheelset", whose axes are turned by yaw and roll but not by pitch.
        """
        checks.choice("frame", frame, FRAMES)
        return self.force if frame == "track" else self._rotation.T @ self.force

    def moment_in(self, frame: str) -> np.ndarray:
        """Return the total moment in the axes of a frame and about its origin, N m, (3,).

        Parameters
        ----------
        frame
            "track", about the middle of the track at the height of the rails' tops, or "wheelset", about its
            centre.
        """
        checks.choice("frame", frame, FRAMES)
        if frame == "track":
            return self.moment
        up = 1.0 if self.convention == "traction" else -1.0
        center = np.array([0.0, self.y, self.z + up * self.radius])
        return self._rotation.T @ (self.moment - np.cross(center, self.force))

    @property
    def _rotation(self) -> np.ndarray:
        return Pose(self.y, self.z, self.yaw, self.roll).rotation

    def _headline(self) -> str:
        count, notice = len(self.patches), "; " + self.notices[0] if self.notices else ""
        return f"{self.side}, {count} patch{'' if count == 1 else 'es'}, {self.message}{notice}"

    def _variables(self) -> Iterator[Variable]:
        total = float(np.abs(self.force).max())
        yield figure("z", self.z, "m", "height of the wheelset")
        for name, value in zip("xyz", self.force, strict=True):
            yield figure(f"force_{name}", float(value), "N", f"force along {name}", total)
        for name, value, unit, words in (
            ("y", self.y, "m", "lateral shift"),
            ("yaw", self.yaw, "rad", "yaw"),
            ("roll", self.roll, "rad", "roll"),
            ("pitch_rate", self.pitch_rate, "rad/s", "pitch rate"),
        ):
            yield number(name, value, unit, words)
        yield counter("patch", len(self.patches), "patch")
        columns = {
            "place_y": ("m", "lateral place on the rail", [p.place[0] for p in self.patches]),
            "place_z": ("m", "height on the rail", [p.place[1] for p in self.patches]),
            "angle": ("rad", "contact angle", [p.angle for p in self.patches]),
            "longitudinal": ("1", "longitudinal creepage xi", [p.creepage[0] for p in self.patches]),
            "lateral": ("1", "lateral creepage eta", [p.creepage[1] for p in self.patches]),
            "spin": ("rad/m", "spin phi", [p.creepage[2] for p in self.patches]),
            "normal_force": ("N", "normal force", [p.force[0] for p in self.patches]),
            "patch_force_x": ("N", "force along x", [p.force[1] for p in self.patches]),
            "patch_force_s": ("N", "force along the surface", [p.force[2] for p in self.patches]),
            "peak_pressure": ("Pa", "peak pressure", [p.peak_pressure for p in self.patches]),
        }
        for name, (unit, words, values) in columns.items():
            yield data(name, np.array(values, dtype=float), unit, words, "patch")


def describe_excess(peak: float, pair: Pair) -> str:
    """A peak pressure for which elastic bodies are a rough model, and why; nothing where it is less."""
    limit = ELASTIC * pair.effective_modulus
    if peak <= limit:
        return ""
    reason = ""
    if pair == Pair(STEEL, STEEL):
        reason = ", at which even hardened bearing steel keeps dents and rail steel has long yielded"
    return (
        f"{peak / 1e9:.2g} GPa; elastic bodies are a rough model above {ELASTIC:g} of the effective modulus, "
        f"{limit / 1e9:.2g} GPa{reason}"
    )
