"""A small picture of one variable as SVG: lines, bars or a map, in the colours of the page around it."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from traction.outputs.variable import Variable
from traction.printable import escaped
from traction.quantities import LADDERS, significant, unit_for

WIDE, HIGH = 300, 170  #: of the picture, pixels
LEFT, TOP, RIGHT, BOTTOM = 46, 22, 292, 138  #: of the frame
COLORS = ("#3b82c4", "#d9772b", "#3f9d62", "#b0559f", "#8a8f29", "#c4504d")  #: seen on light and on dark
MOST_LINES = len(COLORS)
MOST_POINTS = 400  #: of a line; beyond, the least and the largest of each part are kept
ROUNDING = 1e-6  #: of the range of a line, below which a label shows zero
SLENDER = 0.8  #: least width of a map over its height
MOST_CELLS = 128  #: of a map, along each side
ALONG = ("time", "speed", "x")  #: dimensions along which lines are drawn, the first that there is
MAPS = (("y", "x"), ("strip", "node"))  #: dimensions that are drawn as a map
#: dark to bright, (5, 3): the colour map viridis at five places
SHADES = np.array(((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)), dtype=float)


def sketch(variables: Sequence[Variable], name: str) -> str:
    """The picture of the variable `name`, or no text where there is none to draw."""
    one = next((v for v in variables if v.name == name), None)
    if one is None or one.values.size < 2 or one.values.dtype.kind not in "fiub":
        return ""
    axes = {v.name: v for v in variables if v.is_coordinate}
    values = one.values.astype(float)
    if not np.isfinite(values).any():
        return ""
    if one.dims[-2:] in MAPS:
        last = values.reshape(-1, *values.shape[-2:])[-1]
        if min(last.shape) > 1:
            return _map(one, last, axes[one.dims[-1]], axes[one.dims[-2]])
        values = last.reshape(-1)  # a line contact: one row of elements
    dim = next((name for name in ALONG if name in one.dims), one.dims[0])
    if values.ndim == len(one.dims):
        values = np.moveaxis(values, one.dims.index(dim), 0)
    along, rows = axes.get(dim), values.reshape(len(values), -1).T[:MOST_LINES]
    if along is not None and along.values.dtype.kind == "U":
        return _bars(one, rows[0], along.values)
    x = np.arange(rows.shape[1], dtype=float) if along is None else along.values.astype(float)
    return _lines(one, rows, x, along)


def _lines(one: Variable, rows: np.ndarray, x: np.ndarray, along: Variable | None) -> str:
    scale, unit = _handy(rows, one.unit)
    known = np.isfinite(rows)
    low, high = float(rows.min(where=known, initial=np.inf)), float(rows.max(where=known, initial=-np.inf))
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    first, last = float(x.min()), float(x.max())
    span = (last - first) or 1.0
    parts = []
    for k, row in enumerate(rows):
        keep = np.isfinite(row)
        at, y = _thinned(x[keep], row[keep])
        px = LEFT + (RIGHT - LEFT) * (at - first) / span
        py = BOTTOM - (BOTTOM - TOP) * (y - low) / (high - low)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(px, py, strict=True))
        parts.append(f"<polyline points='{points}' fill='none' stroke='{COLORS[k]}' stroke-width='1.5'/>")
    zero = ROUNDING * (high - low)  # what is less is not worth a label
    parts += _heights(*(value / scale if abs(value) > zero else 0.0 for value in (low, high)))
    if along is not None:
        size, name = _handy(x, along.unit)
        label = _labelled(along.long_name, name)
        parts += _below(significant(first / size), label, significant(last / size))
    return _picture(_labelled(one.long_name, unit), parts)


def _bars(one: Variable, row: np.ndarray, names: np.ndarray) -> str:
    scale, unit = _handy(row, one.unit)
    low, high = min(0.0, float(np.nanmin(row))), max(0.0, float(np.nanmax(row)))
    span, step = (high - low) or 1.0, (RIGHT - LEFT) / row.size
    zero = BOTTOM - (BOTTOM - TOP) * (0.0 - low) / span
    parts = []
    for k, value in enumerate(np.nan_to_num(row)):
        top = BOTTOM - (BOTTOM - TOP) * (value - low) / span
        left, tall = LEFT + (k + 0.15) * step, abs(top - zero)
        parts.append(
            f"<rect x='{left:.1f}' y='{min(top, zero):.1f}' width='{0.7 * step:.1f}' height='{tall:.1f}' "
            f"fill='{COLORS[0]}'/>"
        )
        if row.size <= MOST_LINES:
            parts.append(_text(left + 0.35 * step, BOTTOM + 14, str(names[k]), "middle"))
    return _picture(_labelled(one.long_name, unit), [*parts, *_heights(low / scale, high / scale)])


def _map(one: Variable, values: np.ndarray, x: Variable, y: Variable) -> str:
    scale, unit = _handy(values, one.unit)
    step = [max(1, -(-n // MOST_CELLS)) for n in values.shape]
    shown = values[:: step[0], :: step[1]][::-1]  # y points up
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    share = np.nan_to_num((shown - low) / ((high - low) or 1.0)) * (len(SHADES) - 1)
    k = np.minimum(share.astype(int), len(SHADES) - 2)
    pixels = SHADES[k] + (share - k)[..., None] * (SHADES[k + 1] - SHADES[k])
    coded = base64.b64encode(_png(pixels.astype(np.uint8))).decode()
    spans = [float(np.ptp(axis.values)) or 1.0 for axis in (x, y)]
    wide = min(RIGHT - LEFT, (BOTTOM - TOP) * max(spans[0] / spans[1], SLENDER))
    parts = [
        f"<image x='{LEFT}' y='{TOP}' width='{wide:.0f}' height='{BOTTOM - TOP}' "
        f"preserveAspectRatio='none' style='image-rendering:pixelated' href='data:image/png;base64,{coded}'/>"
    ]
    size, name = _handy(np.r_[x.values, y.values], x.unit)
    ends = [significant(float(v) / size, 3) for v in (y.values[0], y.values[-1])]
    parts += [_text(LEFT - 4, BOTTOM, ends[0], "end"), _text(LEFT - 4, TOP + 9, ends[1], "end")]
    label = _labelled(f"{x.name}, {y.name}", name)
    ends = [significant(float(v) / size, 3) for v in (x.values[0], x.values[-1])]
    parts += _below(ends[0], label, ends[1], LEFT + wide)
    words = f"{one.long_name}, {significant(low / scale)} to {significant(high / scale)} {unit}"
    return _picture(words.rstrip(), parts, framed=False)


def _png(pixels: np.ndarray) -> bytes:
    """Red, green and blue, (rows, columns, 3), as a PNG file."""
    high, wide, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)))
    packed = [
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in (*chunks, (b"IEND", b""))
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def _thinned(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Few points that look the same: of each of many parts the first, the least and the largest."""
    if x.size <= MOST_POINTS:
        return x, y
    edges = np.linspace(0, x.size, MOST_POINTS // 2 + 1).astype(int)
    kept = [(a + np.argmin(y[a:b]), a + np.argmax(y[a:b])) for a, b in pairwise(edges)]
    chosen = np.unique(np.r_[0, np.array(kept).ravel(), x.size - 1])
    return x[chosen], y[chosen]


def _handy(values: np.ndarray, unit: str) -> tuple[float, str]:
    """Size and name of a unit in which the values have a handy size."""
    if unit in LADDERS:
        found = unit_for(values, unit)
        return found.factor, found.name
    return 1.0, "" if unit == "1" else unit


def _labelled(name: str, unit: str) -> str:
    return f"{name} ({unit})" if unit else name


def _heights(low: float, high: float) -> list[str]:
    top, bottom = significant(high, 3), significant(low, 3)
    return [_text(LEFT - 4, TOP + 9, top, "end"), _text(LEFT - 4, BOTTOM, bottom, "end")]


def _below(first: str, label: str, last: str, right: float = RIGHT) -> list[str]:
    middle, line = 0.5 * (LEFT + right), BOTTOM + 14
    ends = [_text(LEFT, line, first, "start"), _text(right, line, last, "end")]
    return [*ends, _text(middle, BOTTOM + 28, label, "middle")]


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='currentColor' stroke='none'>"
        f"{escaped(words)}</text>"
    )


def _picture(title: str, parts: Sequence[str], framed: bool = True) -> str:
    lines = f"<path d='M{LEFT} {TOP}V{BOTTOM}H{RIGHT}' fill='none' stroke='currentColor' opacity='.5'/>"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDE}' height='{HIGH}' viewBox='0 0 {WIDE} {HIGH}' "
        f"role='img' aria-label='{escaped(title)}' font-family='sans-serif' font-size='10' "
        f"style='max-width:100%;color:inherit'>{lines if framed else ''}{''.join(parts)}"
        f"{_text(LEFT, 13, title, 'start')}</svg>"
    )
