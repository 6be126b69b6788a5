"""What a report shows of a wheelset on a track: wheel and rail in place, patches, forces over positions."""

from __future__ import annotations

import numpy as np

from traction.kinds.kind import Figures, KindReport, Tables, Words
from traction.kinds.report_tables import Checks, check_limit, curve_style, format_column, result_table
from traction.kinds.tables.body_tables import material_words
from traction.kinds.wheel_rail.run import (
    AMPLITUDE,
    COARSER,
    LEFT,
    NUMBERS,
    PATCHES,
    RIGHT,
    PatchMap,
    WheelRailFindings,
)
from traction.kinds.wheel_rail.schema import WheelRailCase
from traction.quantities import given, quantity, unit_for
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view.chart import colour_bar
from traction.view.report import Table
from traction.view.wheelset_curves import PlacedPatch, draw_placed
from traction.wheelsets.geometry.pose import Pose

MOST_PANELS = 4
ARROWS = 14  #: along the longer side of a patch
MOST_ROWS = 60  #: positions in a table
GRID_CHANGE = 0.05  #: change by finer elements that is still fine
LIMITS = {"force_error": 1e-4, "normal_error": 1e-5, "friction_error": 1e-5}
SUMMED_UP = ("y", "yaw", "roll", "z", "force_x", "force_y", "force_z", "patches", "largest_pressure")


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
    look = {"cmap": view.FAMILY, "vmin": 0.0, "vmax": most, "shading": "nearest", "rasterized": True}
    image = axes.pcolormesh(1e3 * patch.x, 1e3 * patch.s, masked, **look)
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
    (over, label), style = _abscissa(run), curve_style(len(run["distance"]))
    figure = view.blank_figure(10.6, 4.4)
    most = max(np.abs(run[f"{kind}force_{n}"]).max() for kind in ("", "steady_") for n in "xy")
    force = unit_for(most, "N")
    for axes, name in zip(figure.subplots(1, 2), "xy", strict=True):
        steady, rolled = run[f"steady_force_{name}"], run[f"force_{name}"]
        axes.plot(over, force.of(steady), "--", color=view.DARK, lw=1.4, label="steady rolling")
        axes.plot(over, force.of(rolled), style, color=view.BLUE, ms=3.5, label="transient rolling")
        view.style_axes(axes, label, f"force ({force.name})", f"Force along {name}", legend=True)
    words = "Forces on the wheelset in transient rolling, and those of steady rolling with the same"
    yield "transient", f"{words} velocities.", figure


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
    words = "Rolling radius difference of the rigid wheelset over its lateral shift."
    yield "radius_difference", words, figure


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


class WheelRailReport(KindReport[WheelRailCase, WheelRailFindings]):
    """A wheelset on a track."""

    kept = WheelRailFindings

    def evidence(self) -> str:
        """What the checks compare with."""
        again = (
            f"all positions are rolled over again with elements {COARSER:g} times as large, and the "
            "forces at the last one compared."
            if self.case.is_transient
            else "the position shown is solved again with elements of half the size."
        )
        return f"The certificate of each position is computed from its solution; {again}"

    def computed(self) -> str:
        """Wheelset, track, positions and load."""
        case = self.case
        y = np.asarray(self.run["y"])
        place = f"at y = {given(float(y[0]), 'm')}"
        if len(y) > 1:
            place = f"at {len(y)} positions, y = {1e3 * y[0]:.4g} to {1e3 * y[-1]:.4g} mm"
        who = "Both wheels" if case.side == "both" else f"The {case.side} wheel"
        return (
            f"{who} of a wheelset ({case.wheelset.profile.words}, radius {given(case.wheelset.radius, 'm')}) "
            f"on rails ({case.track.rail.words}, gauge {given(case.track.gauge, 'm')}) {place}, with "
            f"{self._load}. Contact patches are located on the profiles, and pressure and tractions are "
            f"solved on elements of {given(case.elements.dx, 'm')} x "
            f"{given(case.elements.dy, 'm')}.{self._transient}"
        )

    @property
    def _transient(self) -> str:
        """How rolling proceeds from position to position."""
        distance = self.case.position.distance
        if distance is None:
            return ""
        return (
            f" From each position to the next the wheelset rolls {given(distance, 'm')}: the tractions of "
            "the patches stay on the rail while these move over its profile. The first one is steady."
        )

    @property
    def _load(self) -> str:
        load = self.case.load
        if load.force is not None:
            return f"a vertical force of {given(load.force, 'N')}"
        return f"its centre at the height {given(load.z or 0.0, 'm')}"

    def outcome(self) -> str:
        """Of the position shown."""
        run, k = self.run, self.found.shown
        count = int(run["patches"][k])
        patches = "is 1 contact patch" if count == 1 else f"are {count} contact patches"
        words = (
            f"At y = {given(float(run['y'][k]), 'm')} there {patches}, with a pressure of up to "
            f"{quantity(float(run['largest_pressure'][k]), 'Pa')}. The forces on the wheelset are "
            f"{quantity(float(run['force_x'][k]), 'N')} along x, {quantity(float(run['force_y'][k]), 'N')} "
            f"along y and {quantity(float(run['force_z'][k]), 'N')} along z."
        )
        if self.case.is_transient:
            lag = [float(run[f"force_{name}"][k] - run[f"steady_force_{name}"][k]) for name in "xy"]
            words += (
                " They differ from those of steady rolling at the same place and with the same velocities "
                f"by {quantity(lag[0], 'N')} along x and {quantity(lag[1], 'N')} along y."
            )
        functions = self.found.functions
        if functions is not None and functions.conicity is not None:
            amplitude = given(AMPLITUDE, "m")
            words += f" The equivalent conicity is {functions.conicity:.3f} at an amplitude of {amplitude}."
        return words

    def results(self) -> Tables:
        """Key figures, the patches of the position shown, and all positions."""
        tables = [result_table(self.run.key_figures), self._patch_table()]
        if 1 < len(self.run["y"]) <= MOST_ROWS:
            tables.append(self._position_table())
        return tables

    def _patch_table(self) -> Table:
        k = self.found.shown
        count = min(int(self.run["patches"][k]), len(self.run["side"][k]))
        sides = ["left" if side > 0.0 else "right" for side in self.run["side"][k][:count]]
        heads, columns = ["wheel"], [sides]
        for field in PATCHES[1:]:
            values = np.asarray(self.run[field.name][k][:count])
            whole = values.astype(int) if field.name == "elements" else values
            unit, texts = format_column(whole, field.unit)
            heads.append(f"{field.long_name} ({unit})" if unit else field.long_name)
            columns.append(texts)
        title = f"Patches at y = {given(float(self.run['y'][k]), 'm')}"
        return Table(title, tuple(heads), list(zip(*columns, strict=True)))

    def _position_table(self) -> Table:
        heads, columns = [], []
        force = float(np.abs(self.run["force_z"]).max())
        for field in (field for field in NUMBERS if field.name in SUMMED_UP):
            scale = force if field.name.startswith("force") else 0.0
            unit, texts = format_column(np.asarray(self.run[field.name]), field.unit, scale)
            name = field.long_name.removesuffix(" on the wheelset").removesuffix(" of the wheelset")
            heads.append(f"{name} ({unit})" if unit else name)
            columns.append(texts)
        return Table("All positions", tuple(heads), list(zip(*columns, strict=True)))

    def checks(self) -> Checks:
        """Certificates, and finer elements."""
        run, found = self.run, self.found
        k = found.shown
        total = max(float(np.abs(run["force_z"][k])), 1e-12)
        force = np.array([float(run[f"force_{name}"][k]) for name in "xyz"])
        change = float(np.abs(np.array(found.finer_force) - force).max()) / total
        peak = float(run["largest_pressure"][k])
        sharper = abs(found.finer_pressure - peak) / max(peak, 1e-12)
        other, limit = ("larger", COARSER * GRID_CHANGE) if self.case.is_transient else ("finer", GRID_CHANGE)
        rows = [
            check_limit(words, float(np.max(run[name])), LIMITS[name], slack=0.01 * LIMITS[name])
            for name, words in (
                ("force_error", "error of the vertical force, relative"),
                ("normal_error", "error of the contact conditions"),
                ("friction_error", "error of the friction law"),
            )
        ]
        return [
            *rows,
            check_limit(
                f"change of forces with {other} elements, relative to the load", change, limit, "coarse"
            ),
            check_limit(f"change of the peak pressure with {other} elements", sharper, limit, "coarse"),
        ]

    def inputs(self) -> Words:
        """Wheelset, track, load and elements."""
        case = self.case
        wheels, track = case.wheelset, case.track
        return [
            ("wheel profile", wheels.profile.words),
            *([("left wheel profile", wheels.left.words)] if wheels.left else []),
            ("nominal radius", given(wheels.radius, "m")),
            ("back-to-back distance", given(wheels.back_to_back, "m")),
            ("rail profile", track.rail.words),
            *([("left rail profile", track.left.words)] if track.left else []),
            ("gauge", f"{given(track.gauge, 'm')}, to {given(track.gauge_height, 'm')} below the top"),
            ("inclination of the rails", f"{track.cant:.4g} rad"),
            *([("radius of the rollers", given(track.roller_radius, "m"))] if track.roller_radius else []),
            ("wheel", material_words(case.pair.upper)),
            ("rail", material_words(case.pair.lower)),
            ("load", self._load),
            *case.friction_words,
            *([("speed", given(case.speed, "m/s"))] if case.speed else []),
            (
                "elements",
                f"{given(case.elements.dx, 'm')} x {given(case.elements.dy, 'm')}, {case.discretisation}",
            ),
        ]

    def figures(self) -> Figures:
        """Profiles in place, patches, and what varies over positions."""
        yield from draw_profiles(self.case, self.run, self.found)
        yield from draw_maps(self.found)
        if self.case.is_transient:
            yield from draw_transient(self.run)
        if len(self.run["y"]) > 1:
            yield from draw_forces(self.run)
            yield from draw_places(self.run)
        yield from draw_functions(self.found)
