"""Figures of driven wheels: they show force, creepage and stick, and where the wheel slides or flies."""

import numpy as np
import pytest

import traction as tr
from traction.crossing.results.wheel_rolling import WheelRolling


@pytest.fixture(scope="module")
def rolling():
    t = np.linspace(0.0, 1.0, 11)
    load = np.where((t > 0.55) & (t < 0.75), 0.0, 1e5)
    force = np.stack((-2e4 * np.minimum(1.0, load), np.zeros(11)), axis=1)
    return WheelRolling(
        t=t, drive=tr.Drive(force=-2e4), radius=0.46, speed=np.full(11, 30.0), contact_force=load,
        friction=np.full(11, 0.3), force=force, moment=np.zeros(11), creepage=np.full((11, 3), 0.002),
        stick=np.linspace(1.0, 0.0, 11), sliding=(t > 0.25) & (t < 0.45), slides=(t > 0.25).astype(int),
        dissipated=t, kept=np.arange(0), contacts=(),
    )  # fmt: skip


def test_force_lies_between_its_bounds(rolling):
    ax = tr.view.driving_plot(rolling)
    upper, lower, force = ax.lines[:3]
    np.testing.assert_allclose(upper.get_ydata(), rolling.bound / 1e3)
    np.testing.assert_allclose(lower.get_ydata(), -rolling.bound / 1e3)
    np.testing.assert_allclose(force.get_ydata(), rolling.force[:, 0] / 1e3)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["slides", "in the air", "bound ±µN", "on the wheel"]
    spans = [patch.get_extents().transformed(ax.transData.inverted()) for patch in ax.patches]
    assert [(span.x0, span.x1) for span in spans] == [pytest.approx((0.2, 0.4)), pytest.approx((0.5, 0.7))]


@pytest.mark.parametrize(("quantity", "label"), [("creepage", "ξ (%)"), ("stick", "stick (%)")])
def test_creepage_and_stick_are_in_percent(rolling, quantity, label):
    ax = tr.view.driving_plot(rolling, quantity=quantity)
    values = rolling.creepage[:, 0] if quantity == "creepage" else rolling.stick
    np.testing.assert_allclose(ax.lines[0].get_ydata(), 100.0 * values)
    assert ax.get_ylabel() == label


def test_what_it_is_given_is_checked(rolling):
    with pytest.raises(tr.InputError, match="quantity"):
        tr.view.driving_plot(rolling, quantity="speed")
    with pytest.raises(tr.InputError, match="rolling"):
        tr.view.driving_plot(3.0)
