"""A studio that is killed at any moment loses no run and no sweep that it has acknowledged."""

import time
from contextlib import contextmanager

import pytest

from studio_process import LONG, MODES, PATIENCE, running_studio, start_studio

ROOM = ".traction-studio"
SWEEP = {"toml": MODES, "vary": {"beam.length": "10, 20 m"}}
#: seconds from the answer to the kill: the process starts, imports, makes the folder, computes
MOMENTS = (0.0, 0.3, 0.6, 1.0, 2.0)


@contextmanager
def killed_studio(folder, *options):
    """A studio that is killed at the end."""
    studio = start_studio(folder, *options)
    try:
        yield studio
    finally:
        studio.process.kill()
        studio.process.communicate()
        studio.client.close()


def wait_for_sweep(studio, key, *states):
    end = time.monotonic() + PATIENCE
    while (sweep := studio.get(f"/api/sweeps/{key}"))["state"] not in states:
        assert time.monotonic() < end, sweep
        time.sleep(0.05)
    return sweep


def listed(studio, what="runs"):
    return {one["id"] for one in studio.get("/api/runs")[what]}


def test_a_run_survives_a_kill_right_after_its_answer(tmp_path):
    with killed_studio(tmp_path) as studio:
        key = studio.start(MODES)
    with running_studio(tmp_path) as studio:
        assert key in listed(studio)
        run = studio.wait(key, lambda run: run["state"] == "done" and run["can_delete"])
        assert run["title"] == "Modes of a bridge"
    assert not (tmp_path / ROOM).exists()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", MOMENTS)
def test_a_run_survives_a_kill_at_any_moment_and_is_continued(tmp_path, seconds):
    with killed_studio(tmp_path) as studio:
        key = studio.start(LONG)
        time.sleep(seconds)
    with running_studio(tmp_path) as studio:
        assert key in listed(studio)
        run = studio.wait(key, lambda run: run["state"] == "running" and run["pid"] and run["samples"] > 2)
        assert run["title"] == "A long run"
        studio.post(f"/api/runs/{key}/stop", status=202)
        assert studio.wait_for(key, "stopped")["can_resume"]
    with running_studio(tmp_path) as studio:  # what was stopped stays so
        assert studio.get(f"/api/runs/{key}")["state"] == "stopped"
    assert not (tmp_path / ROOM).exists()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.0, 0.5, 1.0, 2.0])
def test_a_sweep_survives_a_kill_at_any_moment(tmp_path, seconds):
    with killed_studio(tmp_path) as studio:
        key = studio.post("/api/sweeps", SWEEP, 201)["id"]
        time.sleep(seconds)
    with running_studio(tmp_path) as studio:
        assert key in listed(studio, "sweeps")
        assert wait_for_sweep(studio, key, "done")["done"] == 2


@pytest.mark.slow
def test_what_waits_survives_two_kills(tmp_path):
    with killed_studio(tmp_path, "--jobs", "1") as studio:
        first = studio.start(LONG)
        second = studio.start(MODES)
        swept = studio.post("/api/sweeps", SWEEP, 201)["id"]
        assert studio.get(f"/api/runs/{second}")["state"] == "queued"
        assert studio.get(f"/api/sweeps/{swept}")["state"] == "queued"
    with killed_studio(tmp_path, "--jobs", "1") as studio:
        assert {first, second} <= listed(studio)
    with running_studio(tmp_path, "--jobs", "1") as studio:
        studio.wait(first, lambda run: run["samples"] > 0)
        studio.post(f"/api/runs/{first}/stop", status=202)
        assert studio.wait_for(second, "done")["title"] == "Modes of a bridge"
        assert wait_for_sweep(studio, swept, "done")["done"] == 2
    assert not (tmp_path / ROOM).exists()


@pytest.mark.slow
def test_what_another_studio_stops_or_deletes_stays_so(tmp_path):
    with running_studio(tmp_path) as other:
        with killed_studio(tmp_path, "--jobs", "2") as studio:
            first, second = studio.start(LONG), studio.start(LONG)
            for key in (first, second):
                studio.wait(key, lambda run: run["samples"] > 0)
        for key in (first, second):
            other.wait(key, lambda run: run["can_delete"] and run["can_resume"])
        assert other.client.delete(f"/api/runs/{first}").status_code == 204
        other.post(f"/api/runs/{second}/resume", status=202)
        other.wait(second, lambda run: run["state"] == "running" and run["pid"])
        other.post(f"/api/runs/{second}/stop", status=202)
        other.wait_for(second, "stopped")
    with running_studio(tmp_path) as studio:
        assert listed(studio) == {second}
        assert studio.get(f"/api/runs/{second}")["state"] == "stopped"
    assert not (tmp_path / ROOM).exists()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.0, 0.5])
def test_a_run_survives_the_end_of_the_studio_before_it_has_begun(tmp_path, seconds):
    with running_studio(tmp_path) as studio:
        key = studio.start(LONG)
        time.sleep(seconds)
    with running_studio(tmp_path) as studio:
        run = studio.get(f"/api/runs/{key}")
        assert run["state"] in ("queued", "running", "stopped")
        assert run["can_resume"] or run["can_stop"]


@pytest.mark.slow
def test_a_run_that_was_stopped_before_it_began_can_begin_again(tmp_path):
    with running_studio(tmp_path, "--jobs", "1") as studio:
        first, second = studio.start(LONG), studio.start(MODES)
        studio.post(f"/api/runs/{second}/stop", status=202)
        assert studio.get(f"/api/runs/{second}")["can_resume"]
        studio.post(f"/api/runs/{second}/resume", status=202)
        assert studio.get(f"/api/runs/{second}")["state"] == "queued"
        studio.wait(first, lambda run: run["samples"] > 0)
        studio.post(f"/api/runs/{first}/stop", status=202)
        assert studio.wait_for(second, "done")["title"] == "Modes of a bridge"
