"""Profiles of the random tests, samples of many cases, fresh interpreters, built-in scenarios run once."""

import gc
import logging
import os
import subprocess
import sys
import threading
from collections import Counter

import pytest
from hypothesis import settings

# The processes of the tests share the cores. Threads of linear algebra on top of them wait for each other,
# which multiplies the time of small matrices; they are chosen before numpy is loaded.
for library in ("OPENBLAS", "MKL", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# Compiling on first use takes seconds, so there are no deadlines.
# The usual examples are the same in every run; the thorough ones are new.
settings.register_profile("usual", deadline=None, max_examples=15, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))


# On an empty cache the compiler's messages would be among what programs say.
os.environ.setdefault("TRACTION_LOG_LEVEL", "ERROR")


# Ten thousand tests and all packages are a million objects that stay: to search them for unused ones again
# and again takes a twentieth of the time.
gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """What was imported and collected stays; what tests make is searched for unused objects."""
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of the cases of a test marked `sampled(n)` every nth stays quick, the others are slow."""
    count = Counter()
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None and item.get_closest_marker("slow") is None:
            test = item.nodeid.partition("[")[0]
            if count[test] % mark.args[0]:
                item.add_marker(pytest.mark.slow)
            count[test] += 1


@pytest.fixture(scope="session")
def run_python():
    """Run Python in a new interpreter, which must end well and complain of nothing; its standard output."""

    def run(code, *, timeout=120, **environment):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def built_in(tmp_path_factory, worker_id):
    """The stored run of a built-in scenario, by name; to be read only."""
    from built_ins import run_once

    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "built-ins"
    folder.mkdir(exist_ok=True)
    return lambda name: run_once(name, folder)


@pytest.fixture(scope="session")
def built_in_report(built_in):
    """The report page of a built-in scenario, by name; to be read only."""
    from built_ins import report_once

    return lambda name: report_once(name, built_in(name).folder.parent)


@pytest.fixture(scope="session")
def browser():
    """A headless browser for all tests of a process; they are skipped where there is none."""
    from browser import Browser
    from check_pages import find_browser

    program = find_browser()
    if program is None:
        pytest.skip("no Chromium is installed; apt-get install chromium")
    opened = Browser(program)
    yield opened
    opened.close()


@pytest.fixture
def few_frames():
    """Reports with animations of three frames."""
    from built_ins import few_frames

    with few_frames():
        yield


@pytest.fixture
def quick_figures(monkeypatch):
    """Figures and animations of reports are composed of few points, and not drawn; the views' tests draw."""
    from built_ins import quick_pictures, undrawn
    from traction.view import bridges
    from traction.view.animations import crossing_animation

    monkeypatch.setattr(bridges, "COLUMNS", 9)
    monkeypatch.setattr(crossing_animation, "PLACES", 9)
    with quick_pictures(), undrawn():
        yield


@pytest.fixture
def told(monkeypatch):
    """What this thread was told of compiling so far.

    The logger is one of the test's own: levels and handlers that programs under test have set, and what
    threads and objects left by other tests log meanwhile, do not count.
    """
    from traction.compiled import compile_progress

    records, mine = [], threading.get_ident()

    class Keeper(logging.Handler):
        def emit(self, record):
            if record.thread == mine:
                records.append(record)

    logger = logging.Logger("traction.compiled")
    logger.addHandler(Keeper())
    monkeypatch.setattr(compile_progress, "LOGGER", logger)
    return lambda: [record.getMessage() for record in records]
