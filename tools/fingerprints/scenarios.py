"""Cases of whole runs: the scenarios that come with the package, and the rows of the verification table."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import traction as tr
from fingerprints.cases import Compute

#: changes of scenarios that would take more than 20 s as they are shipped, as for `tr.load`; none does
SHORTENED: dict[str, dict[str, str]] = {}


@cache
def scenarios() -> dict[str, Compute]:
    """A case for every shipped scenario."""
    names = json.loads(_command("info", "--json"))["scenarios"]
    return {f"scenario/{name}": partial(simulated, name) for name in names}


def simulated(name: str) -> Mapping[str, Any]:
    """All data and key figures of a shipped scenario."""
    run = tr.simulate(shipped(name))
    return {"kind": run.kind, "status": str(run.status), "data": fields(run), "key": key_figures(run)}


def shipped(name: str) -> tr.Scenario:
    """A scenario that comes with the package, as the command line writes it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.toml"
        file.write_text(_command("new", name))
        return tr.load(file, changes=SHORTENED.get(name))


def fields(run: tr.Run) -> Mapping[str, Any]:
    """All variables and coordinates of a run."""
    return {str(name): variable.values for name, variable in sorted(run.data.variables.items())}


def key_figures(run: tr.Run) -> Mapping[str, Any]:
    """Values by their names."""
    return {name: value for name, value, _ in run.key_figures}


@cache
def verification() -> dict[str, Compute]:
    """A case for every row of the verification table."""
    from traction.app.verification import checks

    found: dict[str, Compute] = {}
    for check in checks():
        name = f"verify/{check.name}, {check.quantity}"
        if name in found:
            name = f"{name} ({sum(known.startswith(name) for known in found) + 1})"
        found[name] = partial(_row, check)
    return found


def _row(check: Any) -> Mapping[str, Any]:
    return {"computed": check.compute(), "expected": check.expected, "tolerance": check.tolerance}


def _command(*arguments: str) -> str:
    """What the command line prints."""
    command = [sys.executable, "-m", "traction", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
