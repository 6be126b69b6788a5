"""Contact functions over the lateral shift, and the kinematic wave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.quantities import Unit
from traction.view.arguments import figure
from traction.view.chart import Chart
from traction.view.figures import BLUE, DARK, GREY, ORANGE
from traction.wheelsets.kinematics.contact_functions import ContactFunctions
from traction.wheelsets.kinematics.kinematic_wave import KinematicWave

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MILLIMETRES, METRES, MILLIRADIANS = Unit("mm", 1e-3), Unit("m", 1.0), Unit("mrad", 1e-3)
#: quantity: unit, label, title, and its curves with their names
SHOWN = {
    "radius_difference": (
        MILLIMETRES,
        "Δr = r_left - r_right",
        "Rolling radius difference",
        (("radius_difference", ""),),
    ),
    "angles": (
        MILLIRADIANS,
        "contact angle",
        "Contact angles",
        (("left_angle", "left"), ("right_angle", "right")),
    ),
    "roll": (MILLIRADIANS, "roll angle", "Roll angle", (("roll", ""),)),
    "height": (MILLIMETRES, "height z", "Height of the wheelset", (("z", ""),)),
    "places": (
        MILLIMETRES,
        "y in the wheel's profile",
        "Contact on the wheels",
        (("left_wheel", "left"), ("right_wheel", "right")),
    ),
}


@figure
def contact_function_plot(
    functions: ContactFunctions,
    ax: Axes | None = None,
    *,
    quantity: str = "radius_difference",
    title: str | None = None,
) -> Axes:
    """Plot a contact function over the lateral shift of the wheelset.

    Parameters
    ----------
    functions
        Functions of the lateral shift, by `tr.contact_functions`.
    quantity
        "radius_difference", "angles", "roll", "height" or "places" (where the wheels are touched).
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the quantity is not known.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> found = tr.contact_functions(wheelset, track, np.linspace(-5e-3, 5e-3, 101))
    >>> ax = tr.view.contact_function_plot(found)
    >>> ax.get_title("left")
    'Rolling radius difference'
    """
    unit, words, default, curves = SHOWN[checks.choice("quantity", quantity, tuple(SHOWN))]
    chart = Chart(ax, MILLIMETRES, unit)
    order = np.argsort(functions.y)
    for (name, label), color in zip(curves, (BLUE, ORANGE), strict=False):
        named = {"label": label} if label else {}
        chart.plot(functions.y[order], getattr(functions, name)[order], color=color, lw=1.8, **named)
    chart.ax.axvline(0.0, color=GREY, lw=0.8)
    chart.draw_zero()
    if len(curves) > 1:
        chart.legend()
    return chart.finish("lateral shift y", words, title, default)


@figure
def kinematic_wave_plot(wave: KinematicWave, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Plot the path of a wheelset in pure rolling, beside that of cones (Klingel).

    Parameters
    ----------
    wave
        Result of `tr.kinematic_wave`.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If `wave` is not a result of `tr.kinematic_wave`.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> ax = tr.view.kinematic_wave_plot(tr.kinematic_wave(wheelset, track, 4e-3))
    >>> ax.get_xlabel()
    'distance x along the track (m)'
    """
    chart = Chart(ax, METRES, MILLIMETRES)
    chart.plot(wave.x, wave.y, color=BLUE, lw=1.8, label=f"exact, wavelength {wave.wavelength:.2f} m")
    x = np.linspace(0.0, float(wave.x[-1]), 401)
    cone = wave.middle + wave.amplitude * np.cos(2.0 * np.pi * x / wave.klingel_wavelength)
    chart.plot(x, cone, "--", color=DARK, lw=1.2, label=f"Klingel, {wave.klingel_wavelength:.2f} m")
    chart.draw_zero()
    chart.legend()
    return chart.finish(
        "distance x along the track", "lateral shift y", title, "Kinematic wave of a wheelset"
    )
