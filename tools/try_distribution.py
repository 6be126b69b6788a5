"""Build sdist and wheel, install the wheel in an empty environment and try it there: `make dist-test`.

The wheel is built from the sdist, so an sdist that misses something is found. Versions are those of
requirements.lock. Compiled kernels are taken from the usual cache where it has them: its files are found by
a digest of the code that they were compiled from, so an installed kernel that differs is compiled anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXTRAS = "plot"  #: reports have figures
SOURCES = ("Makefile", "pyproject.toml", "requirements.lock")  #: of the sdist
CASE = "ball-on-plate"  #: of the built-in examples
WRITTEN = ("manifest.json", "report.html")  #: files of a run that has its report


def main() -> int:
    """Build, install, try; raises where anything fails."""
    with tempfile.TemporaryDirectory(prefix="traction-dist-") as name:
        place = Path(name)
        wheel = build(place / "dist")
        require_complete(wheel)
        commands = install(wheel, place / "venv")
        try_commands(commands / "traction", place)
    print("the wheel built from the sdist installs and works")
    return 0


def build(folder: Path) -> Path:
    """The wheel, built from the sdist; both are in `folder`."""
    call([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)], folder.parent)
    (wheel,) = folder.glob("*.whl")
    sdists = list(folder.glob("*.tar.gz"))
    if not sdists:
        raise SystemExit(f"no sdist was built in {folder}")
    require_sources(sdists[0])
    return wheel


def require_sources(sdist: Path) -> None:
    """The sdist holds what is needed to make the environment of development again."""
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    missing = [name for name in SOURCES if name not in names]
    if missing:
        raise SystemExit(f"{sdist.name} does not hold {', '.join(missing)}")


def require_complete(wheel: Path) -> None:
    """Every file of the package is in the wheel: modules, stubs, built-in scenarios, the mark of types."""
    source = ROOT / "src"
    tracked = subprocess.run(
        ["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    files = [ROOT / name for name in tracked] or [
        path for path in source.rglob("*") if path.is_file() and path.suffix in (".py", ".pyi", ".toml")
    ]
    packed = set(zipfile.ZipFile(wheel).namelist())
    missing = [path for path in files if path.exists() and str(path.relative_to(source)) not in packed]
    if missing:
        raise SystemExit(f"{wheel.name} does not hold {', '.join(map(str, missing[:5]))}")


def install(wheel: Path, environment: Path) -> Path:
    """Folder of the commands of an environment that holds the wheel and what it depends on."""
    venv.create(environment, with_pip=True)
    commands = environment / ("Scripts" if os.name == "nt" else "bin")
    options = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    pins = environment / "constraints.txt"
    pins.write_text(read_pins(ROOT / "requirements.lock"), encoding="utf-8")
    constraint = ["--constraint", str(pins)]
    call([str(commands / "python"), "-m", "pip", "install", *options, *constraint, f"{wheel}[{EXTRAS}]"])
    return commands


def read_pins(lock: Path) -> str:
    """Names and versions in requirements.lock, without hashes: the wheel has none that could be compared."""
    lines = lock.read_text(encoding="utf-8").splitlines()
    pins = [line.removesuffix("\\").strip() for line in lines if "==" in line and line[0].isalnum()]
    return "\n".join([*pins, ""])


def try_commands(traction: Path, folder: Path) -> None:
    """Version, verification, a run and its report, outside the checkout."""
    for arguments in (
        ["--version"],
        ["verify", "--quick"],
        ["new", CASE, "--out", "case.toml"],
        ["run", "case.toml", "--out", "run"],
        ["report", "run"],
    ):
        print(f"traction {' '.join(arguments)}", flush=True)
        call([str(traction), *arguments], folder)
    missing = [name for name in WRITTEN if not (folder / "run" / name).is_file()]
    if missing or not list((folder / "run").glob("*.png")):
        raise SystemExit(f"the run has no {', '.join(missing) or 'figures'}")


def call(command: Sequence[str], folder: Path | None = None) -> None:
    """Run a command; a failure ends the trial. Nothing of the checkout is on its path."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    subprocess.run(command, cwd=folder, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
