"""Warming up: calls that share kernels follow each other, all are made, and the command tells how it went."""

import json
import os
import sys
import time
from functools import partial

import pytest

from traction import cli
from traction.app import warmup
from traction.app.warmup import FIRST_CALLS, FirstCall, WarmedUp, calls_to_start, warm_up

NOTHING = int  #: takes no time, and another process finds it
A, B, C = FirstCall("a", NOTHING), FirstCall("b", NOTHING), FirstCall("c", NOTHING, ("a",))


def names(calls):
    return [call.name for call in calls]


def test_calls_wait_for_those_whose_kernels_they_share():
    assert names(calls_to_start([A, B, C], [], 3)) == ["a", "b"]
    assert names(calls_to_start([B, C], [A], 3)) == ["b"]
    assert names(calls_to_start([B, C], [], 3)) == ["b", "c"]


def test_no_more_calls_start_than_processes_are_idle():
    assert names(calls_to_start([A, B], [], 1)) == ["a"]
    assert calls_to_start([A, B], [], 0) == []


def test_calls_that_wait_for_each_other_go_on():
    circle = [FirstCall("x", NOTHING, ("y",)), FirstCall("y", NOTHING, ("x",))]
    assert names(calls_to_start(circle, [], 2)) == ["x"]
    assert calls_to_start(circle[1:], circle[:1], 2) == []


def test_every_call_is_made_once_and_in_order():
    """In processes of their own; one that fails does not stop the others."""
    calls = [
        FirstCall("long", partial(time.sleep, 0.1)),
        FirstCall("bad", partial(int, "no number")),
        FirstCall("last", NOTHING, ("long", "bad")),
    ]
    outcomes = list(warm_up(calls, workers=2))
    assert sorted(outcome.name for outcome in outcomes) == ["bad", "last", "long"]
    assert outcomes[-1].name == "last"
    errors = {outcome.name: outcome.error for outcome in outcomes}
    assert errors["bad"].startswith("ValueError: ")
    assert errors["long"] == errors["last"] == ""


def test_a_process_that_dies_is_told():
    (outcome,) = warm_up([FirstCall("dies", partial(os._exit, 1))], workers=1)
    assert "BrokenProcessPool" in outcome.error


def test_first_calls_wait_for_calls_that_exist():
    known = set(names(FIRST_CALLS))
    assert len(known) == len(FIRST_CALLS)
    for call in FIRST_CALLS:
        assert set(call.after) <= known


@pytest.fixture
def run_warmup(monkeypatch, capsys):
    """The command with calls that take no time: exit code, standard output, standard error."""

    def run(*arguments, error=""):
        made = [WarmedUp("press", 1.25), WarmedUp("roll", 2.0, error)]
        monkeypatch.setattr(warmup, "warm_up", lambda calls, workers: iter(made))
        monkeypatch.setattr(sys, "argv", ["traction", "warmup", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return ended.value.code or 0, said.out, said.err

    return run


def test_the_command_tells_each_call_and_where_kernels_are(run_warmup):
    code, out, err = run_warmup()
    assert code == 0
    assert err.splitlines() == ["press: 1.2 s", "roll: 2.0 s"]
    assert "compiled kernels" in out


def test_the_command_in_json(run_warmup):
    code, out, err = run_warmup("--json")
    facts = json.loads(out)
    assert (code, err) == (0, "")
    assert facts["calls"][0] == {"name": "press", "seconds": 1.25}
    assert facts["failed"] == []


def test_a_call_that_fails_is_a_fault(run_warmup):
    code, out, _ = run_warmup(error="ValueError: no")
    assert code == cli.FAULT
    assert "not warmed up: roll: ValueError: no" in out


@pytest.mark.slow
def test_after_warming_up_nothing_is_compiled(run_python, tmp_path):
    """In a fresh folder; the second time every kernel comes from a file."""
    environment = {"TRACTION_CACHE_DIR": str(tmp_path)}
    code = (
        "from traction.app.warmup import FIRST_CALLS, warm_up\n"
        "if __name__ == '__main__':\n"
        "    assert not [outcome for outcome in warm_up(FIRST_CALLS) if outcome.error]"
    )
    run_python(code, **environment, timeout=1800)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.bin")}
    assert len(files) > 100
    run_python(code, **environment, timeout=1800)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.bin")} == files
