"""What a studio answers: JSON for browsers (no NaN, no more digits than a picture shows), and refusals."""

from __future__ import annotations

import json
import math
import os
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Facts = dict[str, object]  #: as they are answered
DIGITS = 6  #: of the largest number of an array
AXIS_DIGITS = 10
MOST_WORKERS = max(1, os.cpu_count() or 1)


class RefusedError(Exception):
    """Raised where a request is not met; `facts` go beside the sentence into the answer."""

    def __init__(self, status: int, sentence: str, facts: Mapping[str, object] | None = None) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.facts = status, sentence, dict(facts or {})

    @property
    def body(self) -> dict[str, object]:
        """What is answered."""
        return {"error": self.sentence, **self.facts}


@dataclass(frozen=True, eq=False)
class NumberArray:
    """Numbers of a picture that follows a drag: lists in JSON, or packed, which is quicker."""

    values: np.ndarray
    digits: int = DIGITS  #: of its lists


def describe_axis(name: str, label: str, unit: str, values: np.ndarray) -> Facts:
    """An axis of a picture that follows a drag."""
    return {"name": name, "label": label, "unit": unit, "values": NumberArray(values, AXIS_DIGITS)}


def describe_curve(name: str, label: str, unit: str, values: np.ndarray) -> Facts:
    """A curve over such an axis."""
    return {"name": name, "label": label, "unit": unit, "group": unit, "values": NumberArray(values)}


def pack(value: object) -> object:
    """The value with every `NumberArray` as shape and text: float32, little-endian, rows first, in base64."""
    if isinstance(value, NumberArray):
        array = np.ascontiguousarray(value.values, dtype="<f4")
        return {"shape": list(array.shape), "float32": b64encode(array.tobytes()).decode("ascii")}
    if isinstance(value, dict):
        return {key: pack(one) for key, one in value.items()}
    return [pack(one) for one in value] if isinstance(value, list) else value


def to_json(value: object) -> bytes:
    """The value as JSON; numbers that are not finite become null."""
    try:
        return _dump(value)
    except ValueError:  # a number that is not finite
        return _dump(_finite(value))


def numbers(values: np.ndarray, digits: int = DIGITS) -> list[Any]:
    """An array as lists, rounded to so many digits of its largest number; null where there is none."""
    array = np.asarray(values)
    if array.dtype.kind in "bui":
        return array.astype(int).tolist()
    array = array.astype(float)
    known = np.isfinite(array)
    largest = float(np.abs(array[known]).max()) if known.any() else 0.0
    if largest > 0.0:
        places = digits - 1 - math.floor(math.log10(largest))
        array = np.round(array, places) if abs(places) < 300 else array
    if known.all():
        return array.tolist()
    missing = array.astype(object)
    missing[~known] = None
    return missing.tolist()


def _dump(value: object) -> bytes:
    return json.dumps(
        value, allow_nan=False, ensure_ascii=False, separators=(",", ":"), default=_plain
    ).encode("utf-8", "replace")


def _plain(value: object) -> object:
    if isinstance(value, NumberArray):
        return numbers(value.values, value.digits)
    if isinstance(value, np.ndarray):
        return numbers(value)
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no JSON")


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    if isinstance(value, NumberArray):
        return numbers(value.values, value.digits)
    if isinstance(value, np.ndarray | np.generic):
        return _finite(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value


def read_workers(given: Mapping[str, object]) -> int:
    """Their number in a request or an order."""
    workers = given.get("workers", 1)
    if isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS:
        raise RefusedError(400, f"workers must be a whole number from 1 to {MOST_WORKERS}.")
    return workers
