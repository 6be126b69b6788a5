"""Units that are written by mistake, and what was probably meant: "kmh" is "km/h", "kNm" is "kN m"."""

from __future__ import annotations

from collections.abc import Callable

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
LONGEST = 8  #: letters of what is taken for several symbols


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
    if len(name) > LONGEST:
        return ""
    cuts = ((name[:k], name[k:]) for k in range(len(name) - 1, 0, -1))
    return next((f"{first} {second}" for first, second in cuts if is_known(first) and is_known(second)), "")
