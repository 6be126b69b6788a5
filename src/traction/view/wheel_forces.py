"""Figures of what wheels do on a bridge: their forces, spectra and energies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from traction import checks
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing import Crossing
from traction.crossing.results.energies import Energies
from traction.errors import InputError
from traction.quantities import Unit, unit_for
from traction.signals.spectra import Spectrum
from traction.view.figures import (
    BLUE,
    CYCLE,
    DARK,
    FONT,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    draw_legend,
    new_axes,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASHES, WIDTHS = ("-", "--", ":", "-."), (3.2, 1.8, 1.6)  #: of several curves that may cover each other
FAINT = 0.1  #: of the highest amplitude, below which a peak is not named
PLAIN = {"m/s2": Unit("m/s²", 1.0), "m/s": Unit("m/s", 1.0)}
#: energies that a figure shows, their names and colours
ENERGIES = {
    "bridge": (("bridge_kinetic", "bridge_elastic"), BLUE),
    "vehicles": (("vehicles_kinetic", "vehicles_elastic"), GREEN),
    "contact": (("contact",), ORANGE),
    "gravity": (("gravity",), SKY),
    "work of drive and forces": (("drive", "axles"), PURPLE),
    "lost in dampers": (("dissipated",), GREY),
}


def wheel_force_plot(
    crossings: Crossing | Mapping[str, Any],
    ax: Axes | None = None,
    *,
    wheels: Sequence[int] = (0,),
    title: str | None = None,
) -> Axes:
    """Forces under wheels (counted from 0) over time; several crossings are a mapping from their names."""
    named = dict(crossings) if isinstance(crossings, Mapping) else {"": crossings}
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
    title: str | None = None,
) -> Axes:
    """Times and forces (times, wheels) of crossings by their names in the legend."""
    ax = new_axes(ax)
    unit = unit_for(np.concatenate([forces.ravel() for _, forces in curves.values()]), "N")
    count = 0
    widths = (1.6,) if len(curves) == 1 else WIDTHS
    for n, (name, (t, forces)) in enumerate(curves.items()):
        dash, width = DASHES[n % len(DASHES)], widths[n % len(widths)]
        for k in wheels:
            label = ", ".join(
                word for word in (name, f"wheel {k + 1}" if len(wheels) > 1 or not name else "") if word
            )
            color = CYCLE[count % len(CYCLE)]
            ax.plot(t, unit.of(forces[:, k]), dash, lw=width, color=color, label=label)
            count += 1
    ax.axhline(0.0, color=DARK, lw=0.8)
    ax.set_xlim(min(t[0] for t, _ in curves.values()), max(t[-1] for t, _ in curves.values()))
    if count > 1:
        draw_legend(ax, ncols=2)
    words = (
        title if title is not None else ("Force under the wheel" if count == 1 else "Forces under the wheels")
    )
    return style_axes(ax, "time (s)", f"force ({unit.name})", words)


def spectrum_plot(
    spectrum: Spectrum,
    ax: Axes | None = None,
    *,
    si: str = "m",
    natural: Any = (),
    marked: int = 3,
    highest: float | None = None,
    title: str = "Spectrum",
) -> Axes:
    """Amplitudes over frequency; dots are the dominant ones, dashes `natural` frequencies (Hz).

    `si` is the unit of the signal, `highest` the last frequency shown (Hz).
    """
    checks.instance("spectrum", spectrum, Spectrum)
    ax = new_axes(ax)
    dominant = spectrum.dominant(max(1, marked))[:marked]
    known = np.atleast_1d(np.asarray(natural, dtype=float))
    top = (
        highest if highest is not None else 1.6 * max([*dominant, *known[:1]], default=spectrum.frequency[-1])
    )
    seen = spectrum.frequency <= top
    unit = PLAIN[si] if si in PLAIN else unit_for(spectrum.amplitude[seen], si)
    values = unit.of(spectrum.amplitude)
    ax.plot(spectrum.frequency[seen], values[seen], color=BLUE, lw=1.8)
    ax.fill_between(spectrum.frequency[seen], values[seen], color=BLUE, alpha=0.12, lw=0.0)
    high = float(values[seen].max())
    for k, one in enumerate(known[known <= top]):
        ax.axvline(one, color=ORANGE, lw=1.2, ls="--", zorder=1)
        ax.text(
            one, 1.2 * high, f" f{_small(k + 1)}", color=ORANGE, fontsize=FONT["tick"], ha="left", va="top"
        )
    for one in dominant[dominant <= top]:
        size = float(np.interp(one, spectrum.frequency, values))
        if size < FAINT * high:
            continue
        ax.plot(one, size, "o", color=DARK, ms=5.5, zorder=4)
        ax.annotate(
            f"{one:.3g} Hz", (one, size), xytext=(6.0, 4.0), textcoords="offset points", color=DARK,
            fontsize=FONT["tick"],
        )  # fmt: skip
    ax.set_xlim(0.0, top)
    ax.set_ylim(0.0, 1.22 * high)
    return style_axes(ax, "frequency (Hz)", f"amplitude ({unit.name})", title)


def crossing_energy_plot(
    crossing: ContactCrossing, ax: Axes | None = None, *, title: str = "Where the energy is"
) -> Axes:
    """Energies of bridge, vehicles and contact over time, the work that makes them, and what is lost."""
    checks.instance("crossing", crossing, ContactCrossing)
    return draw_energies(crossing.t, crossing.energies, ax, title=title)


def draw_energies(
    t: np.ndarray, found: Energies, ax: Axes | None = None, *, title: str = "Where the energy is"
) -> Axes:
    """Energies at times t (s)."""
    ax = new_axes(ax)
    curves = {
        name: sum(getattr(found, part) for part in parts) - sum(getattr(found, part)[0] for part in parts)
        for name, (parts, _) in ENERGIES.items()
    }
    size = max(float(np.abs(values).max()) for values in curves.values())
    unit = unit_for(size, "J")
    for name, values in curves.items():
        if np.abs(values).max() > 1e-6 * size:
            ax.plot(t, unit.of(values), lw=1.7, color=ENERGIES[name][1], label=name)
    ax.axhline(0.0, color=DARK, lw=0.8)
    ax.set_xlim(t[0], t[-1])
    draw_legend(ax, ncols=2)
    return style_axes(ax, "time (s)", f"change since the start ({unit.name})", title)


def _small(number: int) -> str:
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))
