"""Values of keys that are varied: lists, ranges and samples as people type them, and their combinations."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from traction.errors import InputError
from traction.scenario.changes import key_parts, value_of
from traction.scenario.distributions import (
    Distribution,
    Sampling,
    find_distribution,
    known_unit,
    pieces_of,
    require_samples,
    unit_behind,
)
from traction.scenario.units import NUMBER
from traction.scenario.validation import shown

MOST_VARIANTS = 10_000
RANGE = re.compile(
    rf"(?P<first>{NUMBER.pattern})\s*:\s*(?P<last>{NUMBER.pattern})\s*:\s*"
    r"(?P<count>[0-9]{1,5})(?![0-9.:eE])\s*(?P<unit>.*)"
)
RANGE_DIGITS = 12  #: significant ones of the values of a range, so that 0.1:0.3:3 has 0.2 in the middle


@dataclass(frozen=True)
class Variation:
    """A dotted key and the values it takes, each as a file would write it."""

    key: str
    values: tuple[object, ...]
    law: Distribution | None = None  #: of which they are samples


@dataclass(frozen=True)
class Block:
    """Keys that change together, and their values in each of its rows."""

    keys: tuple[int, ...]  #: places of the keys in the list of variations
    rows: tuple[tuple[object, ...], ...]
    sampled: bool = False  #: whether the rows are samples


def variations(given: Mapping[str, object], sampling: Sampling | None = None) -> list[Variation]:
    """Variations from Python: for each key a list of values, or a text as on the command line."""
    if not isinstance(given, Mapping) or not given:
        raise InputError(
            f'{shown(given)} varies nothing; give keys and values, as in {{"speed": ["20 m/s", "30 m/s"]}}.'
        )
    return _check_all([(key, _list_values(key, values)) for key, values in given.items()], sampling)


def typed_variations(pairs: Iterable[str], sampling: Sampling | None = None) -> list[Variation]:
    """Variations from a command line.

    Each is `key=value, value`, `key=first:last:count unit` or `key=uniform(least, most unit)`.
    """
    split: list[tuple[str, tuple[object, ...] | Distribution]] = []
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise InputError(f'--set {pair} must read key=values, as in --set "speed=20 m/s, 30 m/s".')
        split.append((key.strip(), _typed(text, f"--set {pair}")))
    if not split:
        raise InputError('nothing is varied; give at least one --set, as in --set "speed=20:60:9 m/s".')
    return _check_all(split, sampling)


def combinations(varied: list[Variation], zipped: bool) -> list[tuple[object, ...]]:
    """The values of each variant: all combinations of the blocks, the last block fastest."""
    blocks = arrange(varied, zipped)
    counts = [len(block.rows) for block in blocks]
    _require_few(math.prod(counts), f"{' x '.join(map(str, counts))} = " if len(counts) > 1 else "")
    order = np.argsort([place for block in blocks for place in block.keys])
    found = []
    for rows in product(*(block.rows for block in blocks)):
        flat = [value for row in rows for value in row]
        found.append(tuple(flat[place] for place in order))
    return found


def arrange(varied: list[Variation], zipped: bool) -> list[Block]:
    """Blocks of keys: each list alone, or, `zipped`, all lists side by side; then all that is sampled."""
    listed = [place for place, one in enumerate(varied) if one.law is None]
    sampled = [place for place, one in enumerate(varied) if one.law is not None]
    counts = {varied[place].key: len(varied[place].values) for place in listed}
    if zipped and len(set(counts.values())) > 1:
        each = ", ".join(f"{key} has {count}" for key, count in counts.items())
        raise InputError(f"zipped lists of values must be equally long, but {each}.")
    groups = [listed] if zipped and listed else [[place] for place in listed]
    blocks = [_block(varied, group) for group in groups]
    return blocks + ([_block(varied, sampled, sampled=True)] if sampled else [])


def _block(varied: list[Variation], places: list[int], sampled: bool = False) -> Block:
    rows = zip(*(varied[place].values for place in places), strict=True)
    return Block(tuple(places), tuple(rows), sampled)


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
    pieces = pieces_of(text)
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
    found = RANGE.fullmatch(piece)
    return known_unit(found["unit"]) if found else unit_behind(piece)


def _lacks_unit(piece: str) -> bool:
    """Whether it is a number or a range without a unit."""
    found = RANGE.fullmatch(piece)
    return not found["unit"] if found else NUMBER.fullmatch(piece) is not None


def _typed(text: str, where: str) -> tuple[object, ...] | Distribution:
    return find_distribution(text, where) or typed_values(text, where)


def _list_values(key: str, values: object) -> tuple[object, ...] | Distribution:
    if isinstance(values, str):
        return _typed(values, f"sweep of {key}")
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


def _check_all(
    pairs: list[tuple[str, tuple[object, ...] | Distribution]], sampling: Sampling | None
) -> list[Variation]:
    """Draw the samples; refuse invalid keys, the kind, duplicate or nested keys, and keys without values."""
    laws = {key: law for key, law in pairs if isinstance(law, Distribution)}
    drawn: dict[str, tuple[object, ...]] = {}
    if laws:
        key, law = next(iter(laws.items()))
        samples = require_samples(sampling, key, law.text).draw(list(laws.values()))
        drawn = dict(zip(laws, samples, strict=True))
    elif sampling is not None:
        raise InputError(
            f"samples = {sampling.count}, but no key has a distribution; write one, such as "
            '"uniform(20, 60 m/s)", or leave samples out.'
        )
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
        if isinstance(values, Distribution):
            checked.append(Variation(key, drawn[key], values))
        else:
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
