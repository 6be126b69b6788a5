import matplotlib as mpl
import pytest

mpl.use("Agg")

import traction as tr


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")


@pytest.fixture(scope="session")
def steel():
    return tr.Pair(tr.STEEL, tr.STEEL)


@pytest.fixture(scope="session")
def ellipse(steel):
    """An elliptic contact off the origin, on a grid whose sides differ."""
    grid = tr.Grid.around(9e-3, 7e-3, 60, 48, center=(1e-3, -2e-3))
    return tr.press(tr.Paraboloid(0.46, 0.3, center=(1e-3, -2e-3)), grid, steel, force=1e5)


@pytest.fixture(scope="session")
def hertz(steel):
    return tr.hertz.ellipse(0.46, 0.3, steel, force=1e5)


@pytest.fixture(scope="session")
def strip(steel):
    return tr.press(tr.Cylinder(0.1), tr.Grid.line(64, 2e-5, length=0.1), steel, force=1e5)
