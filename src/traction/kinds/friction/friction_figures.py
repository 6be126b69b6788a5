"""Figures of tractions, and of creep forces over what varies."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.kinds.friction.schema import FrictionCase, RollCase, ShiftCase
from traction.kinds.friction.stored_friction import restore_friction
from traction.kinds.kind import Figures
from traction.kinds.press.run import restore_contact
from traction.kinds.report_tables import curve_style
from traction.quantities import significant, unit_for
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view.friction_curves import traction_map, traction_section

Panel = tuple[str, list[tuple[np.ndarray, str]]]  #: title, and curves: samples, label
MOST_CURVES = 6  #: in one panel
MOST_PANELS = 4
WORDS = {
    "longitudinal": "longitudinal creepage",
    "lateral": "lateral creepage",
    "spin": "spin",
    "normal_force": "normal force",
}


def restore_step(case: FrictionCase, run: Mapping[str, np.ndarray], number: int = -1) -> TangentialContact:
    """A sample of a run, the last one unless said."""
    traction = np.array([run["traction_x"][number], run["traction_y"][number]])
    stick = np.array(run["stick"][number], dtype=bool)
    contact = restore_contact(case.grid.build(), case.pair, run["pressure"][number])
    return restore_friction(contact, case.coefficient, traction, stick=stick)


def draw_tractions(case: FrictionCase, run: StoredRun, rolling: int | None) -> Figures:
    """Map and sections of the tractions of the last step."""
    last = restore_step(case, run)
    if not case.grid.line:
        figure = view.blank_figure(6.6, 5.4)
        traction_map(last, figure.add_subplot(), rolling=rolling)
        yield "tractions", "Tractions on body 1 over the pressure, at the last step.", figure
    components = ("x",) if case.grid.line else ("x", "y")
    figure = view.blank_figure(5.0 * len(components) + 1.0)
    for number, component in enumerate(components):
        axes = figure.add_subplot(1, len(components), number + 1)
        title = f"Traction along {component}"
        traction_section(last, "x", axes, component=component, title=title)
    yield "section", "Tractions along x through the centre, at the last step.", figure


def draw_creep_forces(case: FrictionCase, run: StoredRun) -> Figures:
    """Forces over what varies first, where something varies."""
    varied = [name for name in ("longitudinal", "lateral", "spin") if len(np.unique(run[name])) > 2]
    if not varied:
        return
    over = varied[0]
    panels = _split_panels(run, over)
    left_out = len(panels) > MOST_PANELS or any(len(curves) > MOST_CURVES for _, curves in panels)
    caption = f"Forces on body 1 over {WORDS[over]}; dashed: limit of friction."
    if left_out:
        caption += f" The first {MOST_PANELS} panels of {MOST_CURVES} curves are drawn."
    panels = [(title, curves[:MOST_CURVES]) for title, curves in panels[:MOST_PANELS]]
    force = unit_for(case.coefficient * run["normal_force"], "N")
    limit = float(force.of(case.coefficient * run["normal_force"].max()))
    drawn = [axis for axis in "xy" if signs_of(force.of(run[f"force_{axis}"]), limit)] or ["x"]
    figure = view.blank_figure(5.25 * len(drawn) + 1.0 * (len(drawn) == 1), 0.6 + 3.8 * len(panels))
    grid = figure.subplots(len(panels), len(drawn), squeeze=False, sharey="col")
    scale, unit = (1.0, "rad/m") if over == "spin" else (100.0, "%")
    for (title, curves), row in zip(panels, grid, strict=True):
        for axis, axes in zip(drawn, row, strict=True):
            values = force.of(run[f"force_{axis}"])
            for k, (mine, label) in enumerate(curves):
                color = view.CYCLE[k % len(view.CYCLE)]
                x = scale * run[over][mine]
                axes.plot(x, values[mine], curve_style(mine.size), color=color, lw=1.8, ms=4, label=label)
            for side in signs_of(values, limit):
                axes.axhline(side * limit, color=view.GREY, lw=1.1, ls="--")
            unit_y = f"{force.name}/m" if case.grid.line else force.name
            labels = f"{WORDS[over]} ({unit})", f"force along {axis} ({unit_y})"
            words = f"Force along {axis}" + (f", {title}" if title else "")
            view.style_axes(axes, *labels, words, legend=any(label for _, label in curves))
    yield "creep_forces", caption, figure


def signs_of(forces: np.ndarray, limit: float) -> list[float]:
    """Signs that forces have; one that is nothing beside the limit of friction has none."""
    return [sign for sign in (-1.0, 1.0) if float((sign * np.asarray(forces)).max()) > 1e-6 * limit]


def _split_panels(run: StoredRun, over: str) -> list[Panel]:
    """Curves of samples that differ in nothing but `over`; of several other things the last has panels."""
    others = [name for name in ("normal_force", "longitudinal", "lateral", "spin") if name != over]
    # forces vary where they are not given, so that numbers are told apart by some digits only
    families = np.array([run[name] for name in others]).T
    keys, family = np.unique(np.round(families, 9), axis=0, return_inverse=True)
    family = np.asarray(family).ravel()
    differ = [k for k in range(len(others)) if len(np.unique(keys[:, k])) > 1]
    if len(keys) > MOST_CURVES and len(keys) == len(families):  # all go in step: one curve through all
        return [("", [(np.argsort(run[over], kind="stable"), "")])]
    apart = differ.pop() if len(differ) > 1 else None
    panels: dict[str, list[tuple[np.ndarray, str]]] = {}
    for k, key in enumerate(keys):
        mine = np.flatnonzero(family == k)
        mine = mine[np.argsort(run[over][mine], kind="stable")]
        title = "" if apart is None else _name_value(others[apart], key[apart])
        label = ", ".join(_name_value(others[i], key[i]) for i in differ)
        panels.setdefault(title, []).append((mine, label))
    return list(panels.items())


def _name_value(name: str, value: float) -> str:
    """A quantity and its value."""
    if name == "normal_force":
        return f"{WORDS[name]} {significant(float(value), 3)}"
    if name == "spin":
        return f"spin {significant(float(value), 3)} rad/m"
    return f"{WORDS[name].removesuffix(' creepage')} {significant(100.0 * float(value), 3)} %"


def draw_force_over_displacement(case: ShiftCase, run: StoredRun) -> Figures:
    """Force over displacement, between the limits of friction, along the axis with the larger force."""
    axis = max("xy", key=lambda name: float(np.abs(run[f"force_{name}"]).max()))
    moved, force = run[f"displacement_{axis}"], run[f"force_{axis}"]
    length, newton = unit_for(moved, "m"), unit_for(force, "N")
    figure = view.blank_figure()
    axes, style = figure.add_subplot(), curve_style(len(case.steps))
    x, y = (np.concatenate(([0.0], values)) for values in (length.of(moved), newton.of(force)))
    axes.plot(x, y, style, color=view.BLUE, lw=1.8, ms=4)
    limit = case.coefficient * run["normal_force"].max()
    for side in (1.0, -1.0):
        axes.axhline(float(newton.of(side * limit)), color=view.GREY, lw=1.1, ls="--")
    unit = f"{newton.name}/m" if case.grid.line else newton.name
    labels = f"displacement along {axis} ({length.name})", f"force along {axis} ({unit})"
    view.style_axes(axes, *labels, "Force over displacement")
    words = "Force over displacement; dashed: limit of friction."
    yield "force_over_displacement", words, figure


def draw_over_distance(case: RollCase, run: StoredRun) -> Figures:
    """Creepage and forces over the distance rolled."""
    way = unit_for(run["distance"], "m")
    x, line = way.of(run["distance"]), case.grid.line
    figure = view.blank_figure(8.0, 6.0)
    upper, lower = figure.subplots(2, 1, sharex=True)
    for name, label, color in (("longitudinal", "along x", view.BLUE), ("lateral", "along y", view.ORANGE)):
        if np.nanmax(np.abs(run[name])) > 0.0 or name == "longitudinal":
            upper.plot(x, 100.0 * run[name], color=color, lw=1.8, label=label)
    view.style_axes(upper, "", "creepage (%)", "Creepage", legend=not line)
    limit = case.coefficient * run["normal_force"]
    force = unit_for(limit, "N")
    for axis, color in (("x", view.BLUE), ("y", view.ORANGE)):
        if axis == "x" or not line:
            lower.plot(x, force.of(run[f"force_{axis}"]), color=color, lw=1.8, label=f"along {axis}")
    for side in signs_of(np.array([run["force_x"], run["force_y"]]), float(limit.max())):
        lower.plot(x, force.of(side * limit), color=view.GREY, lw=1.1, ls="--")
    unit = f"{force.name}/m" if line else force.name
    labels = f"distance rolled ({way.name})", f"force on body 1 ({unit})"
    view.style_axes(lower, *labels, "Force", legend=not line)
    words = "Creepage of each step and force after it over the distance rolled; dashed: limit of friction."
    yield "over_distance", words, figure
