"""One crossing of a resonance map as a scenario of its own."""

from __future__ import annotations

import tomllib

import tomli_w

from traction.kinds.case import loads
from traction.results.folder import RunFolder
from traction.studio.refusal import RefusedError

Facts = dict[str, object]


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
