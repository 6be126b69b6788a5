"""Curves thinned to what a screen shows, with the peaks of every stretch kept."""

from __future__ import annotations

import math

import numpy as np


def crop(x: np.ndarray, y: np.ndarray, limits: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """The part of a curve of rising x that is seen between limits, with a point beyond either."""
    if x.size < 3 or not (np.diff(x) >= 0.0).all():
        return x, y
    low, high = sorted(limits)
    first = max(int(np.searchsorted(x, low)) - 1, 0)
    last = min(int(np.searchsorted(x, high, "right")) + 1, x.size)
    return x[first:last], y[first:last]


def thin(x: np.ndarray, y: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """A curve with at most two points for each of `bins` stretches, besides its ends and gaps."""
    if y.size <= 2 * bins:
        return x, y
    edges = np.linspace(0, y.size, bins + 1).round().astype(int)
    kept = {0, y.size - 1}
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        known = np.flatnonzero(np.isfinite(y[first:last])) + first
        if known.size < last - first:
            kept.add(first + int(np.argmin(np.isfinite(y[first:last]))))
        if known.size:
            kept.update((int(known[np.argmin(y[known])]), int(known[np.argmax(y[known])])))
    rows = np.array(sorted(kept))
    return x[rows], y[rows]


def shorten(values: np.ndarray, span: float, digits: int) -> list[float | None]:
    """Numbers rounded to so many digits of a span; None where there is no number."""
    places = digits - math.floor(math.log10(span)) if span > 0.0 else digits
    rounded = np.round(np.asarray(values, dtype=float), max(places, 0)).tolist()
    return [
        None if not math.isfinite(value) else int(value) if value == int(value) else value
        for value in rounded
    ]
