"""What moves in a run, frame by frame, for the animation."""

from __future__ import annotations

import numpy as np

from traction.kinds.case import stored_scenario
from traction.studio.messages import Facts, RefusedError, numbers
from traction.studio.views.field_views import STATES, read_states
from traction.studio.views.run_samples import RunSamples, read_samples
from traction.studio.views.view_choice import (
    MAP,
    SCENES,
    ViewChoice,
    available_views,
    describe_label,
    present,
)

MOST_NUMBERS = 1_000_000  #: of all frames of all maps


def read_frames(folder: str, count: int, first: int, last: int) -> Facts:
    """Frames of the run in a folder, evenly chosen from its samples."""
    run = read_samples(folder)
    scene = SCENES.get(run.kind)
    if scene is None:
        raise RefusedError(404, f"nothing moves in a run of the kind {run.kind}.")
    end = run.row(last)
    rows = _choose_rows(run, scene, min(first, end), end, count)
    draw = {"bounce": _bounce, "crossing": _crossing, "impact": _impact, "rolling": _rolling}[scene]
    rows, drawn = draw(run, rows)
    label = {**describe_label(run), "values": numbers(run.label_values[rows], 10), "rows": rows.tolist()}
    return {"scene": scene, "rows": rows.tolist(), "label": label, **drawn}


def _choose_rows(run: RunSamples, scene: str, first: int, last: int, count: int) -> np.ndarray:
    """Samples of the frames: equally spaced, and half of them within contacts, which are short."""
    force = {"bounce": "contact_force", "impact": "force"}.get(scene)
    touching = (
        np.flatnonzero(run.samples[force][first : last + 1] > 0.0) + first if force else np.empty(0, int)
    )
    within = min(touching.size, count // 2)
    rows = np.linspace(first, last, count - within).round().astype(int)
    if within:
        chosen = touching[np.linspace(0, touching.size - 1, within).round().astype(int)]
        rows = np.concatenate((rows, chosen))
    return np.unique(rows)


def _bounce(run: RunSamples, rows: np.ndarray) -> tuple[np.ndarray, Facts]:
    ball = getattr(stored_scenario(run.folder).case, "ball", None)
    line = "ground_surface" in run.fields
    return rows, {
        "radius": None if ball is None else ball.radius,
        "height": numbers(run.samples["height"][rows]),
        "force": numbers(run.samples["contact_force"][rows]),
        "x": run.coordinate("x") if line else None,
        "ground": numbers(run.samples["ground_surface"][rows]) if line else None,
        "body": numbers(run.samples["body_surface"][rows]) if line else None,
    }


def _crossing(run: RunSamples, rows: np.ndarray) -> tuple[np.ndarray, Facts]:
    body = "bridge" if "bridge_deflection" in run.fields else "beam"
    case = stored_scenario(run.folder).case
    wheel = getattr(case, "wheel", None)
    x = run.coordinate("x")
    lifted = run.samples["in_contact"][rows] if "in_contact" in run.fields else None
    patch = next((one.name for one in available_views(run) if one.type == MAP), None)
    return rows, {
        "x": x,
        "deflection": numbers(run.samples[f"{body}_deflection"][rows]),
        "axles": numbers(run.samples["axle_place"][rows]),
        "forces": numbers(run.samples["axle_force"][rows]),
        "length": float(next(one.values[-1] for one in run.layout.coordinates if one.name == "x")),
        "wheel_radius": getattr(wheel, "radius", None) or 0.46,
        "lifted": None if lifted is None else (~lifted.astype(bool)).tolist(),
        "patch": patch,
    }


def _impact(run: RunSamples, rows: np.ndarray) -> tuple[np.ndarray, Facts]:
    shape = "deflection" in run.fields
    strike = getattr(stored_scenario(run.folder).case, "strike", None)
    return rows, {
        "x": run.coordinate("x") if shape else None,
        "deflection": numbers(run.samples["deflection"][rows]) if shape else None,
        "striker": numbers(run.samples["striker_displacement"][rows]),
        "struck": numbers(run.samples["structure_displacement"][rows]),
        "force": numbers(run.samples["force"][rows]),
        "approach": numbers(run.samples["approach"][rows]),
        "at": getattr(strike, "at", None),
    }


def _rolling(run: RunSamples, rows: np.ndarray) -> tuple[np.ndarray, Facts]:
    choice = next((one for one in available_views(run) if one.type == MAP), None)
    forces = {
        name: numbers(run.samples[name][rows])
        for name in ("force_x", "force_y", "normal_force", "stick_share")
    }
    if choice is None:  # a contact in plane strain
        return rows, {
            "x": run.coordinate("x"),
            "y": None,
            "view": "section",
            "layers": _line_frames(run, rows),
            "force": forces,
        }
    names = present(choice, run)
    cells = int(np.prod(run.layout.shapes[names[0]])) * (len(names) + 1)
    most = max(2, MOST_NUMBERS // cells)
    rows = rows if rows.size <= most else rows[np.linspace(0, rows.size - 1, most).round().astype(int)]
    forces = {name: numbers(run.samples[name][rows]) for name in forces}
    dims = run.fields[names[0]].dims
    return rows, {
        "x": run.coordinate(dims[-1]),
        "y": run.coordinate(dims[-2]),
        "view": choice.name,
        "layers": _map_frames(run, choice, names, rows),
        "force": forces,
    }


def _line_frames(run: RunSamples, rows: np.ndarray) -> list[Facts]:
    layers: list[Facts] = []
    for name in ("pressure", "traction_x", "traction_y"):
        about, (low, high) = run.fields[name], run.extremes(name)
        words = {"name": name, "label": about.long_name, "unit": about.unit, "kind": "signed"}
        frames = run.samples[name][rows].reshape(rows.size, -1)
        layers.append({**words, "low": low, "high": high, "frames": numbers(frames, 4)})
    return layers


def _map_frames(run: RunSamples, choice: ViewChoice, names: list[str], rows: np.ndarray) -> list[Facts]:
    layers = []
    for name in names:
        about, (low, high) = run.fields[name], run.extremes(name)
        kind = "signed" if low < 0.0 < high else "positive"
        words = {"name": name, "label": about.long_name, "unit": about.unit, "kind": kind}
        layers.append({**words, "low": low, "high": high, "frames": numbers(run.samples[name][rows], 4)})
    if choice.state:
        states = [read_states(run, choice, row).tolist() for row in rows]
        words = {"name": "state", "label": "stick and slip", "unit": "", "kind": "state"}
        layers.append({**words, "names": STATES, "low": 0, "high": 2, "frames": states})
    return layers
