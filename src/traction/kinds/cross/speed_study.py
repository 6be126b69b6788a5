"""The same train at other speeds: whether the speed of a run is one of resonance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.kinds.cross.case_march import cross_simply, is_hertzian
from traction.kinds.cross.schema import CrossCase
from traction.results.recorder import Stop, StoppedError

HISTORY = 1001  #: samples of the crossing that is drawn beside the run


@dataclass(frozen=True)
class SpeedStudy:
    """Peak deflection at the output position over speed, by a simpler contact, smooth or rough as the run."""

    speeds: np.ndarray  #: m/s, rising
    peaks: np.ndarray  #: m
    resolved: np.ndarray  #: whether the time step of the run is short enough at each speed
    least: int  #: number of the speed with the smallest peak
    travelled: np.ndarray  #: way of the first axle in the crossing with the smallest peak, m
    deflection: np.ndarray  #: at the output position in that crossing, m

    @classmethod
    def of(cls, case: CrossCase, dt: float, stop: Stop) -> SpeedStudy | None:
        """Cross once at each speed of the study, in steps of dt (s), over the way of the run.

        A `StoppedError` when `stop`, which is asked before each speed, returns True.
        """
        if case.study is None or case.speed is None:
            return None
        contact, speeds, found = study_contact(case), np.array(case.study.speeds), []
        for number, speed in enumerate(case.study.speeds):
            if stop():
                raise StoppedError(f"{number} of the {speeds.size} speeds of the study")
            run, enough = cross_simply(at_speed(case, speed), contact, dt)
            found.append((run.t, run.deflection(case.place), enough))
        peaks = np.array([np.abs(deflection).max() for _, deflection, _ in found])
        resolved = np.array([one for _, _, one in found])
        least = int(peaks.argmin())
        t, deflection, _ = found[least]
        rows = np.unique(np.linspace(0, t.size - 1, HISTORY).round().astype(int))
        return cls(speeds, peaks, resolved, least, speeds[least] * t[rows], deflection[rows])


def study_contact(case: CrossCase) -> str:
    """Hertz where the surfaces allow it, rigid otherwise."""
    return "hertz" if case.contact != "rigid" and is_hertzian(case) else "rigid"


def at_speed(case: CrossCase, speed: float) -> CrossCase:
    """The case at another speed (m/s), over the same way."""
    assert case.speed is not None
    time = case.time.model_copy(update={"t_end": case.t_end * case.speed / speed})
    return case.model_copy(update={"speed": speed, "time": time})
