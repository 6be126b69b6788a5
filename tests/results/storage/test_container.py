"""Arrays come back bit for bit, and nothing else comes back at all."""

import hashlib
import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from traction.errors import InputError
from traction.results.storage.container import DTYPES, MAGIC, DamagedError, pack, read_bytes, unpack

arrays = st.dictionaries(
    st.text(max_size=8),
    st.sampled_from([np.dtype(name) for name in DTYPES]).flatmap(
        lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
    ),
    max_size=4,
)
metas = st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5) | st.booleans(), max_size=3)


@given(arrays, metas)
def test_arrays_and_meta_come_back_bit_for_bit(values, meta):
    back, told = unpack(pack(values, meta))
    assert told == meta
    assert list(back) == list(values)
    for name, array in values.items():
        assert back[name].dtype == array.dtype
        assert back[name].shape == array.shape
        assert back[name].tobytes() == array.tobytes()
        assert back[name].flags.writeable


def test_byte_order_and_strides_do_not_matter():
    values = np.arange(12.0).reshape(3, 4)
    for variant in (values.astype(">f8"), np.asfortranarray(values), np.repeat(values, 2, axis=1)[:, ::2]):
        assert unpack(pack({"a": variant}))[0]["a"].tobytes() == values.tobytes()


@pytest.mark.parametrize(
    "array",
    [np.array(["a"]), np.array([object()]), np.array([(1, 2.0)], dtype="i4,f8"), np.zeros(2, "M8[s]")],
)
def test_only_numbers_are_packed(array):
    with pytest.raises(InputError, match="dtype"):
        pack({"a": array})


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_damage(data):
    with pytest.raises(DamagedError):
        unpack(data)
    with pytest.raises(DamagedError):
        unpack(MAGIC + data)


def test_every_flipped_bit_is_seen():
    data = pack({"a": np.arange(5.0), "b": np.array(True)}, {"n": 1})
    for bit in range(8 * len(data)):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(DamagedError):
            unpack(bytes(damaged))


def test_every_truncation_is_seen():
    data = pack({"a": np.arange(5.0)}, {})
    for length in range(len(data)):
        with pytest.raises(DamagedError):
            unpack(data[:length])


def forged(header, payload=b"", header_length=None, data_length=None):
    """A container with a right checksum around whatever somebody likes."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    lengths = (
        header_length if header_length is not None else len(text),
        data_length if data_length is not None else len(payload),
    )
    body = MAGIC + struct.pack("<QQ", *lengths) + text + payload
    return body + hashlib.sha256(body).digest()


FORGERIES = {
    "huge shape": forged({"arrays": [["a", "<f8", [2**60]]], "meta": {}}),
    "huge empty shape": forged({"arrays": [["a", "<f8", [0, 2**62, 2**62]]], "meta": {}}),
    "many dimensions": forged({"arrays": [["a", "<f8", [1] * 100]], "meta": {}}, b"\0" * 8),
    "negative shape": forged({"arrays": [["a", "<f8", [-1]]], "meta": {}}, b"\0" * 8),
    "boolean shape": forged({"arrays": [["a", "<f8", [True]]], "meta": {}}, b"\0" * 8),
    "text shape": forged({"arrays": [["a", "<f8", "8"]], "meta": {}}, b"\0" * 8),
    "object dtype": forged({"arrays": [["a", "|O", [1]]], "meta": {}}, b"\0" * 8),
    "list dtype": forged({"arrays": [["a", ["<f8"], [1]]], "meta": {}}, b"\0" * 8),
    "name twice": forged({"arrays": [["a", "<f8", [1]], ["a", "<f8", [1]]], "meta": {}}, b"\0" * 16),
    "left over": forged({"arrays": [], "meta": {}}, b"\0"),
    "too short": forged({"arrays": [["a", "<f8", [2]]], "meta": {}}, b"\0" * 8),
    "not a boolean": forged({"arrays": [["a", "|b1", [1]]], "meta": {}}, b"\2"),
    "no arrays": forged({"meta": {}}),
    "no meta": forged({"arrays": []}),
    "a list": forged([]),
    "not JSON": forged(b"{"),
    "not UTF-8": forged(b"\xff\xff"),
    "deep": forged(b"[" * 100_000),
    "huge integer": forged(b'{"arrays": [], "meta": {"n": ' + b"9" * 20_000 + b"}}"),
    "length beyond the end": forged({"arrays": [], "meta": {}}, header_length=2**63),
    "data beyond the end": forged({"arrays": [], "meta": {}}, data_length=2**63),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_headers_are_damage(name):
    with pytest.raises(DamagedError, match=r"evil\.seg"):
        unpack(FORGERIES[name], "evil.seg")


def test_reading_names_what_is_missing_no_file_or_too_large(tmp_path):
    with pytest.raises(DamagedError, match=r"nothing\.seg is missing"):
        read_bytes(tmp_path / "nothing.seg", 4)
    with pytest.raises(DamagedError, match="not a regular file"):
        read_bytes(tmp_path, 4)
    (tmp_path / "large").write_bytes(b"12345")
    with pytest.raises(DamagedError, match="at most 4"):
        read_bytes(tmp_path / "large", limit=4)
