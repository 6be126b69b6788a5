"""Two runs side by side: what differs in their scenarios and key figures, and one quantity of both."""

from __future__ import annotations

import math
import tomllib

from traction.quantities import figure_text
from traction.results.folder import RunFolder
from traction.results.manifest import KeyFigure
from traction.studio.refusal import RefusedError
from traction.studio.views.curve_views import curve_of
from traction.studio.views.run_samples import RunSamples, read_samples

MOST_KEYS = 500  #: that differ and are listed
LONGEST = 80  #: letters of a value

Facts = dict[str, object]


def compare_runs(a: str, b: str) -> Facts:
    """Differences of two runs."""
    ours, theirs = RunFolder.open(a), RunFolder.open(b)
    first, second = (_flatten(tomllib.loads(one.scenario_text())) for one in (ours, theirs))
    keys = [key for key in {**first, **second} if first.get(key) != second.get(key)][:MOST_KEYS]
    return {
        "same_kind": ours.manifest.kind == theirs.manifest.kind,
        "scenario": [{"key": key, "a": first.get(key), "b": second.get(key)} for key in keys],
        "figures": _compare_figures(ours.manifest.key_figures, theirs.manifest.key_figures),
        "series": _common_series(read_samples(a), read_samples(b)),
    }


def compare_series(a: str, b: str, name: str, points: int) -> Facts:
    """One quantity of both runs over what labels their samples."""
    runs = [read_samples(folder) for folder in (a, b)]
    common = _common_series(*runs)
    about = next((one for one in common if one["name"] == name), None)
    if about is None:
        raise RefusedError(404, f'these runs have no quantity "{name[:60]}" in common.')
    label = runs[0].label
    words = (
        {"label": "sample", "unit": ""} if label is None else {"label": label.long_name, "unit": label.unit}
    )
    drawn = [dict(zip("xy", curve_of(run, name, points), strict=True)) for run in runs]
    return {**about, "x": words, "a": drawn[0], "b": drawn[1]}


def _common_series(a: RunSamples, b: RunSamples) -> list[Facts]:
    """Quantities over the samples that both runs have, in the same unit."""
    if not a.count or not b.count:
        return []
    found: list[Facts] = []
    for one in a.layout.fields:
        other = b.fields.get(one.name)
        if other is None or other.unit != one.unit or one.labels_samples or len(one.dims) > 1:
            continue
        if one.dims and one.dims[0] not in ("wheel", "axle", "driven"):
            continue
        label = f"{one.long_name}, the first" if one.dims else one.long_name
        found.append({"name": one.name, "label": label, "unit": "" if one.unit == "1" else one.unit})
    return found


def _compare_figures(ours: tuple[KeyFigure, ...], theirs: tuple[KeyFigure, ...]) -> list[Facts]:
    others = {(name, unit): value for name, value, unit in theirs}
    mine = {(name, unit): value for name, value, unit in ours}
    rows: list[Facts] = []
    for name, unit in {**mine, **others}:
        a, b = mine.get((name, unit)), others.get((name, unit))
        first, second = _number(a), _number(b)
        difference = None if first is None or second is None else second - first
        relative = difference / abs(first) if difference is not None and first else None
        rows.append(
            {
                "name": name,
                "unit": "" if unit == "1" else unit,
                "a": first,
                "b": second,
                "text_a": "" if a is None else figure_text(a, unit),
                "text_b": "" if b is None else figure_text(b, unit),
                "difference": difference,
                "relative": relative,
            }
        )
    return rows


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


def _flatten(value: object, path: str = "") -> dict[str, str]:
    """All values of a scenario by their dotted keys, as text."""
    if isinstance(value, dict):
        inner = ((f"{path}.{key}" if path else str(key), one) for key, one in value.items())
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        inner = ((f"{path}.{number}", one) for number, one in enumerate(value))
    else:
        text = f"{value:.6g}" if isinstance(value, float) else str(value)
        return {path: text if len(text) <= LONGEST else f"{text[:LONGEST]}..."}
    found: dict[str, str] = {}
    for key, one in inner:
        found |= _flatten(one, key)
    return found
