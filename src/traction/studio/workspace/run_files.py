"""Files of a run or a sweep to take away: those in its folder that are made for people and programs."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from pathlib import Path

from traction.studio.refusal import RefusedError
from traction.studio.workspace.workspace import Place, is_plain_file

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
