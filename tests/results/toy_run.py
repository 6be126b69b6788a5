"""A small deterministic run for the tests of `traction.results`."""

import numpy as np

from traction.results.field import Constant, Coordinate, Field, Layout
from traction.results.folder import RunFolder

SCENARIO = 'kind = "toy"\n# naïve bytes, 30 µm\n'


class Toy:
    """A chaotic map on a grid: one wrong bit in the state changes every later sample."""

    def __init__(self, total=24, ny=3, nx=4, work=0):
        self.total = total
        self.work = work  # extra rounds per sample, to make computing take time
        self.shape = (ny, nx)
        self.fields = (
            Field("time", "s", "time", labels_samples=True),
            Field("pressure", "Pa", "contact pressure", ("y", "x")),
            Field("contact", "1", "in contact", ("y", "x"), dtype="bool"),
            Field("iterations", "1", "iterations", dtype="int32"),
        )
        self.coordinates = (
            Coordinate("y", np.arange(ny) * 1e-3, "m", "lateral position"),
            Coordinate("x", np.arange(nx) * 2e-3, "m", "rolling position"),
        )
        self.constants = (Constant("gap", np.full(self.shape, 1e-6), "m", "initial gap", ("y", "x")),)

    @property
    def layout(self):
        return Layout(self.fields, self.total, self.coordinates, self.constants)

    def initial(self):
        size = self.shape[0] * self.shape[1]
        return {"step": np.array(0), "p": np.linspace(0.1, 0.9, size).reshape(self.shape)}

    def advance(self, state):
        p = state["p"]
        for _ in range(1 + self.work):
            p = 3.9 * p * (1.0 - p)
        step = state["step"] + 1
        sample = {
            "time": step * 0.1,
            "pressure": p * 1e9,
            "contact": p > 0.5,
            "iterations": np.int32(step % 7),
        }
        return {"step": step, "p": p}, sample


def make(path, toy, cls=RunFolder, **more):
    return cls.create(
        path,
        kind="toy",
        scenario_text=SCENARIO,
        layout=toy.layout,
        seed=7,
        **more,
    )


def expected(toy, count=None):
    """The samples by the plainest loop there is."""
    state, rows = toy.initial(), []
    for _ in range(toy.total if count is None else count):
        state, sample = toy.advance(state)
        rows.append(sample)
    return {f.name: np.array([row[f.name] for row in rows], dtype=f.dtype) for f in toy.fields}


def assert_same(samples, reference, count=None):
    assert set(samples) == set(reference)
    for name, values in reference.items():
        wanted = values[:count]
        assert samples[name].dtype == wanted.dtype
        assert samples[name].shape == wanted.shape
        assert samples[name].tobytes() == wanted.tobytes(), name


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())
