"""All kinds of scenarios. A new kind adds a line here and a folder in this package."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from pathlib import Path

from traction.errors import InputError
from traction.kinds.kind import Kind
from traction.scenario.validation import shown

#: what each computes, in a line of a terminal
KINDS = {
    "press": "two bodies of any shape pressed together by one or more loads",
    "shift": "pressed bodies shifted with friction, in one step or several",
    "steady": "steady rolling with friction at one or more creepages",
    "creep-table": "creep forces of steady rolling over creepages and spins",
    "creep-law": "creep forces of ellipses as a table for C, FMU and MATLAB",
    "wheel-rail": "a wheelset on a track: patches and forces from profiles",
    "roll": "transient rolling with friction, in steps of any length",
    "bounce": "a ball or another body falls on elastic ground and bounces",
    "impact": "a ball strikes a beam, a plate or the ground",
    "obstacle": "a beam pressed on a flat, inclined, curved or stepped obstacle",
    "modes": "natural frequencies and mode shapes of a beam",
    "moving-load": "forces, wheels, vehicles or a train cross a beam",
    "resonance": "trains cross a beam at many speeds; expected resonance speeds",
    "rest": "wheels at rest on a bridge: contact patches and bending together",
    "cross": "a train crosses a bridge: rigid, Hertz or half-space contact",
}
FRICTION = ("shift", "steady", "creep-table", "roll")  #: kinds that share a folder
LIBRARY = Path(__file__).parent / "library"
STARTS = {"cross": "flat-wheel"}  #: of kinds whose first built-in example is a special one


def kind_of(name: object) -> Kind:
    """The kind of that name."""
    if not isinstance(name, str) or name not in KINDS:
        close = get_close_matches(str(name)[:40], KINDS, n=1, cutoff=0.4)
        hint = f'did you mean "{close[0]}"?' if close else f"known are {', '.join(KINDS)}."
        raise InputError(f"kind = {shown(name)} is not known; {hint}")
    return Kind(name, KINDS[name], "friction" if name in FRICTION else name.replace("-", "_"))


def shipped() -> dict[str, Path]:
    """The scenarios that come with the package, by name."""
    return {path.stem: path for path in sorted(LIBRARY.glob("*.toml"))}


def shipped_title(name: str) -> str:
    """What a built-in example shows, in a line."""
    return str(tomllib.loads(shipped()[name].read_text(encoding="utf-8"))["title"])
