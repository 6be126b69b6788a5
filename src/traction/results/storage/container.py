"""Named arrays and a little JSON in one block of bytes, with a checksum over all of it.

Layout, integers little-endian:

    magic             8 bytes
    header length     8 bytes
    data length       8 bytes
    header            JSON: {"arrays": [[name, dtype, shape], ...], "meta": {...}}
    data              the arrays one after the other, C order, little-endian
    checksum          32 bytes, SHA-256 of everything before it

Lengths are compared with the size of the file and the checksum with its content before anything is built, so
a damaged length cannot request memory. A file that passes may still come from somebody else, so the header
is checked like any input: nothing here can run code.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError, TractionError
from traction.outputs.atomic import storage_error
from traction.printable import printable_lines
from traction.regular_files import UnexpectedFileError, open_regular, read_regular

MAGIC = b"TRACTN\x00\x01"
DTYPES = ("<f8", "<f4", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1", "<c16", "<c8")

_LENGTHS = struct.Struct("<QQ")
_START = len(MAGIC) + _LENGTHS.size
_DIGEST = hashlib.sha256().digest_size
_MOST_DIMENSIONS = 32


Block = bytes | memoryview
Json = dict[str, Any]  #: an object as a file holds it


class DamagedError(TractionError):
    """Raised when a file of a run differs from what was written; the message names it."""


def pack(arrays: Mapping[str, np.ndarray], meta: Mapping[str, object] | None = None) -> bytes:
    """The arrays and `meta`, which must be plain JSON, as bytes for `unpack`."""
    return b"".join(pack_blocks(arrays, meta))


def pack_blocks(arrays: Mapping[str, np.ndarray], meta: Mapping[str, object] | None = None) -> list[Block]:
    """Blocks of `pack`: views of the arrays between a header and a checksum, without a copy."""
    entries = []
    blocks: list[Block] = []
    for name, array in arrays.items():
        values = packable(name, array)
        entries.append([str(name), values.dtype.str, list(values.shape)])
        blocks.append(values.reshape(-1).view(np.uint8).data)
    header = json.dumps({"arrays": entries, "meta": dict(meta or {})}, allow_nan=False).encode()
    start = MAGIC + _LENGTHS.pack(len(header), sum(map(len, blocks))) + header
    digest = hashlib.sha256(start)
    for block in blocks:
        digest.update(block)
    return [start, *blocks, digest.digest()]


def packable(name: str, array: ArrayLike) -> np.ndarray:
    """The array in the byte order and layout of the file; an `InputError` if it contains no numbers."""
    values = np.asarray(array)
    dtype = values.dtype.newbyteorder("<")
    if dtype.str not in DTYPES:
        raise InputError(f"{name} has dtype {values.dtype}; use numbers or booleans of up to 64 bits.")
    return np.asarray(values, dtype=dtype, order="C")


def unpack(data: bytes, source: str = "the data") -> tuple[dict[str, np.ndarray], Json]:
    """Arrays and meta of `pack`, bit for bit; a `DamagedError` about `source` when anything is wrong."""
    _require_start(data[:_START], len(data), source)
    body = memoryview(data)[:-_DIGEST]
    if hashlib.sha256(body).digest() != bytes(data[-_DIGEST:]):
        raise DamagedError(f"{source} is damaged: its checksum does not match.")
    header_length, _ = _LENGTHS.unpack_from(body, len(MAGIC))
    header = parse_json(bytes(body[_START : _START + header_length]), source)
    return _arrays(header.get("arrays"), body[_START + header_length :], source), _meta(header, source)


def parse_json(text: bytes, source: str) -> Json:
    """A JSON object; any fault is a `DamagedError` about `source`."""
    try:
        value = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"{source} is damaged: it cannot be read as JSON ({error}).") from error
    if not isinstance(value, dict):
        raise DamagedError(f"{source} is damaged: it is not a JSON object.")
    return value


def seal_json(content: Mapping[str, object]) -> bytes:
    """A JSON object for people and programs, with a checksum of itself."""
    return (
        json.dumps({"checksum": _checksum(content), **content}, indent=2, allow_nan=False) + "\n"
    ).encode()


def open_sealed(data: bytes, source: str) -> Json:
    """Content of `seal_json`; a `DamagedError` about `source` if it is not."""
    content = parse_json(data, source)
    if content.pop("checksum", None) != _checksum(content):
        raise DamagedError(f"{source} is damaged: its checksum does not match.")
    _require_printable(content, source)
    return content


def _require_printable(content: object, source: str) -> None:
    """Refuse names and messages with characters on which a terminal would act; we write none."""
    if isinstance(content, dict):
        content = [*content, *content.values()]
    if isinstance(content, list):
        for one in content:
            _require_printable(one, source)
    elif isinstance(content, str) and content != printable_lines(content):
        raise DamagedError(f"{source} is damaged: {checks.shown(content)} holds control characters.")


def _checksum(content: Mapping[str, object]) -> str:
    try:
        canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        return "nested too deeply to be ours"
    return hashlib.sha256(canonical.encode()).hexdigest()


def read_bytes(path: Path, limit: int) -> bytes:
    """The content of a regular file; a `DamagedError` when it is missing, no file or over `limit` bytes."""
    try:
        return read_regular(path, limit)
    except OSError as error:
        raise reading_error(error, path) from error


def read_packed(path: Path) -> tuple[dict[str, np.ndarray], Json]:
    """Arrays and meta of a file; its lengths are compared with its size before more is read."""
    try:
        with open_regular(path) as file:
            start, size = file.read(_START), os.fstat(file.fileno()).st_size
            _require_start(start, size, str(path))
            data = start + file.read(size - len(start))
    except OSError as error:
        raise reading_error(error, path) from error
    return unpack(data, str(path))


def reading_error(error: OSError, path: Path) -> TractionError:
    """The error for a file that cannot be read: damage where it is missing or is none of ours."""
    if isinstance(error, FileNotFoundError):
        return DamagedError(f"{path} is missing.")
    if isinstance(error, UnexpectedFileError):
        return DamagedError(f"{path} is damaged: {error.strerror}.")
    return storage_error(error, path)


def _require_start(start: bytes, size: int, source: str) -> None:
    """Refuse a file that begins otherwise, or whose declared lengths are not those of the file."""
    if size < _START + _DIGEST or not start.startswith(MAGIC):
        raise DamagedError(f"{source} is damaged: it does not begin like a file of Traction.")
    if _START + sum(_LENGTHS.unpack_from(start, len(MAGIC))) + _DIGEST != size:
        raise DamagedError(f"{source} is damaged: its lengths do not add up.")


def _meta(header: Json, source: str) -> Json:
    meta = header.get("meta")
    if not isinstance(meta, dict):
        raise DamagedError(f"{source} is damaged: its header has no meta.")
    return meta


def _arrays(entries: object, data: memoryview, source: str) -> dict[str, np.ndarray]:
    if not isinstance(entries, list):
        raise DamagedError(f"{source} is damaged: its header lists no arrays.")
    arrays: dict[str, np.ndarray] = {}
    position = 0
    for entry in entries:
        name, dtype, shape = _entry(entry, source)
        size = math.prod(shape) * dtype.itemsize
        block = data[position : position + size]
        if len(block) != size or name in arrays:
            raise DamagedError(f"{source} is damaged: array {name!r} does not fit.")
        array = np.frombuffer(block, dtype=np.uint8)
        if dtype.kind == "b" and array.max(initial=0) > 1:
            raise DamagedError(f"{source} is damaged: array {name!r} holds neither True nor False.")
        arrays[name] = array.copy().view(dtype).reshape(shape)
        position += size
    if position != len(data):
        raise DamagedError(f"{source} is damaged: {len(data) - position} bytes belong to no array.")
    return arrays


def _entry(entry: object, source: str) -> tuple[str, np.dtype, tuple[int, ...]]:
    """Name, dtype and shape of one array, of the right types and of a size that numpy can count."""
    if isinstance(entry, list) and len(entry) == 3:
        name, dtype, shape = entry
        if isinstance(name, str) and dtype in DTYPES and isinstance(shape, list):
            small = len(shape) <= _MOST_DIMENSIONS and all(type(n) is int and 0 <= n < 2**31 for n in shape)
            if small and math.prod(n for n in shape if n) < 2**48:
                return name, np.dtype(dtype), tuple(shape)
    raise DamagedError(f"{source} is damaged: its header describes an impossible array.")
