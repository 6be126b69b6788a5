"""Figures of wheels on rails, from stored data."""

from __future__ import annotations

import numpy as np

from traction.kinds.kind import Figures
from traction.kinds.report_tables import curve_style
from traction.kinds.wheel_rail.run import LEFT, RIGHT, PatchMap, WheelRailFindings
from traction.kinds.wheel_rail.schema import WheelRailCase
from traction.quantities import given, unit_for
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view.chart import colour_bar
from traction.view.wheelset_curves import PlacedPatch, draw_placed
from traction.wheelsets.geometry.pose import Pose

MOST_PANELS = 4
ARROWS = 14  #: along the longer side of a patch


def draw_profiles(case: WheelRailCase, run: StoredRun, found: WheelRailFindings) -> Figures:
    """Wheel and rail in place at the position shown."""
    wheelset, track = case.models
    k = found.shown
    pose = Pose(*(float(run[name][k]) for name in ("y", "z", "yaw", "roll")))
    sides = ("left", "right") if case.side == "both" else (case.side,)
    figure = view.blank_figure(6.2 * len(sides), 4.6)
    for number, side in enumerate(sides):
        patches = [
            PlacedPatch(side, *patch.origin, patch.angle, patch.s, patch.pressure.max(axis=1))
            for patch in found.patches
            if patch.left == (side == "left")
        ]
        draw_placed(wheelset, track, pose, side, patches, figure.add_subplot(1, len(sides), number + 1))
    words = f"Wheel and rail at y = {given(pose.y, 'm')}, with the pressure of each patch on the rail."
    yield "profiles", words, figure


def draw_maps(found: WheelRailFindings) -> Figures:
    """Pressure and friction of each patch of the position shown."""
    shown = found.patches[:MOST_PANELS]
    if not shown:
        return
    figure = view.blank_figure(4.6 * len(shown) + 0.6, 3.4)
    peak = max(float(patch.pressure.max()) for patch in shown)
    stress = unit_for(peak, "Pa")
    for number, patch in enumerate(shown):
        axes = figure.add_subplot(1, len(shown), number + 1)
        image = _draw_patch(axes, patch, stress.of(patch.pressure), float(stress.of(peak)))
        colour_bar(axes, image, f"pressure ({stress.name})")
        side = "left" if patch.left else "right"
        view.style_axes(
            axes, "x (mm)", "along the surface (mm)", f"Patch {number + 1}, {side} wheel", grid=False
        )
    yield "patches", "Pressure of the patches, with the friction on the wheel as arrows.", figure


def _draw_patch(axes: view.Style, patch: PatchMap, pressure: np.ndarray, most: float) -> view.Style:
    """The map of a patch, cut to what is pressed."""
    pressed = patch.pressure > 0.0
    masked = np.ma.masked_array(pressure, mask=~pressed)
    image = axes.pcolormesh(
        1e3 * patch.x,
        1e3 * patch.s,
        masked,
        cmap=view.FAMILY,
        vmin=0.0,
        vmax=most,
        shading="nearest",
        rasterized=True,
    )
    size = np.hypot(*patch.traction)
    if size.max() > 0.0:
        every = max(1, int(max(pressed.sum(axis=0).max(), pressed.sum(axis=1).max()) // ARROWS))
        part = (slice(None, None, every), slice(None, None, every))
        x, s = np.meshgrid(1e3 * patch.x, 1e3 * patch.s)
        u, v = (np.where(pressed, one / size.max(), np.nan)[part] for one in patch.traction)
        axes.quiver(x[part], s[part], u, v, color=view.DARK, scale=ARROWS, width=0.004)
    rows, columns = np.flatnonzero(pressed.any(axis=1)), np.flatnonzero(pressed.any(axis=0))
    room = 1e3 * 0.1 * max(np.ptp(patch.x[columns]), np.ptp(patch.s[rows]))
    axes.set_xlim(1e3 * patch.x[columns[0]] - room, 1e3 * patch.x[columns[-1]] + room)
    axes.set_ylim(1e3 * patch.s[rows[0]] - room, 1e3 * patch.s[rows[-1]] + room)
    axes.set_aspect("equal")
    return image


def draw_forces(run: StoredRun) -> Figures:
    """Forces over what varies."""
    over, label = _abscissa(run)
    figure = view.blank_figure(10.6, 4.4)
    wheelset, wheels = figure.subplots(1, 2)
    force = unit_for(max(np.abs(run["force_x"]).max(), np.abs(run["force_y"]).max()), "N")
    style = curve_style(len(over))
    for name, color in (("x", view.BLUE), ("y", view.ORANGE)):
        wheelset.plot(over, force.of(run[f"force_{name}"]), style, color=color, ms=3.5, label=f"along {name}")
    view.style_axes(wheelset, label, f"force ({force.name})", "Forces on the wheelset", legend=True)
    load = unit_for(np.nanmax(run["normal_force"]), "N")
    for side, name, color in ((LEFT, "left", view.BLUE), (RIGHT, "right", view.ORANGE)):
        mine = np.where(run["side"] == side, run["normal_force"], 0.0)
        if mine.any():
            wheels.plot(
                over, load.of(np.nansum(mine, axis=1)), style, color=color, ms=3.5, label=f"{name} wheel"
            )
    view.style_axes(wheels, label, f"normal force ({load.name})", "Normal forces of the wheels", legend=True)
    yield "forces", "Forces on the wheelset, and sums of the normal forces of each wheel.", figure


def draw_transient(run: StoredRun) -> Figures:
    """Forces of transient and of steady rolling over the distance rolled."""
    length = unit_for(float(run["distance"][-1]), "m")
    over, style = length.of(run["distance"]), curve_style(len(run["distance"]))
    figure = view.blank_figure(10.6, 4.4)
    force = unit_for(
        max(np.abs(run[f"{kind}force_{n}"]).max() for kind in ("", "steady_") for n in "xy"), "N"
    )
    for axes, name in zip(figure.subplots(1, 2), "xy", strict=True):
        steady, rolled = run[f"steady_force_{name}"], run[f"force_{name}"]
        axes.plot(over, force.of(steady), "--", color=view.DARK, lw=1.4, label="steady rolling")
        axes.plot(over, force.of(rolled), style, color=view.BLUE, ms=3.5, label="transient rolling")
        view.style_axes(
            axes,
            f"distance rolled ({length.name})",
            f"force ({force.name})",
            f"Force along {name}",
            legend=True,
        )
    words = (
        "Forces on the wheelset in transient rolling, and those of steady rolling with the same velocities."
    )
    yield "transient", words, figure


def draw_places(run: StoredRun) -> Figures:
    """Where the patches are on the rails, and their pressure."""
    over, label = _abscissa(run)
    figure = view.blank_figure(10.6, 4.4)
    place, pressure = figure.subplots(1, 2)
    stress = unit_for(np.nanmax(run["peak_pressure"]), "Pa")
    x = np.broadcast_to(np.asarray(over)[:, None], run["side"].shape)
    for side, name, color in ((LEFT, "left", view.BLUE), (RIGHT, "right", view.ORANGE)):
        mine = run["side"] == side
        if mine.any():
            place.plot(x[mine], 1e3 * run["place_y"][mine], "o", color=color, ms=3.5, label=f"{name} rail")
            shown = stress.of(run["peak_pressure"][mine])
            pressure.plot(x[mine], shown, "o", color=color, ms=3.5, label=f"{name} rail")
    view.style_axes(place, label, "y on the rail (mm)", "Places of the patches", legend=True)
    view.style_axes(pressure, label, f"peak pressure ({stress.name})", "Peak pressures", legend=True)
    yield "places", "Reference points of the patches on their rails, and their peak pressures.", figure


def draw_functions(found: WheelRailFindings) -> Figures:
    """Rolling radius difference over the lateral shift."""
    if found.functions is None:
        return
    figure = view.blank_figure(7.0, 4.4)
    axes = figure.add_subplot()
    axes.plot(1e3 * found.functions.y, 1e3 * found.functions.difference, color=view.BLUE, lw=1.8)
    view.style_axes(axes, "lateral shift y (mm)", "Δr = r_left - r_right (mm)", "Rolling radius difference")
    yield (
        "radius_difference",
        "Rolling radius difference of the rigid wheelset over its lateral shift.",
        figure,
    )


def _abscissa(run: StoredRun) -> tuple[np.ndarray, str]:
    """What varies over the positions, in its unit, and its name."""
    if "distance" in run:
        length = unit_for(float(run["distance"][-1]), "m")
        return np.asarray(length.of(run["distance"])), f"distance rolled ({length.name})"
    if np.ptp(run["y"]) > 0.0:
        return 1e3 * np.asarray(run["y"]), "lateral shift y (mm)"
    if np.ptp(run["yaw"]) > 0.0:
        return 1e3 * np.asarray(run["yaw"]), "yaw (mrad)"
    return np.arange(1, len(run["y"]) + 1), "position"
