"""Curves of a run: over its samples, over another field, over frequency; and tables."""

from __future__ import annotations

import numpy as np

from traction.errors import InputError
from traction.kinds.case import stored_scenario
from traction.quantities import significant, unit_text
from traction.results.field import Field
from traction.signals.spectra import spectrum
from traction.studio.messages import Facts, RefusedError, numbers
from traction.studio.views.run_samples import RunSamples, stored_axis
from traction.studio.views.view_choice import LABELS, ViewChoice, present
from traction.view.page.live import thin

MOST_MEMBERS = 16  #: wheels or axles of which curves are drawn
MOST_ROWS = 2000  #: of a table
MOST_CURVES = 24
MOTIONS = {0: "along x", 1: "along y", 2: "spin"}  #: of the kind "creep-law"


def draw_series(run: RunSamples, choice: ViewChoice, points: int, first: int, last: int) -> Facts:
    """Curves over the samples from `first` to `last`, thinned to some points with their peaks kept."""
    end = run.count - 1 if last < 0 else min(last, run.count - 1)
    begin = min(first, end)
    members = _members(run, present(choice, run))
    over = run.label_values if choice.x is None else run.samples[choice.x]
    rows = _chosen_rows([values for _, _, values in members], begin, end, points)
    about = None if choice.x is None else run.fields[choice.x]
    words = run.label_words if about is None else (about.name, about.long_name, about.unit)
    axis = stored_axis(*words, over[rows])
    curves = [_curve(label, about, values[rows]) for label, about, values in members]
    return {"x": axis, "series": curves, "rows": rows.tolist(), "first": begin, "last": end}


def draw_curves(run: RunSamples, choice: ViewChoice) -> Facts:
    """A curve for each combination of other fields, each with its own x."""
    assert choice.x is not None
    about = run.fields[choice.x]
    keys = np.stack([run.samples[name] for name in choice.by], axis=1)
    curves: list[Facts] = []
    for number, key in enumerate(np.unique(keys, axis=0)):
        rows = np.flatnonzero((keys == key).all(axis=1))
        rows = rows[np.argsort(run.samples[choice.x][rows], kind="stable")]
        for name in present(choice, run):
            if rows.size < 2 or len(curves) >= MOST_CURVES:
                continue
            words = ", ".join(filter(None, (short_label(run.fields[name]), _tell_key(run, choice, key))))
            curve = _curve(words, run.fields[name], run.samples[name][rows])
            x = numbers(run.samples[choice.x][rows], 10)
            curves.append({**curve, "x": x, "rows": rows.tolist(), "member": number})
    if not curves:
        raise RefusedError(422, "no two samples lie on one curve; there is none to draw.")
    axis = {"name": about.name, "label": about.long_name, "unit": "" if about.unit == "1" else about.unit}
    return {"x": {**axis, "values": []}, "series": curves}


def draw_bars(run: RunSamples, choice: ViewChoice) -> Facts:
    """Values of the members of one sample, or of all samples."""
    names = present(choice, run)
    dims = run.fields[names[0]].dims
    if dims:
        axis = run.coordinate(dims[0])
        curves = [
            _curve(short_label(run.fields[name]), run.fields[name], run.samples[name][-1]) for name in names
        ]
        return {"x": axis, "series": curves, "rows": []}
    axis = stored_axis(*run.label_words, run.label_values)
    curves = [_curve(run.fields[name].long_name, run.fields[name], run.samples[name]) for name in names]
    return {"x": axis, "series": curves, "rows": list(range(run.count))}


def draw_spectrum(run: RunSamples, choice: ViewChoice, points: int) -> Facts:
    """Amplitudes of one quantity over frequency."""
    name = choice.fields[0]
    about = run.fields[name]
    try:
        found = spectrum(run.label_values, run.samples[name] - run.samples[name].mean())
    except InputError as error:
        raise RefusedError(422, str(error)) from None
    rows = _chosen_rows([found.amplitude], 1, found.frequency.size - 1, points)
    axis = stored_axis("frequency", "frequency", "Hz", found.frequency[rows])
    label = f"amplitude of {about.long_name}"
    return {"x": axis, "series": [_curve(label, about, found.amplitude[rows])], "rows": rows.tolist()}


def draw_table(run: RunSamples, choice: ViewChoice) -> Facts:
    """Rows of some fields, as text."""
    shown = [run.fields[name] for name in present(choice, run)]
    header = [
        f"{one.long_name} ({unit_text(one.unit)})" if one.unit != "1" else one.long_name for one in shown
    ]
    columns = [run.cells_of(one.name, MOST_ROWS) for one in shown]
    rows = [[_cell(value) for value in row] for row in zip(*columns, strict=True)]
    return {"header": header, "rows": rows, "left_out": max(0, run.count - MOST_ROWS)}


def samples_of(run: RunSamples, name: str) -> tuple[np.ndarray, np.ndarray]:
    """What labels the samples, and one quantity over it; of several members the first."""
    values = run.numbers_of(name)
    return run.label_values, values.reshape(len(values), -1)[:, 0] if values.ndim > 1 else values


def thinned_curve(x: np.ndarray, values: np.ndarray, points: int) -> dict[str, object]:
    """A curve of some points, its peaks kept."""
    rows = _chosen_rows([values], 0, len(values) - 1, points)
    return {"x": numbers(x[rows], 10), "y": numbers(values[rows])}


def short_label(about: Field) -> str:
    """What a field is called beside others."""
    return LABELS.get(about.name) or about.long_name.removeprefix("energy or work: ")


def _members(run: RunSamples, names: list[str]) -> list[tuple[str, Field, np.ndarray]]:
    """Label, field and values of each curve: one for each wheel or axle."""
    found = []
    for name in names:
        about, values, words = run.fields[name], run.numbers_of(name), short_label(run.fields[name])
        if not about.dims:
            found.append((words, about, values))
            continue
        count = values.shape[1]
        for member in range(min(count, MOST_MEMBERS)):
            if not np.isfinite(values[:, member]).any():
                continue  # as patches that no position has
            label = f"{words}, {about.dims[0]} {member + 1}" if count > 1 else words
            found.append((label, about, values[:, member]))
    # "axle_force" repeats "contact_force" where both are stored
    same = {"axle_force"} if {"axle_force", "contact_force"} <= set(names) else set()
    return [one for one in found if one[1].name not in same]


def _chosen_rows(curves: list[np.ndarray], first: int, last: int, points: int) -> np.ndarray:
    """Rows of which all curves keep their peaks."""
    every = np.arange(first, last + 1)
    if every.size <= points or not curves:
        return every
    bins = max(2, points // (2 * len(curves)))
    kept = [thin(every, np.asarray(values[first : last + 1], dtype=float), bins)[0] for values in curves]
    return np.unique(np.concatenate([*kept, every[[0, -1]]]))


def _curve(label: str, about: Field, values: np.ndarray) -> Facts:
    unit = "" if about.unit == "1" else about.unit
    return {"name": about.name, "label": label, "unit": unit, "group": unit, "values": numbers(values)}


def _tell_key(run: RunSamples, choice: ViewChoice, key: np.ndarray) -> str:
    """What a curve has in common, in words."""
    if run.kind == "resonance":
        return train_name(run, int(key[0]) - int(run.samples["train"].min()))
    parts = []
    for name, value in zip(choice.by, key.tolist(), strict=True):
        if np.ptp(run.samples[name]) == 0.0:
            continue
        if name == "motion":
            parts.append(MOTIONS.get(int(value), ""))
        else:
            unit = run.fields[name].unit
            parts.append(
                f"{run.fields[name].long_name} {significant(value)}{'' if unit == '1' else f' {unit}'}"
            )
    return ", ".join(parts)


def train_name(run: RunSamples, place: int) -> str:
    """Name of a train of a resonance map, counted from 0."""
    names = [one.name for one in getattr(stored_scenario(run.folder).case, "cars", ())]
    return names[place] if place < len(names) else f"train {place + 1}"


def _cell(value: object) -> str:
    return str(value) if isinstance(value, np.integer) else significant(float(value))  # type: ignore[arg-type]
