"""Kernels of both devices have the same names and arguments; a GPU that is not there is named."""

import csv
import pickle
import re
import sys
from importlib.resources import files
from inspect import signature
from pathlib import Path

import pytest

import traction as tr
from batch_members import GRID, PAIR
from traction.contact.batch import device
from traction.contact.batch.kernels import member_moves, pressing_steps, splitting_steps

#: arguments of the processor that are several of CUDA
TUPLES = {"by_increments": 3, "fields": 5, "sizes": 2, "kept": 5, "kept_fields": 5, "ended": 4}


@pytest.mark.parametrize(
    "module", [splitting_steps, member_moves, pressing_steps], ids=lambda m: m.__name__.split(".")[-1]
)
def test_cuda_has_the_kernels_of_the_processor(module):
    name = module.__name__.split(".")[-1]
    source = files("traction.contact.batch.kernels").joinpath(f"{name}.cu").read_text(encoding="utf-8")
    found = dict(re.findall(r"__global__ void (\w+)\(ELEMENTS, MEMBERS,?([^)]*)\)", source))
    assert len(found) >= 3
    for function, arguments in found.items():
        names = [words.split()[-1].lstrip("*") for words in arguments.split(",") if words.strip()]
        kernel = getattr(module, function)
        here = list(signature(kernel.py_func).parameters)
        assert here[:2] == ["elements", "members"]
        flat = [name for name in here[2:] if name not in TUPLES]
        assert len(names) == len(here) - 2 + sum(TUPLES[name] - 1 for name in here if name in TUPLES), (
            function
        )
        assert [name for name in names if name in flat] == flat, function


def test_a_missing_gpu_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(tr.InputError, match=r'needs CuPy: install traction\[gpu\], or use device="cpu"'):
        tr.Batch(GRID, PAIR, device="gpu")


def test_a_driver_that_fails_is_named(monkeypatch):
    class Runtime:
        def getDeviceCount(self):
            raise RuntimeError("no driver")

    class Cupy:
        class cuda:  # noqa: N801
            runtime = Runtime()

    monkeypatch.setitem(sys.modules, "cupy", Cupy())
    with pytest.raises(tr.InputError, match="no driver"):
        tr.Batch(GRID, PAIR, device="gpu")


def test_sources_that_cannot_be_compiled_are_named(monkeypatch):
    class Module:
        def __init__(self, code, options):
            pass

        def compile(self):
            raise RuntimeError("no NVRTC")

    class Cupy:
        RawModule = Module

        class cuda:  # noqa: N801
            class runtime:  # noqa: N801
                getDeviceCount = int  # noqa: N815

    device.load_kernels.cache_clear()
    monkeypatch.setitem(sys.modules, "cupy", Cupy())
    with pytest.raises(tr.InputError, match=r"no GPU that CuPy can use \(no NVRTC\)"):
        tr.Batch(GRID, PAIR, device="gpu")


@pytest.mark.parametrize(
    ("name", "value"), [("device", "tpu"), ("precision", "float32"), ("grid", 5), ("pair", None)]
)
def test_bad_choices_are_named(name, value):
    with pytest.raises(tr.InputError, match=name):
        tr.Batch(**{"grid": GRID, "pair": PAIR, name: value})


def test_a_batch_can_be_sent_to_another_process(contact):
    batch = tr.Batch(GRID, PAIR, precision="mixed")
    batch.roll_steady(contact, 0.3, [(1e-3, 0.0, 0.0)] * 8)
    again = pickle.loads(pickle.dumps(batch))
    assert repr(again) == repr(batch)


def test_the_gallery_shows_the_measured_rows():
    root = Path(__file__).parents[3]
    page = (root / "examples/gallery/friction/plot_throughput.py").read_text(encoding="utf-8")
    with (root / "docs/reference/batches_gpu.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["contacts"] == "rolling, covered elements"]
    assert len(rows) == 18
    for row in rows:
        assert row["per second"] in page
        assert row["precision"] == "mixed" or row["limit of products"] in page
