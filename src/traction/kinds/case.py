"""`Scenario`: a kind and its case, from a file or from Python, saved and loaded back without loss."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tomli_w

from traction.errors import InputError
from traction.kinds.kind import Kind
from traction.kinds.registry import kind_of
from traction.outputs.atomic import write_atomic
from traction.scenario.changes import changed, value_of
from traction.scenario.files import inlined
from traction.scenario.schema import Strict
from traction.scenario.toml import Document, ScenarioError, parse, read
from traction.scenario.validation import validated


@dataclass(frozen=True)
class Scenario:
    """A case of some kind, checked."""

    kind: str
    case: Strict

    @classmethod
    def build(cls, kind: str, **fields: object) -> Scenario:
        """A scenario from Python, with the keys of the file; quantities are SI numbers or text with units."""
        document = Document("scenario", "", {})
        return cls(kind, validated(kind_of(kind).schema, fields, document))

    @property
    def definition(self) -> Kind:
        """What the kind brings along."""
        return kind_of(self.kind)

    def to_toml(self) -> str:
        """The text of a scenario file, in SI."""
        return tomli_w.dumps({"kind": self.kind, **self.case.model_dump(exclude_none=True)})

    def save(self, path: str | Path) -> Path:
        """Write the scenario file; an existing one is replaced as a whole."""
        file = Path(path)
        write_atomic(file, self.to_toml().encode())
        return file


def load(path: str | Path, *, changes: dict[str, str] | None = None) -> Scenario:
    """Read and check a scenario file; `changes` are values (as TOML text) for dotted keys."""
    document = read(path)
    for key, text in (changes or {}).items():
        document = changed(document, key, value_of(text), f"--set {key}={text}")
    return check_document(document, Path(path).parent)


def loads(text: str, name: str = "scenario") -> Scenario:
    """Check the text of a scenario file; it may not refer to other files."""
    return check_document(parse(text.encode(), name), None)


def check_document(document: Document, folder: Path | None) -> Scenario:
    """The scenario of a parsed file; files it names are looked for in `folder`."""
    data = dict(document.data)
    if "kind" not in data:
        raise ScenarioError([f'{document.name}:1: the key "kind" is missing; begin with kind = "press".'])
    try:
        kind = kind_of(data.pop("kind"))
    except InputError as error:
        raise ScenarioError([f"{document.where(('kind',))}: {error}"]) from None
    _inline_files(data, document, folder)
    return Scenario(kind.name, validated(kind.schema, data, document))


def _inline_files(data: dict[str, object], document: Document, folder: Path | None) -> None:
    """Put the numbers of files in place of their names."""
    surfaces = data.get("surface")
    if not isinstance(surfaces, list):
        return
    for index, surface in enumerate(surfaces):
        if not isinstance(surface, dict) or "file" not in surface:
            continue
        where = document.where(("surface", index, "file"))
        if folder is None:
            raise ScenarioError([f"{where}: surface.{index}.file: text alone cannot refer to files."])
        try:
            surfaces[index] = inlined(surface, folder)
        except InputError as error:
            raise ScenarioError([f"{where}: surface.{index}.{error}"]) from None
