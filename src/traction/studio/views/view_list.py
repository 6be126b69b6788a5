"""The views of a run: those of its kind whose fields it has."""

from __future__ import annotations

import numpy as np

from traction.studio.json_text import numbers
from traction.studio.refusal import RefusedError
from traction.studio.views.run_samples import RunSamples, describe_axis, read_samples
from traction.studio.views.view_choice import (
    BARS,
    CHOICES,
    CURVES,
    GRID,
    MAP,
    PROFILE,
    SCENES,
    SERIES,
    SPECTRUM,
    SURFACE,
    ViewChoice,
)

LABELS = 2000  #: values of what labels the samples
LEAST = {SERIES: 2, CURVES: 2, SURFACE: 3}  #: samples that a view needs
LINE = 1  #: rows of a field over an area that is a line

Facts = dict[str, object]


def list_views(folder: str) -> Facts:
    """What can be seen of the run in a folder."""
    run = read_samples(folder)
    return {
        "kind": run.kind,
        "samples": run.count,
        "total": run.layout.total,
        "label": describe_label(run),
        "views": [_describe(choice) for choice in available_views(run)],
        "animation": SCENES.get(run.kind) if run.count > 1 else None,
    }


def find_view(run: RunSamples, name: str) -> ViewChoice:
    """The view of that name."""
    found = next((one for one in available_views(run) if one.name == name), None)
    if found is None:
        raise RefusedError(404, f'this run has no view "{name[:60]}".')
    return found


def available_views(run: RunSamples) -> list[ViewChoice]:
    """Views of the kind for which the run has fields and samples."""
    return [choice for choice in CHOICES.get(run.kind) or _choose_all(run) if _fits(choice, run)]


def _choose_all(run: RunSamples) -> list[ViewChoice]:
    """Views of a kind of which nothing is said: all that it stores, numbers by their units."""
    units: dict[str, list[str]] = {}
    for one in run.layout.fields:
        if not one.dims and not one.labels_samples:
            units.setdefault(one.unit, []).append(one.name)
    kinds = {1: PROFILE, 2: MAP}
    found = [
        ViewChoice(one.name, kinds[len(one.dims)], one.long_name, (one.name,))
        for one in run.layout.fields
        if len(one.dims) in kinds
    ]
    lists = [tuple(names) for names in units.values()]
    return [*found, *(ViewChoice(one[0], SERIES, run.fields[one[0]].long_name, one) for one in lists)]


def present(choice: ViewChoice, run: RunSamples) -> list[str]:
    """Fields of a view that the run has."""
    return [name for name in choice.fields if name in run.fields]


def is_line(run: RunSamples, name: str) -> bool:
    """Whether a field over an area is one along a line: a contact in plane strain."""
    dims = run.fields[name].dims
    return len(dims) == 2 and run.layout.shapes[name][0] == LINE


def describe_label(run: RunSamples) -> Facts:
    """What labels the samples, thinned."""
    step = max(1, -(-run.count // LABELS))
    rows = list(range(0, run.count, step))
    rows += [run.count - 1] if rows and rows[-1] != run.count - 1 else []
    label = run.label
    name, words, unit = (
        ("sample", "sample", "1") if label is None else (label.name, label.long_name, label.unit)
    )
    return {**describe_axis(name, words, unit, run.label_values[rows]), "rows": rows}


def _fits(choice: ViewChoice, run: RunSamples) -> bool:
    names = present(choice, run)
    if not names or run.count < LEAST.get(choice.type, 1):
        return False
    if choice.x is not None and choice.x not in run.fields:
        return False
    if choice.type == MAP:
        return len(run.fields[names[0]].dims) >= 2 and not is_line(run, names[0])
    if choice.type == PROFILE:
        return len(run.fields[names[0]].dims) == 1 or is_line(run, names[0])
    if choice.type == BARS:
        return run.count > 1 or bool(run.fields[names[0]].dims)
    if choice.type == SPECTRUM:
        return run.is_even
    if choice.type == CURVES:
        return _has_curve(choice, run)
    if choice.type == GRID:
        return all(len(set(numbers(run.samples[name]))) > 1 for name in choice.by)
    return True


def _has_curve(choice: ViewChoice, run: RunSamples) -> bool:
    """Whether two samples lie on one curve."""
    keys = np.stack([run.samples[name] for name in choice.by], axis=1)
    return bool(np.unique(keys, axis=0, return_counts=True)[1].max() > 1)


def _describe(choice: ViewChoice) -> Facts:
    return {
        "name": choice.name,
        "type": choice.type,
        "title": choice.title,
        "fields": list(choice.fields),
        "log_x": choice.log_x,
        "log_y": choice.log_y,
        "down": choice.down,
        "pick": choice.pick or None,
    }
