"""A studio in a process of its own, and a client that talks to it."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx

PATIENCE = 120.0  #: seconds that a loaded machine may take for what usually takes one
MODES = """kind = "modes"
title = "Modes of a bridge"
modes = 3
[beam]
length = "20 m"
bending_stiffness = "2.08 GN m^2"
mass_per_length = "7900 kg/m"
"""
#: thousands of half-space solutions: it runs for minutes, and can be stopped after any of them
LONG = """kind = "press"
title = "A long run"
[grid]
nx = 96
ny = 96
width_x = "2 mm"
width_y = "2 mm"
[[surface]]
type = "sphere"
radius = "20 mm"
[load]
force = [FORCES]
""".replace("FORCES", ", ".join(f"{100.0 + 0.01 * k:.2f}" for k in range(3000)))


@dataclass
class StudioProcess:
    """A studio that runs, and a client with its token."""

    process: subprocess.Popen
    url: str
    token: str
    workspace: Path
    client: httpx.Client = field(init=False)

    def __post_init__(self):
        headers = {"X-Traction-Token": self.token}
        self.client = httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE)

    def get(self, path, **query):
        answer = self.client.get(path, params=query)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:500])
        return answer.json()

    def post(self, path, body=None, status=200):
        answer = self.client.post(path, json=body)
        assert answer.status_code == status, (path, answer.status_code, answer.text[:500])
        return answer.json()

    def start(self, toml):
        return self.post("/api/runs", {"toml": toml}, 201)["id"]

    def wait(self, key, until):
        """The run, once it is as asked."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            run = self.get(f"/api/runs/{key}")
            if until(run):
                return run
            time.sleep(0.05)
        raise TimeoutError(f"the run stays {run}")

    def wait_for(self, key, *states):
        return self.wait(key, lambda run: run["state"] in states)

    def end(self):
        self.client.close()
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.communicate(timeout=PATIENCE)
            return self.process.returncode
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def run_async(coroutine):
    """Run a coroutine in a thread of its own: a browser's driver may hold the loop of this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def start_studio(folder, *options):
    """A studio on a free port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "traction", "studio", str(folder), "--no-browser", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    said = ""
    for line in process.stdout:
        said += line
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", line)
        if found:
            return StudioProcess(process, found[1], found[2], Path(folder))
    raise RuntimeError(f"the studio did not start: {said}")


@contextlib.contextmanager
def running_studio(folder, *options):
    """A studio that is ended afterwards."""
    studio = start_studio(folder, *options)
    try:
        yield studio
    finally:
        studio.end()
