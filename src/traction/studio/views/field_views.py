"""Fields of a run: along a line, over an area, over a line and time; the rails of a wheelset."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from traction.kinds.case import stored_scenario
from traction.kinds.wheel_rail.run import WheelRailStepper
from traction.kinds.wheel_rail.schema import WheelRailCase
from traction.studio.messages import Facts, numbers, pack
from traction.studio.patch_scenes import describe_scene
from traction.studio.views.curve_views import short_label, train_name
from traction.studio.views.run_samples import RunSamples, stored_axis
from traction.studio.views.view_choice import ViewChoice, describe_label, present

APART, STICKS, SLIPS = 0, 1, 2
STATES = ["no contact", "stick", "slip"]
MOST_CELLS = 65_536  #: of a map that is sent; larger ones are thinned
MOST_LINES = 400  #: samples of a surface over time

MOST_KEPT = 64  #: positions


def draw_profile(run: RunSamples, choice: ViewChoice, sample: int) -> Facts:
    """Curves along a line at one sample, within the limits of all samples."""
    row = run.row(sample)
    names = present(choice, run)
    axis = run.coordinate(run.fields[names[0]].dims[-1])
    curves, lows, highs = [], [], []
    for name in names:
        about = run.fields[name]
        values = run.samples[name][row].reshape(-1)
        unit = "" if about.unit == "1" else about.unit
        words = {"name": name, "label": short_label(about), "unit": unit, "group": unit}
        curves.append({**words, "values": numbers(values)})
        low, high = run.extremes(name)
        lows.append(low)
        highs.append(high)
    limits = {"low": min(lows), "high": max(highs)}
    return {**_at(run, row), "x": axis, "series": curves, "limits": limits}


def draw_map(run: RunSamples, choice: ViewChoice, sample: int, member: int) -> Facts:
    """Fields over an area at one sample, and where it sticks and slips."""
    row = run.row(sample)
    names = present(choice, run)
    about = run.fields[names[0]]
    members = run.layout.shapes[names[0]][0] if len(about.dims) == 3 else 1
    chosen = min(member, members - 1)
    x, y = _area(run, names[0], row, chosen)
    step = _thinning(run.layout.shapes[names[0]][-2:])
    layers = [_layer(run, name, _cut(run, name, row, chosen)[::step, ::step]) for name in names]
    layers += state_layers(run, choice, row, step)
    arrows = all(name in run.fields for name in choice.arrows) and choice.arrows
    return {
        **_at(run, row),
        "x": _thinned(x, step),
        "y": _thinned(y, step),
        "layers": layers,
        "arrows": {"x": choice.arrows[0], "y": choice.arrows[1]} if arrows else None,
        "member": chosen,
        "members": [f"{about.dims[0]} {k + 1}" for k in range(members)] if members > 1 else [],
    }


def state_layers(run: RunSamples, choice: ViewChoice, row: int, step: int = 1) -> list[Facts]:
    """Where the contact sticks and slips, for runs that store it; and the size of the traction."""
    found: list[Facts] = []
    if choice.arrows and all(name in run.fields for name in choice.arrows):
        size = np.hypot(*(run.samples[name][row] for name in choice.arrows))
        largest = max(abs(limit) for name in choice.arrows for limit in run.extremes(name))
        words = {"name": "traction", "label": "magnitude of the traction", "unit": "Pa", "kind": "positive"}
        found.append({**words, "low": 0.0, "high": largest, "values": numbers(size[::step, ::step])})
    if choice.state and all(name in run.fields for name in choice.state):
        states = read_states(run, choice, row)[::step, ::step]
        words = {"name": "state", "label": "stick and slip", "unit": "", "kind": "state"}
        found.append({**words, "names": STATES, "low": APART, "high": SLIPS, "values": states.tolist()})
    return found


def read_states(run: RunSamples, choice: ViewChoice, row: int) -> np.ndarray:
    """State of each element of the contact."""
    pressure, stick = (run.samples[name][row] for name in choice.state)
    return np.where(pressure > 0.0, np.where(stick, STICKS, SLIPS), APART)


def draw_surface(run: RunSamples, choice: ViewChoice, points: int) -> Facts:
    """A field along a line over the samples."""
    name = choice.fields[0]
    count = min(points, MOST_LINES, run.count)
    rows = np.unique(np.linspace(0, run.count - 1, count).round().astype(int))
    label = describe_label(run)
    over = {**label, "values": numbers(run.label_values[rows], 10), "rows": rows.tolist()}
    return {
        "x": run.coordinate(run.fields[name].dims[-1]),
        "y": over,
        "layers": [_layer(run, name, run.samples[name][rows])],
    }


def draw_grid(run: RunSamples, choice: ViewChoice) -> Facts:
    """Numbers over two fields whose values make a grid."""
    assert choice.x is not None
    across = choice.by[0]
    x, columns = np.unique(run.samples[choice.x], return_inverse=True)
    y, rows = np.unique(run.samples[across], return_inverse=True)
    layers = []
    for name in present(choice, run):
        values = np.full((y.size, x.size), np.nan)
        values[rows, columns] = run.samples[name]
        layers.append({**_layer(run, name, values), "label": short_label(run.fields[name])})
    about, other = run.fields[choice.x], run.fields[across]
    return {
        "x": stored_axis(about.name, about.long_name, about.unit, x),
        "y": {
            **stored_axis(other.name, other.long_name, other.unit, y),
            "names": [train_name(run, k) for k in range(y.size)],
        },
        "layers": layers,
    }


def _at(run: RunSamples, row: int) -> Facts:
    return {"sample": row, "label_value": float(run.label_values[row])}


def _area(run: RunSamples, name: str, row: int, member: int) -> tuple[Facts, Facts]:
    """Positions along both directions; patches of several wheels have grids of their own."""
    dims = run.fields[name].dims
    if "element_x" not in run.fields:
        return run.coordinate(dims[-1]), run.coordinate(dims[-2])
    ny, nx = run.layout.shapes[name][-2:]
    size_x, size_y = (float(run.samples[f"element_{one}"][row][member]) for one in "xy")
    x = (np.arange(nx) - 0.5 * (nx - 1)) * size_x + float(run.samples["middle"][row][member])
    y = (np.arange(ny) - 0.5 * (ny - 1)) * size_y
    return (
        stored_axis("x", "along the bridge, from the wheel", "m", x),
        stored_axis("y", "across the bridge", "m", y),
    )


def _cut(run: RunSamples, name: str, row: int, member: int) -> np.ndarray:
    values = run.samples[name][row]
    return values[member] if values.ndim == 3 else values


def _layer(run: RunSamples, name: str, values: np.ndarray) -> Facts:
    about = run.fields[name]
    low, high = run.extremes(name)
    kind = "signed" if low < 0.0 < high else "positive"
    unit = "" if about.unit == "1" else about.unit
    words = {"name": name, "label": about.long_name, "unit": unit, "kind": kind}
    return {**words, "low": low, "high": high, "values": numbers(values, 4)}


def _thinning(shape: tuple[int, ...]) -> int:
    """Every how many elements of a large map are sent."""
    step = 1
    while (shape[-1] // step) * (shape[-2] // step) > MOST_CELLS:
        step += 1
    return step


def _thinned(axis: Facts, step: int) -> Facts:
    values = axis["values"]
    assert isinstance(values, list)
    return {**axis, "values": values[::step]}


def draw_rails(run: RunSamples, sample: int) -> Facts:
    """Profiles and patches of the wheels at a sample."""
    row = run.row(sample)
    return {"sample": row, "scene": _solve(str(run.folder.path), run.folder.manifest.run, row)}


@lru_cache(maxsize=MOST_KEPT)
def _solve(folder: str, run: str, row: int) -> Facts:
    """The scene, packed; `run` tells a run from another that has taken its folder."""
    from traction.results.folder import RunFolder

    case = stored_scenario(RunFolder.open(folder)).case
    assert isinstance(case, WheelRailCase)
    found = WheelRailStepper(case).touch(row)
    return {key: pack(one) for key, one in describe_scene(case.models, found, case.side).items()}
