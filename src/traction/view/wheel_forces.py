"""Figures of what wheels do on a bridge: forces, spectra, energies, driving and braking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing import Crossing
from traction.crossing.results.energies import Energies
from traction.crossing.results.wheel_rolling import WheelRolling
from traction.errors import InputError
from traction.quantities import Unit, unit_for
from traction.signals.spectra import Spectrum
from traction.view.arguments import figure
from traction.view.chart import SECONDS, Chart, shown_unit
from traction.view.figures import BLUE, CYCLE, DARK, FONT, GREEN, GREY, ORANGE, PURPLE, SKY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HERTZ, PERCENT = Unit("Hz", 1.0), Unit("%", 0.01)
DASHES, WIDTHS = ("-", "--", ":", "-."), (3.2, 1.8, 1.6)  #: of several curves that may cover each other
PALE = 0.3  #: opacity of the force of a wheel that is not on the bridge
FAINT = 0.1  #: of the highest amplitude, below which a peak is not named
#: energies that a figure shows, their names and colours
ENERGIES = {
    "bridge": (("bridge_kinetic", "bridge_elastic"), BLUE),
    "vehicles": (("vehicles_kinetic", "vehicles_elastic"), GREEN),
    "contact": (("contact",), ORANGE),
    "gravity": (("gravity",), SKY),
    "work of drive and forces": (("drive", "axles"), PURPLE),
    "lost in dampers": (("dissipated",), GREY),
}


@figure
def wheel_force_plot(
    crossings: Crossing | Mapping[str, Crossing],
    ax: Axes | None = None,
    *,
    wheels: Sequence[int] = (0,),
    title: str | None = None,
) -> Axes:
    """Plot wheel forces over time.

    Parameters
    ----------
    crossings
        Result of `tr.cross` or `tr.moving_load`, or a mapping from names in the legend.
    wheels
        Indices of the wheels, from 0.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If a crossing is one of given forces, without wheels.

    Examples
    --------
    >>> bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
    >>> wheel = tr.Wheel(0.46, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3))
    >>> crossing = tr.cross(bridge, [(wheel, 0.0)], 30.0, contact="hertz", size=5)
    >>> ax = tr.view.wheel_force_plot(crossing)
    >>> ax.get_ylabel()
    'wheel force (kN)'
    """
    named = dict(crossings) if isinstance(crossings, Mapping) else {"": crossings}
    if not named:
        raise InputError("crossings is empty; give one, or several by name.")
    for name, run in named.items():
        if not hasattr(run, "contact_forces"):
            raise InputError(f"crossing {name!r} has no wheels; give one of `tr.cross` or of wheels.")
    curves = {name: (run.t, run.contact_forces) for name, run in named.items()}
    return draw_wheel_forces(curves, ax, wheels=wheels, title=title)


def draw_wheel_forces(
    curves: Mapping[str, tuple[np.ndarray, np.ndarray]],
    ax: Axes | None = None,
    *,
    wheels: Sequence[int] = (0,),
    passages: Sequence[tuple[float, float]] | None = None,
    title: str | None = None,
) -> Axes:
    """Times and forces (times, wheels) of crossings by their names in the legend.

    `passages` are the times (s) of each wheel on the bridge; before and after, its force is drawn pale.
    """
    chart = Chart(
        ax, SECONDS, unit_for(np.concatenate([forces.ravel() for _, forces in curves.values()]), "N")
    )
    count = 0
    widths = (1.6,) if len(curves) == 1 else WIDTHS
    for n, (name, (t, forces)) in enumerate(curves.items()):
        dash, width = DASHES[n % len(DASHES)], widths[n % len(widths)]
        for k in wheels:
            number = f"wheel {k + 1}" if len(wheels) > 1 or not name else ""
            label = ", ".join(word for word in (name, number) if word)
            style = {"lw": width, "color": CYCLE[count % len(CYCLE)]}
            on = np.full(t.shape, True) if passages is None else _is_within(t, passages[k])
            if not on.all():
                chart.plot(t, forces[:, k], dash, alpha=PALE, **style)
            chart.plot(t, np.where(on, forces[:, k], np.nan), dash, label=label, **style)
            count += 1
    chart.draw_zero()
    chart.limit_x(min(t[0] for t, _ in curves.values()), max(t[-1] for t, _ in curves.values()))
    if len(chart.ax.get_legend_handles_labels()[0]) > 1:
        chart.legend(ncols=2)
    words = "Wheel force" if count == 1 else "Wheel forces"
    return chart.finish("time", "wheel force", title, words)


@figure
def spectrum_plot(
    spectrum: Spectrum,
    ax: Axes | None = None,
    *,
    si: str = "m",
    natural: ArrayLike = (),
    marked: int = 3,
    highest: float | None = None,
    title: str = "Spectrum",
) -> Axes:
    """Plot an amplitude spectrum with its dominant frequencies.

    Dominant frequencies are dots with their value, natural ones dashed lines.

    Parameters
    ----------
    spectrum
        Result of `tr.spectrum`.
    si
        SI unit of the signal.
    natural
        Natural frequencies to mark, Hz.
    marked
        Number of dominant frequencies to mark.
    highest
        Highest frequency shown, Hz.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If `spectrum` is not a spectrum, the unit is unknown, or `highest` is below all frequencies.

    Examples
    --------
    >>> t = np.linspace(0.0, 1.0, 1001)
    >>> found = tr.spectrum(t, 2e-3 * np.sin(2.0 * np.pi * 20.0 * t))
    >>> ax = tr.view.spectrum_plot(found, natural=[21.0])
    >>> ax.get_ylabel()
    'amplitude (mm)'
    """
    dominant = spectrum.dominant(max(1, marked))[:marked]
    known = np.atleast_1d(np.asarray(natural, dtype=float))
    top = highest
    if top is not None and top < spectrum.frequency[0]:
        raise InputError(f"highest = {top} Hz must be at least {spectrum.frequency[0]:g} Hz, the lowest one.")
    if top is None:
        top = 1.6 * max([*dominant, *known[:1]], default=spectrum.frequency[-1])
    seen = spectrum.frequency <= top
    frequency, amplitude = spectrum.frequency[seen], spectrum.amplitude[seen]
    chart = Chart(ax, HERTZ, shown_unit(amplitude, si))
    chart.plot(frequency, amplitude, color=BLUE, lw=1.8)
    chart.fill(frequency, amplitude, color=BLUE, alpha=0.12)
    high, small = float(chart.y.of(amplitude).max()), str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    for k, one in enumerate(known[known <= top]):
        chart.ax.axvline(one, color=ORANGE, lw=1.2, ls="--", zorder=1)
        chart.ax.annotate(
            f"f{k + 1}".translate(small), (one, 1.2 * high), xytext=(3.0, 0.0), textcoords="offset points",
            color=DARK, fontsize=FONT["tick"], ha="left", va="top",
        )  # fmt: skip
    for one in dominant[dominant <= top]:
        size = float(np.interp(one, spectrum.frequency, chart.y.of(spectrum.amplitude)))
        if size < FAINT * high:
            continue
        chart.ax.plot(one, size, "o", color=DARK, ms=5.5, zorder=4)
        chart.ax.annotate(
            f"{one:.3g} Hz", (one, size), xytext=(6.0, 4.0), textcoords="offset points", color=DARK,
            fontsize=FONT["tick"],
        )  # fmt: skip
    chart.limit_x(0.0, top)
    chart.ax.set_ylim(0.0, 1.22 * high)
    return chart.finish("frequency", "amplitude", title)


@figure
def crossing_energy_plot(
    crossing: ContactCrossing, ax: Axes | None = None, *, title: str = "Where the energy is"
) -> Axes:
    """Plot the energies of bridge, vehicles and contact over time, with work and losses.

    Parameters
    ----------
    crossing
        Result of `tr.cross` in elastic contact.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If `crossing` is not a crossing in elastic contact.

    Examples
    --------
    >>> bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
    >>> train = tr.Train([(tr.Wheel(0.46, 9e3), 0.0)])
    >>> ax = tr.view.crossing_energy_plot(tr.cross(bridge, train, 30.0, contact="hertz", size=5))
    >>> ax.get_ylabel()
    'change since the start (J)'
    """
    return draw_energies(crossing.t, crossing.energies, ax, title=title)


def draw_energies(
    t: np.ndarray, found: Energies, ax: Axes | None = None, *, title: str = "Where the energy is"
) -> Axes:
    """Energies at times t (s)."""
    curves = {
        name: sum(getattr(found, part) for part in parts) - sum(getattr(found, part)[0] for part in parts)
        for name, (parts, _) in ENERGIES.items()
    }
    size = max(float(np.abs(values).max()) for values in curves.values())
    chart = Chart(ax, SECONDS, unit_for(size, "J"))
    for name, values in curves.items():
        if np.abs(values).max() > 1e-6 * size:
            chart.plot(t, values, lw=1.7, color=ENERGIES[name][1], label=name)
    chart.ax.axhline(0.0, color=DARK, lw=0.8)
    chart.limit_x(t[0], t[-1])
    chart.legend(ncols=2)
    return chart.finish("time", "change since the start", title)


@figure
def driving_plot(
    rolling: WheelRolling, ax: Axes | None = None, *, quantity: str = "force", title: str | None = None
) -> Axes:
    """Plot force, creepage, stick area or shaft torque of a driven wheel over time.

    Sliding and flight are shaded.

    Parameters
    ----------
    rolling
        Result of `crossing.rolling(wheel)`.
    quantity
        "force", "creepage", "stick" or "shaft".
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the quantity is unknown, the wheel has no shaft, or `rolling` is not that of a driven wheel.

    Examples
    --------
    >>> bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
    >>> wheel = tr.Wheel(0.46, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3))
    >>> drive = tr.Drive(force=2e3, friction=0.3)
    >>> crossing = tr.cross(bridge, [(wheel, 0.0)], 30.0, contact="hertz", size=5,
    ...     dt=2e-5, t_end=1e-3, drive=drive)
    >>> ax = tr.view.driving_plot(crossing.rolling(0), quantity="creepage")
    >>> ax.get_ylabel()
    'ξ (%)'
    """
    checks.choice("quantity", quantity, ("force", "creepage", "stick", "shaft"))
    torque = rolling.shaft_torque
    if quantity == "shaft" and torque is None:
        raise InputError('quantity = "shaft" needs a wheel on a shaft: give shaft to tr.Drive.')
    torque = np.zeros(1) if torque is None else torque
    values, words, name, unit = {
        "force": (rolling.force[:, 0], "Longitudinal force", "$F_x$", unit_for(rolling.bound, "N")),
        "creepage": (rolling.creepage[:, 0], "Longitudinal creepage", "ξ", PERCENT),
        "stick": (rolling.stick, "Stick area of the patch", "stick", PERCENT),
        "shaft": (torque, "Torque of the shaft", "$T_s$", unit_for(torque, "N m")),
    }[quantity]
    chart, t = Chart(ax, SECONDS, unit), rolling.t
    chart.shade(_find_spans(t, rolling.sliding), "slides", color=ORANGE, alpha=0.15)
    chart.shade(_find_spans(t, rolling.contact_force == 0.0), "in the air", color=GREY, alpha=0.15)
    if quantity == "force":
        for sign, label in ((1.0, "bound ±µN"), (-1.0, "_bound")):
            chart.plot(t, sign * rolling.bound, ls=(0, (4, 2)), color=GREY, lw=1.3, label=label)
    chart.plot(t, values, color=BLUE, lw=2.0, label="on the wheel" if quantity == "force" else "_wheel")
    if quantity == "stick":
        chart.ax.set_ylim(-3.0, 103.0)
    else:
        chart.ax.axhline(0.0, color=DARK, lw=0.7)
    chart.limit_x(t[0], t[-1])
    return chart.finish("time", name, title, words, legend=bool(chart.ax.get_legend_handles_labels()[0]))


def _is_within(t: np.ndarray, span: tuple[float, float]) -> np.ndarray:
    """Which times lie in a span, by the reach of a rounding error."""
    room = 1e-9 * float(t[-1] - t[0])
    return np.asarray((t >= span[0] - room) & (t <= span[1] + room))


def _find_spans(t: np.ndarray, where: np.ndarray) -> list[tuple[float, float]]:
    """Times of the steps that are meant; they end at their times."""
    ends = np.flatnonzero(np.diff(np.r_[False, where, False].astype(int)))
    return [(t[max(a - 1, 0)], t[b - 1]) for a, b in zip(ends[::2], ends[1::2], strict=True)]
