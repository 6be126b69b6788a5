"""Sweeps through the server: checked as they are typed, started, stopped, killed, resumed, deleted."""

import json
import os
import signal

import numpy as np
import pytest

from studio_process import LONG, MODES
from traction.kinds.case import loads
from traction.kinds.registry import shipped
from traction.kinds.sweep.run_sweep import sweep
from traction.results.sweeps.sweep_folder import load_sweep
from traction.studio.forms.checked_sweep import MOST_VARIANTS, check_sweep
from traction.studio.messages import RefusedError, to_json
from traction.studio.views.sweep_table import map_sweep
from traction.studio.workspace.run_entry import SweepCatalogue
from traction.studio.workspace.workspace import Workspace


def test_keys_are_offered_with_their_values_and_units():
    checked = check_sweep(MODES, {"vary": {}})
    keys = {one["key"]: one for one in checked["keys"]}
    assert keys["beam.length"] == {"key": "beam.length", "value": "20 m", "unit": "m"}
    assert "kind" not in keys
    assert "title" not in keys
    assert not checked["ok"]
    assert checked["errors"] == []


@pytest.mark.parametrize(
    ("vary", "key", "words"),
    [
        ({"beam.length": "20 kg, 30 kg"}, "beam.length", "is a mass"),
        ({"beam.length": "-20 m"}, "beam.length", "must be positive"),
        ({"beam.lenght": "20 m"}, "beam.lenght", "did you mean"),
        ({"beam.length": "10:20"}, "beam.length", "first:last:count"),
        ({"beam.length": "uniform(10, 20 m)"}, "beam.length", "how many samples"),
        ({"modes": "1:3:3", "beam.length": ""}, "beam.length", "no values"),
        ({"beam.length": f"10:20:{MOST_VARIANTS + 1} m"}, "", "at most 2000"),
    ],
)
def test_a_wrong_value_is_explained_at_its_key(vary, key, words):
    checked = check_sweep(MODES, {"vary": vary})
    assert not checked["ok"]
    assert checked["errors"][0]["key"] == key
    assert words in checked["errors"][0]["message"]


def test_a_case_that_is_wrong_itself_is_told_so():
    checked = check_sweep(MODES.replace('"20 m"', '"20 kg"'), {"vary": {"modes": "1, 2"}})
    assert "case itself" in checked["errors"][0]["message"]
    with pytest.raises(RefusedError):
        check_sweep(MODES, {"vary": {"modes": 3}})


def test_the_python_lines_do_the_same_sweep(tmp_path, monkeypatch, capsys):
    given = {"vary": {"beam.length": "uniform(10, 30 m)", "modes": "1, 2"}, "samples": 2, "seed": 3}
    checked = check_sweep(MODES, given)
    assert checked["variants"] == 4
    monkeypatch.chdir(tmp_path)
    exec(checked["python"], {})
    table = load_sweep(tmp_path / "modes-of-a-bridge-sweep").table
    known = sweep(loads(MODES), given["vary"], samples=2, seed=3).table
    assert table["beam.length"].tolist() == known["beam.length"].tolist()


def _describe(folder, **facts):
    place = next(one for one in Workspace(folder.parent).places() if one.path == folder)
    return SweepCatalogue().describe(place, facts.get("states", ()))


def test_sweeps_of_key_figures_are_counted_and_killed_ones_told(tmp_path):
    folder = tmp_path / "sweep"
    sweep(loads(MODES), {"beam.length": "10:30:3 m"}, folder, keep="figures")
    told = _describe(folder)
    assert (told["state"], told["done"], told["variants"]) == ("done", 3, 3)
    journal = folder / "outcomes.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:2]))  # versions, one outcome
    assert _describe(folder)["state"] == "interrupted"  # the table is older than the last outcome
    os.utime(folder / "table.csv", ns=(journal.stat().st_mtime_ns + 1,) * 2)
    told = _describe(folder)
    assert (told["state"], told["done"], told["can_resume"]) == ("stopped", 1, True)


def test_bands_are_quantiles_and_points_open_their_runs(tmp_path):
    vary = {"beam.length": "10:30:3 m", "beam.mass_per_length": "uniform(7, 9 t/m)"}
    found = sweep(loads(MODES), vary, tmp_path / "bands", samples=9, keep="figures")
    name = found.table.results[0].name
    drawn = json.loads(to_json(map_sweep(str(tmp_path / "bands"), {}, name)))
    assert drawn["x"]["values"] == [10.0, 20.0, 30.0]
    levels = found.table.quantiles(name, [0.05, 0.25, 0.5, 0.75, 0.95])
    assert drawn["values"] == pytest.approx(levels[2], rel=1e-4)
    for band, (low, high) in zip(drawn["bands"], ((0, 4), (1, 3)), strict=True):
        assert band["low"] == pytest.approx(levels[low], rel=1e-4)
        assert band["high"] == pytest.approx(levels[high], rel=1e-4)
    found = sweep(loads(MODES), {"beam.length": "uniform(10, 30 m)"}, tmp_path / "points", samples=5)
    runs = {name: name for name in found.table.variants}
    drawn = map_sweep(str(tmp_path / "points"), runs, name)
    assert drawn["dots"]
    assert drawn["x"]["values"] == sorted(drawn["x"]["values"])
    first = found.table.variants.index(drawn["runs"][0])
    assert found.table["beam.length"][first] == pytest.approx(min(found.table["beam.length"]))
    assert len(set(drawn["bands"][0]["low"])) == 1


def test_maps_and_curves_run_over_the_chosen_key(tmp_path):
    vary = {"beam.length": "10, 20 m", "beam.mass_per_length": "6, 7, 8 t/m"}
    found = sweep(loads(MODES), vary, tmp_path / "map", keep="figures")
    name = found.table.results[0].name
    known = found.table[name].reshape(2, 3)
    one, other = (map_sweep(str(tmp_path / "map"), {}, name, over) for over in (None, "beam.length"))
    assert np.array(one["values"]) == pytest.approx(known, rel=1e-4)
    assert np.array(other["values"]) == pytest.approx(known.T, rel=1e-4)
    assert other["x"]["values"] == [10.0, 20.0]
    assert other["y"]["values"] == [6000.0, 7000.0, 8000.0]
    three = sweep(loads(MODES), {**vary, "modes": "1, 2"}, tmp_path / "three", keep="figures")
    drawn = map_sweep(str(tmp_path / "three"), {}, name, "beam.mass_per_length")
    assert [len(one["values"]) for one in drawn["series"]] == [3] * 4
    rows = three.table[name].reshape(2, 3, 2)
    assert drawn["series"][1]["values"] == pytest.approx(rows[0, :, 1], rel=1e-4)


@pytest.mark.slow
def test_a_sweep_is_started_followed_and_deleted(studio, parse_events):
    body = {"toml": MODES, "vary": {"beam.length": "10:30:4 m"}, "workers": 2}
    assert studio.post("/api/check-sweep", body)["variants"] == 4
    key = studio.post("/api/sweeps", body, 201)["id"]
    with studio.client.stream("GET", f"/api/sweeps/{key}/events") as stream:
        events = [data for name, data in parse_events(stream.iter_lines()) if name == "sweep"]
    assert [one["progress"] for one in events] == sorted(one["progress"] for one in events)
    assert (events[-1]["state"], events[-1]["done"], events[-1]["report"]) == ("done", 4, "ready")
    shown = studio.get(f"/api/sweeps/{key}")
    assert len(shown["rows"]) == 4
    assert studio.get(f"/api/runs/{shown['rows'][2]['run']}")["state"] == "done"
    assert key in [one["id"] for one in studio.get("/api/runs")["sweeps"]]
    assert studio.client.post(f"/api/sweeps/{key}/resume").status_code == 409
    assert studio.client.delete(f"/api/runs/{key}").status_code == 404
    assert studio.client.delete(f"/api/sweeps/{key}").status_code == 204
    assert studio.client.get(f"/api/sweeps/{key}").status_code == 404
    assert not (studio.workspace / shown["name"]).exists()


@pytest.mark.slow
def test_a_killed_sweep_is_shown_as_such_and_resumes(studio):
    body = {"toml": LONG, "vary": {"surface[0].radius": "20, 21, 22 mm"}, "workers": 2}
    key = studio.post("/api/sweeps", body, 201)["id"]

    def wait(*states, until=lambda one: True):
        for _ in range(2400):
            one = studio.get(f"/api/sweeps/{key}")
            if one["state"] in states and until(one):
                return one
            studio.process.poll()
            signal.sigtimedwait([], 0.05)
        raise TimeoutError(str(one))

    running = wait("running", until=lambda one: one["progress"] > 0.0)
    assert studio.client.delete(f"/api/sweeps/{key}").status_code == 409
    os.kill(running["pid"], signal.SIGKILL)
    killed = wait("interrupted")
    assert "killed (signal 9)" in killed["message"]
    assert killed["can_resume"]
    assert studio.post(f"/api/sweeps/{key}/resume", status=202)["state"] in ("queued", "running")
    wait("running", until=lambda one: one["progress"] > 0.0)
    studio.post(f"/api/sweeps/{key}/stop", status=202)
    assert wait("stopped")["can_resume"]
    assert studio.client.delete(f"/api/sweeps/{key}").status_code == 204


@pytest.mark.slow
def test_a_shipped_case_of_every_kind_has_keys_to_vary():
    for name, path in shipped().items():
        checked = check_sweep(path.read_text(encoding="utf-8"), {"vary": {}}, str(path.parent))
        assert checked["keys"], name
