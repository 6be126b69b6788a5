"""Runs through the server: started, followed, stopped, resumed, killed, deleted."""

import os
import signal
import threading

import pytest

from studio_process import LONG, MODES, running_studio
from traction.results.run import load_run


def test_a_run_is_started_followed_and_taken_away(studio, parse_events):
    key = studio.start(MODES)
    with studio.client.stream("GET", f"/api/runs/{key}/events") as stream:
        events = list(parse_events(stream.iter_lines()))
    runs = [data for name, data in events if name == "run"]
    assert all(run["id"] == key for run in runs)
    progress = [run["progress"] for run in runs]
    assert progress == sorted(progress)
    assert runs[-1]["state"] == "done"
    assert runs[-1]["report"] == "ready"
    details = studio.get(f"/api/runs/{key}/details")
    assert {"report.html", "data.nc", "scenario.toml"} <= {file["name"] for file in details["files"]}
    assert details["figures"][0]["text"]
    stored = load_run(studio.workspace / details["name"])
    assert stored.ok
    taken = studio.client.get(f"/api/runs/{key}/files/data.nc")
    assert taken.content == (stored.folder / "data.nc").read_bytes()
    assert taken.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize(
    ("ending", "begins"), [("csv", b"mode"), ("mat", b"MATLAB"), ("nc", b"\x89HDF"), ("toml", b"kind")]
)
def test_samples_are_exported(studio, done_run, ending, begins):
    answer = studio.client.get(f"/api/runs/{done_run}/export/{ending}")
    assert answer.status_code == 200, answer.text
    assert answer.content.startswith(begins)
    assert answer.headers["content-disposition"].endswith(f'.{ending}"')


def test_an_invalid_scenario_is_refused_at_its_key(studio):
    answer = studio.client.post("/api/runs", json={"toml": MODES.replace('"20 m"', '"-20 m"')})
    assert answer.status_code == 422
    problem = answer.json()["errors"][0]
    assert problem["path"] == ["beam", "length"]
    assert problem["line"] == 5
    assert "must be positive" in problem["message"] or "at least" in problem["message"]


@pytest.mark.slow
def test_a_stopped_run_resumes_to_what_it_would_have_been(studio):
    key = studio.start(LONG)
    running = studio.wait(key, lambda run: run["samples"] > 5 and run["seconds_left"] is not None)
    assert running["phase"] == "computing"
    assert running["seconds_left"] > 0.0
    studio.post(f"/api/runs/{key}/stop", status=202)
    stopped = studio.wait_for(key, "stopped")
    assert stopped["can_resume"]
    assert 0.0 < stopped["progress"] < 1.0
    before = stopped["samples"]
    studio.post(f"/api/runs/{key}/resume", status=202)
    running = studio.wait(key, lambda run: run["state"] == "running" and run["samples"] > before)
    assert studio.client.delete(f"/api/runs/{key}").status_code == 409
    assert running["pid"]
    studio.post(f"/api/runs/{key}/stop", status=202)
    studio.wait_for(key, "stopped")
    assert studio.client.delete(f"/api/runs/{key}").status_code == 204
    assert studio.client.get(f"/api/runs/{key}").status_code == 404
    assert not (studio.workspace / stopped["name"]).exists()


def test_a_killed_worker_is_shown_as_such_and_takes_nothing_along(studio, done_run):
    key = studio.start(LONG)
    running = studio.wait(key, lambda run: run["samples"] > 2)
    os.kill(running["pid"], signal.SIGKILL)
    killed = studio.wait_for(key, "interrupted")
    assert "killed (signal 9)" in killed["message"]
    assert killed["can_resume"]
    assert killed["pid"] is None
    assert studio.get(f"/api/runs/{done_run}")["state"] == "done"
    studio.post(f"/api/runs/{key}/resume", status=202)
    studio.wait(key, lambda run: run["state"] == "running" and run["samples"] > 0)
    studio.post(f"/api/runs/{key}/stop", status=202)
    assert studio.wait_for(key, "stopped")["samples"] >= 1
    assert studio.client.delete(f"/api/runs/{key}").status_code == 204
    assert studio.client.get(f"/api/runs/{key}").status_code == 404


@pytest.mark.slow
def test_a_killed_desk_is_replaced(studio, done_run):
    def children():
        with open(f"/proc/{studio.process.pid}/task/{studio.process.pid}/children") as file:
            return set(map(int, file.read().split()))

    if not os.path.exists(f"/proc/{studio.process.pid}/task"):
        pytest.skip("children of a process are found in /proc")
    studio.get(f"/api/runs/{done_run}/views")
    for pid in children():
        os.kill(pid, signal.SIGKILL)
    for _ in range(50):  # until the server has noticed, requests are refused and say so
        answers = [studio.client.get(path) for path in ("/api/cases", f"/api/runs/{done_run}/views")]
        assert {answer.status_code for answer in answers} <= {200, 503}
        if all(answer.status_code == 200 for answer in answers):
            break
    assert all(answer.status_code == 200 for answer in answers)


@pytest.mark.slow
def test_runs_wait_in_a_queue_and_leave_it(tmp_path):
    with running_studio(tmp_path, "--jobs", "1") as studio:
        first, second = studio.start(LONG), studio.start(LONG)
        assert studio.get(f"/api/runs/{second}")["state"] == "queued"
        studio.post(f"/api/runs/{second}/stop", status=202)
        assert studio.get(f"/api/runs/{second}")["state"] == "stopped"
        third = studio.start(MODES)
        studio.wait(first, lambda run: run["samples"] > 0)
        studio.post(f"/api/runs/{first}/stop", status=202)
        assert studio.wait_for(third, "done")["title"] == "Modes of a bridge"
        assert studio.wait_for(first, "stopped")["can_resume"]


@pytest.mark.slow
def test_a_studio_that_ends_stops_its_runs_and_the_next_one_finds_them(tmp_path):
    with running_studio(tmp_path) as studio:
        key = studio.start(LONG)
        studio.wait(key, lambda run: run["samples"] > 2)
    with running_studio(tmp_path) as studio:
        run = studio.get(f"/api/runs/{key}")
        assert run["state"] in ("stopped", "interrupted")
        assert run["samples"] > 0
        assert run["can_resume"]


@pytest.mark.slow
def test_two_clients_see_the_same_run(studio, parse_events):
    key = studio.start(MODES.replace("modes = 3", "modes = 5"))
    seen = [[], []]

    def follow(found):
        with studio.client.stream("GET", f"/api/runs/{key}/events") as stream:
            found += parse_events(stream.iter_lines())

    threads = [threading.Thread(target=follow, args=(found,)) for found in seen]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen[0][-1] == seen[1][-1]
    assert seen[0][-1][1]["state"] == "done"


def test_the_report_has_an_address_for_one_visit(studio, done_run):
    link = studio.post(f"/api/runs/{done_run}/report-link", status=201)["url"]
    plain = {"headers": {"X-Traction-Token": ""}}
    first, second = (studio.client.get(link, **plain) for _ in range(2))
    assert first.status_code == 200
    assert "sandbox" in first.headers["content-security-policy"]
    assert "allow-same-origin" not in first.headers["content-security-policy"]
    assert "<html" in first.text
    assert second.status_code == 401
