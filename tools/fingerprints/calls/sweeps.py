"""Scenarios from Python: built, run, run in a folder and read back, and varied."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import traction as tr
from fingerprints.cases import call, each
from fingerprints.results import Numbers
from fingerprints.scenarios import fields, key_figures, shipped


def press() -> tr.Scenario:
    """A ball under a small force."""
    return tr.Scenario.build(
        "press",
        grid={"nx": 16, "ny": 16, "width_x": "0.4 mm", "width_y": "0.4 mm"},
        surface=[{"type": "sphere", "radius": "10 mm"}],
        load={"force": ["5 N", "10 N"]},
    )


def told(run: tr.Run) -> Numbers:
    """Data and key figures."""
    return {"status": str(run.status), "data": fields(run), "key": key_figures(run)}


@call("sweep/build")
def build() -> Numbers:
    """A scenario from Python, and its file."""
    return {**told(tr.simulate(press())), "toml": press().to_toml()}


@call("sweep/folder")
def folder() -> Numbers:
    """A run that is kept, and read back."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "run"
        tr.simulate(press(), out)
        return told(tr.load_run(out))


@each("sweep/resume_{}", ("bouncing-ball", "cattaneo-to-carter", "flat-wheel"))
def resume(name: str) -> Numbers:
    """A run that is stopped after a few samples, and goes on from its folder."""
    asked = itertools.count()
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "run"
        first = tr.simulate(shipped(name), out, stop=lambda: next(asked) >= 5)
        return {"stopped": str(first.status), **told(tr.resume(out))}


@call("sweep/vary")
def vary() -> Numbers:
    """Two keys in all combinations, and side by side."""
    varied = {"surface[0].radius": ["8 mm", "12 mm"], "load.force": [4, 6]}
    found = {"all": tr.sweep(press(), varied), "zipped": tr.sweep(press(), varied, zipped=True)}
    return {name: {"csv": one.table.to_csv(), "runs": runs(one)} for name, one in found.items()}


@call("sweep/load_sweep")
def load_sweep() -> Numbers:
    """A sweep that is kept, and read back."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "sweep"
        tr.sweep(press(), {"load.force": [4, 6]}, out)
        return {"csv": tr.load_sweep(out).table.to_csv()}


def runs(sweep: tr.Sweep) -> Numbers:
    """All runs of a sweep."""
    return {str(k): told(run) for k, run in enumerate(sweep.runs)}
