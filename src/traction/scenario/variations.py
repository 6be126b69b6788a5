"""Values of keys that are varied: lists and ranges as people type them, and the combinations of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from traction.errors import InputError
from traction.scenario.changes import key_parts, value_of
from traction.scenario.units import NUMBER, unit
from traction.scenario.validation import shown

MOST_VARIANTS = 10_000
RANGE = re.compile(
    rf"(?P<first>{NUMBER.pattern})\s*:\s*(?P<last>{NUMBER.pattern})\s*:\s*"
    r"(?P<count>[0-9]{1,5})(?![0-9.:eE])\s*(?P<unit>.*)"
)
RANGE_DIGITS = 12  #: significant ones of the values of a range, so that 0.1:0.3:3 has 0.2 in the middle
PIECE = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*'|[\[{]|[\]}]|,)""")


@dataclass(frozen=True)
class Variation:
    """A dotted key and the values it takes, each as a file would write it."""

    key: str
    values: tuple[object, ...]


def variations(given: Mapping[str, object]) -> list[Variation]:
    """Variations from Python: a list of values for each key, or a text of them as on the command line."""
    if not isinstance(given, Mapping) or not given:
        raise InputError(
            f'{shown(given)} varies nothing; give keys and values, as in {{"speed": ["20 m/s", "30 m/s"]}}.'
        )
    return _check_all((key, _list_values(key, values)) for key, values in given.items())


def typed_variations(pairs: Iterable[str]) -> list[Variation]:
    """Variations from a command line: `key=value, value` or `key=first:last:count unit` each."""
    split = []
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise InputError(f'--set {pair} must read key=values, as in --set "speed=20 m/s, 30 m/s".')
        split.append((key.strip(), typed_values(text, f"--set {pair}")))
    if not split:
        raise InputError('nothing is varied; give at least one --set, as in --set "speed=20:60:9 m/s".')
    return _check_all(split)


def combinations(varied: list[Variation], zipped: bool) -> list[tuple[object, ...]]:
    """The values of each variant: all combinations, the last key fastest; or, `zipped`, side by side."""
    counts = {one.key: len(one.values) for one in varied}
    if zipped:
        if len(set(counts.values())) > 1:
            each = ", ".join(f"{key} has {count}" for key, count in counts.items())
            raise InputError(f"zipped lists of values must be equally long, but {each}.")
        _require_few(next(iter(counts.values())), "")
        return list(zip(*(one.values for one in varied), strict=True))
    _require_few(math.prod(counts.values()), f"{' x '.join(map(str, counts.values()))} = ")
    return list(product(*(one.values for one in varied)))


def _require_few(count: int, product_of: str) -> None:
    """Refuse more variants than a sweep has room for."""
    if count > MOST_VARIANTS:
        raise InputError(
            f"{product_of}{count} variants are too many, at most {MOST_VARIANTS}; give fewer values."
        )


def typed_values(text: str, where: str) -> tuple[object, ...]:
    """The values in a text: separated by commas, each as in a file, quotes optional, or first:last:count.

    A unit behind the last number or range holds for all that have none, as in "20, 30:40:3, 50 mm".
    """
    pieces = [piece.strip() for piece in _pieces(text)]
    if pieces and not pieces[-1]:
        pieces.pop()  # a comma at the end
    common = _unit_behind(pieces[-1]) if pieces else ""
    if common and len(pieces) > 1:
        pieces = [f"{piece} {common}" if _lacks_unit(piece) else piece for piece in pieces]
    values: list[object] = []
    for piece in pieces:
        if not piece:
            raise InputError(f"{where}: there is no value between two commas.")
        values.extend(
            _range(piece, where) if re.match(rf"{NUMBER.pattern}\s*:", piece) else [value_of(piece)]
        )
    return tuple(values)


def _range(text: str, where: str) -> list[str] | list[float] | list[int]:
    """Values at equal distances, both ends included, with the unit behind them; whole numbers stay whole."""
    found = RANGE.fullmatch(text)
    count = int(found["count"]) if found else 0
    if found is None or count < 2:
        raise InputError(
            f"{where}: the range {text} must read first:last:count, with a count of at least 2, as in "
            '"20:60:9 m/s", which are nine values from 20 to 60 m/s.'
        )
    if count > MOST_VARIANTS:
        raise InputError(f"{where}: the range {text} has {count} values, at most {MOST_VARIANTS}.")
    first, last = (float(found[end].replace("_", "")) for end in ("first", "last"))
    texts = [f"{value:.{RANGE_DIGITS}g}" for value in np.linspace(first, last, count)]
    if found["unit"]:
        return [f"{number} {found['unit'].strip()}" for number in texts]
    numbers = [float(number) for number in texts]
    whole = all(number.is_integer() for number in numbers) and not re.search("[.eE]", text)
    return [int(number) for number in numbers] if whole else numbers


def _unit_behind(piece: str) -> str:
    """The unit of a number or range; empty without one."""
    found, number = RANGE.fullmatch(piece), NUMBER.match(piece)
    behind = found["unit"] if found else piece[number.end() :] if number else ""
    try:
        unit(behind.strip())
    except ValueError:
        return ""
    return behind.strip()


def _lacks_unit(piece: str) -> bool:
    """Whether it is a number or a range without a unit."""
    found = RANGE.fullmatch(piece)
    return not found["unit"] if found else NUMBER.fullmatch(piece) is not None


def _pieces(text: str) -> Iterator[str]:
    """Parts between commas that are in no quotes and no brackets."""
    depth, piece = 0, ""
    for token in PIECE.split(text):
        depth += (token in ("[", "{")) - (token in ("]", "}"))
        if token == "," and depth <= 0:
            yield piece
            piece = ""
        else:
            piece += token
    yield piece


def _list_values(key: str, values: object) -> tuple[object, ...]:
    if isinstance(values, str):
        return typed_values(values, f"sweep of {key}")
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, Mapping) or not isinstance(values, Iterable):
        raise InputError(f'{key} = {shown(values)} must be a list of values, or text such as "20:60:9 m/s".')
    return tuple(_as_in_a_file(value) for value in values)


def _as_in_a_file(value: object) -> object:
    """numpy's numbers and arrays, and tuples, as a file would give them."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [_as_in_a_file(inner) for inner in value]
    if isinstance(value, Mapping):
        return {name: _as_in_a_file(inner) for name, inner in value.items()}
    return value


def _check_all(pairs: Iterable[tuple[str, tuple[object, ...]]]) -> list[Variation]:
    """Refuse invalid keys, the kind, duplicate or nested keys, and keys without values."""
    seen: dict[tuple[str, ...], str] = {}
    checked = []
    for key, values in pairs:
        if not isinstance(key, str) or not key:
            raise InputError(f'{shown(key)} must be a key of the file, such as "beam.length".')
        parts = tuple(part.lstrip("0") or "0" if part.isdigit() else part for part in key_parts(key))
        if parts == ("kind",):
            raise InputError("the kind cannot be varied: kinds have different keys and results.")
        _require_apart(key, parts, seen)
        if not values:
            raise InputError(f"{key} has no values; give at least one.")
        seen[parts] = key
        checked.append(Variation(key, values))
    return checked


def _require_apart(key: str, parts: tuple[str, ...], seen: Mapping[tuple[str, ...], str]) -> None:
    """Refuse a key that is one of those seen, or contains or lies in one: one of the two would be ignored."""
    for others, other in seen.items():
        if parts == others:
            twice = key if key == other else f"{other}, also as {key},"
            raise InputError(f"{twice} is varied twice; give all its values at once.")
        shorter = min(len(parts), len(others))
        if parts[:shorter] == others[:shorter]:
            outer, inner = (key, other) if len(parts) == shorter else (other, key)
            raise InputError(
                f"{inner} lies in {outer}, and both are varied; write {inner} into the values of {outer}, "
                "or vary only the keys in it."
            )
