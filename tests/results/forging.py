"""Folders of runs whose files were rewritten by somebody who knows the format: every checksum is right."""

import json
import struct
from hashlib import sha256

import numpy as np

from traction.results.manifest import FORMAT
from traction.results.storage.container import MAGIC, open_sealed, pack, seal_json, unpack

HUGE = 2**31 - 1
OTHER = """kind = "modes"
modes = 2
[beam]
length = 20.0
bending_stiffness = 2e9
mass_per_length = 8e3
"""


def forge_manifest(place, /, **entries):
    """Replace entries of the manifest; those that are None are removed."""
    path = place / "manifest.json"
    content = {**open_sealed(path.read_bytes(), "manifest"), **entries}
    path.write_bytes(seal_json({name: value for name, value in content.items() if value is not ...}))


def forge_scenario(run, text):
    """Replace the scenario."""
    (run / "scenario.toml").write_text(text, encoding="utf-8")
    forge_manifest(run, scenario_sha256=sha256(text.encode()).hexdigest())


def forge_arrays(path, arrays=None, /, **meta):
    """Replace arrays and entries of the header; those that are ... are removed."""
    before, told = unpack(path.read_bytes(), str(path))
    kept = {**before, **(arrays or {})}
    kept = {name: values for name, values in kept.items() if values is not ...}
    told = {name: value for name, value in {**told, **meta}.items() if value is not ...}
    path.write_bytes(pack(kept, told))


def forge_header(path, change):
    """Change the header of a file as JSON, whatever it then describes."""
    data = path.read_bytes()
    length, size = struct.unpack_from("<QQ", data, len(MAGIC))
    start = len(MAGIC) + 16
    header = json.loads(data[start : start + length])
    change(header)
    written = json.dumps(header).encode()
    body = (
        MAGIC
        + struct.pack("<QQ", len(written), size)
        + written
        + data[start + length : start + length + size]
    )
    path.write_bytes(body + sha256(body).digest())


def other_arrays(values):
    """Arrays in place of a stored one: of other shapes, types and values."""
    yield "missing", ...
    yield "a float", np.array(0.5)
    yield "nan", np.full(values.shape, np.nan)
    yield "negative", np.full(values.shape, -1)
    yield "beyond", np.full(values.shape, HUGE)
    yield "largest", np.full(values.shape, 2**63 - 1)
    yield "empty", np.zeros((0,))
    yield "longer", np.zeros(tuple(n + 3 for n in values.shape) or (3,), dtype=values.dtype)
    yield "flags", np.zeros(values.shape, dtype=bool)
    yield "complex", np.zeros(values.shape, dtype=complex)


def forgeries(run):
    """Name and deed of each forgery of a run folder."""
    for name, value in (
        ("kind", "press"), ("kind", "nothing"), ("kind", ""), ("total", 0), ("total", -3), ("total", 10**12),
        ("total", 10**30), ("status", "done"), ("status", "running"), ("status", "interrupted"), ("run", "x"),
        ("seed", -1), ("timings", {"run": -1.0}), ("key_figures", [["a", "b", "c"]]),
        ("key_figures", [["a", 1.0, "?"]] * 3), ("versions", {}), ("exports", {"../../etc/passwd": "0"}),
        ("exports", {"": "0"}), ("exports", {"data.nc": ""}), ("message", "\x1b[2J"),
        ("scenario_name", "\x07"),
        ("created", "yesterday"), ("format", FORMAT + 1), ("unknown", 1), ("kind", ...), ("updated", ...),
    ):  # fmt: skip
        yield (
            f"manifest {name} = {value}",
            lambda name=name, value=value: forge_manifest(run, **{name: value}),
        )
    yield from scenario_forgeries(run)
    static = run / "static.bin"
    for name, value in (
        ("total", 10**9),
        ("total", "x"),
        ("total", True),
        ("fields", []),
        ("coordinates", 3),
    ):
        yield f"static {name} = {value}", lambda name=name, value=value: forge_arrays(static, **{name: value})
    yield "static wide", lambda: forge_header(static, widen)
    for folder in ("segments", "checkpoints", "."):
        for path in sorted((run / folder).glob("*.*")):
            if path.suffix in (".seg", ".state", ".bin") and path != static:
                yield from array_forgeries(path)


def widen(header):
    """Fields along many dimensions, each declared much longer than it is."""
    header["meta"]["fields"][0]["dims"] = [one[0] for one in header["meta"]["coordinates"]]
    header["arrays"] = [[name, dtype, [HUGE, *shape[1:]]] for name, dtype, shape in header["arrays"]]


def scenario_forgeries(run):
    """The scenario, exchanged."""
    text = (run / "scenario.toml").read_text(encoding="utf-8")
    for name, other in (
        ("empty", ""),
        ("no kind", text.replace("kind", "sort", 1)),
        ("another kind", OTHER),
        ("invalid", "kind = ["),
        ("other title", text + '\n[more]\na = 1\n'),
    ):  # fmt: skip
        yield f"scenario {name}", lambda other=other: forge_scenario(run, other)


def array_forgeries(path):
    """Each array of a file replaced, and its header."""
    arrays, meta = unpack(path.read_bytes(), str(path))
    where = path.name
    for name, values in arrays.items():
        for words, other in other_arrays(values):
            yield f"{where} {name}: {words}", lambda name=name, other=other: forge_arrays(path, {name: other})
    yield f"{where}: one more", lambda: forge_arrays(path, {"one more": np.zeros(3)})
    yield f"{where}: nothing", lambda: forge_arrays(path, dict.fromkeys(arrays, ...))
    for name in meta:
        for value in (-1, 10**12, "x", None, ..., [1]):
            yield (
                f"{where} meta {name} = {value}",
                lambda name=name, value=value: forge_arrays(path, **{name: value}),
            )
    yield (
        f"{where}: declared larger",
        lambda: forge_header(path, lambda header: header["arrays"].append(["more", "<f8", [HUGE]])),
    )
