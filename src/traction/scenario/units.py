"""Quantities with units: "100 kN", "30 m/s" and "0.25 mm" become SI numbers at the border.

A temperature in degC becomes one in K: "20 degC" is 293.15 K. Within a unit such as "W/(m degC)" degC is a
difference, as large as K. Units that are written by mistake have a hint at what was probably meant: "kmh" is
"km/h", "kNm" is "kN m".
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

Exponents = tuple[int, int, int, int]  # of metre, kilogram, second and kelvin

NONE: Exponents = (0, 0, 0, 0)
PREFIXES = {
    "G": 1e9, "M": 1e6, "k": 1e3, "c": 1e-2, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "n": 1e-9,
    "p": 1e-12,
}  # fmt: skip
#: units that take a prefix: size in SI and exponents
PREFIXED: dict[str, tuple[float, Exponents]] = {
    "m": (1.0, (1, 0, 0, 0)),
    "g": (1e-3, (0, 1, 0, 0)),
    "s": (1.0, (0, 0, 1, 0)),
    "N": (1.0, (1, 1, -2, 0)),
    "Pa": (1.0, (-1, 1, -2, 0)),
    "J": (1.0, (2, 1, -2, 0)),
    "W": (1.0, (2, 1, -3, 0)),
    "Hz": (1.0, (0, 0, -1, 0)),
    "K": (1.0, (0, 0, 0, 1)),
    "rad": (1.0, NONE),
}
#: units that stand alone
PLAIN: dict[str, tuple[float, Exponents]] = {
    "t": (1e3, (0, 1, 0, 0)),
    "min": (60.0, (0, 0, 1, 0)),
    "h": (3600.0, (0, 0, 1, 0)),
    "bar": (1e5, (-1, 1, -2, 0)),
    "degC": (1.0, (0, 0, 0, 1)),  # of a difference; alone it has the zero below
    "deg": (math.pi / 180.0, NONE),
    "%": (1e-2, NONE),
    "1": (1.0, NONE),
}
ZEROS = {"degC": 273.15}  #: in SI, of units with a zero of their own
LONGEST = 80  #: characters of a quantity
MOST_FACTORS = 8
NUMBER = re.compile(r"[+-]?([0-9][0-9_]*\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
FACTOR = re.compile(r"(°?[A-Za-zµμ%1]+)(?:(?:\^|\*\*)?([+-]?[0-9])|([²³]))?")
#: names and habits that differ by more than their case
HABITS = {
    "kmh": "km/h",
    "kmph": "km/h",
    "kph": "km/h",
    "mps": "m/s",
    "sec": "s",
    "second": "s",
    "seconds": "s",
    "msec": "ms",
    "hr": "h",
    "hour": "h",
    "minute": "min",
    "ton": "t",
    "tons": "t",
    "tonne": "t",
    "tonnes": "t",
    "meter": "m",
    "metre": "m",
    "newton": "N",
    "degree": "deg",
    "degrees": "deg",
    "percent": "%",
    "kelvin": "K",
    "celsius": "degC",
    "°c": "degC",
}
#: others than SI, of which none is known, in SI
FOREIGN = {
    "mph": "1 mph is 0.44704 m/s",
    "in": "1 in is 25.4 mm",
    "inch": "1 inch is 25.4 mm",
    "ft": "1 ft is 0.3048 m",
    "lb": "1 lb is 0.45359 kg",
    "lbf": "1 lbf is 4.4482 N",
    "psi": "1 psi is 6894.8 Pa",
    "kgf": "1 kgf is 9.80665 N",
}
LARGER_FIRST = "GMkcmuµμnp"  #: of prefixes that differ by case, MPa is meant more often than mPa
GROUP = re.compile(r"/\s*\(([^()/]*)\)$")  #: of symbols that all divide, at the end of a unit
LONGEST_NAME = 8  #: letters of what is taken for several symbols


@dataclass(frozen=True)
class Dimension:
    """A kind of quantity: its name, exponents, an example to show to people, and its SI unit."""

    name: str
    exponents: Exponents
    example: str
    si: str  #: as results write it; "1" for a pure number


LISTED = (
    Dimension("number", NONE, "0.3", "1"),
    Dimension("angle", NONE, "2 deg", "rad"),
    Dimension("length", (1, 0, 0, 0), "0.25 mm", "m"),
    Dimension("area", (2, 0, 0, 0), "12 mm^2", "m2"),
    Dimension("mass", (0, 1, 0, 0), "12 t", "kg"),
    Dimension("time", (0, 0, 1, 0), "2 ms", "s"),
    Dimension("speed", (1, 0, -1, 0), "30 m/s", "m/s"),
    Dimension("time per length", (-1, 0, 1, 0), "0.1 s/m", "s/m"),
    Dimension("acceleration", (1, 0, -2, 0), "9.81 m/s^2", "m/s2"),
    Dimension("force", (1, 1, -2, 0), "100 kN", "N"),
    Dimension("force per length", (0, 1, -2, 0), "2 MN/m", "N/m"),
    Dimension("pressure", (-1, 1, -2, 0), "210 GPa", "Pa"),
    Dimension("density", (-3, 1, 0, 0), "7850 kg/m^3", "kg/m3"),
    Dimension("work of adhesion", (0, 1, -2, 0), "50 mJ/m^2", "J/m2"),
    Dimension("energy", (2, 1, -2, 0), "3 J", "J"),
    Dimension("torque", (2, 1, -2, 0), "8 kN m", "N m"),
    Dimension("frequency", (0, 0, -1, 0), "5 Hz", "1/s"),
    Dimension("spin", (-1, 0, 0, 0), "0.5 rad/m", "1/m"),
    Dimension("bending stiffness", (3, 1, -2, 0), "2.08 GN m^2", "N m2"),
    Dimension("mass per length", (-1, 1, 0, 0), "7.9 t/m", "kg/m"),
    Dimension("rotary inertia", (1, 1, 0, 0), "120 kg m", "kg m"),
    Dimension("moment of inertia", (2, 1, 0, 0), "2000 t m^2", "kg m2"),
    Dimension("foundation", (-1, 1, -2, 0), "20 MN/m^2", "N/m2"),
    Dimension("rotational stiffness", (2, 1, -2, 0), "3 MN m/rad", "N m/rad"),
    Dimension("rotational damping", (2, 1, -1, 0), "20 N m s/rad", "N m s/rad"),
    Dimension("damping", (0, 1, -1, 0), "20 kN s/m", "N s/m"),
    Dimension("temperature", (0, 0, 0, 1), "20 degC", "K"),
    Dimension("specific heat", (2, 0, -2, -1), "450 J/(kg K)", "J/(kg K)"),
    Dimension("thermal conductivity", (1, 1, -3, -1), "50 W/(m K)", "W/(m K)"),
)
DIMENSIONS = {dimension.name: dimension for dimension in LISTED}


def si_value(text: str, expected: Dimension) -> float:
    """The SI value of a quantity such as "100 kN"; a ValueError explains what is wrong."""
    value, exponents = parsed(text)
    if exponents != expected.exponents:
        found = article(_name(exponents))
        raise ValueError(f'is {found}, expected {article(expected.name)} such as "{expected.example}"')
    return value


def parsed(text: str) -> tuple[float, Exponents]:
    """Value in SI and exponents of a number with a unit."""
    if len(text) > LONGEST:
        raise ValueError(f'is too long for a quantity; write a number and a unit, such as "{_sample()}"')
    stripped = text.strip()
    number = NUMBER.match(stripped)
    if number is None:
        raise ValueError(f'does not begin with a number; write a number and a unit, such as "{_sample()}"')
    value = float(number.group().replace("_", ""))
    written = stripped[number.end() :].strip()
    factor, exponents = unit(written)
    if not math.isfinite(value * factor):
        raise ValueError("is too large")
    if "degC" in written and written != "degC" and exponents == DIMENSIONS["temperature"].exponents:
        raise ValueError(f'has the unit "{written}"; write a temperature in "degC" alone, or in "K"')
    return value * factor + ZEROS.get(written, 0.0), exponents


def unit(text: str) -> tuple[float, Exponents]:
    """Size in SI and exponents of a unit such as "kN/mm^2", "N m" or "W/(m K)"; "" is a plain number."""
    group = GROUP.search(text)
    if group is not None and group.group(1).strip() and text[: group.start()].strip():
        above, below = text[: group.start()].strip(), group.group(1).strip()
        over, divided = unit("" if above == "1" else above), unit(below)
        return over[0] / divided[0], _multiply(over[1], divided[1], -1)
    factor, exponents, sign, position = 1.0, NONE, 1, 0
    for count in range(MOST_FACTORS + 1):
        if position >= len(text):
            return factor, exponents
        match = FACTOR.match(text, position)
        if match is None or count == MOST_FACTORS:
            raise ValueError(f'has the unit "{text}", which is not understood; known are {known()}')
        size, base = symbol(match.group(1), text)
        power = sign * (
            int(match.group(2)) if match.group(2) else {"²": 2, "³": 3}.get(match.group(3) or "", 1)
        )
        factor *= size**power
        exponents = _multiply(exponents, base, power)
        rest = text[match.end() :].lstrip()
        if match.group(1) == "1" and not (match.group() == "1" and rest.startswith("/")):
            raise ValueError(
                f'has the unit "{text}", in which 1 is not a unit; it may only begin one such as "1/m"'
            )
        sign = -1 if rest.startswith("/") else 1
        if rest[:1] in ("/", "*", "·"):
            rest = rest[1:].lstrip()
            if not rest:
                raise ValueError(f'has the unit "{text}", which ends too early')
        position = len(text) - len(rest)
    return factor, exponents


def _multiply(one: Exponents, other: Exponents, power: int) -> Exponents:
    """Exponents of a unit times a power of another."""
    m, kg, s, K = (a + power * b for a, b in zip(one, other, strict=True))
    return m, kg, s, K


def symbol(name: str, text: str = "") -> tuple[float, Exponents]:
    """Size in SI and exponents of a symbol, with or without a prefix; `text` is the unit it stands in."""
    for table in (PLAIN, PREFIXED):
        if name in table:
            return table[name]
    prefix, rest = name[:1], name[1:]
    if prefix in PREFIXES and rest in PREFIXED:
        size, exponents = PREFIXED[rest]
        return PREFIXES[prefix] * size, exponents
    hint = suggest_unit(name, text or name, is_known, (*PREFIXED, *PLAIN))
    raise ValueError(f'has the unit "{text or name}", which is not known{hint or f"; known are {known()}"}')


def is_known(name: str) -> bool:
    """Whether it is a unit symbol, with or without a prefix."""
    return name in PLAIN or name in PREFIXED or (name[:1] in PREFIXES and name[1:] in PREFIXED)


def known() -> str:
    """The unit symbols, for error messages."""
    return ", ".join([*PREFIXED, *PLAIN]) + f", and prefixes {' '.join(PREFIXES)}"


def pattern(expected: Dimension) -> str:
    """A regular expression (JavaScript's too) that texts of this dimension match.

    It knows symbols, not exponents: what it excludes are misspelt units and, but for pure numbers, none.
    Factors without a power are parted by something, so that there are not many ways to read a long text.
    """
    alone = "|".join(re.escape(name) for name in PLAIN if name != "1")
    symbols = rf"(?:{alone}|1(?=\s*/)|[{''.join(PREFIXES)}]?(?:{'|'.join(PREFIXED)}))"
    power = r"(?:(?:\^|\*\*)?[+-]?[0-9]|[²³])"
    units = rf"(?:{symbols}(?:{power}\s*[/*·]?\s*|\s*[/*·]\s*|\s+))*{symbols}{power}?"
    group = rf"(?:{symbols}(?:{power}\s*[*·]?\s*|\s*[*·]\s*|\s+))*{symbols}{power}?"
    units = rf"{units}(?:\s*/\s*\(\s*{group}\s*\))?"
    optional = "?" if expected.exponents == NONE else ""
    return rf"^\s*{NUMBER.pattern}\s*(?:{units}){optional}\s*$"


def article(name: str) -> str:
    """The name with its article."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _name(exponents: Exponents) -> str:
    names = [dimension.name for dimension in DIMENSIONS.values() if dimension.exponents == exponents]
    if names:
        return names[0]
    shown = " ".join(f"{u}^{p}" for u, p in zip(("m", "kg", "s", "K"), exponents, strict=True) if p)
    return f"quantity in {shown}"


def _sample() -> str:
    return DIMENSIONS["force"].example


def suggest_unit(name: str, text: str, is_known: Callable[[str], bool], known: tuple[str, ...]) -> str:
    """What to write instead of the symbol `name` in the unit `text`, as the end of a sentence; or "".

    `known` are the symbols without prefixes; `is_known` takes those with a prefix too.
    """
    if name.lower() in FOREIGN:
        return f"; {FOREIGN[name.lower()]}"
    meant = HABITS.get(name.lower()) or _in_other_case(name, is_known, known) or _in_two(name, is_known)
    return f'; did you mean "{text.replace(name, meant, 1)}"?' if meant else ""


def _in_other_case(name: str, is_known: Callable[[str], bool], known: tuple[str, ...]) -> str:
    """A symbol with the same letters, small or capital."""
    prefixes = ("", *LARGER_FIRST)
    found = (f"{prefix}{one}" for prefix in prefixes for one in known)
    return next((one for one in found if one.lower() == name.lower() and is_known(one)), "")


def _in_two(name: str, is_known: Callable[[str], bool]) -> str:
    """Two symbols that were written without a space, as in kNm."""
    if len(name) > LONGEST_NAME:
        return ""
    cuts = ((name[:k], name[k:]) for k in range(len(name) - 1, 0, -1))
    return next((f"{first} {second}" for first, second in cuts if is_known(first) and is_known(second)), "")
