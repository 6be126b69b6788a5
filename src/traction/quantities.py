"""Engineering units for display: the prefix that gives a quantity a suitable size."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks

#: SI unit -> (smallest size in SI, factor to SI, name) from large to small; steel at 1200 MPa stays in MPa
LADDERS = {
    "m": ((1.0, 1.0, "m"), (1e-4, 1e-3, "mm"), (1e-7, 1e-6, "µm"), (0.0, 1e-9, "nm")),
    "m2": ((0.1, 1.0, "m²"), (1e-8, 1e-6, "mm²"), (0.0, 1e-12, "µm²")),
    "Pa": ((1e10, 1e9, "GPa"), (1e5, 1e6, "MPa"), (1e3, 1e3, "kPa"), (0.0, 1.0, "Pa")),
    "N m": ((1e7, 1e6, "MN m"), (1e3, 1e3, "kN m"), (1e-1, 1.0, "N m"), (0.0, 1e-3, "mN m")),
    "N m/rad": ((1e6, 1e6, "MN m/rad"), (1e3, 1e3, "kN m/rad"), (0.0, 1.0, "N m/rad")),
    "N": ((1e7, 1e6, "MN"), (1e3, 1e3, "kN"), (1e-1, 1.0, "N"), (1e-4, 1e-3, "mN"), (0.0, 1e-6, "µN")),
    "N/m": ((1e8, 1e9, "GN/m"), (1e5, 1e6, "MN/m"), (1e2, 1e3, "kN/m"), (0.0, 1.0, "N/m")),
    "N m2": ((1e9, 1e9, "GN m²"), (1e6, 1e6, "MN m²"), (1e3, 1e3, "kN m²"), (0.0, 1.0, "N m²")),
    "m/s": ((0.1, 1.0, "m/s"), (1e-4, 1e-3, "mm/s"), (0.0, 1e-6, "µm/s")),
    "N s": ((1e3, 1e3, "kN s"), (0.1, 1.0, "N s"), (1e-4, 1e-3, "mN s"), (0.0, 1e-6, "µN s")),
    "N s/m": ((1e5, 1e6, "MN s/m"), (1e2, 1e3, "kN s/m"), (0.0, 1.0, "N s/m")),
    "kg": ((1e4, 1e3, "t"), (0.1, 1.0, "kg"), (1e-4, 1e-3, "g"), (0.0, 1e-6, "mg")),
    "Hz": ((1e4, 1e3, "kHz"), (0.0, 1.0, "Hz")),
    "s": ((0.1, 1.0, "s"), (1e-4, 1e-3, "ms"), (1e-7, 1e-6, "µs"), (0.0, 1e-9, "ns")),
    "J": ((1e6, 1e6, "MJ"), (1e3, 1e3, "kJ"), (0.1, 1.0, "J"), (1e-4, 1e-3, "mJ"), (0.0, 1e-6, "µJ")),
}


MOST_DIGITS = 17  #: of a float64
_RAISED = {"2": "²", "3": "³"}
_POWER = re.compile(r"(?<=[a-z])[23]\b")


@dataclass(frozen=True)
class Unit:
    """A unit and its size in SI: `value / unit.factor` is the number to print.

    Parameters
    ----------
    name
        Symbol, such as "mm".
    factor
        Size in the SI unit.

    Examples
    --------
    >>> tr.view.unit_for(0.0072, "m").name
    'mm'
    """

    name: str
    factor: float

    def of(self, values: ArrayLike) -> np.ndarray:
        """Return SI `values` in this unit."""
        checks.real_array("values", values)
        with np.errstate(over="ignore"):
            return np.asarray(values) / self.factor


def unit_for(values: ArrayLike, si: str) -> Unit:
    """Return the unit in which the largest of some values has a suitable size.

    Parameters
    ----------
    values
        Values in the SI unit.
    si
        SI unit.

    Returns
    -------
    Unit
        Name and scale of the unit.

    Raises
    ------
    InputError
        If values are not numbers, or `si` is no SI unit that is known here, such as "N" or "m/s".

    Examples
    --------
    >>> unit = tr.view.unit_for([120.0, 7200.0], "N")
    >>> unit.name, float(unit.of(7200.0))
    ('kN', 7.2)
    """
    ladder = LADDERS[checks.choice("si", si, tuple(LADDERS))]
    sizes = np.abs(checks.real_array("values", values))
    largest = float(sizes.max(initial=0.0, where=np.isfinite(sizes)))
    if largest == 0.0:
        return Unit(unit_text(si), 1.0)
    # rounding must not turn 1 kN into 1000 N
    name, factor = next((name, factor) for least, factor, name in ladder if largest >= least * (1 - 1e-9))
    return Unit(name, factor)


def quantity(value: float, si: str, digits: int = 4) -> str:
    """Return a number with its unit, as in "7.193 mm".

    Parameters
    ----------
    value
        Value in the SI unit.
    si
        SI unit.
    digits
        Significant digits.

    Returns
    -------
    str
        The text.

    Raises
    ------
    InputError
        If the value is not a number, the SI unit is unknown, or digits are fewer than 1 or more than 17.

    Examples
    --------
    >>> tr.view.quantity(0.0071931, "m")
    '7.193 mm'
    """
    value, digits = checks.real("value", value, si), checks.count("digits", digits, 1, MOST_DIGITS)
    unit = unit_for(float(f"{value:.{digits - 1}e}"), si)  # as it is shown: 0.99999 m is 1.000 m
    return f"{significant(value / unit.factor, digits)} {unit.name}"


def figure_text(value: float | int | str | bool, unit: str) -> str:
    """A key figure with its unit: four digits, in an engineering unit where there is one."""
    if isinstance(value, bool | str):
        return ("yes" if value else "no") if isinstance(value, bool) else value
    if unit in LADDERS:
        return quantity(value, unit)
    number = str(value) if isinstance(value, int) else significant(value)
    return number if unit in ("", "1") else f"{number} {unit_text(unit)}"


def unit_text(unit: str) -> str:
    """A unit for people: "m/s2", as files have it, is "m/s²"."""
    return _POWER.sub(lambda found: _RAISED[found.group()], unit)


def given(value: float, si: str) -> str:
    """An input with its unit, of four digits without zeros at their end, as in "0.8 MN/m"."""
    number, _, unit = quantity(value, si).partition(" ")
    if "." in number and "e" not in number:
        number = number.rstrip("0").rstrip(".")
    return f"{number} {unit}"


def counted(number: int, noun: str) -> str:
    """As in "1 wheel" and "2 wheels"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def indexed(noun: str, index: int) -> str:
    """As in "wheel 1 (index 0)": numbers of files and reports start from 1, arguments in Python from 0."""
    return f"{noun} {index + 1} (index {index})"


def significant(value: float, digits: int = 4) -> str:
    """`digits` significant digits without an exponent where that reads well."""
    if value == 0.0 or not math.isfinite(value):
        return f"{value:g}"
    size = math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}"))))
    if not -4 <= size <= 6:
        return f"{value:.{digits - 1}e}"
    return f"{value:.{max(0, digits - 1 - size)}f}"
