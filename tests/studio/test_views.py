"""What is seen of stored runs is what they store."""

import json
import os
import shutil
from dataclasses import replace

import numpy as np
import pytest

from traction.kinds.case import loads
from traction.kinds.registry import KINDS, shipped
from traction.results.folder import RunFolder
from traction.studio.messages import RefusedError, to_json
from traction.studio.views.comparison import _difference, _flatten, _same_label, compare_runs, compare_series
from traction.studio.views.frames import read_frames
from traction.studio.views.run_details import describe_crossing, describe_details, describe_figures
from traction.studio.views.run_samples import read_samples
from traction.studio.views.sweep_table import describe_sweep, map_sweep
from traction.studio.views.view_choice import CHOICES, SCENES, list_views
from traction.studio.views.view_data import read_view

WHOLE = {"points": 1200, "first": 0, "last": -1, "sample": -1, "member": 0}
#: one case of each kind
CASES = {
    "press": "ball-on-plate",
    "shift": "shifted-ball",
    "steady": "driven-roller",
    "creep-table": "force-table",
    "creep-law": "creep-law",
    "roll": "cattaneo-to-carter",
    "bounce": "bouncing-ball",
    "impact": "ball-on-beam",
    "obstacle": "beam-on-obstacle",
    "modes": "bridge-modes",
    "moving-load": "thesis-bridge",
    "resonance": "hslm-resonance",
    "rest": "wheel-at-rest",
    "cross": "braking-wheel",
    "wheel-rail": "wheel-rail-benchmark",
}


def view(folder, name, **asked):
    drawn = read_view(str(folder), name, **{**WHOLE, **asked})
    return json.loads(to_json(drawn))


def test_every_kind_has_views():
    assert set(CASES) == set(CHOICES) == set(KINDS)
    assert set(SCENES) <= set(CHOICES)


@pytest.mark.parametrize("kind", CASES)
def test_every_view_of_a_kind_is_drawn(built_in, kind):
    folder = built_in(CASES[kind]).folder
    listed = list_views(str(folder))
    assert listed["kind"] == kind
    assert listed["views"]
    assert listed["animation"] == SCENES.get(kind)
    names = [one["name"] for one in listed["views"]]
    assert len(set(names)) == len(names)
    for one in listed["views"]:
        drawn = view(folder, one["name"])
        assert drawn["type"] == one["type"]
        for curve in drawn.get("series", []):
            assert len(curve["values"]) == len(curve.get("x", drawn["x"]["values"]))
            assert any(value is not None for value in curve["values"])
        for layer in drawn.get("layers", []):
            shape = np.array(layer["values"], dtype=float).shape
            assert shape == (len(drawn["y"]["values"]), len(drawn["x"]["values"]))
            values = np.array(layer["values"], dtype=float)
            assert np.nanmin(values) >= layer["low"] - 1e-3 * np.nanmax(np.abs(values))
    details = describe_details(str(folder))
    assert details["story"]
    assert {table["title"] for table in details["tables"]} >= {"Checks", "Inputs"}


@pytest.mark.parametrize("kind", SCENES)
def test_what_moves_has_frames(built_in, kind):
    folder = built_in(CASES[kind]).folder
    frames = json.loads(to_json(read_frames(str(folder), 7, 0, -1)))
    count = len(frames["rows"])
    assert 2 <= count <= 7
    assert frames["scene"] == SCENES[kind]
    assert len(frames["label"]["values"]) == count
    for name in ("height", "force", "deflection", "axles", "forces", "striker"):
        if isinstance(frames.get(name), list):
            assert len(frames[name]) == count
    for layer in frames.get("layers", []):
        assert len(layer["frames"]) == count


def test_a_map_is_what_the_run_stores(built_in):
    folder = built_in("cattaneo-to-carter").folder
    stored = RunFolder.open(folder).samples()
    drawn = view(folder, "patch", sample=5)
    layers = {one["name"]: np.array(one["values"], dtype=float) for one in drawn["layers"]}
    for name in ("pressure", "traction_x", "traction_y"):
        scale = np.abs(stored[name][5]).max()
        assert np.abs(layers[name] - stored[name][5]).max() <= 1e-3 * scale
    touches, sticks = stored["pressure"][5] > 0.0, stored["stick"][5]
    assert np.array_equal(layers["state"] == 0, ~touches)
    assert np.array_equal(layers["state"] == 1, touches & sticks)
    assert drawn["arrows"] == {"x": "traction_x", "y": "traction_y"}
    assert drawn["label_value"] == pytest.approx(stored["distance"][5])


def test_thinned_curves_keep_their_peaks(built_in):
    folder = built_in("bouncing-ball").folder
    stored = RunFolder.open(folder).samples()
    thin, zoomed = view(folder, "force", points=20), view(folder, "force", points=21, first=50, last=70)
    curve = thin["series"][0]["values"]
    assert len(curve) < 60 < stored["contact_force"].size
    assert max(curve) == pytest.approx(stored["contact_force"].max(), rel=1e-5)
    assert zoomed["rows"] == list(range(50, 71))
    assert thin["rows"][0] == 0
    assert thin["rows"][-1] == stored["contact_force"].size - 1
    assert thin["x"]["values"] == pytest.approx(stored["time"][thin["rows"]])


def test_a_sample_beyond_the_end_is_the_last(built_in):
    folder = built_in("ball-on-plate").folder
    assert view(folder, "patch", sample=10**9)["sample"] == 2
    assert view(folder, "patch", sample=0)["sample"] == 0


@pytest.mark.parametrize("name", ["nothing", "", "../x", "\u202e"])
def test_a_view_that_is_not_there_is_refused(built_in, name):
    with pytest.raises(RefusedError) as refused:
        view(built_in("ball-on-plate").folder, name)
    assert refused.value.status == 404


def test_samples_are_read_again_when_a_run_has_changed(built_in, tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(built_in("ball-on-plate").folder, copy)
    first = read_samples(str(copy))
    assert read_samples(str(copy)) is first
    os.utime(copy / "manifest.json", (0, 0))
    assert read_samples(str(copy)) is not first


def test_runs_are_compared(built_in):
    a, b = (str(built_in(name).folder) for name in ("bouncing-ball", "dropped-paraboloid"))
    found = json.loads(to_json(compare_runs(a, b)))
    assert found["same_kind"]
    keys = {row["key"] for row in found["scenario"]}
    assert {"fall.height", "title"} & keys
    assert all(row["a"] != row["b"] for row in found["scenario"])
    rows = {row["name"]: row for row in found["figures"]}
    forces = rows["largest contact force"]
    assert forces["difference"] == pytest.approx(forces["b"] - forces["a"])
    assert forces["relative"] == pytest.approx((forces["b"] - forces["a"]) / abs(forces["a"]))
    series = compare_series(a, b, "contact_force", 50)
    assert series["unit"] == "N"
    assert len(series["a"]["x"]) == len(series["a"]["y"])
    assert len(series["difference"]["x"]) == len(series["difference"]["y"]) > 1
    assert set(compare_series(a, a, "contact_force", 50)["difference"]["y"]) == {0.0}
    same = compare_runs(a, a)
    assert same["scenario"] == []
    assert all(row["difference"] in (0, None) for row in same["figures"])
    with pytest.raises(RefusedError):
        compare_series(a, b, "nothing", 50)


def test_no_difference_is_taken_over_labels_of_different_quantities(built_in, monkeypatch):
    a, b = (str(built_in(name).folder) for name in ("bouncing-ball", "dropped-paraboloid"))
    label = read_samples(b).label
    for other in (replace(label, name="distance"), replace(label, unit="m"), None):
        monkeypatch.setitem(read_samples(b).__dict__, "label", other)
        assert _same_label(read_samples(a), read_samples(b)) is False
    monkeypatch.setitem(read_samples(b).__dict__, "label", replace(label, unit="m"))
    assert compare_series(a, b, "contact_force", 50)["difference"] is None


def test_differences_are_taken_where_both_runs_have_samples():
    fine, coarse = np.linspace(0.0, 2.0, 21), np.linspace(1.0, 3.0, 5)
    x, apart = _difference((fine, 2.0 * fine), (coarse, 5.0 * coarse))
    assert x == pytest.approx(fine[fine >= 1.0])
    assert apart == pytest.approx(3.0 * x)
    assert _difference((fine, fine), (coarse + 5.0, coarse)) is None
    assert _difference((np.array([0.0, 1.0, 0.5]), fine[:3]), (fine, fine)) is None
    assert _difference((fine[:1], fine[:1]), (fine, fine)) is None


def test_settings_are_told_as_files_have_them():
    told = _flatten({"supports": ["pinned", "clamped"], "worn": True, "axle": [{"mass": 1000.0}]})
    assert told == {"supports": "pinned, clamped", "worn": "true", "axle.0.mass": "1000"}


def test_a_crossing_of_a_map_is_opened(built_in):
    folder = str(built_in("hslm-resonance").folder)
    opened = describe_crossing(folder, 1, 62.5)
    scenario = loads(opened["toml"])
    assert scenario.kind == "moving-load"
    assert scenario.case.speed == 62.5
    assert scenario.case.cars.name == "HSLM-A2"
    for train in (-1, 3, 10**6):
        with pytest.raises(RefusedError):
            describe_crossing(folder, train, 62.5)
    with pytest.raises(RefusedError):
        describe_crossing(str(built_in("bridge-modes").folder), 0, 30.0)


def test_a_sweep_is_a_table_and_a_map(tmp_path):
    from traction.kinds.sweep.run_sweep import sweep

    case = shipped()["equal-axles"]
    folder = tmp_path / "sweep"
    found = sweep(case, {"speed": "20 m/s, 30 m/s, 40 m/s", "beam.damping": "0.01, 0.05"}, folder)
    runs = {name: f"{k:016x}" for k, name in enumerate(found.table.variants)}
    table = json.loads(to_json(describe_sweep(str(folder), runs)))
    assert len(table["rows"]) == 6
    assert [one["name"] for one in table["varied"]] == ["speed", "beam.damping"]
    assert table["rows"][0]["run"] == runs[found.table.variants[0]]
    name = next(one["name"] for one in table["results"] if one["headline"])
    drawn = map_sweep(str(folder), runs, name)
    assert drawn["x"]["values"] == [0.01, 0.05]
    assert drawn["y"]["values"] == [20.0, 30.0, 40.0]
    values = np.array(drawn["values"])
    assert values.ravel() == pytest.approx(found.table[name], rel=1e-5)
    assert drawn["runs"][2][1] == runs[found.table.variants[5]]
    with pytest.raises(RefusedError):
        map_sweep(str(folder), runs, "nothing")


def test_noise_of_forces_is_not_shown_and_small_numbers_are():
    figures = [
        ("F", 1e3, "N"),
        ("noise", -1e-5, "N"),
        ("M", 1e-9, "N m"),
        ("error", 1e-9, "1"),
        ("u", -1e-9, "m"),
    ]
    shown = {one["name"]: one for one in describe_figures(figures, 5e-3)}
    assert shown["noise"]["text"] == "0 N"
    assert shown["M"]["value"] == 0.0
    assert shown["error"]["value"] == 1e-9
    assert shown["u"]["text"] == "\u22121.000 nm"


def test_a_force_that_is_noise_is_a_flat_curve(built_in):
    folder = built_in("cattaneo-to-carter").folder
    along, across, _ = view(folder, "forces")["series"]
    assert set(across["values"]) == {0.0}
    assert min(along["values"]) < -0.1


def test_a_force_that_is_noise_is_zero_in_a_table(built_in):
    table = view(built_in("falling-friction").folder, "table")
    columns = dict(zip(table["header"], zip(*table["rows"], strict=True), strict=True))
    across, moment = (
        next(v for k, v in columns.items() if k.startswith(words))
        for words in ("force along y", "spin moment")
    )
    assert set(across) == set(moment) == {"0"}


def test_a_kind_of_which_nothing_is_said_shows_all_it_stores(built_in, monkeypatch):
    monkeypatch.delitem(CHOICES, "press")
    folder = built_in("ball-on-plate").folder
    names = {one["name"]: one["type"] for one in list_views(str(folder))["views"]}
    assert names["pressure"] == "map"
    assert names["force"] == "series"
    for name in names:
        assert view(folder, name)["title"]


def test_wheels_on_rails_are_shown_where_the_run_found_them(built_in):
    """The patches of a position are solved again; they are those whose numbers the run has stored."""
    folder = built_in("wheel-rail-benchmark").folder
    run = read_samples(str(folder))
    row = run.count - 1
    scene = view(folder, "rails")["scene"]
    patches = [one for side in scene["sides"].values() for one in side["patches"]]
    stored = run.samples["normal_force"][row]
    forces = sorted(one["force"][0] for one in patches)
    assert forces == pytest.approx(sorted(stored[np.isfinite(stored)]), rel=1e-9)
    assert scene["y"] == run.samples["y"][row]
    assert set(scene["profiles"]) == set(scene["sides"])


def test_a_table_without_two_points_on_a_curve_offers_none(built_in):
    views = {one["name"] for one in list_views(str(built_in("falling-friction").folder))["views"]}
    assert "forces" in views
    assert "moment" not in views
