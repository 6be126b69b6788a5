"""A studio for all tests of a process; they are skipped where what it needs is not installed."""

import json

import pytest

for package in ("httpx", "starlette", "uvicorn"):
    pytest.importorskip(package, reason=f"the studio's tests need {package}: pip install -e '.[dev,studio]'")

from studio_process import MODES, running_studio  # noqa: E402


@pytest.fixture(scope="session")
def studio(tmp_path_factory):
    """A studio for all tests of a process; its workspace is shared."""
    with running_studio(tmp_path_factory.mktemp("studio"), "--jobs", "2") as found:
        yield found


@pytest.fixture(scope="session")
def done_run(studio):
    """A complete run in the workspace."""
    key = studio.start(MODES)
    studio.wait(key, lambda run: run["state"] == "done" and run["report"] in ("ready", "failed"))
    return key


@pytest.fixture
def parse_events():
    """Server-sent events of a stream: names and data."""

    def parse(lines):
        name = None
        for line in lines:
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))

    return parse
