"""What reports of friction share: key figures, tables, and figures of tractions and creep forces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.kinds.friction.run import FrictionStepper
from traction.kinds.friction.schema import FrictionCase
from traction.kinds.press.schema import MOST_MARKERS
from traction.kinds.registry import KeyFigure
from traction.kinds.tables.body_tables import material_words, surface_words
from traction.quantities import quantity, significant, unit_for
from traction.results.field import Field
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Samples = dict[str, Any]
Drawn = tuple[str, str, "Figure"]  #: file name, caption, figure
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


def key_figures(fields: Sequence[Field], samples: Samples) -> list[KeyFigure]:
    """Numbers of the last step."""
    return [(field.long_name, float(samples[field.name][-1]), field.unit) for field in fields]


def input_table(case: FrictionCase, more: Sequence[tuple[str, str]]) -> Table:
    """What went in, in words."""
    grid, pair = case.grid.build(), case.pair
    size = f"{grid.nx} x {grid.ny} elements of {quantity(grid.dx, 'm')} x {quantity(grid.dy, 'm')}"
    rows = [
        ("grid", f"line, {grid.nx} strips of {quantity(grid.dx, 'm')}" if grid.is_line else size),
        ("upper body", material_words(pair.upper)),
        ("lower body", material_words(pair.lower)),
        *((f"surface {k + 1}", surface_words(table)) for k, table in enumerate(case.surface)),
        ("normal load", load_words(case)),
        ("coefficient of friction", f"{case.friction:g}"),
        ("tolerance", f"{case.tol:g}"),
        *more,
    ]
    return Table("Inputs", ("quantity", "value"), rows)


def load_words(case: FrictionCase) -> str:
    """The normal loads, from the least to the largest."""
    unit = "m" if case.load.given == "approach" else "N/m" if case.grid.line else "N"
    low, high = min(case.load.values), max(case.load.values)
    return f"{case.load.given} {quantity(low, unit)}" + ("" if low == high else f" to {quantity(high, unit)}")


def check_table(case: FrictionCase, samples: Samples) -> Table:
    """How well the answers hold."""
    worst, across = float(np.max(samples["residual"])), int(np.min(samples["elements_across"]))
    rows = [
        (
            "largest error of the friction law",
            f"{worst:.1e}",
            f"{case.tol:g}",
            "passed" if worst <= 1.01 * case.tol + 1e-13 else "missed",
        ),
        (
            "elements across the contact",
            f"{across}",
            f"at least {FEW_ELEMENTS}",
            "passed" if across >= FEW_ELEMENTS else "coarse",
        ),
    ]
    return Table("Checks", ("check", "found", "limit", "verdict"), rows)


def step_table(title: str, fields: Sequence[Field], samples: Samples, first: int = 1) -> Table:
    """The fields of all steps, or of the first of very many; steps are counted from `first`."""
    total = len(samples[fields[0].name])
    rows = [
        (str(k + first), *(significant(float(samples[field.name][k])) for field in fields))
        for k in range(min(total, MOST_ROWS))
    ]
    if total > MOST_ROWS:
        title += f" (the first {MOST_ROWS} of {total})"
    return Table(title, ("step", *(heading(field) for field in fields)), rows)


def heading(field: Field) -> str:
    """A column's heading."""
    name = field.long_name.removesuffix(" on body 1")
    unit = {"1": "", "1/m": " (rad/m)"}.get(field.unit, f" ({field.unit})")
    return f"{name}{unit}".replace("m2", "m²")


def traction_figures(stepper: FrictionStepper[Any], samples: Samples, rolling: int | None) -> list[Drawn]:
    """Map and sections of the tractions of the last step."""
    from traction.view import figures as view
    from traction.view import friction

    last = stepper.contact_of(samples)
    shown = []
    if not stepper.grid.is_line:
        figure = view.blank_figure(6.6, 5.4)
        friction.traction_map(last, figure.add_subplot(), rolling=rolling)
        shown.append(("tractions", "Tractions on body 1 over the pressure, at the last step.", figure))
    components = ("x",) if stepper.grid.is_line else ("x", "y")
    figure = view.blank_figure(5.0 * len(components) + 1.0)
    for number, component in enumerate(components):
        axes = figure.add_subplot(1, len(components), number + 1)
        title = f"Traction along {component}"
        friction.traction_section(last, "x", axes, component=component, title=title)
    shown.append(("section", "Tractions along x through the centre, at the last step.", figure))
    return shown


def creep_force_figures(case: FrictionCase, samples: Samples) -> list[Drawn]:
    """Forces over what varies first, where something varies."""
    varied = [name for name in ("longitudinal", "lateral", "spin") if len(np.unique(samples[name])) > 2]
    if not varied:
        return []
    over = varied[0]
    panels = _panels(samples, over)
    left_out = len(panels) > MOST_PANELS or any(len(curves) > MOST_CURVES for _, curves in panels)
    caption = f"Forces on body 1 over {WORDS[over]}; the dashes are the limit of friction."
    if left_out:
        caption += f" The first {MOST_PANELS} panels of {MOST_CURVES} curves are drawn."
    shown = [(title, curves[:MOST_CURVES]) for title, curves in panels[:MOST_PANELS]]
    return [("creep_forces", caption, _force_curves(case, samples, over, shown))]


def _force_curves(case: FrictionCase, samples: Samples, over: str, panels: list[Panel]) -> Figure:
    from traction.view import figures as view

    force = unit_for(case.friction * samples["normal_force"], "N")
    limit = float(force.of(case.friction * samples["normal_force"].max()))
    drawn = [axis for axis in "xy" if sides(force.of(samples[f"force_{axis}"]), limit)] or ["x"]
    figure = view.blank_figure(5.25 * len(drawn) + 1.0 * (len(drawn) == 1), 0.6 + 3.8 * len(panels))
    grid = figure.subplots(len(panels), len(drawn), squeeze=False, sharey="col")
    scale, unit = (1.0, "rad/m") if over == "spin" else (100.0, "%")
    for (title, curves), row in zip(panels, grid, strict=True):
        for axis, axes in zip(drawn, row, strict=True):
            values = force.of(samples[f"force_{axis}"])
            for k, (mine, label) in enumerate(curves):
                style = "o-" if mine.size <= MOST_MARKERS else "-"
                color = view.CYCLE[k % len(view.CYCLE)]
                x = scale * samples[over][mine]
                axes.plot(x, values[mine], style, color=color, lw=1.8, ms=4, label=label)
            for side in sides(values, limit):
                axes.axhline(side * limit, color=view.GREY, lw=1.1, ls="--")
            unit_y = f"{force.name}/m" if case.grid.line else force.name
            labels = f"{WORDS[over]} ({unit})", f"force along {axis} ({unit_y})"
            words = f"Force along {axis}" + (f", {title}" if title else "")
            view.style_axes(axes, *labels, words, legend=any(label for _, label in curves))
    return figure


def sides(forces: np.ndarray, limit: float) -> list[float]:
    """Signs that forces have; one that is nothing beside the limit of friction has none."""
    return [sign for sign in (-1.0, 1.0) if float((sign * np.asarray(forces)).max()) > 1e-6 * limit]


def _panels(samples: Samples, over: str) -> list[Panel]:
    """Curves of samples that differ in nothing but `over`; of several other things the last has panels."""
    others = [name for name in ("normal_force", "longitudinal", "lateral", "spin") if name != over]
    # forces vary where they are not given, so that numbers are told apart by some digits only
    families = np.array([samples[name] for name in others]).T
    keys, family = np.unique(np.round(families, 9), axis=0, return_inverse=True)
    family = np.asarray(family).ravel()
    differ = [k for k in range(len(others)) if len(np.unique(keys[:, k])) > 1]
    if len(keys) > MOST_CURVES and len(keys) == len(families):  # all go in step: one curve through all
        return [("", [(np.argsort(samples[over], kind="stable"), "")])]
    apart = differ.pop() if len(differ) > 1 else None
    panels: dict[str, list[tuple[np.ndarray, str]]] = {}
    for k, key in enumerate(keys):
        mine = np.flatnonzero(family == k)
        mine = mine[np.argsort(samples[over][mine], kind="stable")]
        title = "" if apart is None else _valued(others[apart], key[apart])
        label = ", ".join(_valued(others[i], key[i]) for i in differ)
        panels.setdefault(title, []).append((mine, label))
    return list(panels.items())


def _valued(name: str, value: float) -> str:
    """A quantity and its value."""
    if name == "normal_force":
        return f"{WORDS[name]} {significant(float(value), 3)}"
    if name == "spin":
        return f"spin {significant(float(value), 3)} rad/m"
    return f"{WORDS[name].removesuffix(' creepage')} {significant(100.0 * float(value), 3)} %"
