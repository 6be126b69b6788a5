"""All kinds of scenarios, in one place. A new kind adds a line here and a module beside this one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from traction.errors import InputError
from traction.scenario.schema import Strict
from traction.scenario.validation import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from traction.results.recorder import Stepper
    from traction.view.report import Table

MODULES = {
    "press": "traction.kinds.press.schema",
    "shift": "traction.kinds.shift.schema",
    "steady": "traction.kinds.steady.schema",
    "creep-table": "traction.kinds.creep_table.schema",
    "roll": "traction.kinds.roll.schema",
    "bounce": "traction.kinds.bounce.schema",
    "impact": "traction.kinds.impact.schema",
    "obstacle": "traction.kinds.obstacle.schema",
    "modes": "traction.kinds.modes.schema",
    "moving-load": "traction.kinds.moving_load.schema",
    "resonance": "traction.kinds.resonance.schema",
    "rest": "traction.kinds.rest.schema",
    "cross": "traction.kinds.cross.schema",
}
LIBRARY = Path(__file__).parent / "library"
STARTS = {"cross": "flat-wheel"}  #: to start from, of kinds whose first shipped scenario is a special one

KeyFigure = tuple[str, float, str]  # name, value, SI unit
Extra = tuple[Path, str]  # file, caption


def no_story(case: Any, samples: dict[str, Any]) -> Sequence[str]:
    """Nothing beside the summary."""
    return ()


def no_extras(case: Any, samples: dict[str, Any], folder: Path) -> Sequence[Extra]:
    """Nothing beside the figures."""
    return ()


def no_notices(case: Any, samples: dict[str, Any]) -> Sequence[str]:
    """Nothing to be warned of."""
    return ()


@dataclass(frozen=True)
class Kind:
    """What a kind of scenario brings along; the machinery knows nothing else about it."""

    name: str
    summary: str  #: one line for lists
    schema: type[Strict]  #: of everything in the file but `kind`
    stepper: Callable[[Any], Stepper]  #: the case as an explicit march
    key_figures: Callable[[Any, dict[str, Any]], Sequence[KeyFigure]]  #: from the case and its samples
    tables: Callable[[Any, dict[str, Any]], Sequence[Table]]  #: for the report
    figures: Callable[[Any, dict[str, Any]], Sequence[tuple[str, str, Figure]]]  #: file name, caption, figure
    #: writes files that are no figures, such as animations, into the folder: each with its caption
    extras: Callable[[Any, dict[str, Any], Path], Sequence[Extra]] = no_extras
    #: fields with dimensions of which reports get all samples, not only the last
    whole: tuple[str, ...] = ()
    #: paragraphs for the top of the report, for one who has not seen the case
    story: Callable[[Any, dict[str, Any]], Sequence[str]] = no_story
    #: sentences on what makes the answer a rough one; they become the message of the finished run
    notices: Callable[[Any, dict[str, Any]], Sequence[str]] = no_notices


def kind_of(name: Any) -> Kind:
    """The kind of that name."""
    if not isinstance(name, str) or name not in MODULES:
        close = get_close_matches(str(name)[:40], MODULES, n=1, cutoff=0.4)
        hint = f'did you mean "{close[0]}"?' if close else f"known are {', '.join(MODULES)}."
        raise InputError(f"kind = {shown(name)} is not known; {hint}")
    return import_module(MODULES[name]).KIND


def shipped() -> dict[str, Path]:
    """The scenarios that come with the package, by name."""
    return {path.stem: path for path in sorted(LIBRARY.glob("*.toml"))}
