"""What a crossing was, what happened and why to trust it, in a few sentences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from traction.crossing.results.wheel_rolling import WheelRolling
from traction.kinds.cross.drive_report import driving_story
from traction.kinds.cross.findings import CrossFindings
from traction.kinds.cross.schema import CrossCase
from traction.quantities import counted, quantity, significant
from traction.results.stored_run import StoredRun
from traction.signals.spectra import spectrum

NEAR = 0.02  #: of a natural frequency, within which axles come in resonance


def tell_story(
    case: CrossCase, stored: StoredRun, found: CrossFindings, wheels: Mapping[int, WheelRolling]
) -> list[str]:
    """The case, what happened and why to trust it, in a few sentences."""
    speed = f" at {significant(3.6 * case.speed, 3)} km/h" if case.speed is not None else ""
    axles, length = counted(len(case.cars), "axle"), quantity(case.built.length, "m", 3)
    words = [f"A train of {axles} crosses a bridge of {length}{speed}. {_contact_words(case)}"]
    bent = f"At x = {case.place:g} m the bridge gives way by up to {quantity(abs(found.peak[0]), 'm', 3)}"
    if found.rest > 0.0:
        bent += f" ({quantity(found.rest, 'm', 3)} under the train at rest)"
    bent += f".{_passing(case, found.natural)}"
    bent += f" Its lowest natural frequencies are {list_values(found.natural)} Hz"
    dominant = spectrum(stored["time"], stored["acceleration"]).dominant(1)
    bent += f"; it is shaken most at {significant(float(dominant[0]), 3)} Hz." if dominant.size else "."
    if "largest_force" in stored:
        low, high = (float(stored[name][-1]) for name in ("least_force", "largest_force"))
        bent += f" The force under a wheel lies between {quantity(low, 'N', 3)} and {quantity(high, 'N', 3)}."
        lifted = int(stored["lifted_steps"][-1])
        bent += f" In {lifted} steps a wheel had lifted off." if lifted else " No wheel lifts off."
    words.append(bent)
    driven = driving_story(wheels)
    if driven:
        words.append(driven)
    words.append(f"Why to trust it: the table of checks {_checked(case)}.")
    return words


def _checked(case: CrossCase) -> str:
    """What the checks do."""
    if case.contact != "rigid":
        return "compares with theory and with simpler models that were computed apart, and counts all energy"
    if case.model.type == "modes":
        return "counts the work of the axles and the energy of the bridge"
    return "compares with exact modes, which were computed apart"


def _passing(case: CrossCase, natural: np.ndarray) -> str:
    """How often axles at equal distances come."""
    apart = np.diff(np.sort(case.cars.places))
    if case.speed is None or apart.size < 2 or not apart.max() > 0.0 or np.ptp(apart) > 1e-6 * apart.max():
        return ""
    often = case.speed / float(apart.mean())
    words = (
        f" Axles come every {quantity(float(apart.mean()), 'm', 3)}, {significant(often, 3)} times a second"
    )
    near = np.flatnonzero(np.abs(natural / often - 1.0) < NEAR)
    if not near.size:
        return f"{words}."
    which = ("lowest", "second", "third")[int(near[0])]
    return f"{words}, which is the {which} natural frequency of the bridge: it swings in resonance."


def _contact_words(case: CrossCase) -> str:
    if not case.cars.vehicles:
        return "Its axles are forces."
    if case.contact == "rigid":
        return "Its wheels follow the bridge rigidly until they lift off."
    if case.contact == "hertz":
        return "Bridge, vehicles and Hertz's contact under each wheel move together."
    return (
        "Bridge and vehicles move together, and at every step the elastic contact under each wheel, its "
        "patch and its pressure, is solved on a grid that travels with the wheel."
    )


def list_values(values: np.ndarray) -> str:
    """As in a sentence."""
    words = [significant(float(value), 3) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
