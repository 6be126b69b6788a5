"""All kinds of scenarios. A new kind adds a line here and a folder in this package."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from traction.errors import InputError
from traction.kinds.kind import Kind
from traction.scenario.validation import shown

KINDS = {
    "press": "two bodies of any shape pressed together, through one load or many",
    "shift": "pressed bodies shifted over each other with friction, through one step or many",
    "steady": "steady rolling with friction, at one creepage or at several",
    "creep-table": "forces of steady rolling at every combination of creepages and spins",
    "roll": "transient rolling with friction, by steps of any length, from a shift or from rest",
    "bounce": "a ball or any body falls on an elastic ground and bounces",
    "impact": "a ball strikes a beam, a plate or the ground, once or several times",
    "obstacle": "a beam pressed on a flat, inclined, curved or stepped obstacle, through one load or many",
    "modes": "natural frequencies and mode shapes of a beam",
    "moving-load": "forces, wheels, vehicles or a train cross a beam",
    "resonance": "trains cross a beam at many speeds, with the expected resonances",
    "rest": "wheels at rest on a bridge, contact patches and bending in agreement",
    "cross": "a train crosses a bridge with contact that is rigid, Hertz's, or solved on a grid "
    "at every step",
}
FRICTION = ("shift", "steady", "creep-table", "roll")  #: kinds that share a folder
LIBRARY = Path(__file__).parent / "library"
STARTS = {"cross": "flat-wheel"}  #: to start from, of kinds whose first shipped scenario is a special one


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
