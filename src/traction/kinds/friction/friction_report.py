"""What reports of friction share: tables, and figures of tractions and creep forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.kinds.friction.stored_friction import restore_friction
from traction.kinds.kind import Drawn
from traction.kinds.press.pressed_stepper import restore_contact
from traction.kinds.press.report import check_fineness
from traction.kinds.report_tables import PASSED, check_table, curve_style, grid_words, input_table
from traction.kinds.tables.body_tables import material_words, surface_words
from traction.kinds.tables.friction_tables import FrictionCase
from traction.quantities import quantity, significant, unit_for
from traction.results.field import Field
from traction.results.stored_run import StoredRun
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_ROWS = 60  #: of a table that is still read
FEW_ELEMENTS = 12  #: across a contact; fewer say little about stick and slip
Panel = tuple[str, list[tuple[np.ndarray, str]]]  #: title, and curves: samples, label
MOST_CURVES = 6  #: in one panel
MOST_PANELS = 4
WORDS = {
    "longitudinal": "longitudinal creepage",
    "lateral": "lateral creepage",
    "spin": "spin",
    "normal_force": "normal force",
}


def tabulate_inputs(case: FrictionCase, more: Sequence[tuple[str, str]]) -> Table:
    """What went in, in words."""
    pair = case.pair
    return input_table(
        [
            ("grid", grid_words(case.grid.build())),
            ("upper body", material_words(pair.upper)),
            ("lower body", material_words(pair.lower)),
            *((f"surface {k + 1}", surface_words(table)) for k, table in enumerate(case.surface)),
            ("normal load", load_words(case)),
            ("coefficient of friction", f"{case.friction:g}"),
            ("tolerance", f"{case.tol:g}"),
            *more,
        ]
    )


def load_words(case: FrictionCase) -> str:
    """The normal loads, from the least to the largest."""
    unit = "m" if case.load.given == "approach" else "N/m" if case.grid.line else "N"
    low, high = min(case.load.values), max(case.load.values)
    return f"{case.load.given} {quantity(low, unit)}" + ("" if low == high else f" to {quantity(high, unit)}")


def tabulate_checks(case: FrictionCase, run: StoredRun) -> Table:
    """How well the answers hold."""
    worst = float(np.max(run["residual"]))
    passed = worst <= 1.01 * case.tol + 1e-13
    law = "largest error of the friction law", f"{worst:.1e}", f"{case.tol:g}", PASSED if passed else "missed"
    return check_table(law, check_fineness(run, FEW_ELEMENTS))


def tabulate_steps(title: str, fields: Sequence[Field], run: StoredRun, first: int = 1) -> Table:
    """The fields of all steps, or of the first of very many; steps are counted from `first`."""
    total = len(run[fields[0].name])
    rows = [
        (str(k + first), *(significant(float(run[field.name][k])) for field in fields))
        for k in range(min(total, MOST_ROWS))
    ]
    if total > MOST_ROWS:
        title += f" (the first {MOST_ROWS} of {total})"
    return Table(title, ("step", *(head_column(field) for field in fields)), rows)


def head_column(field: Field) -> str:
    """A column's heading."""
    name = field.long_name.removesuffix(" on body 1")
    unit = {"1": "", "1/m": " (rad/m)"}.get(field.unit, f" ({field.unit})")
    return f"{name}{unit}".replace("m2", "m²")


def restore_step(case: FrictionCase, run: Mapping[str, np.ndarray], number: int = -1) -> TangentialContact:
    """A sample of a run, the last one unless said."""
    traction = np.array([run["traction_x"][number], run["traction_y"][number]])
    stick = np.array(run["stick"][number], dtype=bool)
    return restore_friction(
        restore_contact(case, run["pressure"][number]), case.friction, traction, stick=stick
    )


def draw_tractions(case: FrictionCase, run: StoredRun, rolling: int | None) -> list[Drawn]:
    """Map and sections of the tractions of the last step."""
    from traction.view import figures as view
    from traction.view import friction

    last, drawn = restore_step(case, run), []
    if not case.grid.line:
        figure = view.blank_figure(6.6, 5.4)
        friction.traction_map(last, figure.add_subplot(), rolling=rolling)
        drawn.append(("tractions", "Tractions on body 1 over the pressure, at the last step.", figure))
    components = ("x",) if case.grid.line else ("x", "y")
    figure = view.blank_figure(5.0 * len(components) + 1.0)
    for number, component in enumerate(components):
        axes = figure.add_subplot(1, len(components), number + 1)
        title = f"Traction along {component}"
        friction.traction_section(last, "x", axes, component=component, title=title)
    drawn.append(("section", "Tractions along x through the centre, at the last step.", figure))
    return drawn


def draw_creep_forces(case: FrictionCase, run: StoredRun) -> list[Drawn]:
    """Forces over what varies first, where something varies."""
    varied = [name for name in ("longitudinal", "lateral", "spin") if len(np.unique(run[name])) > 2]
    if not varied:
        return []
    over = varied[0]
    panels = _split_panels(run, over)
    left_out = len(panels) > MOST_PANELS or any(len(curves) > MOST_CURVES for _, curves in panels)
    caption = f"Forces on body 1 over {WORDS[over]}; the dashes are the limit of friction."
    if left_out:
        caption += f" The first {MOST_PANELS} panels of {MOST_CURVES} curves are drawn."
    shown = [(title, curves[:MOST_CURVES]) for title, curves in panels[:MOST_PANELS]]
    return [("creep_forces", caption, _draw_curves(case, run, over, shown))]


def _draw_curves(case: FrictionCase, run: StoredRun, over: str, panels: list[Panel]) -> Figure:
    from traction.view import figures as view

    force = unit_for(case.friction * run["normal_force"], "N")
    limit = float(force.of(case.friction * run["normal_force"].max()))
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
    return figure


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
