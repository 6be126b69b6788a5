"""Many clients at once, while a run is going."""

import threading

import httpx
import pytest

from studio_process import LONG, MODES, PATIENCE


def visit(studio, key, rounds, failed):
    """What a page asks, so many times."""
    paths = ("info", "runs", "cases", f"runs/{key}", f"runs/{key}/views", f"runs/{key}/views/shape", "kinds")
    headers = {"X-Traction-Token": studio.token}
    with httpx.Client(base_url=f"{studio.url}/api/", headers=headers, timeout=PATIENCE) as client:
        for _ in range(rounds):
            answers = [client.get(path) for path in paths]
            answers.append(client.post("check", json={"toml": MODES}))
            answers.append(client.post("live/rolling", json={"maps": False, "elements": 16}))
            failed += [(answer.url, answer.text) for answer in answers if answer.status_code != 200]


def crowd(studio, done_run, clients, rounds):
    """So many clients at the same time; what failed."""
    failed = []
    threads = [
        threading.Thread(target=visit, args=(studio, done_run, rounds, failed)) for _ in range(clients)
    ]
    key = studio.start(LONG)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if studio.get(f"/api/runs/{key}")["state"] == "running":
        studio.client.post(f"/api/runs/{key}/stop")
    assert studio.wait_for(key, "stopped", "done")
    return failed


@pytest.mark.slow
def test_several_clients_at_once(studio, done_run):
    assert crowd(studio, done_run, clients=5, rounds=1) == []


@pytest.mark.slow
def test_twenty_clients_for_a_minute(studio, done_run):
    assert crowd(studio, done_run, clients=20, rounds=60) == []
