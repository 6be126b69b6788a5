import numpy as np
import pytest

import traction as tr


@pytest.fixture(scope="module")
def rolled(ellipse):
    return tr.roll_steady(ellipse, 0.3, creepage=(1e-3, 0.0, 0.3))


@pytest.fixture(scope="module")
def rolled_strip(strip):
    return tr.roll_steady(strip, 0.3, creepage=(-2e-4, 0.0, 0.0))


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_map_shows_pressure_arrows_and_areas(rolled):
    from matplotlib.quiver import Quiver

    ax = tr.view.traction_map(rolled, rolling=1)
    (image,) = ax.images
    np.testing.assert_allclose(image.get_array().filled(0.0), rolled.normal.pressure / 1e6, rtol=1e-14)
    (arrows,) = (part for part in ax.collections if isinstance(part, Quiver))
    assert 60 < arrows.N < 400
    x, y = 1e-3 * arrows.XY.T
    grid = rolled.normal.grid
    i, j = (np.argmin(np.abs(c[:, None] - p), axis=0) for c, p in ((grid.x, x), (grid.y, y)))
    px, py = rolled.traction[:, j, i]
    largest = np.hypot(*rolled.traction).max()
    np.testing.assert_allclose(arrows.U, px / largest, atol=1e-12)
    np.testing.assert_allclose(arrows.V, py / largest, atol=1e-12)
    assert rolled.normal.contact[j, i].all()
    assert labels(ax)[:2] == ["slips", "sticks inside"]
    assert any(text.get_text() == "rolling" for text in ax.texts)


def test_map_over_the_frictional_work(rolled):
    ax = tr.view.traction_map(rolled, over="power")
    (image,) = ax.get_images()
    shown, field = np.ma.filled(image.get_array(), 0.0), rolled.power_density
    np.testing.assert_allclose(np.nan_to_num(shown) / np.nanmax(shown), field / field.max(), atol=1e-12)
    assert "per m rolled" in ax.child_axes[0].get_ylabel()
    with pytest.raises(tr.InputError, match="over"):
        tr.view.traction_map(rolled, over="wear")


def test_map_without_creepage_has_no_arrows(ellipse):
    ax = tr.view.traction_map(tr.roll_steady(ellipse, 0.3, creepage=(0, 0, 0)))
    assert labels(ax) == ["sticks inside"]
    assert not ax.texts


def test_map_of_a_line_contact_is_refused(rolled_strip):
    with pytest.raises(tr.InputError, match="Use traction_section"):
        tr.view.traction_map(rolled_strip)


def test_section_lies_between_its_bounds_and_shades_what_sticks(rolled_strip):
    theory = tr.carter.line(tr.hertz.line(0.1, rolled_strip.normal.pair, force=1e5), 0.1, 0.3, creepage=-2e-4)
    ax = tr.view.traction_section(rolled_strip, theory=theory.traction)
    upper, lower, computed, exact = ax.lines[:4]
    np.testing.assert_allclose(computed.get_ydata() * 1e6, rolled_strip.traction[0, 0])
    inside = np.isfinite(upper.get_ydata())
    assert (computed.get_ydata()[inside] <= upper.get_ydata()[inside] * (1 + 1e-6)).all()
    np.testing.assert_allclose(lower.get_ydata()[inside], -upper.get_ydata()[inside])
    assert exact.get_ydata().max() * 1e6 == pytest.approx(rolled_strip.traction[0].max(), rel=0.03)
    (shade,) = ax.patches
    (x0, _), (x1, _) = shade.get_extents().transformed(ax.transData.inverted()).get_points()
    grid = rolled_strip.normal.grid
    sticks = grid.x[rolled_strip.stick[0] & rolled_strip.normal.contact[0]]
    assert x1 - x0 == pytest.approx(1e3 * (np.ptp(sticks) + grid.dx))
    assert labels(ax) == ["sticks", "bound ±µp", "computed", "theory"]


@pytest.mark.parametrize("along", ["x", "y"])
@pytest.mark.parametrize("component", ["x", "y"])
def test_section_goes_along_either_direction(rolled, along, component):
    ax = tr.view.traction_section(rolled, along, component=component)
    assert ax.get_xlabel() == f"{along} (mm)"
    assert f"p_{component}" in ax.get_ylabel()


def test_creep_forces_are_drawn_over_their_limit():
    xi = np.linspace(0.0, 0.01, 5)
    ax = tr.view.creep_force_plot(xi, {"one": -2e3 * xi / 0.01, "two": -3e3 * xi / 0.01}, limit=2e3)
    one, two = ax.lines[:2]
    np.testing.assert_allclose(one.get_xdata(), 100.0 * xi)
    np.testing.assert_allclose(one.get_ydata(), xi / 0.01)
    assert two.get_ydata()[-1] == pytest.approx(1.5)
    assert ax.get_ylim() == (0.0, 1.08)
    plain = tr.view.creep_force_plot(xi, {"one": -2e3 * xi / 0.01})
    assert plain.get_ylabel() == "$-F$ (kN)"


def test_bad_input_is_named(rolled):
    with pytest.raises(tr.InputError, match="at least two"):
        tr.view.creep_force_plot([0.1], {"one": [1.0]})
    with pytest.raises(tr.InputError, match="no curve"):
        tr.view.creep_force_plot([0.1, 0.2], {})
    with pytest.raises(tr.InputError, match="two has shape"):
        tr.view.creep_force_plot([0.1, 0.2], {"one": [1.0, 2.0], "two": [1.0]})
    with pytest.raises(tr.InputError, match="component"):
        tr.view.traction_section(rolled, component="z")
    with pytest.raises(tr.InputError, match="rolling"):
        tr.view.traction_map(rolled, rolling=2)
