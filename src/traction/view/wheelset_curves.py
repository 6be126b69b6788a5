"""Figures of wheels and rails: profiles in place, contact functions, kinematic waves, maps of forces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.profiles.profile import Profile
from traction.quantities import Unit, quantity
from traction.view.arguments import figure
from traction.view.chart import Chart
from traction.view.figures import BLUE, DARK, GREY, ORANGE
from traction.wheelsets.force_map import ForceMap
from traction.wheelsets.geometry.pose import SIGNS, Pose
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.kinematics.contact_functions import ContactFunctions
from traction.wheelsets.kinematics.kinematic_wave import KinematicWave
from traction.wheelsets.wheel_rail_contact import WheelRailContact

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MILLIMETRES, METRES, MILLIRADIANS = Unit("mm", 1e-3), Unit("m", 1.0), Unit("mrad", 1e-3)
KILONEWTONS = Unit("kN", 1e3)
TALLEST = 0.16  #: of the pressure, over the width of the figure
ROOM = 0.25  #: around the patches, over the width of the figure
STEEPEST = 0.5  #: sine of the angle around the axle, up to which points belong to the outline
NARROWEST = 20e-3  #: width of a figure, m
#: quantity: unit, label, title, and its curves with their names
SHOWN = {
    "radius_difference": (
        MILLIMETRES,
        "Δr = r_left - r_right",
        "Rolling radius difference",
        (("radius_difference", ""),),
    ),
    "angles": (
        MILLIRADIANS,
        "contact angle",
        "Contact angles",
        (("left_angle", "left"), ("right_angle", "right")),
    ),
    "roll": (MILLIRADIANS, "roll angle", "Roll angle", (("roll", ""),)),
    "height": (MILLIMETRES, "height z", "Height of the wheelset", (("z", ""),)),
    "places": (
        MILLIMETRES,
        "y in the wheel's profile",
        "Contact on the wheels",
        (("left_wheel", "left"), ("right_wheel", "right")),
    ),
}
COMPONENTS = {"x": 0, "y": 1, "z": 2}
MOST_CURVES = 5  #: of different yaw angles in one figure


class PlacedPatch(NamedTuple):
    """A patch on its rail: reference point in the track, contact angle, and the largest pressure along s."""

    side: str
    y: float  #: m
    z: float  #: m
    angle: float  #: rad
    s: np.ndarray  #: along the surface, from the reference point, m
    pressure: np.ndarray  #: largest along x, Pa


@figure
def profile_plot(
    profiles: Profile | Sequence[Profile],
    ax: Axes | None = None,
    *,
    labels: Sequence[str] | None = None,
    title: str | None = None,
) -> Axes:
    """Plot cross-sections of wheels or rails.

    Parameters
    ----------
    profiles
        A `tr.Profile`, or several.
    labels
        Names for the legend, one for each.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If there is no profile, or not one label for each.

    Examples
    --------
    >>> ax = tr.view.profile_plot(tr.Profile.standard("S1002"))
    >>> ax.get_ylabel()
    'z, upwards (mm)'
    """
    several = [profiles] if isinstance(profiles, Profile) else list(profiles)
    named = 0 if labels is None else len(labels)
    if not several or (labels is not None and named != len(several)):
        raise InputError(
            f"{len(several)} profiles and {named} labels: give at least one profile, and a label for each."
        )
    chart = Chart(ax, MILLIMETRES, MILLIMETRES)
    for k, profile in enumerate(several):
        y, z = profile.curve.position(np.linspace(0.0, profile.curve.length, 2001))
        style = {"color": (BLUE, ORANGE, DARK, GREY)[k % 4], "lw": 1.8 if k == 0 else 1.3}
        chart.plot(y, z, **({"label": labels[k]} if labels is not None else {}), **style)
    if labels is not None:
        chart.legend()
    names = {profile.kind for profile in several}
    default = f"Profile of a {several[0].kind}" if len(names) == 1 else "Profiles"
    axes = chart.finish("y, towards the flange or gauge side", "z, upwards", title, default)
    axes.set_aspect("equal", adjustable="datalim")
    return axes


@figure
def wheel_rail_plot(
    wheelset: Wheelset,
    track: Track,
    contact: WheelRailContact,
    ax: Axes | None = None,
    *,
    side: str | None = None,
    title: str | None = None,
) -> Axes:
    """Plot wheel and rail where they touch, with the pressure of each patch on the rail.

    Parameters
    ----------
    wheelset, track
        As given to `tr.wheel_rail`.
    contact
        Its result, with ``convention="traction"``.
    side
        "left" or "right"; by default the side that was computed, or the left one of both.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If that side was not computed, or the result has the convention of CONTACT.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> c = tr.wheel_rail(wheelset, track, side="left", y=3e-3, force=50e3, dx=0.5e-3, dy=0.5e-3)
    >>> ax = tr.view.wheel_rail_plot(wheelset, track, c)
    >>> ax.get_xlabel()
    'y in the track, to the left (mm)'
    """
    if contact.convention != "traction":
        raise InputError('contact has convention="contact"; draw a result with convention="traction".')
    chosen = side or ("left" if contact.side == "both" else contact.side)
    if chosen not in ("left", "right") or contact.side not in (chosen, "both"):
        raise InputError(
            f"side = {side!r} must be 'left' or 'right', and among those computed: {contact.side}."
        )
    patches = [
        PlacedPatch(
            patch.side,
            *patch.origin[1:],
            patch.angle,
            patch.normal.grid.y,
            patch.normal.pressure.max(axis=1),
        )
        for patch in contact.patches
        if patch.side == chosen
    ]
    pose = Pose(contact.y, contact.z, contact.yaw, contact.roll)
    return draw_placed(wheelset, track, pose, chosen, patches, ax, title)


def draw_placed(
    wheelset: Wheelset,
    track: Track,
    pose: Pose,
    side: str,
    patches: Sequence[PlacedPatch],
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Wheel and rail of a side, seen along the track, and the pressure of its patches."""
    chart = Chart(ax, MILLIMETRES, MILLIMETRES)
    sign = SIGNS[side]
    placed = track.placed_rail(side)
    rail = placed.nodes
    head = np.array([sign, 1.0])[:, None] * rail[1:3, placed.head[0] : placed.head[1] + 1]
    low, high = _window(patches, sign * rail[1])
    chart.plot(sign * rail[1], rail[2], color=DARK, lw=1.8, label="rail")
    chart.plot(*_silhouette(wheelset, pose, side), color=BLUE, lw=1.8, label="wheel")
    peak = max((float(patch.pressure.max()) for patch in patches), default=1.0)
    for k, patch in enumerate(patches):
        label = f"pressure, at most {quantity(peak, 'Pa')}" if k == 0 else "_"
        _draw_pressure(chart, patch, head, TALLEST * (high - low) / peak, label)
    chart.limit_x(low, high)
    middle = float(np.mean([patch.z for patch in patches])) if patches else 0.0
    half = 0.5 * 0.62 * (high - low)
    chart.ax.set_ylim(*chart.y.of([middle - half, middle + half]).tolist())
    chart.ax.set_aspect("equal")
    chart.legend()
    default = f"{side.capitalize()} wheel on its rail, shifted by {1e3 * pose.y:.3g} mm"
    return chart.finish("y in the track, to the left", "z, upwards", title, default)


def _silhouette(wheelset: Wheelset, pose: Pose, side: str) -> tuple[np.ndarray, np.ndarray]:
    """Outline of a wheel seen along the track, y and z in m: of each circle the point that can touch."""
    _, y, z, ty, tz = wheelset.wheel_nodes(side)
    seen = pose.seen_from(side)
    turn = seen.rotation
    with np.errstate(divide="ignore", invalid="ignore"):
        sine = -turn[0, 1] * tz / (turn[0, 0] * ty)
    sine = np.where((ty > 0.0) & (np.abs(sine) < STEEPEST), sine, np.nan)  # others are not seen from below
    radius, across = wheelset.radius - z, y + wheelset.offset
    places = np.stack([radius * sine, across, -radius * np.sqrt(1.0 - sine**2)])
    _, at, up = turn @ places + seen.center(wheelset.radius)[:, None]
    return SIGNS[side] * at, up


def _window(patches: Sequence[PlacedPatch], rail: np.ndarray) -> tuple[float, float]:
    """Lateral range that shows all patches, m."""
    if not patches:
        return float(rail.min()), float(rail.max())
    ends = [patch.y + math.cos(patch.angle) * end for patch in patches for end in (patch.s[0], patch.s[-1])]
    middle, width = 0.5 * (min(ends) + max(ends)), max(ends) - min(ends)
    half = 0.5 * max(NARROWEST, width / (1.0 - 2.0 * ROOM))
    return middle - half, middle + half


def _draw_pressure(chart: Chart, patch: PlacedPatch, rail: np.ndarray, scale: float, label: str) -> None:
    """Pressure as a height along the normal, over the surface of the rail; parts of a patch apart."""
    pressed = np.flatnonzero(patch.pressure > 0.0)
    c, s = math.cos(patch.angle), math.sin(patch.angle)
    order = np.argsort(rail[0])
    for k, part in enumerate(np.split(pressed, np.flatnonzero(np.diff(pressed) > 1) + 1)):
        foot_y = patch.y + c * patch.s[part]
        foot_z = np.interp(foot_y, rail[0, order], rail[1, order])
        high = scale * patch.pressure[part]
        y = np.concatenate([foot_y, (foot_y - s * high)[::-1]])
        z = np.concatenate([foot_z, (foot_z + c * high)[::-1]])
        label = label if k == 0 else "_"
        chart.ax.fill(chart.x.of(y), chart.y.of(z), color=ORANGE, alpha=0.75, lw=0.0, label=label)


@figure
def contact_function_plot(
    functions: ContactFunctions,
    ax: Axes | None = None,
    *,
    quantity: str = "radius_difference",
    title: str | None = None,
) -> Axes:
    """Plot a contact function over the lateral shift of the wheelset.

    Parameters
    ----------
    functions
        Functions of the lateral shift, by `tr.contact_functions`.
    quantity
        "radius_difference", "angles", "roll", "height" or "places" (where the wheels are touched).
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the quantity is not known.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> found = tr.contact_functions(wheelset, track, np.linspace(-5e-3, 5e-3, 101))
    >>> ax = tr.view.contact_function_plot(found)
    >>> ax.get_title("left")
    'Rolling radius difference'
    """
    unit, words, default, curves = SHOWN[checks.choice("quantity", quantity, tuple(SHOWN))]
    chart = Chart(ax, MILLIMETRES, unit)
    order = np.argsort(functions.y)
    for (name, label), color in zip(curves, (BLUE, ORANGE), strict=False):
        named = {"label": label} if label else {}
        chart.plot(functions.y[order], getattr(functions, name)[order], color=color, lw=1.8, **named)
    chart.ax.axvline(0.0, color=GREY, lw=0.8)
    chart.draw_zero()
    if len(curves) > 1:
        chart.legend()
    return chart.finish("lateral shift y", words, title, default)


@figure
def kinematic_wave_plot(wave: KinematicWave, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Plot the path of a wheelset in pure rolling, beside that of cones (Klingel).

    Parameters
    ----------
    wave
        Result of `tr.kinematic_wave`.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If `wave` is not a result of `tr.kinematic_wave`.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> ax = tr.view.kinematic_wave_plot(tr.kinematic_wave(wheelset, track, 4e-3))
    >>> ax.get_xlabel()
    'distance x along the track (m)'
    """
    chart = Chart(ax, METRES, MILLIMETRES)
    chart.plot(wave.x, wave.y, color=BLUE, lw=1.8, label=f"exact, wavelength {wave.wavelength:.2f} m")
    x = np.linspace(0.0, float(wave.x[-1]), 401)
    cone = wave.middle + wave.amplitude * np.cos(2.0 * np.pi * x / wave.klingel_wavelength)
    chart.plot(x, cone, "--", color=DARK, lw=1.2, label=f"Klingel, {wave.klingel_wavelength:.2f} m")
    chart.draw_zero()
    chart.legend()
    return chart.finish(
        "distance x along the track", "lateral shift y", title, "Kinematic wave of a wheelset"
    )


@figure
def force_map_plot(
    found: ForceMap, ax: Axes | None = None, *, component: str = "y", title: str | None = None
) -> Axes:
    """Plot the force on a wheelset over its lateral shift, a curve for each of up to five yaw angles.

    Parameters
    ----------
    found
        Result of `tr.force_map`.
    component
        "x", "y" or "z": along, across or vertical.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the component is not known.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> shifts = np.linspace(0.0, 4e-3, 3)
    >>> found = tr.force_map(wheelset, track, y=shifts, side="left", force=10e3, dx=0.4e-3, dy=0.4e-3)
    >>> tr.view.force_map_plot(found).get_title("left")
    'Force along y on the left wheel'
    """
    part = COMPONENTS[checks.choice("component", component, tuple(COMPONENTS))]
    chart = Chart(ax, MILLIMETRES, KILONEWTONS)
    chosen = np.unique(
        np.linspace(0, len(found.yaw) - 1, min(MOST_CURVES, len(found.yaw))).round().astype(int)
    )
    order = np.argsort(found.shift)
    mixed = np.linspace(0.0, 1.0, max(2, len(chosen)))
    for share, k in zip(mixed, chosen, strict=False):
        named = {"label": f"yaw {found.yaw[k] * 1e3:.3g} mrad"} if len(chosen) > 1 else {}
        color = _mix(BLUE, ORANGE, float(share))
        chart.plot(found.shift[order], found.force[order, k, part], color=color, lw=1.8, **named)
    chart.ax.axvline(0.0, color=GREY, lw=0.8)
    chart.draw_zero()
    if len(chosen) > 1:
        chart.legend()
    whose = "both wheels" if found.side == "both" else f"the {found.side} wheel"
    default = f"Force along {component} on {whose}"
    return chart.finish("lateral shift y", f"force F_{component}", title, default)


def _mix(first: str, second: str, share: float) -> tuple[float, float, float]:
    """A colour between two."""
    from matplotlib.colors import to_rgb

    red, green, blue = (1.0 - share) * np.array(to_rgb(first)) + share * np.array(to_rgb(second))
    return float(red), float(green), float(blue)
