"""The manifest of a run: input, versions, and outcome."""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from importlib.metadata import version
from types import MappingProxyType

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from traction import checks
from traction.errors import InputError
from traction.printable import printable, printable_lines
from traction.results.field import Layout
from traction.results.storage.container import DamagedError, open_sealed, seal_json
from traction.version import __version__

FORMAT = (
    3  #: raised when what is written can no longer be read by older programs, or older folders by this one
)
LIMIT = 1 << 24  #: bytes; a manifest is a few kB
SCENARIO_LIMIT = 1 << 26  #: bytes; numbers of files that it names are part of it

Value = float | int | str | bool
KeyFigure = tuple[str, Value, str]  #: name, value in SI, unit

_WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}  #: JSON has no such numbers


class RunStatus(StrEnum):
    """Status of a run."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"  #: displayed, never stored: marked running, but no process writes it


_STORED = tuple(status.value for status in RunStatus if status is not RunStatus.INTERRUPTED)


class Manifest(BaseModel):
    """Content of `manifest.json`, beside its own checksum."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    run: str  #: random name of this run, also in each of its files
    kind: str
    scenario_name: str
    scenario_sha256: str
    total: int
    seed: int | None
    format: int = FORMAT
    status: RunStatus = RunStatus.RUNNING
    message: str = ""
    created: str
    updated: str
    versions: dict[str, str]
    timings: dict[str, float] = {}  #: seconds
    key_figures: tuple[KeyFigure, ...] = ()
    exports: dict[str, str] = {}  #: file name -> SHA-256

    def updated_now(self, **changes: object) -> Manifest:
        """The same manifest with `changes`, dated now."""
        return self.model_copy(update={**changes, "updated": now()})

    def to_bytes(self) -> bytes:
        """JSON for people and programs."""
        content = self.model_dump(mode="python", warnings=False)
        content["key_figures"] = [[name, _word(value), unit] for name, value, unit in self.key_figures]
        return seal_json(content)

    @classmethod
    def from_bytes(cls, data: bytes, source: str) -> Manifest:
        """The manifest in `data`; a `DamagedError` about `source` if it differs from what was written."""
        content = open_sealed(data, source)
        _require_format(content.get("format"), source)
        try:
            manifest = cls.model_validate_json(json.dumps(content))
        except ValidationError as error:
            raise DamagedError(f"{source} is damaged: its entries are not those of a manifest.") from error
        figures = tuple((name, _number(value), unit) for name, value, unit in manifest.key_figures)
        return manifest.model_copy(update={"key_figures": figures})


def _require_format(number: object, source: str) -> None:
    """Refuse folders of other versions; entries that are not numbers are left to the check of all entries."""
    if type(number) is not int or number == FORMAT:
        return
    if number > FORMAT:
        raise InputError(f"{source} has format {number}; this version reads {FORMAT}: update Traction.")
    raise InputError(
        f"{source} has format {number}, of an earlier version; this one reads {FORMAT}: run its "
        "scenario.toml again into a new folder."
    )


def check_figures(figures: Iterable[KeyFigure]) -> tuple[KeyFigure, ...]:
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
        shown = printable(plain) if isinstance(plain, str) else plain
        checked.append((printable(name), shown, printable(unit)))
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


class RunStore:
    """A run with its manifest and status; a `RunFolder` or a `MemoryStore` stores its samples.

    `damage` has a sentence for each damaged file that was found, with its name.
    """

    def __init__(self, manifest: Manifest, layout: Layout) -> None:
        self.manifest, self.layout = manifest, layout
        self.damage: list[str] = []

    @property
    def status(self) -> RunStatus:
        """Status of the run."""
        return self.manifest.status

    def changed_versions(self) -> list[str]:
        """Versions that differ from those at the start of the run, in words."""
        return changed_versions(self.manifest.versions)

    def begin(self) -> None:
        """Mark the run as running."""
        self._update(status=RunStatus.RUNNING, message="")

    def add_timings(self, **seconds: float) -> None:
        """Add to the timings, which the next `finish` stores."""
        timings = dict(self.manifest.timings)
        for name, value in seconds.items():
            timings[name] = round(timings.get(name, 0.0) + value, 6)
        self.manifest = self.manifest.model_copy(update={"timings": timings})

    def finish(
        self,
        status: RunStatus | str,
        message: str = "",
        key_figures: Iterable[KeyFigure] | None = None,
        findings: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """Store the outcome. Key figures are (name, value in SI, unit); None keeps the earlier ones.

        A run that is done, or whose result failed its judgement, has `findings`, arrays that belong to the
        run as a whole.
        """
        stored = RunStatus(checks.choice("status", str(status), _STORED))
        figures = self.manifest.key_figures if key_figures is None else check_figures(key_figures)
        if stored is RunStatus.DONE or findings:
            self._keep_findings(findings or {})
        self._update(status=stored, message=printable_lines(str(message)), key_figures=figures)

    def _keep_findings(self, findings: Mapping[str, np.ndarray]) -> None:
        """Nothing: without a folder the caller keeps them."""

    def _update(self, **changes: object) -> None:
        self.manifest = self.manifest.updated_now(**changes)


@lru_cache(maxsize=1)
def current_versions() -> MappingProxyType[str, str]:
    """Versions of everything that affects the bits of a result, scipy's transforms and numba included."""
    packages = {name: version(name) for name in ("numpy", "scipy", "numba")}
    return MappingProxyType({"traction": __version__, **packages, "python": platform.python_version()})


def changed_versions(recorded: dict[str, str]) -> list[str]:
    """Versions that differ from the recorded ones, in words; versions not recorded are unknown."""
    now_used = current_versions()
    return [
        f"{name} {before}, now {now_used.get(name, 'not used')}"
        for name, before in recorded.items()
        if now_used.get(name) != before
    ]


def now() -> str:
    """The time as text, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _word(value: Value) -> Value:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: Value) -> Value:
    return _WORDS.get(value, value) if isinstance(value, str) else value
