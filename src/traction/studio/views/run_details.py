"""What a run is and found: its scenario, key figures, the story and tables of its report; and its exports."""

from __future__ import annotations

import math
import tomllib
from importlib.util import find_spec
from pathlib import Path

from traction.errors import TractionError
from traction.kinds.case import Scenario, stored_scenario
from traction.kinds.report_run import read_run
from traction.outputs.atomic import write_atomic
from traction.quantities import figure_text
from traction.results.folder import RunFolder
from traction.results.manifest import KeyFigure, RunStatus
from traction.results.run import load_run
from traction.studio.forms.python_lines import write_python

Facts = dict[str, object]


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
        "figures": [describe_figure(figure) for figure in opened.manifest.key_figures],
        "damage": list(opened.damage),
        "versions": dict(opened.manifest.versions),
        "story": story,
        "tables": tables,
    }


def describe_figure(figure: KeyFigure) -> Facts:
    """A key figure as number and as text."""
    name, value, unit = figure
    known = not isinstance(value, float) or math.isfinite(value)
    shown = "" if unit == "1" else unit
    return {
        "name": name,
        "value": value if known else None,
        "unit": shown,
        "text": figure_text(value, unit) if known else "none",
    }


def tell_report(opened: RunFolder) -> tuple[list[str], list[Facts]]:
    """Paragraphs and tables of the report of a complete run."""
    if find_spec("matplotlib") is None:
        return [], []
    scenario: Scenario = stored_scenario(opened)
    try:
        report = scenario.definition.report(scenario.case, read_run(opened, scenario))
        tables = [
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
