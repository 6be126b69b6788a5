"""The CUDA sources, compiled for the processor, give the results of its own kernels."""

import shutil
import subprocess
import sys

import numpy as np
import pytest

import traction as tr
from batch_members import FRICTION, PAIR
from cuda_on_processor import make_cupy, multiply
from traction.contact.batch import device, friction_groups

pytestmark = pytest.mark.slow

CREEPAGES = np.array([[1e-3, 2e-3, 0.3], [3e-3, 0.0, -0.5], [5e-4, 5e-4, 0.1]])
FORCES = np.array([[np.nan, np.nan], [-9e3, np.nan], [3e3, -4e3]])
QUANTITIES = ("force", "moment", "creepage", "dissipation", "stick_share", "traction", "slip")
GRID = tr.Grid(10, 9, 1.8e-3, 1.8e-3)


@pytest.fixture
def devices(monkeypatch, tmp_path):
    """Names of the processor and of a GPU that is one."""
    probe = tmp_path / "probe.cpp"
    probe.write_text("_Float16 half;")
    if not shutil.which("g++") or subprocess.run(["g++", "-c", probe, "-o", tmp_path / "probe"]).returncode:
        pytest.skip("no g++ with half precision")
    monkeypatch.setitem(sys.modules, "cupy", make_cupy(tmp_path))
    monkeypatch.setattr(device.GraphicsProcessor, "multiply", multiply)
    monkeypatch.setattr(friction_groups, "LEAST_MEMBERS", 1)
    device.load_kernels.cache_clear()
    yield "cpu", "gpu"
    device.load_kernels.cache_clear()


def assert_same(one, other, quantities, tolerance):
    assert one.solved_singly == other.solved_singly == 0
    np.testing.assert_allclose(one.error, other.error, rtol=0.0, atol=tolerance)
    for name in quantities:
        a, b = getattr(one, name), getattr(other, name)
        np.testing.assert_allclose(a, b, rtol=0.0, atol=tolerance * np.abs(a).max(), err_msg=name)


def gap(skew):
    """Of a contact that is its own image in y, or not."""
    x, y = GRID.mesh()
    return x**2 / 0.9 + y**2 / 0.7 + skew * (0.5 * x * y + 20.0 * y**3)


@pytest.mark.filterwarnings("ignore::traction.CoarseGridWarning")
@pytest.mark.parametrize("skew", [0.0, 1.0], ids=["symmetric", "skewed"])
def test_members_with_laws_and_unlike_bodies(devices, skew):
    film, speed = tr.Layer(4e9, 2e-5, yield_stress=3e8, hardening=1e12), 20.0
    laws = [
        (tr.friction.exponential(0.1, (0.2, 0.05), (0.02, 0.3), memory=(1e-4, 1e-2)), {"speed": speed}),
        (tr.friction.rational(0.1, (0.2, 0.1), (0.02, 0.3)), {"speed": speed, "layer": film}),
        (
            [tr.friction.own(lambda s: 0.1 + 0.2 / (1.0 + s)), tr.friction.linear(0.1, (0.2, 1.0)), 0.3],
            {"speed": speed},
        ),
        (0.3 + 20.0 * GRID.mesh()[1], {"layer": tr.Layer(4e9, 2e-5)}),
        (
            tr.friction.exponential(0.1, (0.2, 0.5), memory=(1e-4, 1e-2)),
            {"speed": speed, "layer": tr.Layer(4e9, 2e-5, yield_stress=2e8, hardening=-1e11)},
        ),
        (
            tr.friction.exponential(0.1, (0.2, 0.5), memory=(1e-6, 1e-3)),
            {"speed": speed, "layer": tr.Layer(4e9, 2e-5, yield_stress=1e8, hardening=1e12)},
        ),
    ]
    for pair in (PAIR, tr.Pair(tr.STEEL, tr.Material(70e9, 0.33))):
        n = tr.press(gap(skew), GRID, pair, force=50e3)
        batches = [tr.Batch(GRID, pair, device) for device in devices]
        for friction, settings in laws:
            for discretisation in ("covered", "classical") if pair is PAIR else ("classical",):
                rolled = [
                    b.roll_steady(
                        n, friction, CREEPAGES, fields=True, discretisation=discretisation, **settings
                    )
                    for b in batches
                ]
                assert_same(*rolled, QUANTITIES, 1e-13)
        assert_same(*(b.shift(n, 0.3, CREEPAGES * 5e-3, fields=True) for b in batches), QUANTITIES, 1e-13)


@pytest.mark.filterwarnings("ignore::traction.CoarseGridWarning")
@pytest.mark.parametrize("skew", [0.0, 1.0], ids=["symmetric", "skewed"])
@pytest.mark.parametrize(("precision", "tolerance"), [("float64", 1e-13), ("mixed", 1e-4)])
def test_members_with_friction(devices, skew, precision, tolerance):
    n = tr.press(gap(skew), GRID, PAIR, force=50e3)
    batches = [tr.Batch(GRID, PAIR, device, precision) for device in devices]
    for discretisation in ("covered", "classical"):
        rolled = [
            b.roll_steady(n, FRICTION, CREEPAGES, FORCES, fields=True, discretisation=discretisation)
            for b in batches
        ]
        assert_same(*rolled, QUANTITIES, tolerance)
    shifts = CREEPAGES * (5e-3, 5e-3, 2e-3)
    assert_same(*(b.shift(n, FRICTION, shifts, FORCES, fields=True) for b in batches), QUANTITIES, tolerance)


@pytest.mark.filterwarnings("ignore::traction.CoarseGridWarning")
@pytest.mark.parametrize("grid", [GRID, tr.Grid(9, 10, 1.8e-3, 1.8e-3)], ids=["even", "odd"])
@pytest.mark.parametrize("loads", [{"forces": [2e4, 5e4]}, {"approaches": [4e-5, 2e-5]}], ids=list)
def test_pressures(devices, grid, loads):
    gaps = [tr.Paraboloid(0.46, 0.38), tr.Paraboloid(0.40, 0.38)]
    pressed = [tr.Batch(grid, PAIR, device).press(gaps, fields=True, **loads) for device in devices]
    assert_same(*pressed, ("force", "approach", "pressure", "contact_area"), 1e-13)
