"""Distributions of a key, and samples of several at once, from a seed: random or a Latin hypercube."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.printable import printable
from traction.quantities import counted
from traction.scenario.changes import value_of
from traction.scenario.units import NUMBER, ZEROS, parsed, unit

PIECE = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*'|[\[{]|[\]}]|,)""")
UNIT = r"[^()]*(?:/\s*\([^()]*\)\s*)?"
CALL = re.compile(rf"\s*(?P<name>[A-Za-z_]+)\s*\((?P<inside>.*?)\)\s*(?P<unit>{UNIT})", re.DOTALL)
DIGITS = 12  #: significant ones of a sampled number: the last bits of special functions do not matter
TINY = 2.0**-53  #: least probability, so that a quantile is finite

#: how each is written; the numbers in brackets are optional limits
FORMS = {
    "uniform": "uniform(least, most unit)",
    "normal": "normal(mean, standard deviation[, least, most] unit)",
    "lognormal": "lognormal(mean, standard deviation[, least, most] unit)",
    "integers": "integers(first, last)",
    "choice": "choice(value, value, ...)",
}
LIMITED = ("normal", "lognormal")  #: of mean and standard deviation, with optional limits
LATIN, RANDOM = "latin-hypercube", "random"
METHODS = (LATIN, RANDOM)
MOST_SAMPLES = 10_000


def pieces_of(text: str) -> list[str]:
    """Parts between commas, without the space around them; a comma at the end adds none."""
    pieces = [piece.strip() for piece in _split(text)]
    if pieces and not pieces[-1]:
        pieces.pop()
    return pieces


def unit_behind(piece: str) -> str:
    """The unit of a number; empty without one."""
    number = NUMBER.match(piece)
    return known_unit(piece[number.end() :]) if number else ""


def known_unit(text: str) -> str:
    """The text if it is a unit, else an empty one."""
    try:
        unit(text.strip())
    except ValueError:
        return ""
    return text.strip()


def _split(text: str) -> Iterator[str]:
    depth, piece = 0, ""
    for token in PIECE.split(text):
        depth += (token in ("[", "{")) - (token in ("]", "}"))
        if token == "," and depth <= 0:
            yield piece
            piece = ""
        else:
            piece += token
    yield piece


@dataclass(frozen=True)
class Distribution:
    """A distribution of the values of a key."""

    text: str  #: as it was written
    name: str
    numbers: tuple[float, ...] = ()  #: its parameters, in the unit
    unit: str = ""  #: behind each of its values
    values: tuple[object, ...] = ()  #: of a choice

    def values_at(self, probabilities: np.ndarray) -> tuple[object, ...]:
        """The values below which these shares of all values lie, each as a file would write it."""
        p = np.asarray(probabilities, dtype=np.float64)
        if self.name == "choice":
            places = np.minimum((p * len(self.values)).astype(int), len(self.values) - 1)
            return tuple(self.values[place] for place in places)
        if self.name == "integers":
            first, last = self.numbers
            whole = (int(min(first + math.floor(one * (last - first + 1)), last)) for one in p)
            return tuple(f"{value} {self.unit}" if self.unit else value for value in whole)
        texts = [f"{value:.{DIGITS}g}" for value in self._quantiles(np.clip(p, TINY, 1.0 - TINY))]
        return tuple(f"{text} {self.unit}" if self.unit else float(text) for text in texts)

    def _quantiles(self, p: np.ndarray) -> np.ndarray:
        from scipy.special import ndtri

        if self.name == "uniform":
            least, most = self.numbers
            return least + (most - least) * p
        mean, deviation = _normal_of(self.name, *self.numbers[:2])
        low, high = self._limits()
        found = mean + deviation * ndtri(np.clip(low + (high - low) * p, TINY, 1.0 - TINY))
        found = np.exp(found) if self.name == "lognormal" else found
        return np.clip(found, *self.numbers[2:]) if len(self.numbers) == 4 else found

    def _limits(self) -> tuple[float, float]:
        """Shares of all values of the whole distribution below its limits."""
        from scipy.special import ndtr

        if len(self.numbers) < 4:
            return 0.0, 1.0
        mean, deviation = _normal_of(self.name, *self.numbers[:2])
        ends = [(_scaled(self.name, end) - mean) / deviation for end in self.numbers[2:]]
        return float(ndtr(ends[0])), float(ndtr(ends[1]))


def find_distribution(text: str, where: str) -> Distribution | None:
    """The distribution in a text; None if it is a list of values. `where` begins the errors."""
    call = CALL.fullmatch(text)
    if call is None:
        return None
    name = call["name"]
    if name not in FORMS:
        close = get_close_matches(name.lower(), FORMS, n=1, cutoff=0.7)
        if not close:
            return None
        raise InputError(f'{where}: there is no distribution "{name}"; did you mean {FORMS[close[0]]}?')
    pieces, text = pieces_of(call["inside"]), printable(" ".join(text.split()))
    if not all(pieces) or not pieces:
        raise InputError(f"{where}: {text} must read {FORMS[name]}.")
    if name == "choice":
        return Distribution(text, name, values=_choices(pieces, call["unit"].strip(), f"{where}: {text}"))
    numbers, common = _numbers(name, pieces, call["unit"].strip(), f"{where}: {text}")
    _require_sense(name, numbers, common, f"{where}: {text}")
    return Distribution(text, name, numbers, common)


def _choices(pieces: list[str], behind: str, where: str) -> tuple[object, ...]:
    """The values of a choice; numbers without a unit have that behind the parenthesis or the last value."""
    if behind and not any(NUMBER.fullmatch(piece) for piece in pieces):
        raise InputError(f"{where}: no value is a number to which the unit {behind} belongs; leave it out.")
    common = behind or unit_behind(pieces[-1])
    alone = (bool(common) and NUMBER.fullmatch(piece) is not None for piece in pieces)
    return tuple(value_of(f"{p} {common}" if bare else p) for p, bare in zip(pieces, alone, strict=True))


def _numbers(name: str, pieces: list[str], behind: str, where: str) -> tuple[tuple[float, ...], str]:
    """The numbers in one unit, which is behind the parenthesis or behind the last of them.

    A standard deviation is a difference: 5 degC of it are 5 K, whatever zero its unit has.
    """
    split = []
    for piece in pieces:
        number = NUMBER.match(piece)
        if number is None:
            raise InputError(f"{where}: {piece} is not a number.")
        split.append((number.group(), piece[number.end() :].strip()))
    common = behind or split[-1][1]
    try:
        size, exponents = unit(common)
        sizes = [parsed(f"{text} {own or common}") for text, own in split]
    except ValueError as error:
        raise InputError(f"{where} {error}.") from error
    found = []
    for place, ((text, own), (value, dimension)) in enumerate(zip(split, sizes, strict=True)):
        if dimension != exponents:
            raise InputError(f"{where}: {text} {own} and {common or 'a pure number'} do not go together.")
        plain = float(text.replace("_", ""))
        if own in ("", common):
            found.append(plain)
        elif name in LIMITED and place == 1:
            found.append(plain * unit(own)[0] / size)
        else:
            found.append((value - ZEROS.get(common, 0.0)) / size)
    return tuple(found), common


def _require_sense(name: str, numbers: tuple[float, ...], common: str, where: str) -> None:
    """Refuse a wrong count of numbers, and numbers of which no distribution can be made."""
    limited = name in LIMITED
    if len(numbers) not in ((2, 4) if limited else (2,)):
        raise InputError(f"{where} has {counted(len(numbers), 'number')}; it must read {FORMS[name]}.")
    first, second = numbers[:2]
    if name == "integers" and (not (first.is_integer() and second.is_integer()) or first > second):
        raise InputError(f"{where}: first and last must be whole numbers, the first not above the last.")
    if name == "uniform" and not first < second:
        raise InputError(f"{where}: least = {first:g} must be below most = {second:g}.")
    if limited and not second > 0.0:
        raise InputError(f"{where}: the standard deviation {second:g} must be positive.")
    if name == "lognormal" and common in ZEROS:
        zero = ZEROS[common]
        absolute = (f"{x if place == 1 else x + zero:.10g}" for place, x in enumerate(numbers))
        raise InputError(
            f"{where} takes logarithms, which need an absolute temperature, not one in {common}; "
            f"write lognormal({', '.join(absolute)} K)."
        )
    if name == "lognormal" and not first > 0.0:
        raise InputError(f"{where}: the mean {first:g} must be positive, as all values are.")
    if len(numbers) == 4:
        if not numbers[2] < numbers[3]:
            raise InputError(f"{where}: least = {numbers[2]:g} must be below most = {numbers[3]:g}.")
        low, high = Distribution("", name, numbers)._limits()
        if not high - low > 1e-6:
            raise InputError(
                f"{where}: less than one value in a million lies between {numbers[2]:g} and {numbers[3]:g}; "
                "move the limits towards the mean."
            )


def _normal_of(name: str, mean: float, deviation: float) -> tuple[float, float]:
    """Mean and standard deviation of the normal distribution, or of that of the logarithm.

    A lognormal quantity with mean m and standard deviation s has a logarithm with variance
    v = ln(1 + s^2/m^2) and mean ln m - v/2.
    """
    if name == "normal":
        return mean, deviation
    variance = math.log1p((deviation / mean) ** 2)
    return math.log(mean) - 0.5 * variance, math.sqrt(variance)


def _scaled(name: str, value: float) -> float:
    """A limit, or its logarithm."""
    if name == "normal":
        return value
    return math.log(value) if value > 0.0 else -math.inf


@dataclass(frozen=True)
class Sampling:
    """How many samples are drawn, and how; the same seed draws the same ones."""

    count: int
    method: str = LATIN
    seed: int = 0

    def __post_init__(self) -> None:
        few = "give fewer samples"
        checks.keep(
            self,
            count=checks.count("samples", self.count, most=MOST_SAMPLES, remedy=few),
            method=checks.choice("sampling", self.method, METHODS),
            seed=checks.count("seed", self.seed, minimum=0),
        )

    @property
    def words(self) -> str:
        """Count, method and seed."""
        name = "Latin hypercube" if self.method == LATIN else "independent random values"
        return f"{self.count} samples ({name}, seed {self.seed})"

    def draw(self, distributions: Sequence[Distribution]) -> list[tuple[object, ...]]:
        """The values of each distribution, one for each sample."""
        points = self._points(len(distributions))
        return [one.values_at(points[:, k]) for k, one in enumerate(distributions)]

    def _points(self, dimensions: int) -> np.ndarray:
        rng = np.random.default_rng(self.seed)
        if self.method == RANDOM:
            return rng.random((self.count, dimensions))
        from scipy.stats import qmc

        return qmc.LatinHypercube(dimensions, seed=rng).random(self.count)


def choose_sampling(samples: int | None, method: str, seed: int) -> Sampling | None:
    """The sampling that was asked for; None where nothing is sampled."""
    if samples is not None:
        return Sampling(samples, method, seed)
    if checks.choice("sampling", method, METHODS) != LATIN or checks.count("seed", seed, minimum=0) != 0:
        raise InputError("sampling and seed say how samples are drawn; give their number by samples, too.")
    return None


def require_samples(sampling: Sampling | None, key: str, text: str) -> Sampling:
    """The sampling of a distribution; an error where none is given."""
    if sampling is None:
        raise InputError(
            f"{key} = {text} is a distribution; say how many samples to draw: samples=100, or --samples 100."
        )
    return sampling
