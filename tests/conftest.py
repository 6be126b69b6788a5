"""Profiles of the random tests, and runs in a fresh interpreter."""

import os
import subprocess
import sys

import pytest
from hypothesis import settings

# Compiling on first use takes seconds, so there are no deadlines.
# The usual examples are the same in every run; the thorough ones are new.
settings.register_profile("usual", deadline=None, max_examples=25, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))


# On an empty cache the compiler's messages would be among what programs say.
os.environ.setdefault("TRACTION_LOG_LEVEL", "ERROR")


@pytest.fixture(scope="session")
def run_python():
    """Run Python in a new interpreter, which must end well and complain of nothing; its standard output."""

    def run(code, **environment):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout

    return run
