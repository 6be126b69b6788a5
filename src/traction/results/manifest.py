"""The manifest of a run folder: what was run, with which versions, and how it ended."""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from importlib.metadata import version
from types import MappingProxyType
from typing import Any

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.results.storage.container import DamagedError, parse_json
from traction.version import __version__

FORMAT = 1  #: raised when older programs can no longer read what is written
LIMIT = 1 << 24  #: bytes; a manifest is a few kB

KeyFigure = tuple[str, float | int | str | bool, str]  #: name, value in SI, unit

_WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}  #: JSON has no such numbers


class RunStatus(StrEnum):
    """State of a run."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"  #: shown, never stored: it says running, but no process writes it


@dataclass(frozen=True)
class Manifest:
    """What `manifest.json` holds, beside its own checksum."""

    run: str  #: random name of this run, also in each of its files
    kind: str
    scenario_name: str
    scenario_sha256: str
    total: int
    seed: int | None = None
    format: int = FORMAT
    status: str = RunStatus.RUNNING.value
    message: str = ""
    created: str = ""
    updated: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    timings: dict[str, float] = field(default_factory=dict)  #: seconds
    key_figures: tuple[KeyFigure, ...] = ()
    exports: dict[str, str] = field(default_factory=dict)  #: file name -> SHA-256

    def updated_now(self, **changes: Any) -> Manifest:
        """The same manifest with `changes`, dated now."""
        return replace(self, **changes, updated=now())

    def to_bytes(self) -> bytes:
        """JSON for people and programs."""
        content = asdict(self)
        content["key_figures"] = [[n, _word(value), unit] for n, value, unit in self.key_figures]
        return (
            json.dumps({"checksum": _checksum(content), **content}, indent=2, allow_nan=False) + "\n"
        ).encode()

    @classmethod
    def from_bytes(cls, data: bytes, source: str) -> Manifest:
        """The manifest in `data`; a `DamagedError` about `source` when it is not what was written."""
        content = parse_json(data, source)
        checksum = content.pop("checksum", None)
        format_number = content.get("format")
        if type(format_number) is int and format_number > FORMAT and checksum == _checksum(content):
            raise InputError(
                f"{source} has format {format_number}; this version reads up to {FORMAT}: update Traction."
            )
        if checksum != _checksum(content):
            raise DamagedError(f"{source} is damaged: its checksum does not match.")
        figures = content.get("key_figures")
        if set(content) != {item.name for item in fields(cls)} or not _is_well_formed(content):
            raise DamagedError(f"{source} is damaged: its entries are not those of a manifest.")
        content["key_figures"] = tuple((n, _number(value), unit) for n, value, unit in figures or ())
        return cls(**content)


def checked_figures(figures: Iterable[KeyFigure]) -> tuple[KeyFigure, ...]:
    """Key figures as plain Python values."""
    checked: list[KeyFigure] = []
    for figure in figures:
        try:
            name, value, unit = figure
        except (TypeError, ValueError) as error:
            raise InputError(f"key figure {figure!r} must be (name, value, unit).") from error
        plain = value.item() if isinstance(value, np.generic) else value
        if isinstance(plain, np.ndarray) or not isinstance(plain, float | int | str | bool):
            raise InputError(f"key figure {name} = {value!r} must be a number or text.")
        if not isinstance(name, str) or not isinstance(unit, str):
            raise InputError(
                f"key figure {figure!r} must have a name and a unit; write an empty unit for none."
            )
        checked.append((name, plain, unit))
    return tuple(checked)


def new_manifest(
    run: str, kind: str, scenario_name: str, scenario: bytes, seed: int | None, total: int
) -> Manifest:
    """The manifest of a run that begins now."""
    for what, text in (("kind", kind), ("scenario_name", scenario_name)):
        if not isinstance(text, str) or not text or not text.isprintable():
            raise InputError(f"{what} = {text!r} must be printable text.")
    return Manifest(
        run=run,
        kind=kind,
        scenario_name=scenario_name,
        scenario_sha256=hashlib.sha256(scenario).hexdigest(),
        total=checks.count("total", total),
        seed=None if seed is None else checks.count("seed", seed, minimum=0),
        created=now(),
        updated=now(),
        versions=dict(current_versions()),
    )


@lru_cache(maxsize=1)
def current_versions() -> MappingProxyType[str, str]:
    """Versions of all that decides on the bits of a result: scipy's transforms and numba's compiler too."""
    packages = {name: version(name) for name in ("numpy", "scipy", "numba")}
    return MappingProxyType({"traction": __version__, **packages, "python": platform.python_version()})


def changed_versions(recorded: dict[str, str]) -> list[str]:
    """What has another version now than when it was recorded, in words; what was not recorded is unknown."""
    now_used = current_versions()
    return [
        f"{name} {before}, now {now_used.get(name, 'not used')}"
        for name, before in recorded.items()
        if now_used.get(name) != before
    ]


def now() -> str:
    """The time as text, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _checksum(content: dict[str, Any]) -> str:
    try:
        canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        return "nested too deeply to be ours"
    return hashlib.sha256(canonical.encode()).hexdigest()


def _word(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: Any) -> Any:
    return _WORDS.get(value, value) if isinstance(value, str) else value


def _is_well_formed(content: dict[str, Any]) -> bool:
    """Types only: the checksum has told that the values are those written."""
    texts = ("run", "kind", "scenario_name", "scenario_sha256", "status", "message", "created", "updated")
    return (
        all(isinstance(content[name], str) for name in texts)
        and content["status"] in set(RunStatus)
        and type(content["format"]) is int
        and type(content["total"]) is int
        and (content["seed"] is None or type(content["seed"]) is int)
        and _is_table(content["versions"], str)
        and _is_table(content["exports"], str)
        and _is_table(content["timings"], float | int)
        and isinstance(content["key_figures"], list)
        and all(_is_figure(figure) for figure in content["key_figures"])
    )


def _is_table(value: Any, kind: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, kind) for item in value.values())


def _is_figure(figure: Any) -> bool:
    return (
        isinstance(figure, list)
        and len(figure) == 3
        and isinstance(figure[0], str)
        and isinstance(figure[1], float | int | str | bool)
        and isinstance(figure[2], str)
    )
