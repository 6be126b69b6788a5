"""What a run is and found: its scenario, key figures, the story and tables of its report; and its exports.

A crossing of a resonance map is a scenario of its own.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import tomli_w

from traction.errors import TractionError
from traction.kinds.case import Scenario, loads, stored_scenario
from traction.kinds.report_run import read_run
from traction.outputs.atomic import write_atomic
from traction.quantities import figure_text
from traction.results.folder import RunFolder
from traction.results.manifest import KeyFigure, RunStatus
from traction.results.run import load_run
from traction.studio.forms.checked_case import write_python
from traction.studio.messages import Facts, RefusedError
from traction.studio.views.run_samples import ROUND_OFF, half_width

MINUS = "\u2212"


def describe_details(folder: str) -> Facts:
    """A run beyond its state."""
    opened = RunFolder.open(folder)
    text = opened.scenario_text()
    values = tomllib.loads(text)
    inside = {key: value for key, value in values.items() if key != "kind"}
    story, tables = tell_report(opened) if opened.status is RunStatus.DONE else ([], [])
    return {
        "toml": text,
        "values": values,
        "python": write_python(opened.manifest.kind, inside, Path(folder).name),
        "figures": describe_figures(opened.manifest.key_figures, half_width(opened.layout)),
        "damage": list(opened.damage),
        "versions": dict(opened.manifest.versions),
        "story": story,
        "tables": tables,
    }


def describe_figures(figures: Sequence[KeyFigure], width: float = 0.0) -> list[Facts]:
    """Key figures as numbers and as text; forces and moments that are round-off beside others are 0.

    Moments are compared with the largest force times half of the width of a contact, `width` in m.
    """
    forces = [abs(value) for _, value, unit in figures if unit == "N" and isinstance(value, float)]
    largest = max((one for one in forces if math.isfinite(one)), default=0.0)
    sizes = {"N": largest, "N m": largest * width}
    return [_describe_figure(figure, sizes.get(figure[2], 0.0)) for figure in figures]


def _describe_figure(figure: KeyFigure, size: float) -> Facts:
    name, value, unit = figure
    known = not isinstance(value, float) or math.isfinite(value)
    if isinstance(value, float) and known and abs(value) < ROUND_OFF * size:
        value = 0.0
    text = (
        figure_text(value, unit).replace("-", MINUS, 1) if _is_negative(value) else figure_text(value, unit)
    )
    shown = "" if unit == "1" else unit
    return {"name": name, "value": value if known else None, "unit": shown, "text": text if known else "none"}


def _is_negative(value: object) -> bool:
    return isinstance(value, float | int) and value < 0


def tell_report(opened: RunFolder) -> tuple[list[str], list[Facts]]:
    """Paragraphs and tables of the report of a complete run."""
    if find_spec("matplotlib") is None:
        return [], []
    scenario: Scenario = stored_scenario(opened)
    try:
        report = scenario.definition.report(scenario.case, read_run(opened, scenario))
        tables: list[Facts] = [
            {
                "title": one.title,
                "header": list(one.header),
                "rows": [list(map(str, row)) for row in one.rows],
            }
            for one in report.tables()
        ]
        return list(report.story()), tables
    except (TractionError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        return [f"The report cannot be told: {error}"], []


def export_samples(folder: str, target: str) -> Facts:
    """Write the samples of a run, or its scenario, into a file outside the workspace."""
    path = Path(target)
    if path.suffix == ".toml":
        write_atomic(path, RunFolder.open(folder).scenario_text().encode())
    else:
        load_run(folder).save(path)
    return {"bytes": path.stat().st_size}


def describe_crossing(folder: str, train: float, speed: float) -> Facts:
    """The scenario of kind "moving-load" in which a train of the map crosses at a speed."""
    opened = RunFolder.open(folder)
    if opened.manifest.kind != "resonance":
        raise RefusedError(409, "only runs of the kind resonance have crossings to open.")
    given = tomllib.loads(opened.scenario_text())
    named, custom = list(given.get("trains", ())), list(given.get("train", ()))
    number = int(train)
    if not 0 <= number < len(named) + len(custom):
        raise RefusedError(404, f"this map has no train {number}.")
    cars = {"train": named[number]} if number < len(named) else {"axle": _axles(custom[number - len(named)])}
    name = named[number] if number < len(named) else custom[number - len(named)]["name"]
    values: Facts = {
        "kind": "moving-load",
        "title": f"{name} crosses at {speed:g} m/s",
        **cars,
        "speed": speed,
        "beam": given["beam"],
        "model": {"type": "modes", "size": given.get("modes", 3)},
    }
    if "place" in given:
        values["output"] = {"place": given["place"]}
    text = tomli_w.dumps(values)
    loads(text)  # it is valid, or says why not
    return {"toml": text}


def _axles(train: dict[str, object]) -> list[object]:
    axles = train["axle"]
    assert isinstance(axles, list)
    return axles
