"""Crossings of a sweep over speeds, one after the other, train by train."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.crossing.moving_load import moving_load
from traction.crossing.sweeps.force_sweep import AFTER
from traction.crossing.sweeps.resonance import resonance
from traction.kinds.kind import IndependentSamples, KeyFigures, KindStepper, Sample
from traction.kinds.resonance.schema import ResonanceCase
from traction.results.field import Layout, field_table
from traction.results.stored_run import StoredRun

FIELDS = field_table("""
    crossing | 1 | number of the crossing | | int64, labels samples
    train | 1 | number of the train | | int64
    speed | m/s | speed
    deflection | m | peak deflection at the output position
    acceleration | m/s2 | peak acceleration at the output position
    amplification | 1 | peak deflection over the peak static deflection
""")


@dataclass(frozen=True)
class ResonanceFindings:
    """Findings of the whole sweep."""

    omega: np.ndarray  #: natural frequencies of the modes, rad/s
    off: float  #: of the largest deflection, against the single crossing


class ResonanceStepper(IndependentSamples, KindStepper[ResonanceCase]):
    """One crossing after the other, train by train."""

    @property
    def layout(self) -> Layout:
        """Numbers of every crossing."""
        return Layout(FIELDS, len(self.case.cars) * self.case.speeds.all.size)

    def sample(self, step: int) -> Sample:
        """The crossing of that number."""
        case, speeds = self.case, self.case.speeds.all
        which, k = divmod(step, speeds.size)
        curve = resonance(
            case.built, case.cars[which], [speeds[k]], x=case.x, modes=case.modes, threads=1, progress=False
        )
        deflection, still = float(curve.deflection[0, 0]), float(curve.static[0])
        return {
            "crossing": step + 1,
            "train": which + 1,
            "speed": float(speeds[k]),
            "deflection": deflection,
            "acceleration": float(curve.acceleration[0, 0]),
            "amplification": deflection / still if still else 0.0,
        }

    def findings(self, run: StoredRun) -> ResonanceFindings:
        """Natural frequencies, and the deepest crossing once more, as a single one."""
        case, deepest = self.case, int(np.argmax(run["deflection"]))
        train, speed = case.cars[int(run["train"][deepest]) - 1], float(run["speed"][deepest])
        omega = case.built.frequencies(case.modes)
        after = AFTER * 2.0 * np.pi / float(omega[0])
        end = (float(train.places.max()) + case.built.length) / speed + after
        single = moving_load(
            case.built, train, speed, size=case.modes, residual=False, t_end=end, progress=False
        )
        expected = abs(single.largest("deflection", case.x).value)
        off = abs(float(run["deflection"][deepest]) - expected) / expected if expected else 0.0
        return ResonanceFindings(omega, off)

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """The worst crossing of all."""
        yield "crossings", int(run["speed"].size), "1"
        for name, unit in (("acceleration", "m/s2"), ("deflection", "m")):
            worst = int(np.argmax(run[name]))
            train = self.case.cars[int(run["train"][worst]) - 1].name
            yield f"peak {name}", float(run[name][worst]), unit
            yield f"speed of peak {name}, {train}", float(run["speed"][worst]), "m/s"
        yield "largest amplification", float(run["amplification"].max()), "1"
