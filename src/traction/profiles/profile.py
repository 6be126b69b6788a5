"""The cross-section of a wheel or rail."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.profiles.curation import curate, require_orientation
from traction.profiles.profile_curve import ProfileCurve, curve_through
from traction.profiles.profile_files import read_points, write_points
from traction.profiles.standard_shapes import HEAD_DEPTH, MM, SHAPES, SIDE_SLOPE, conical, hollow, rail_head

KINDS = ("wheel", "rail")
WIDTH = (-0.04, 0.04)  #: of profiles built from a cone or one arc, m
SHORTEST, LONGEST = 1e-4, 0.1  #: wavelengths of smoothing, m
STEEPEST = 0.5  #: of the slopes of built profiles


@dataclass(frozen=True, eq=False)
class Profile:
    """Cross-section of a wheel or rail, as a smooth curve through its points.

    Axes are those of a right wheel or rail seen from behind: y to the left, towards the flange or the gauge
    side, z upwards. The left ones are mirror images.

    Parameters
    ----------
    y, z
        Points of the profile, m, one after the other.
    kind
        "wheel" or "rail".
    smoothing
        Wavelength of which a smoothing spline keeps half the amplitude, m; 0 for a spline through all points.
        None, the default, for measured profiles: where noise of more than 0.1 um is found, it is smoothed by
        the longest wavelengths that agree with it.

    Attributes
    ----------
    curve
        The `ProfileCurve` along the arc, from the field side inwards.
    notes
        What was done to the points, as sentences.

    Raises
    ------
    InputError
        If the points do not make a curve, or the profile is upside down or has its flange on the field side.

    Examples
    --------
    >>> wheel = tr.Profile.standard("S1002")
    >>> print(f"flange {-1e3 * wheel.z.min():.1f} mm high")
    flange 28.0 mm high
    >>> y = np.linspace(-30e-3, 30e-3, 121)
    >>> rail = tr.Profile(y, -(y**2) / (2 * 0.3), kind="rail")
    >>> print(f"{rail.curve.length * 1e3:.1f} mm")
    60.1 mm
    """

    y: np.ndarray
    z: np.ndarray
    kind: str
    smoothing: float | None = None
    curve: ProfileCurve = field(init=False, repr=False)
    notes: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        kind = checks.choice("kind", self.kind, KINDS)
        clean = curate(self.y, self.z, _wavelength("smoothing", self.smoothing))
        require_orientation(clean.points, kind)
        self._keep(curve_through(clean.points, clean.corners), kind, clean.points, clean.notes)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        kind: str | None = None,
        mirror: bool = False,
        scale: float = 1.0,
        *,
        smoothing: float | None = None,
    ) -> Profile:
        """Return the profile of a file; `notes` says what was done to its points.

        Parameters
        ----------
        path
            Name of the file: `.prr` and `.prw` (Simpack, with its own shift, rotation, bounds, mirrors and
            unit), `.ban` and `.whl` (MiniProf), or text with y and z in two columns, in m or mm.
        kind
            "wheel" or "rail"; needed for text in columns only.
        mirror
            True where the file is that of a left wheel or rail.
        scale
            Factor of all lengths, after the unit of the file.
        smoothing
            As for `Profile`.

        Raises
        ------
        InputError
            If the file is not there, too large, or no profile.

        Examples
        --------
        >>> tr.Profile.standard("60E1").write("rail.prr")
        >>> tr.Profile.read("rail.prr").kind
        'rail'
        """
        wanted = None if kind is None else checks.choice("kind", kind, KINDS)
        factor = checks.positive("scale", scale)
        file = checks.path("path", path)
        found = read_points(file, wanted, checks.flag("mirror", mirror), factor)
        try:
            profile = cls(found.points[:, 0], found.points[:, 1], found.kind or "", smoothing)
        except InputError as error:
            raise InputError(f"{file}: {error}") from None
        checks.keep(profile, notes=found.notes + profile.notes)
        return profile

    @classmethod
    def standard(cls, name: str) -> Profile:
        """Return a profile of a standard, computed from its formula.

        Parameters
        ----------
        name
            "S1002" (wheel, EN 13715; y = 0 at the nominal rolling radius, flange back at 70 mm), "60E1" and
            "60E2" (heads of rails, EN 13674-1, upright, the top at the origin), or "UIC60-benchmark" (the
            rail of the Manchester benchmark: it differs from 60E1 by up to 0.04 mm and is **already
            inclined by 1:40**, as in its file).

        Examples
        --------
        >>> rail = tr.Profile.standard("60E1")
        >>> print(f"{np.ptp(rail.y) * 1e3:.1f} mm wide")
        74.3 mm wide
        """
        known = tuple(SHAPES)
        if not isinstance(name, str) or name not in known:
            close = checks.close_to(name, known) if isinstance(name, str) else ""
            hint = f' did you mean "{close}"?' if close else f" known are {', '.join(known)}."
            raise InputError(f"name = {checks.shown(name)} is no standard profile;{hint}")
        kind, shape = SHAPES[name]
        return cls._of_curve(shape(), kind)

    @classmethod
    def conical(cls, taper: float, *, between: tuple[float, float] = WIDTH) -> Profile:
        """Return a conical wheel without flange, whose radius grows by `taper` per metre towards the flange.

        Parameters
        ----------
        taper
            Tangent of the cone's half angle, such as 1/20 or 1/40.
        between
            Least and largest y, m; the radius is nominal at y = 0.

        Examples
        --------
        >>> print(tr.Profile.conical(1 / 20, between=(-0.04, 0.04)).z[0])
        0.002
        """
        slope = _slope("taper", taper)
        return cls._of_curve(conical(slope, _range("between", between)), "wheel")

    @classmethod
    def circular(
        cls, radius: float, kind: str, *, slope: float = 0.0, between: tuple[float, float] = WIDTH
    ) -> Profile:
        """Return a profile of one arc through the origin: the head of a rail, or a wheel worn hollow.

        Parameters
        ----------
        radius
            Radius R of the arc, m; its centre lies below. With a negative one the centre lies above.
        kind
            "wheel" or "rail".
        slope
            dz/dy at the origin; -1/20 for a wheel whose radius grows by 1/20 towards the flange.
        between
            Least and largest y, m.

        Examples
        --------
        >>> print(f"{tr.Profile.circular(0.3, 'rail').curve.curvature(0.04):.4f}")
        -3.3333
        """
        size = checks.real("radius", radius, "m")
        if not math.isfinite(size) or not 1e-3 <= abs(size) <= 1e4:
            raise InputError(f"radius = {size} m must have a size between 0.001 and 10000 m.")
        low, high = _range("between", between)
        tilt = _slope("slope", slope)
        sine = tilt / math.hypot(1.0, tilt)
        if max(abs(low), abs(high)) / abs(size) + abs(sine) > 0.99:
            raise InputError(
                f"between = ({low}, {high}) m must lie within the arc of radius {size} m; "
                "choose a narrower range."
            )
        return cls._of_curve(hollow(size, tilt, (low, high)), checks.choice("kind", kind, KINDS))

    @classmethod
    def rail_head(
        cls,
        radii: Sequence[float],
        widths: Sequence[float],
        *,
        side_slope: float = SIDE_SLOPE,
        depth: float = HEAD_DEPTH * MM,
    ) -> Profile:
        """Return a symmetric head of a rail: arcs tangent to each other, and inclined sides.

        Parameters
        ----------
        radii
            Radii from the top outwards, m, each smaller than the one before.
        widths
            Half widths at which the arcs meet, m; one fewer than radii.
        side_slope
            Outward inclination of the sides.
        depth
            Depth below the top to which the sides are followed, m.

        Examples
        --------
        >>> rail = tr.Profile.rail_head((0.3, 0.08, 0.013), (0.010228, 0.0260265))
        >>> print(f"{rail.z[0] * 1e3:.1f} mm")
        -37.5 mm
        """
        rounds = _lengths("radii", radii, "radii from the top outwards, in m")
        halves = _lengths("widths", widths, "the half widths where the arcs meet, in m, one fewer than radii")
        slope, deep = _slope("side_slope", side_slope), checks.positive("depth", depth, "m")
        _require_head(rounds, halves, deep)
        curve = rail_head(rounds, halves, slope, deep)
        if not (np.diff(curve.points[:, 0]) > 0.0).all() or float(np.ptp(curve.points[:, 0])) > 1.0:
            raise InputError(
                f"radii = {checks.shown(radii)}, widths = {checks.shown(widths)} and depth = {deep} m "
                "make no head: its sides must begin above the depth."
            )
        return cls._of_curve(curve, "rail")

    def mirrored(self) -> Profile:
        """Return the mirror image: y becomes -y. Wheels must keep their flange at the left."""
        return self._mapped(np.diag([-1.0, 1.0]), np.zeros(2))

    def scaled(self, factor: float) -> Profile:
        """Return the profile of which all lengths are multiplied by `factor`."""
        return self._mapped(checks.positive("factor", factor) * np.eye(2), np.zeros(2))

    def shifted(self, y: float = 0.0, z: float = 0.0) -> Profile:
        """Return the profile moved by `y` to the left and `z` upwards, m."""
        return self._mapped(np.eye(2), np.array([checks.finite("y", y, "m"), checks.finite("z", z, "m")]))

    def rotated(self, angle: float, center: tuple[float, float] = (0.0, 0.0)) -> Profile:
        """Return the profile turned by `angle` (rad, from y towards z) about `center` (y, z), m."""
        turn = checks.finite("angle", angle, "rad")
        if abs(turn) > 1.0:
            raise InputError(f"angle = {turn} rad must lie between -1 and 1; 1:40 is 0.025 rad.")
        about = np.array(checks.point("center", center))
        c, s = math.cos(turn), math.sin(turn)
        matrix = np.array([[c, -s], [s, c]])
        return self._mapped(matrix, about - matrix @ about)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the points to the file `path`, in the format that its ending says, as for `read`."""
        write_points(checks.path("path", path), np.stack([self.y, self.z], axis=-1), self.kind)

    def smoothed(self, wavelength: float) -> Profile:
        """Return the profile smoothed by a spline that halves waves of `wavelength` (m), and keeps long ones.

        Examples
        --------
        >>> rail = tr.Profile.standard("60E1")
        >>> y = np.linspace(-10e-3, 10e-3, 401)
        >>> wave = 1e-6 * np.sin(2 * np.pi * y / 2e-3)
        >>> wavy = tr.Profile(y, wave - y**2 / (2 * 0.3), "rail", smoothing=0)
        >>> left = wavy.smoothed(2e-3).z + y**2 / (2 * 0.3)
        >>> print(f"{1e6 * np.ptp(left[100:300]) / 2:.2f} um")
        0.50 um
        """
        return Profile(self.y, self.z, self.kind, checks.positive("wavelength", wavelength, "m"))

    def __repr__(self) -> str:
        low, high = 1e3 * float(self.y.min()), 1e3 * float(self.y.max())
        return f"Profile({self.kind!r}: {self.y.size} points, y from {low:.1f} to {high:.1f} mm)"

    def _mapped(self, matrix: np.ndarray, offset: np.ndarray) -> Profile:
        points = np.stack([self.y, self.z], axis=-1) @ matrix.T + offset
        if points[0, 0] > points[-1, 0]:
            points = points[::-1]
        require_orientation(points, self.kind)
        return self._of_curve(self.curve.mapped(matrix, offset), self.kind, points, self.notes)

    @classmethod
    def _of_curve(
        cls, curve: ProfileCurve, kind: str, points: np.ndarray | None = None, notes: tuple[str, ...] = ()
    ) -> Profile:
        """A profile of a curve that is known, such as one of formulas."""
        profile = object.__new__(cls)
        checks.keep(profile, smoothing=0.0)
        profile._keep(curve, kind, curve.points if points is None else points, notes)
        return profile

    def _keep(self, curve: ProfileCurve, kind: str, points: np.ndarray, notes: tuple[str, ...]) -> None:
        y, z = np.ascontiguousarray(points.T)
        for values in (y, z):
            values.flags.writeable = False
        checks.keep(self, y=y, z=z, kind=kind, curve=curve, notes=notes)


def _wavelength(name: str, value: object) -> float | None:
    number = None if value is None else checks.not_negative(name, value, "m")
    if number and not SHORTEST <= number <= LONGEST:
        raise InputError(
            f"{name} = {number} m must be 0, or a wavelength between {SHORTEST} and {LONGEST} m; 0.003 is "
            "usual."
        )
    return number


def _lengths(name: str, values: object, words: str) -> list[float]:
    found = enumerate(checks.items(name, values, words))
    return [checks.positive(f"{name}[{i}]", length, "m") for i, length in found]


def _slope(name: str, value: object) -> float:
    number = checks.finite(name, value)
    if abs(number) > STEEPEST:
        raise InputError(f"{name} = {number} must lie between -{STEEPEST} and {STEEPEST}; 1:20 is 0.05.")
    return number


def _range(name: str, value: object) -> tuple[float, float]:
    low, high = checks.point(name, value)
    if not 1e-3 <= high - low <= 1.0:
        raise InputError(f"{name} = ({low}, {high}) m must be two increasing positions, 0.001 to 1 m apart.")
    return low, high


def _require_head(radii: Sequence[float], widths: Sequence[float], depth: float) -> None:
    for name, sizes, most in (("radii", radii, 100.0), ("widths", widths, 0.5), ("depth", [depth], 0.5)):
        if max(sizes, default=0.0) > most:
            raise InputError(f"{name} = {max(sizes)} m must be at most {most} m; check the unit.")
    if not radii or len(widths) != len(radii) - 1:
        raise InputError(
            f"radii and widths have {len(radii)} and {len(widths)} numbers: arcs meet at one width "
            "fewer than there are radii."
        )
    center, least = 0.0, 0.0
    for (outer, inner), width in zip(pairwise(radii), widths, strict=True):
        if not inner < outer:
            raise InputError(f"radii must decrease from the top outwards; {inner} m follows {outer} m.")
        if not least < width < center + outer:
            raise InputError(
                f"width = {width} m must exceed {least} m and stay within the arc of radius {outer} m "
                f"about y = {center:.4g} m."
            )
        center, least = center + (outer - inner) * (width - center) / outer, width
