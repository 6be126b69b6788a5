"""Checks of input at the border. Each returns the clean value or raises an `InputError`."""

import math
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import islice
from numbers import Real
from pathlib import Path
from typing import TypeVar, cast

import numpy as np

from traction.errors import InputError

SMALLEST, LARGEST = 1e-30, 1e30  #: of positive quantities in SI; beyond, arithmetic under- or overflows
FARTHEST = 1e100  #: from zero, of any number; squares of larger ones overflow
ROUNDING = 1e-11  #: tolerances below this ask for more than float64 products can give
SHOWN = 80  #: characters of a value that a message shows

T = TypeVar("T")
Either = float | None  #: a number that may be given in place of another; see `exactly_one`


def finite(name: str, value: object, unit: str = "") -> float:
    """A finite real number."""
    number = _finite(name, value, unit)
    if abs(number) > FARTHEST:
        raise InputError(
            f"{name} = {number}{_of(unit)} must lie between -{FARTHEST} and {FARTHEST}; check the unit."
        )
    return number


def positive(name: str, value: object, unit: str = "", remedy: str = "") -> float:
    """A finite number above zero, of a size that products of several such numbers can bear."""
    number = _finite(name, value, unit)
    if number <= 0.0:
        raise InputError(f"{name} = {number}{_of(unit)} must be positive{_because(remedy)}")
    if not SMALLEST <= number <= LARGEST:
        raise InputError(
            f"{name} = {number}{_of(unit)} must lie between {SMALLEST} and {LARGEST}; check the unit."
        )
    return number


def positive_or_infinite(name: str, value: object, unit: str = "", remedy: str = "") -> float:
    """A number above zero, which may be infinite."""
    number = real(name, value, unit)
    return number if number == math.inf else positive(name, number, unit, remedy)


def at_least(name: str, value: object, limit: float, unit: str = "", remedy: str = "") -> float:
    """A finite number not below `limit`."""
    number = finite(name, value, unit)
    if number < limit:
        words = f"be at least {limit}" if limit else "not be negative"
        raise InputError(f"{name} = {number}{_of(unit)} must {words}{_because(remedy)}")
    return number


def not_negative(name: str, value: object, unit: str = "", remedy: str = "") -> float:
    """A finite number from zero on."""
    return at_least(name, value, 0.0, unit, remedy)


def zero_or_positive(name: str, value: object, unit: str = "", remedy: str = "") -> float:
    """Zero, or a number above it of a size that products of several such numbers can bear."""
    number = at_least(name, value, 0.0, unit, remedy)
    return positive(name, number, unit) if number else 0.0


def poisson_ratio(name: str, value: object) -> float:
    """The Poisson ratio of a stable material."""
    number = finite(name, value)
    if not -1.0 < number <= 0.5:
        raise InputError(
            f"{name} = {number} must lie in (-1, 0.5], where the material is stable; steel has 0.28."
        )
    return number


def count(name: str, value: object, minimum: int = 1, most: int | None = None, remedy: str = "") -> int:
    """A whole number not below `minimum` and at most `most`."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool | np.timedelta64):
        raise InputError(f"{name} = {shown(value)} must be a whole number of at least {minimum}.")
    if value < minimum:
        raise InputError(f"{name} = {shown(int(value))} must be at least {minimum}.")
    if most is not None and value > most:
        raise InputError(f"{name} = {shown(int(value))} must be at most {most}{_because(remedy)}")
    return int(value)


def items(name: str, values: object, words: str) -> tuple[object, ...]:
    """The items of a list, a tuple or an array; `words` say what they are."""
    if isinstance(values, str | bytes | dict) or np.ma.is_masked(values):
        raise InputError(f"{name} = {shown(values)} must be {words}.")
    try:
        return tuple(values)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"{name} = {shown(values)} must be {words}.") from None


def pair(name: str, value: object, words: str) -> tuple[object, object]:
    """Two items; `words` say what they are."""
    both = items(name, value, words)
    if len(both) != 2:
        raise InputError(f"{name} = {shown(value)} must be {words}.")
    return both[0], both[1]


def path(name: str, value: object) -> Path:
    """The name of a file or folder."""
    try:
        found = Path(value)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"{name} = {shown(value)} must be the name of a file or folder, as text.") from None
    if "\0" in str(found):
        raise InputError(f"{name} = {shown(value)} must not contain a null character.")
    return found


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} = {shown(value)} must be True or False.")
    return bool(value)


def choice(name: str, value: object, allowed: tuple[T, ...]) -> T:
    """One of a few named values, of the same type: neither True nor 1.0 is 1."""
    plain = value.item() if isinstance(value, np.generic) else value
    for known in allowed:
        same_type = type(plain) is type(known) or (isinstance(plain, str) and isinstance(known, str))
        if plain is known or (same_type and plain == known):
            return known
    raise InputError(f"{name} = {shown(value)} is not known; choose one of {', '.join(map(repr, allowed))}.")


def equals(value: object, known: str | float) -> bool:
    """Whether a value is this text or number; of any kind, also one whose comparison has no truth value."""
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and equals(value[()], known)
    return isinstance(value, str | Real | np.generic) and bool(value == known)


def close_to(value: str, known: tuple[str, ...]) -> str:
    """The known name that was probably meant, or none."""
    close = get_close_matches(value, known, n=1)
    return close[0] if close else ""


def instance(name: str, value: object, kind: type[T], remedy: str = "") -> T:
    """An object of the class `kind`."""
    if not isinstance(value, kind):
        found = f"is a {class_name(type(value))} and" if _is_ours(type(value)) else f"= {shown(value)}"
        raise InputError(f"{name} {found} must be a {class_name(kind)}{_because(remedy)}")
    return value


def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith("traction.")


def class_name(kind: type) -> str:
    """The name of a class as users write it."""
    return f"tr.{kind.__name__}" if _is_ours(kind) else kind.__name__


def parts(name: str, value: Iterable[T], count: int, words: str) -> tuple[T, ...]:
    """The parts of a value that has as many; `words` say what they are."""
    try:
        found = tuple(islice(value, count + 1))
    except (TypeError, ValueError):
        found = ()
    if len(found) != count:
        raise InputError(f"{name} = {shown(value)} must be {words}.")
    return found


def point(name: str, value: object, unit: str = "m") -> tuple[float, float]:
    """Two finite numbers (x, y)."""
    x, y = parts(name, cast(Iterable[object], value), 2, f"two numbers (x, y){_in(unit)}")
    return finite(f"{name}[0]", x, unit), finite(f"{name}[1]", y, unit)


def tolerance(name: str, value: object) -> float:
    """A relative tolerance that float64 arithmetic can reach."""
    number = finite(name, value)
    if not ROUNDING <= number < 1.0:
        raise InputError(
            f"{name} = {number} must lie between {ROUNDING} (rounding of the products) and 1; 1e-6 is usual."
        )
    return number


def real_array(name: str, values: object, unit: str = "", remedy: str = "") -> np.ndarray:
    """A float64 C-contiguous array of real numbers, which need not be finite."""
    if np.ma.is_masked(values):
        raise InputError(f"{name} has masked elements; fill or remove them{_because(remedy)}")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} must be an array of numbers{_in(unit)}: {error}.") from error
    if array.dtype.kind not in "fiu":
        raise InputError(
            f"{name} must be an array of numbers{_in(unit)}, not of type {array.dtype}{_because(remedy)}"
        )
    with np.errstate(over="ignore"):  # of long doubles, those beyond float64 become infinite
        return np.ascontiguousarray(array, dtype=np.float64)


def finite_array(
    name: str, values: object, shape: tuple[int, ...] | None = None, unit: str = "", remedy: str = ""
) -> np.ndarray:
    """A float64 C-contiguous array of finite numbers, of the given shape."""
    array = real_array(name, values, unit, remedy)
    if shape is not None and array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}, expected {shape}{_because(remedy)}")
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise InputError(f"{name}{list(where)} = {array[where]} must be finite{_in(unit)}{_because(remedy)}")
    if array.size and np.abs(array).max() > FARTHEST:
        where = tuple(int(i) for i in np.unravel_index(np.abs(array).argmax(), array.shape))
        raise InputError(
            f"{name}{list(where)} = {array[where]} must lie between -{FARTHEST} and {FARTHEST}; "
            "check the unit."
        )
    return array


def finite_points(name: str, values: object, unit: str = "m") -> np.ndarray:
    """Finite numbers in their own shape; that of one number is ()."""
    return finite_array(name, values, unit=unit).reshape(np.shape(values))  # type: ignore[call-overload]


def exactly_one(**given: object) -> str:
    """Name of the only argument that is not None."""
    names = [name for name, value in given.items() if value is not None]
    if len(names) != 1:
        none = "neither" if len(given) == 2 else "none"
        raise InputError(f"give exactly one of {_list(given)}; {_list(names) or none} given.")
    return names[0]


def _list(names: Iterable[str]) -> str:
    """As in "a, b and c"."""
    *first, last = [*names] or [""]
    return " and ".join([", ".join(first), last]) if first else last


def keep(owner: object, **clean: object) -> None:
    """Write checked values back into a frozen dataclass, from its `__post_init__`."""
    for name, value in clean.items():
        object.__setattr__(owner, name, value)


def keep_checked(owner: object, check: Callable[[str, object, str], float], **units: str) -> None:
    """Check fields of a frozen dataclass in their units, and write them back."""
    keep(owner, **{name: check(name, getattr(owner, name), unit) for name, unit in units.items()})


def shown(value: object) -> str:
    """The value as a message shows it: its repr, cut where it is long."""
    try:
        text = repr(value)
    except Exception:  # such as of an integer of 5000 digits
        text = f"<{type(value).__name__}>"
    if _is_ours(type(value)) and (len(text) > SHOWN or "(" not in text.partition(":")[0]):
        return f"{class_name(type(value))}(...)"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _finite(name: str, value: object, unit: str) -> float:
    """A finite number of any size."""
    number = value if type(value) is float else real(name, value, unit)
    if not math.isfinite(number):
        raise InputError(f"{name} = {number} must be finite{_in(unit)}.")
    return number


def real(name: str, value: object, unit: str = "") -> float:
    """A real number, which need not be finite."""
    if isinstance(value, np.ndarray | np.generic):
        real = value.ndim == 0 and value.dtype.kind in "fiu" and not np.ma.is_masked(value)
    else:
        real = isinstance(value, Real) and not isinstance(value, bool)
    if not real:
        raise InputError(f"{name} = {shown(value)} must be a number{_in(unit)}.")
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"{name} = {shown(value)} must be a number{_in(unit)}.") from None
    except OverflowError:
        raise InputError(
            f"{name} = {shown(value)} must be at most 1.8e308, the largest float64{_in(unit)}."
        ) from None


def _in(unit: str) -> str:
    return f", in {unit}" if unit else ""


def _of(unit: str) -> str:
    return f" {unit}" if unit else ""


def _because(remedy: str) -> str:
    return f": {remedy}" if remedy else "."
