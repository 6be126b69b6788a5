"""The numbers of the whole program as one file, and the comparison of two such files, bit by bit.

python tools/fingerprint.py make OUT.npz [--only GROUP_OR_PATTERN ...] [--jobs N]
python tools/fingerprint.py compare A.npz B.npz [--exact] [--only GROUP_OR_PATTERN ...]

The groups are scenario/NAME (shipped scenarios), verify/ROW (rows of `traction verify`) and api/AREA/CALL
(calls of the public API); `--only api/contact "verify/beam-*"` takes a part of them.
"""

from __future__ import annotations

import os

if __name__ == "__main__":  # before numpy comes, so that sums are taken in one order
    os.environ.update(OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", OMP_NUM_THREADS="1")

import argparse
import platform
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from fingerprints import cases
from fingerprints.compare import SEPARATOR, compare, failed, report

CALLS = (
    "contact",
    "friction",
    "wheels",
    "wheelsets",
    "theory",
    "motion",
    "beams",
    "loads",
    "crossing",
    "obstacle",
    "impact",
    "sweeps",
)
ABOUT = "about"  #: key of the text on the machine, which is not compared


def api_cases() -> dict[str, cases.Compute]:
    """All registered calls of the public API."""
    for name in CALLS:
        import_module(f"fingerprints.calls.{name}")
    return dict(cases.API)


def all_cases(only: list[str]) -> dict[str, cases.Compute]:
    """The cases asked for, in a fixed order; groups that nobody asks for are not even listed."""
    from fingerprints import scenarios

    groups = {"scenario": scenarios.scenarios, "verify": scenarios.verification, "api": api_cases}
    found: dict[str, cases.Compute] = {}
    for name, listed in groups.items():
        if not only or any(_may_be_in(name, one) for one in only):
            found |= listed()
    return {name: compute for name, compute in found.items() if cases.matches(name, only)}


def _may_be_in(group: str, pattern: str) -> bool:
    first = pattern.split("/")[0]
    return first == group or any(sign in first for sign in "*?[")


def run_case(name: str) -> tuple[str, cases.Arrays, float]:
    """Name, arrays and seconds of a case."""
    began = time.perf_counter()
    arrays = cases.computed(all_cases([name])[name])
    return name, arrays, time.perf_counter() - began


def make(out: Path, only: list[str], jobs: int) -> int:
    """Compute all cases and write them; says which raised an error."""
    names = list(all_cases(only))
    if not names:
        print(f"no case matches {' '.join(only)}", file=sys.stderr)
        return 2
    found: dict[str, np.ndarray] = {ABOUT: np.array(about())}
    began = time.perf_counter()
    for name, arrays, seconds in computed(names, jobs):
        failure = f"  {arrays[cases.ERROR]}" if cases.ERROR in arrays else ""
        print(f"{seconds:8.2f} s  {name}{failure}", file=sys.stderr, flush=True)
        found |= {f"{name}{SEPARATOR}{key}": array for key, array in arrays.items()}
    np.savez_compressed(out, **found)
    print(f"{len(names)} cases, {len(found) - 1} arrays, {time.perf_counter() - began:.0f} s: {out}")
    return 0


def computed(names: list[str], jobs: int) -> Iterator[tuple[str, cases.Arrays, float]]:
    """The cases one after the other, or by several processes; in the same order."""
    if jobs == 1:
        yield from map(run_case, names)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(run_case, names)


def about() -> str:
    """Machine and packages, on which the last bits depend."""
    packages = " ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "numba", "llvmlite"))
    return f"{platform.machine()} python {platform.python_version()} {packages}"


def read(path: Path) -> tuple[dict[str, np.ndarray], str]:
    """The arrays of a fingerprint, and what it says about its machine."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    return arrays, str(arrays.pop(ABOUT, ""))


def compare_files(first: Path, second: Path, exact: bool, only: list[str]) -> int:
    """Print what differs; 0 where nothing does by more than rounding, or, with `exact`, at all."""
    (old, old_machine), (new, new_machine) = read(first), read(second)
    if old_machine != new_machine:
        print(f"note: made with {old_machine}, and with {new_machine}: the last bits may differ")
    findings = [finding for finding in compare(old, new) if cases.matches(finding.case, only)]
    print("\n".join(report(findings)))
    return int(failed(findings, exact=exact))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="compute the numbers")
    making.add_argument("out", type=Path)
    making.add_argument("--only", nargs="+", default=[], metavar="GROUP_OR_PATTERN")
    making.add_argument("--jobs", type=int, default=1, help="number of processes")
    comparing = commands.add_parser("compare", help="compare two files")
    comparing.add_argument("first", type=Path)
    comparing.add_argument("second", type=Path)
    comparing.add_argument("--exact", action="store_true", help="rounding counts as a difference")
    comparing.add_argument("--only", nargs="+", default=[], metavar="GROUP_OR_PATTERN")
    given = parser.parse_args(arguments)
    if given.command == "make":
        return make(given.out, given.only, given.jobs)
    return compare_files(given.first, given.second, given.exact, given.only)


if __name__ == "__main__":
    sys.exit(main())
