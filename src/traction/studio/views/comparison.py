"""Two runs side by side: what differs in their scenarios and key figures, and one quantity of both."""

from __future__ import annotations

import math
import tomllib

import numpy as np

from traction.quantities import figure_text
from traction.results.folder import RunFolder
from traction.results.manifest import KeyFigure
from traction.studio.messages import Facts, RefusedError
from traction.studio.views.curve_views import samples_of, thinned_curve
from traction.studio.views.run_samples import RunSamples, read_samples

MOST_KEYS = 500  #: that differ and are listed
LONGEST = 80  #: letters of a value

Curve = tuple[np.ndarray, np.ndarray]  #: what labels the samples, and a quantity


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
    curves = [samples_of(run, name) for run in runs]
    first, second = (thinned_curve(*curve, points) for curve in curves)
    apart = _difference(*curves) if _same_label(*runs) else None
    drawn = None if apart is None else thinned_curve(*apart, points)
    return {**about, "x": words, "a": first, "b": second, "difference": drawn}


def _same_label(a: RunSamples, b: RunSamples) -> bool:
    """Whether the samples of both runs are labelled by the same quantity: metres are no seconds."""
    ours, theirs = (None if run.label is None else (run.label.name, run.label.unit) for run in (a, b))
    return ours == theirs


def _difference(a: Curve, b: Curve) -> Curve | None:
    """B less A at the samples of A that B covers, between its own ones by straight lines.

    None where samples go back and forth, or runs share no stretch.
    """
    (x, ours), (place, theirs) = a, b
    if len(x) < 2 or len(place) < 2 or not (np.all(np.diff(x) > 0.0) and np.all(np.diff(place) > 0.0)):
        return None
    shared = (x >= place[0]) & (x <= place[-1])
    if np.count_nonzero(shared) < 2:
        return None
    return x[shared], np.interp(x[shared], place, theirs) - ours[shared]


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


def _text(value: object) -> str:
    """A value as a scenario file has it, without brackets and quotes."""
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)


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
        text = _text(value)
        return {path: text if len(text) <= LONGEST else f"{text[:LONGEST]}..."}
    found: dict[str, str] = {}
    for key, one in inner:
        found |= _flatten(one, key)
    return found
