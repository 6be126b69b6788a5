"""`import traction` loads nothing heavy; the time itself is measured by benchmarks/bench_import.py."""

import pytest

HEAVY = {
    "numba",
    "llvmlite",
    "scipy",
    "matplotlib",
    "xarray",
    "pandas",
    "rich",
    "typer",
    "pydantic",
    "dask",
    "skfem",
}
LOADED = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"

USES = {
    "import": "import traction",
    "describing": (
        "import traction as tr; tr.Pair(tr.STEEL, tr.RIGID).mismatch; grid = tr.Grid(4, 4, 1e-3, 1e-3); "
        "(tr.Sphere(0.1) + tr.Cylinder(0.2)).gap(grid); tr.Paraboloid(0.1, 0.2).gap(grid); "
        "tr.Grid.line(4, 1e-3); tr.Status.CONVERGED; tr.InputError"
    ),
}


@pytest.mark.parametrize("use", USES)
def test_nothing_heavy_is_loaded(run_python, use):
    loaded = set(run_python(f"{USES[use]}; {LOADED}").split())
    assert "traction" in loaded
    assert not HEAVY & loaded


def test_the_check_sees_what_is_loaded(run_python):
    """Products need numba and scipy: were they not seen here, the test above could not fail."""
    loaded = set(run_python(f"import traction; traction.HalfSpace; {LOADED}").split())
    assert {"numba", "scipy"} <= loaded
    assert "matplotlib" not in loaded
