"""The command line as people use it: exit codes, sentences, files; never a traceback."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest

import traction as tr
from traction.app import verification
from traction.kinds.registry import shipped
from traction.results.run import load_run

pytestmark = pytest.mark.usefixtures("quick_figures")

SMALL = ("--set", "grid.nx=16", "--set", "grid.ny=16", "--set", "load.force=[20, 40]")


def test_help_loads_nothing_heavy(run_python):
    code = (
        "import sys; sys.argv = ['traction', '--help']\nfrom traction.cli import main\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    assert not ended.code\n"
        "print('LOADED', *{'numba', 'scipy', 'matplotlib', 'xarray', 'pandas'} & set(sys.modules))"
    )
    out = run_python(code)
    assert "validate" in out
    assert out.strip().endswith("LOADED")


def test_the_package_is_a_command():
    done = subprocess.run(
        [sys.executable, "-m", "traction", "info", "--json"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert set(json.loads(done.stdout)["scenarios"]) == set(shipped())


def test_new_prints_or_writes_but_never_overwrites(traction, tmp_path):
    code, out, _ = traction("new", "press")
    assert code == 0
    assert tomllib.loads(out)["kind"] == "press"
    assert tomllib.loads(traction("new", "bounce")[1])["kind"] == "bounce"
    assert tomllib.loads(traction("new", "cross")[1])["kind"] == "cross"
    assert traction("new", "roller", "--out", "a.toml")[0] == 0
    code, _, err = traction("new", "press", "--out", "a.toml")
    assert (code, "exists" in err) == (2, True)
    assert traction("new", "press", "--out", "missing/a.toml")[0] == 2
    code, _, err = traction("new", "presss")
    assert (code, 'did you mean "press"?' in err) == (2, True)
    assert traction("validate", "a.toml")[0] == 0
    assert json.loads(traction("validate", "a.toml", "--json")[1])["valid"]


def test_bad_input_is_code_2(traction):
    for arguments in (("validate",), ("validate", "missing.toml"), ("run", "missing.toml"), ("nonsense",)):
        assert traction(*arguments)[0] == 2
    for arguments in (("resume", "missing"), ("report", "missing"), ("schema", "pres")):
        code, _, err = traction(*arguments)
        assert code == 2
        assert err.startswith("error: ")
    code, _, err = traction("validate", shipped()["roller"], "--set", "nonsense")
    assert (code, "must read key=value" in err) == (2, True)


def test_a_run_is_kept_reported_and_not_overwritten(traction, tmp_path, request):
    traction("new", "ball-on-plate", "--out", "ball.toml")
    code, out, _ = traction("run", "ball.toml", *SMALL, "--json")
    facts = json.loads(out)
    assert (code, facts["status"], facts["ok"]) == (0, "done", True)
    (tmp_path / "ball-run" / "report.html").unlink()
    assert traction("report", "ball-run")[0] == 0
    assert (tmp_path / "ball-run" / "report.html").exists()
    request.getfixturevalue("without_figures")
    code, out, _ = traction("run", "ball.toml", *SMALL)
    assert code == 0
    assert f"open in Studio: traction studio {tmp_path / 'ball-run-2'}" in out
    assert (tmp_path / "ball-run-2").is_dir()
    assert traction("run", "ball.toml", *SMALL, "--out", "ball-run")[0] == 2
    assert traction("resume", "ball-run")[0] == 0


def test_checks_that_do_not_pass_are_told_with_the_run(traction):
    """A grid of eight elements across leaves fewer than eight in the contact."""
    traction("new", "ball-on-plate", "--out", "a.toml")
    coarse = ("--set", "grid.nx=8", "--set", "grid.ny=8", "--set", "load.force=20")
    code, out, _ = traction("run", "a.toml", "--out", "coarse", *coarse)
    assert code == 0
    assert "check not passed: elements across the contact: " in out
    assert "check not passed" in traction("report", "coarse")[1]
    found = json.loads(traction("resume", "coarse", "--json")[1])["missed_checks"]
    assert len(found) == 1
    assert found[0].endswith("limit at least 8: coarse")
    code, out, _ = traction("run", "a.toml", "--out", "fine", "--set", "load.force=20")
    assert (code, "check not passed" in out) == (0, False)


@pytest.fixture
def stored_ball(built_in, tmp_path):
    """A finished run that tests may damage."""
    return shutil.copytree(built_in("ball-on-plate").folder, tmp_path / "out")


def test_what_makes_a_result_rough_is_said(traction, without_figures):
    code, out, _ = traction("run", shipped()["wheel-on-thin-beam"], "--out", "thin")
    assert (code, "notice: The bridge has a slope of" in out) == (0, True)
    code, out, _ = traction("resume", "thin", "--json")
    assert (code, "slope" in json.loads(out)["message"]) == (0, True)
    code, out, _ = traction("run", shipped()["wheel-at-rest"], "--out", "stiff")
    assert (code, "notice" in out) == (0, False)


def test_a_run_that_does_not_converge_is_code_3_and_kept(traction, tmp_path):
    small = ("--set", "grid.width_x=0.1 mm", "--set", "grid.width_y=0.1 mm")
    code, _, err = traction("run", shipped()["ball-on-plate"], *small, "--out", "edge")
    assert code == 3
    assert "reaches the edge of the grid" in err
    assert (tmp_path / "edge" / "manifest.json").exists()


def test_without_matplotlib_a_run_still_succeeds(traction, without_figures):
    code, out, _ = traction("run", shipped()["ball-on-plate"], *SMALL, "--out", "plain")
    assert (code, "pip install traction[plot]" in out) == (0, True)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), PermissionError(13, "denied", "x")])
def test_no_traceback_whatever_happens(traction, monkeypatch, error):
    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr("traction.kinds.case.load", fail)
    code, _, _ = traction("validate", "a.toml")
    assert code == (130 if isinstance(error, KeyboardInterrupt) else 2)


def test_a_stopped_run_is_resumed_to_the_same_numbers(traction, tmp_path, without_figures):
    forces = json.dumps([f"{10.0 + 0.4 * k} N" for k in range(200)])
    command = [sys.executable, "-m", "traction", "run", str(shipped()["ball-on-plate"]), "--out", "stopped"]
    run = subprocess.Popen(
        [*command, "--set", f"load.force={forces}"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    run.stderr.readline()  # the first sample is done
    time.sleep(0.05)
    run.send_signal(signal.SIGTERM)
    _, err = run.communicate(timeout=60)
    assert (run.returncode, "Traceback" in err) == (130, False)
    assert not load_run(tmp_path / "stopped").ok
    assert traction("resume", "stopped")[0] == 0
    stopped = load_run(tmp_path / "stopped").data
    whole = tr.simulate(tr.load(shipped()["ball-on-plate"], changes={"load.force": forces})).data
    for name in whole.data_vars:
        np.testing.assert_array_equal(stopped[name], whole[name])


def test_a_read_only_folder_is_code_2(traction, monkeypatch):
    """The system's refusal is played, since modes of files do not bind root."""

    def refuse(path, *_, **__):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    code, _, err = traction("run", shipped()["roller"], "--out", "locked/run")
    assert code == 2
    assert "locked" in err
    assert "Traceback" not in err


def test_verify_one_none_and_missed(traction, monkeypatch):
    code, out, _ = traction("verify", "--only", "load-circle", "--json")
    assert (code, json.loads(out)["missed"]) == (0, 0)
    assert traction("verify", "--only", "nothing like it")[0] == 2
    wrong = verification.Check("wrong", "number", "nobody", 1.0, 1e-3, lambda: 2.0)
    monkeypatch.setattr(verification, "checks", lambda: (wrong,))
    code, out, _ = traction("verify")
    assert (code, "0 passed, 1 missed" in out) == (1, True)
    assert "left out" not in out
    monkeypatch.setattr(verification, "left_out", lambda: ("fem rows need scikit-fem",))
    assert "left out: fem rows need scikit-fem" in traction("verify")[1]
    assert json.loads(traction("verify", "--json")[1])["left_out"] == ["fem rows need scikit-fem"]
    code, _, error = traction("verify", "--only", "fem-beam")
    assert (code, "fem rows need scikit-fem" in " ".join(error.split())) == (2, True)


@pytest.mark.parametrize("name", shipped())
def test_the_schema_describes_the_shipped_files(traction, name):
    data = tomllib.loads(shipped()[name].read_text())
    code, out, _ = traction("schema", data["kind"])
    assert code == 0
    document = json.loads(out)
    assert document["properties"]["kind"] == {"const": data["kind"]}
    assert not list(violations(data, document, document["$defs"]))
    data["fall" if data["kind"] == "bounce" else "load"] = {"height": "1 furlong"}
    assert list(violations(data, document, document["$defs"]))


def violations(value, schema, defs, path="file"):
    """What a JSON Schema says against a value, as far as ours go: types, limits, patterns and keys."""
    if "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    for several in ("anyOf", "oneOf"):
        if several in schema and all(list(violations(value, one, defs, path)) for one in schema[several]):
            yield path
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float)}
    kinds |= {"integer": int, "null": type(None)}
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):
        yield path
        return
    if value not in schema.get("enum", [value]) or schema.get("const", value) != value:
        yield path
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield path
    if isinstance(value, int | float) and not (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
    ):
        yield path
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from violations(item, schema.get("items", {}), defs, f"{path}.{number}")
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        yield from (f"{path}.{key}" for key in schema.get("required", []) if key not in value)
        for key, item in value.items():
            yield from (
                violations(item, known[key], defs, f"{path}.{key}") if key in known else [f"{path}.{key}"]
            )


def test_errors_are_json_for_programs(traction, tmp_path):
    code, out, err = traction("validate", str(tmp_path / "none.toml"), "--json")
    answer = json.loads(out)
    assert (code, answer["ok"], answer["code"]) == (2, False, 2)
    assert answer["error"] in err


def test_a_run_that_cannot_fit_on_the_disk_is_refused(traction, tmp_path, monkeypatch):
    import shutil
    from types import SimpleNamespace

    file = tmp_path / "ball.toml"
    file.write_bytes(shipped()["ball-on-plate"].read_bytes())
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1000))
    code, _, err = traction("run", str(file), "--out", str(tmp_path / "out"))
    assert code == 2
    assert "GB free" in err
    assert not (tmp_path / "out").exists()


def test_damage_found_on_the_way_is_named(traction, stored_ball, without_figures):
    segment = next((stored_ball / "segments").iterdir())
    content = bytearray(segment.read_bytes())
    content[len(content) // 2] ^= 1
    segment.write_bytes(content)
    code, printed, _ = traction("resume", str(stored_ball), "--json")
    assert code == 0
    assert any(segment.name in sentence for sentence in json.loads(printed)["damage"])


def test_a_report_does_not_follow_links_out_of_its_folder(traction, stored_ball, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (stored_ball / "report.html").symlink_to(victim)
    assert traction("report", str(stored_ball))[0] == 0
    assert victim.read_text() == "mine"
