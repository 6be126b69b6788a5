"""Exported files of a run, such as `data.nc`: which are missing, and which differ from what was written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from traction.results.storage.container import DamagedError
from traction.results.storage.run_files import hash_file, total_size

HEADER = 1 << 26  #: bytes of an exported file beside its samples, at most


def missing_export(place: Path, name: str, exports: Mapping[str, str]) -> bool:
    """Whether a file was never exported completely, or was deleted."""
    return name not in exports or not (place / name).exists()


def export_faults(place: Path, exports: Mapping[str, str], sources: Iterable[Path]) -> list[str]:
    """A sentence for each exported file that differs from what was written; one that was deleted is none.

    A file much larger than the `sources` of its numbers is not read.
    """
    limit = HEADER + 2 * total_size(sources)  # its last chunk may be nearly empty
    return [
        fault for name, digest in exports.items() for fault in _faults(place / Path(name).name, digest, limit)
    ]


def unchanged_exports(place: Path, exports: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the exported files in a folder that are as they were written."""
    found = []
    for name, digest in exports.items():
        path = place / name
        plain = Path(name).name == name and path.is_file() and not path.is_symlink()
        if plain and hash_file(path) == digest:
            found.append(name)
    return tuple(found)


def _faults(path: Path, digest: str, limit: int) -> list[str]:
    if not path.exists() and not path.is_symlink():
        return []
    try:
        intact = hash_file(path, limit) == digest
    except DamagedError as error:
        return [str(error)]
    return [] if intact else [f"{path} is damaged or was changed; delete it and export it again."]
