"""`Scenario`: a kind and its case, from a file or from Python; saving and loading is lossless."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tomli_w

from traction import checks
from traction.errors import InputError
from traction.kinds.kind import Kind
from traction.kinds.registry import kind_of
from traction.outputs.atomic import write_atomic
from traction.profiles.profile_files import read_points
from traction.results.folder import RunFolder
from traction.results.storage.container import DamagedError
from traction.results.storage.run_files import SCENARIO
from traction.scenario.changes import changed, value_of
from traction.scenario.dimensions import bare_numbers
from traction.scenario.files import confined, inlined
from traction.scenario.schema import Strict
from traction.scenario.toml import Document, ScenarioError, parse, read
from traction.scenario.validation import validated

#: keys of tables of cross-sections, and whose they are
PROFILES = {
    ("wheelset", "profile"): "wheel",
    ("wheelset", "left"): "wheel",
    ("track", "rail"): "rail",
    ("track", "left"): "rail",
}


@dataclass(frozen=True)
class Scenario:
    """Checked scenario: the kind of computation and its input."""

    kind: str  #: name of the kind, such as "press" or "cross"
    case: Strict  #: checked input

    @classmethod
    def build(cls, kind: str, **fields: object) -> Scenario:
        """Return a scenario of a `kind` from Python; `fields` are the keys of the file.

        Quantities are SI numbers, or text with units such as "100 kN".

        Examples
        --------
        >>> bridge = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
        >>> scenario = tr.Scenario.build("modes", modes=3, beam=bridge)
        >>> scenario.kind
        'modes'
        """
        document = Document("scenario", "", {})
        return cls(kind, validated(kind_of(kind).schema, fields, document))

    @property
    def definition(self) -> Kind:
        """Schema, run and report of the kind."""
        return kind_of(self.kind)

    def to_toml(self) -> str:
        """Return the text of a scenario file, in SI."""
        return tomli_w.dumps({"kind": self.kind, **self.case.model_dump(exclude_none=True)})

    def save(self, path: str | Path) -> Path:
        """Write the scenario file to `path`; an existing one is replaced atomically."""
        file = checks.path("path", path)
        write_atomic(file, self.to_toml().encode())
        return file


def load(path: str | Path, *, changes: dict[str, str] | None = None) -> Scenario:
    """Read and check a scenario file.

    Parameters
    ----------
    path
        TOML file.
    changes
        Values (as TOML text) for dotted keys, such as {"speed": '"40 m/s"'}.

    Returns
    -------
    Scenario
        For `tr.simulate` and `tr.sweep`.

    Raises
    ------
    InputError
        If the file is invalid; the message names file, line, key, value and remedy.

    Examples
    --------
    >>> from traction.kinds.registry import shipped
    >>> scenario = tr.load(shipped()["ball-on-plate"])
    >>> scenario.kind
    'press'
    """
    document = read(checks.path("path", path))
    if changes is not None and not isinstance(changes, dict):
        raise InputError(
            f"changes = {checks.shown(changes)} must be a dict of keys with their values as TOML text."
        )
    for key, text in (changes or {}).items():
        document = changed(document, key, value_of(text), f"--set {key}={text}")
    return check_document(document, Path(path).parent)


def numbers_in_si(path: str | Path, changes: dict[str, str] | None = None) -> tuple[str, ...]:
    """Quantities of a valid scenario file that have no unit, and are thus taken in SI, with that unit."""
    document = read(path)
    for key, text in (changes or {}).items():
        document = changed(document, key, value_of(text), f"--set {key}={text}")
    data = dict(document.data)
    return tuple(bare_numbers(kind_of(data.pop("kind")).schema, data))


def loads(text: str, name: str = "scenario") -> Scenario:
    """Check the text of a scenario file; it must not refer to other files."""
    return check_document(parse(text.encode(), name), None)


def stored_scenario(folder: RunFolder) -> Scenario:
    """The scenario of a run folder; a `DamagedError` if it is of another kind."""
    scenario = loads(folder.scenario_text(), f"{folder.path.name}/{SCENARIO}")
    if scenario.kind != folder.manifest.kind:
        raise DamagedError(
            f"{folder.path} is damaged: its scenario is of the kind {scenario.kind}, the run of "
            f"{checks.shown(folder.manifest.kind)}."
        )
    return scenario


def check_document(document: Document, folder: Path | None) -> Scenario:
    """The scenario of a parsed file; files it names are searched in `folder`."""
    data = dict(document.data)
    if "kind" not in data:
        sentence = f'{document.name}:1: the key "kind" is missing; begin with kind = "press".'
        raise ScenarioError([sentence], [("kind",)])
    try:
        kind = kind_of(data.pop("kind"))
    except InputError as error:
        raise ScenarioError([f"{document.where(('kind',))}: {error}"], [("kind",)]) from None
    _inline_files(data, document, folder)
    return Scenario(kind.name, validated(kind.schema, data, document))


def _inline_files(data: dict[str, object], document: Document, folder: Path | None) -> None:
    """Replace names of files by their numbers."""
    for path, kind in PROFILES.items():
        _inline_profile(data, path, kind, document, folder)
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


def _inline_profile(
    data: dict[str, object], path: tuple[str, str], kind: str, document: Document, folder: Path | None
) -> None:
    """Replace the name of a profile's file by its points."""
    outer, key = path
    table = data.get(outer)
    profile = table.get(key) if isinstance(table, dict) else None
    if not isinstance(profile, dict) or "file" not in profile:
        return
    where, name = f"{document.where((*path, 'file'))}: {outer}.{key}.file", profile["file"]
    if folder is None:
        raise ScenarioError([f"{where}: text alone cannot refer to files."])
    mirror = profile.get("mirror", False)
    if not isinstance(name, str) or not isinstance(mirror, bool):
        raise ScenarioError([f"{where} must be text, and mirror true or false."])
    try:
        points = read_points(confined(folder, name), kind, mirror, 1.0).points
    except InputError as error:
        raise ScenarioError([f"{where}: {error}"]) from None
    kept = {one: value for one, value in profile.items() if one not in ("file", "mirror")}
    both = dict(zip("yz", points.T.tolist(), strict=True))
    data[outer] = {**table, key: {**kept, **both}}  # type: ignore[dict-item]
