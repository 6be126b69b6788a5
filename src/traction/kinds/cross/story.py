"""What a crossing was, what happened and why to trust it, in a few sentences."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.crossing.moving_load import GRAVITY
from traction.crossing.results.crossing import Crossing
from traction.kinds.cross.drive_report import driving_story
from traction.quantities import counted, quantity, significant
from traction.signals.peaks import Peak

if TYPE_CHECKING:
    from traction.kinds.cross.schema import CrossCase

NEAR = 0.02  #: of a natural frequency, within which axles come in resonance
NATURAL = 3  #: natural frequencies that are named


def deepest(run: Crossing, place: float) -> Peak:
    """Largest deflection at a place (m), of the samples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few samples, which notices of the run tell
        return run.largest("deflection", place)


def told(case: CrossCase, samples: Mapping[str, Any], run: Crossing) -> list[str]:
    """The case, what happened and why to trust it, in a few sentences."""
    cars = case.cars
    speed = f" at {significant(3.6 * case.speed, 3)} km/h" if case.speed is not None else ""
    wheels = counted(len(cars), "axle")
    length = quantity(case.built.length, "m", 3)
    words = [f"A train of {wheels} crosses a bridge of {length}{speed}. {_how(case)}"]
    peak = deepest(run, case.place)
    bent = f"At x = {case.place:g} m the bridge gives way by up to {quantity(abs(peak.value), 'm', 3)}"
    rest = static_deflection(case, run)
    if rest > 0.0:
        bent += f" ({quantity(rest, 'm', 3)} under the train at rest)"
    bent += f".{_passing(case)} Its lowest natural frequencies are {listed(natural(case))} Hz"
    found = run.spectrum("acceleration", case.place).dominant(1)
    bent += f"; it is shaken most at {significant(float(found[0]), 3)} Hz." if found.size else "."
    if "largest_force" in samples:
        low, high = (float(samples[name][-1]) for name in ("least_force", "largest_force"))
        bent += f" The force under a wheel lies between {quantity(low, 'N', 3)} and {quantity(high, 'N', 3)}."
        lifted = int(samples["lifted_steps"][-1])
        bent += f" In {lifted} steps a wheel had lifted off." if lifted else " No wheel lifts off."
    words.append(bent)
    driven = driving_story(run)
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


def static_deflection(case: CrossCase, run: Crossing) -> float:
    """Largest deflection at the place under the weights of the train, wherever it stands, m; 0 if none."""
    if not case.at_rest:
        return 0.0
    cars, gravity = case.cars, case.gravity or GRAVITY
    loads = [load if isinstance(load, float) else 0.0 for load, _ in cars.forces]
    loads += [gravity * mass for vehicle, _ in cars.vehicles for mass in vehicle.axle_masses]
    stands = replace(run, forces=np.broadcast_to(np.array(loads), run.forces.shape))
    return float(np.abs(stands.at_rest("deflection", case.place)).max())


def _passing(case: CrossCase) -> str:
    """How often axles at equal distances come."""
    apart = np.diff(np.sort(case.cars.places))
    if case.speed is None or apart.size < 2 or not apart.max() > 0.0 or np.ptp(apart) > 1e-6 * apart.max():
        return ""
    often, known = case.speed / float(apart.mean()), natural(case)
    words = (
        f" Axles come every {quantity(float(apart.mean()), 'm', 3)}, {significant(often, 3)} times a second"
    )
    near = np.flatnonzero(np.abs(known / often - 1.0) < NEAR)
    if not near.size:
        return f"{words}."
    which = ("lowest", "second", "third")[int(near[0])]
    return f"{words}, which is the {which} natural frequency of the bridge: it swings in resonance."


def _how(case: CrossCase) -> str:
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


def natural(case: CrossCase) -> np.ndarray:
    """Lowest natural frequencies of the bridge, Hz, without motions as a whole."""
    omega = case.built.frequencies(NATURAL + 2)
    return np.asarray(omega[omega > 0.0][:NATURAL] / (2.0 * math.pi))


def listed(values: np.ndarray) -> str:
    """As in a sentence."""
    words = [significant(float(value), 3) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
