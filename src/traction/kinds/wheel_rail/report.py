"""What a report shows of a wheelset on a track: wheel and rail in place, patches, forces over positions."""

from __future__ import annotations

import numpy as np

from traction.kinds.kind import Figures, KindReport, Tables, Words
from traction.kinds.report_tables import Checks, check_limit, format_column, result_table
from traction.kinds.tables.body_tables import material_words
from traction.kinds.wheel_rail.run import AMPLITUDE, COARSER, NUMBERS, PATCHES, WheelRailFindings
from traction.kinds.wheel_rail.schema import WheelRailCase
from traction.kinds.wheel_rail.wheel_rail_figures import (
    draw_forces,
    draw_functions,
    draw_maps,
    draw_places,
    draw_profiles,
    draw_transient,
)
from traction.quantities import given, quantity
from traction.view.report import Table

MOST_ROWS = 60  #: positions in a table
GRID_CHANGE = 0.05  #: change by finer elements that is still fine
LIMITS = {"force_error": 1e-4, "normal_error": 1e-5, "friction_error": 1e-5}
SUMMED_UP = ("y", "yaw", "roll", "z", "force_x", "force_y", "force_z", "patches", "largest_pressure")


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
            f"{who} of a wheelset ({case.wheelset.profile.words}, radius "
            f"{given(case.wheelset.radius, 'm')}) on rails "
            f"({case.track.rail.words}, gauge {given(case.track.gauge, 'm')}) {place}, with {self._load}. "
            "Contact patches "
            "are located on the profiles, and pressure and tractions are solved on elements of "
            f"{given(case.elements.dx, 'm')} x {given(case.elements.dy, 'm')}.{self._transient}"
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
