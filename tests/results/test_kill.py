"""kill -9 at random moments: nothing acknowledged is lost, and the resumed run is bit-identical."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the killer forks")


def kill_runs(folder, kills, seed):
    script = Path(__file__).with_name("kill_runs.py")
    done = subprocess.run(
        [sys.executable, "-W", "error", script, folder, str(kills), str(seed)],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_ten_kills_lose_nothing(tmp_path):
    met = kill_runs(tmp_path, 10, seed=1)
    assert met["kills"] == 10
    assert len(met["phases"]) >= 2


@pytest.mark.slow
def test_a_hundred_kills_lose_nothing(tmp_path):
    met = kill_runs(tmp_path, 100, seed=2)
    assert met["kills"] == 100
    assert {"append", "checkpoint", "export"} <= set(met["phases"])
