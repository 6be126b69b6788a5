"""Planning a sweep: every variant is built and checked before any runs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from traction import checks
from traction.errors import InputError
from traction.kinds.case import Scenario, check_document
from traction.quantities import Unit
from traction.results.manifest import current_versions
from traction.results.sweeps.sweep_column import SAMPLE, VARIANT, Column, SweepAxis, Value
from traction.results.sweeps.sweep_folder import FIGURES, RUNS, Plan
from traction.scenario.changes import changed, value_at, written
from traction.scenario.dimensions import si_unit_at
from traction.scenario.distributions import Sampling
from traction.scenario.toml import Document, KeyPath, ScenarioError, parse, read
from traction.scenario.units import NUMBER, ZEROS, unit
from traction.scenario.validation import MOST_SHOWN, shown
from traction.scenario.variations import Variation, arrange, combinations

LEAST_DIGITS = 3  #: of the number in front of a name
LONGEST_VALUE, LONGEST_NAME = 24, 80  #: characters of folder names
UNSAFE = re.compile(r"[^A-Za-z0-9.+\-]+")  #: in the name of a folder somewhere


def plan_sweep(
    scenario: Scenario | str | Path,
    varied: Sequence[Variation],
    *,
    zipped: bool = False,
    sampling: Sampling | None = None,
    keep: str = RUNS,
    prefix: str = "sweep of",
) -> Plan:
    """The plan of a sweep over a scenario, or over the file of one.

    `sampling` is that of which the samples in `varied` were drawn.
    `prefix` begins the messages about a varied key. One error lists everything that is wrong with the
    variants.
    """
    document, folder = _document(scenario)
    rows = combinations(list(varied), zipped)
    variants: list[Scenario] = []
    problems: dict[str, str] = {}  # in order, each once, with the first variant that has it
    for row in rows:
        try:
            variants.append(_variant(document, folder, varied, row, prefix))
        except ScenarioError as error:
            told = f" Found with {_assignments(varied, row)}."
            about = tuple(f"{prefix} {one.key}: " for one in varied)
            for problem in error.problems:
                problems.setdefault(problem, "" if problem.startswith(about) else told)
        if len(problems) >= MOST_SHOWN:
            break
    if problems:
        raise ScenarioError([problem + told for problem, told in problems.items()][:MOST_SHOWN])
    paths = [_path(document, one, prefix) for one in varied]
    columns = tuple(_column(path, [row[k] for row in rows], variants) for k, path in enumerate(paths))
    first = variants[0]
    return Plan(
        kind=first.kind,
        title=str(getattr(first.case, "title", first.definition.summary)),
        varied=columns,
        variants=tuple(_names(paths, columns)),
        scenarios=tuple(variant.to_toml() for variant in variants),
        command=_command(paths, varied, zipped, sampling),
        axes=_axes(paths, varied, zipped, sampling),
        keep=checks.choice("keep", keep, (RUNS, FIGURES)),
        versions=tuple(current_versions().items()),
    )


def _document(scenario: Scenario | str | Path) -> tuple[Document, Path | None]:
    """The data of a scenario, and the folder of files it names."""
    if isinstance(scenario, Scenario):
        return parse(scenario.to_toml().encode(), "scenario"), None
    if not isinstance(scenario, str | Path):
        raise InputError(f"scenario = {shown(scenario)} must be a Scenario or the name of a file.")
    file = checks.path("scenario", scenario)
    return read(file), file.parent


def _variant(
    document: Document, folder: Path | None, varied: Sequence[Variation], row: Sequence[object], prefix: str
) -> Scenario:
    for one, value in zip(varied, row, strict=True):
        document = changed(document, one.key, value, f"{prefix} {one.key}")
    return check_document(document, folder)


def _path(document: Document, one: Variation, prefix: str) -> KeyPath:
    """Path of a varied key, with numbers where the data has lists."""
    before = set(document.changed)
    return next(iter(set(changed(document, one.key, None, prefix).changed) - before))


def _assignments(varied: Sequence[Variation], row: Sequence[object]) -> str:
    return ", ".join(f"{one.key} = {shown(value)}" for one, value in zip(varied, row, strict=True))


def _column(path: KeyPath, given: list[object], variants: Sequence[Scenario]) -> Column:
    """The values of a key in all variants: SI numbers where all are numbers, else as they were given."""
    values = [value_at(variant.case, path) for variant in variants]
    numbers = [value for value in values if isinstance(value, float | int) and not isinstance(value, bool)]
    if len(numbers) < len(values):
        return Column(written(path), "", tuple(_label(value) for value in given))
    measured = si_unit_at(variants[0].definition.schema, path)
    return Column(written(path), measured, tuple(numbers), _common_unit(given))


def _label(value: object) -> Value:
    return value if isinstance(value, str | bool | int | float) else shown(value)


def _common_unit(given: list[object]) -> Unit | None:
    """The unit in which all values were given; None for numbers, several units, and degC, shown in K."""
    names = {_behind(value) for value in given}
    name = names.pop() if len(names) == 1 else ""
    return Unit(name, unit(name)[0]) if name and name not in ZEROS else None


def _behind(value: object) -> str:
    """The unit of a quantity that has been checked."""
    text = value.strip() if isinstance(value, str) else ""
    found = NUMBER.match(text)
    return text[found.end() :].strip() if found else ""


def _names(paths: Sequence[KeyPath], columns: Sequence[Column]) -> list[str]:
    """Names of folders, such as 003-speed=20; keys that do not vary are omitted."""
    count = len(columns[0].values)
    digits = max(LEAST_DIGITS, len(str(count - 1)))
    labels = [_short(path, paths) for path in paths]
    names = []
    for row in range(count):
        parts = [
            f"{label}={_safe(column.text(row))[:LONGEST_VALUE]}"
            for label, column in zip(labels, columns, strict=True)
            if column.varies
        ]
        names.append("-".join([f"{row:0{digits}d}", *parts])[:LONGEST_NAME].rstrip("._"))
    return names


def _short(path: KeyPath, paths: Sequence[KeyPath]) -> str:
    """The last part of a key, or as many as distinguish it from the other keys."""
    for length in range(1, len(path) + 1):
        end = path[-length:]
        if not isinstance(end[0], int) and sum(other[-length:] == end for other in paths) == 1:
            break
    return _safe(
        "".join(f"{part}" if isinstance(part, int) else f".{part}" for part in end).removeprefix(".")
    )


def _safe(text: str) -> str:
    return UNSAFE.sub("_", text).strip("_")


def _axes(
    paths: Sequence[KeyPath], varied: Sequence[Variation], zipped: bool, sampling: Sampling | None
) -> tuple[SweepAxis, ...]:
    """The axes over which the variants run."""
    found = []
    for block in arrange(list(varied), zipped):
        keys = tuple(written(paths[place]) for place in block.keys)
        laws = tuple(law.text for place in block.keys if (law := varied[place].law) is not None)
        name = SAMPLE if block.sampled else keys[0] if len(keys) == 1 else VARIANT
        drawn = sampling.words if block.sampled and sampling is not None else ""
        found.append(SweepAxis(name, keys, len(block.rows), laws, drawn))
    return tuple(found)


def _command(
    paths: Sequence[KeyPath], varied: Sequence[Variation], zipped: bool, sampling: Sampling | None
) -> tuple[str, ...]:
    """Arguments of the command line for the same variation."""
    words: list[str] = []
    for path, one in zip(paths, varied, strict=True):
        values = one.law.text if one.law is not None else ", ".join(_toml(value) for value in one.values)
        words += ["--set", f"{written(path)}={values}"]
    if sampling is not None:
        words += ["--samples", str(sampling.count), "--seed", str(sampling.seed)]
        words += ["--sampling", sampling.method]
    return (*words, *(["--zip"] if zipped else []))


def _toml(value: object) -> str:
    """A value as a scenario file writes it, in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(inner) for inner in value) + "]"
    return json.dumps(value, ensure_ascii=False)
