"""The workspace: run and sweep folders in one folder, by identifiers that are never paths; their files.

An identifier is a digest of the place of a folder in the workspace. It is looked up among the folders that
are there, so nothing that a client sends becomes a path. Links are not followed: a folder or a file that is
one, or lies behind one, does not exist here.
"""

from __future__ import annotations

import mimetypes
import os
import re
import shutil
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from traction.outputs.atomic import storage_error
from traction.results.storage.run_files import MANIFEST, is_being_written, is_free
from traction.results.sweeps.sweep_folder import PLAN
from traction.studio.messages import RefusedError

MOST_FOLDERS = 20_000  #: that are searched
LONGEST_NAME = 60
FOLDER_NAME = re.compile(r"[a-z0-9-]{1,80}")  #: as `Workspace.reserve` gives them
TRASH = ".traction-trash-"  #: how names of folders begin that are being deleted
GONE = "there is no run or sweep with this id in the workspace; it may have been moved or deleted."
#: suffixes that are offered, and what they are
GROUPS = {
    ".html": "report",
    ".svg": "figure",
    ".png": "figure",
    ".gif": "film",
    ".mp4": "film",
    ".nc": "data",
    ".csv": "data",
    ".mat": "data",
    ".toml": "scenario",
    ".c": "other",
    ".h": "other",
    ".fmu": "other",
    ".txt": "other",
    ".tab": "other",
}
TYPES = {
    ".toml": "text/plain",
    ".nc": "application/x-netcdf",
    ".mat": "application/octet-stream",
    ".csv": "text/csv",
}


@dataclass(frozen=True)
class Place:
    """A folder of the workspace."""

    key: str  #: identifier
    path: Path
    sweep: str | None = None  #: identifier of the sweep of which it is a variant

    @property
    def is_sweep(self) -> bool:
        """Whether it holds a sweep."""
        return is_plain_file(self.path / PLAN)


def identify(*parts: str) -> str:
    """Identifier of the folder at these names below the workspace."""
    return sha256("/".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_plain_folder(path: Path) -> bool:
    """Whether it is a folder, and no link to one."""
    return path.is_dir() and not path.is_symlink()


def is_plain_file(path: Path) -> bool:
    """Whether it is a regular file, and no link to one."""
    return path.is_file() and not path.is_symlink()


class Workspace:
    """Runs and sweeps in one folder, and runs in its sweeps."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._reserved: dict[str, Path] = {}  # of runs that have not begun
        self._known: dict[str, Place] = {}

    def places(self) -> list[Place]:
        """Runs and sweeps directly in the workspace."""
        found = [
            Place(identify(path.name), path)
            for path in _folders(self.root)
            if is_plain_file(path / MANIFEST) or is_plain_file(path / PLAN)
        ]
        self._known.update((place.key, place) for place in found)
        return found

    def variants(self, sweep: Place) -> dict[str, Place]:
        """Run folders of a sweep, by the names of the variants."""
        found = {
            path.name: Place(identify(sweep.path.name, path.name), path, sweep.key)
            for path in _folders(sweep.path)
            if is_plain_file(path / MANIFEST)
        }
        self._known.update((place.key, place) for place in found.values())
        return found

    def find(self, key: str) -> Place:
        """The folder with an identifier."""
        place = self._known.get(key) or self._search(key)
        if place is None or not is_plain_folder(place.path) or not is_plain_folder(place.path.parent):
            raise RefusedError(404, GONE)
        return place

    def find_run(self, key: str) -> Place:
        """The run with an identifier."""
        place = self.find(key)
        if not is_plain_file(place.path / MANIFEST):
            raise RefusedError(404, GONE)
        return place

    def find_sweep(self, key: str) -> Place:
        """The sweep with an identifier."""
        place = self.find(key)
        if not place.is_sweep:
            raise RefusedError(404, GONE)
        return place

    def identify_path(self, path: Path) -> str | None:
        """Identifier of a folder in the workspace or in one of its sweeps; None for others."""
        try:
            parts = path.resolve().relative_to(self.root).parts
        except ValueError:
            return None
        return identify(*parts) if len(parts) in (1, 2) else None

    def reserve(self, title: str) -> Place:
        """A new folder for a run, named after its title; nobody else gets it."""
        stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:LONGEST_NAME].strip("-") or "run"
        number, name = 2, stem
        while identify(name) in self._reserved or os.path.lexists(self.root / name):
            name, number = f"{stem}-{number}", number + 1
        path = self.root / name
        self._reserved[identify(name)] = path
        return Place(identify(name), path)

    def reclaim(self, name: str) -> Place:
        """The folder that was reserved for a run that has not begun; another one where it is taken."""
        path = self.root / name
        if not FOLDER_NAME.fullmatch(name) or identify(name) in self._reserved or not is_free(path):
            return self.reserve(name)
        self._reserved[identify(name)] = path
        return Place(identify(name), path)

    def release(self, key: str) -> None:
        """Give back a name that was reserved."""
        self._reserved.pop(key, None)

    def delete(self, place: Place) -> None:
        """Delete the folder of a run or a sweep that nobody writes."""
        if place.sweep is not None:
            raise RefusedError(409, "a variant is deleted with its sweep, not alone.")
        if is_being_written(place.path):
            raise RefusedError(409, "it is being written by another process; stop it first.")
        trash = self.root / f"{TRASH}{token_hex(8)}"
        try:
            place.path.rename(trash)  # at once, so that nobody meets half a run
            shutil.rmtree(trash)
        except OSError as error:
            raise storage_error(error, place.path) from error
        self._known.pop(place.key, None)
        self._reserved.pop(place.key, None)

    def _search(self, key: str) -> Place | None:
        """Look for a folder that was not asked for before."""
        for place in self.places():
            if place.key == key:
                return place
            if place.is_sweep:
                self.variants(place)
        return self._known.get(key)


def _folders(root: Path) -> list[Path]:
    """Plain folders in a folder, hidden ones left out."""
    found = []
    try:
        with os.scandir(root) as entries:
            for count, entry in enumerate(entries):
                if count >= MOST_FOLDERS:
                    break
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                    found.append(Path(entry.path))
    except OSError as error:
        raise storage_error(error, root) from error
    return sorted(found)


@dataclass(frozen=True)
class OfferedFile:
    """A file that a client may have."""

    path: Path

    @property
    def media_type(self) -> str:
        """For the header of the answer."""
        suffix = self.path.suffix.lower()
        return TYPES.get(suffix) or mimetypes.guess_type(self.path.name)[0] or "application/octet-stream"

    @property
    def facts(self) -> dict[str, object]:
        """For the list."""
        group, size = GROUPS.get(self.path.suffix.lower(), "other"), self.path.stat().st_size
        return {"name": self.path.name, "bytes": size, "type": self.media_type, "group": group}


def list_files(place: Place) -> list[OfferedFile]:
    """The files on offer."""
    return [
        OfferedFile(path)
        for path in sorted(place.path.iterdir())
        if path.suffix.lower() in GROUPS and is_plain_file(path)
    ]


def find_file(place: Place, name: str) -> OfferedFile:
    """The file of that name, among those on offer."""
    found = next((one for one in list_files(place) if one.path.name == name), None)
    if found is None:
        raise RefusedError(404, "this run has no such file.")
    return found
