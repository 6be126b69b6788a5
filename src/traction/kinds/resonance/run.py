"""Crossings of a sweep over speeds, one after the other, train by train."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from traction.crossing.sweeps.resonance import resonance
from traction.kinds.kind import KindRun, KindStepper
from traction.kinds.resonance.schema import ResonanceCase
from traction.results.field import Field, Layout
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun

State = dict[str, np.ndarray]
Samples = Mapping[str, Any]

FIELDS = (
    Field("crossing", "1", "number of the crossing", dtype="int64", labels_samples=True),
    Field("train", "1", "number of the train", dtype="int64"),
    Field("speed", "m/s", "speed"),
    Field("deflection", "m", "largest deflection at the place"),
    Field("acceleration", "m/s2", "largest acceleration at the place"),
    Field("amplification", "1", "largest deflection over the largest at rest"),
)


class ResonanceStepper(KindStepper[ResonanceCase]):
    """One crossing after the other, train by train."""

    @cached_property
    def speeds(self) -> np.ndarray:
        """Of each train, m/s."""
        return self.case.speeds.all

    @property
    def layout(self) -> Layout:
        """What is stored."""
        return Layout(self.fields, self.total)

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        return FIELDS

    @property
    def total(self) -> int:
        """Number of crossings."""
        return len(self.case.cars) * self.speeds.size

    def initial(self) -> State:
        """Before the first crossing."""
        return {"crossing": np.array(0)}

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """The next crossing."""
        number = int(state["crossing"])
        which, k = divmod(number, self.speeds.size)
        case, train = self.case, self.case.cars[which]
        curve = resonance(case.built, train, [self.speeds[k]], x=case.x, modes=case.modes, threads=1)
        deflection = float(curve.deflection[0, 0])
        still = float(curve.static[0])
        return {"crossing": np.array(number + 1)}, {
            "crossing": number + 1,
            "train": which + 1,
            "speed": float(self.speeds[k]),
            "deflection": deflection,
            "acceleration": float(curve.acceleration[0, 0]),
            "amplification": deflection / still if still else 0.0,
        }

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """The worst crossing of all."""
        return key_figures(self.case, run)


def key_figures(case: ResonanceCase, samples: Samples) -> Sequence[KeyFigure]:
    """The worst crossing of all."""
    worst = int(np.argmax(samples["acceleration"]))
    deepest = int(np.argmax(samples["deflection"]))
    return [
        ("crossings", float(samples["speed"].size), "1"),
        ("largest acceleration", float(samples["acceleration"][worst]), "m/s2"),
        (
            f"speed of the largest acceleration, {_name(case, samples, worst)}",
            float(samples["speed"][worst]),
            "m/s",
        ),
        ("largest deflection", float(samples["deflection"][deepest]), "m"),
        (
            f"speed of the largest deflection, {_name(case, samples, deepest)}",
            float(samples["speed"][deepest]),
            "m/s",
        ),
        ("largest amplification", float(samples["amplification"].max()), "1"),
    ]


def _name(case: ResonanceCase, samples: Samples, row: int) -> str:
    return case.cars[int(samples["train"][row]) - 1].name


RUN = KindRun(ResonanceStepper)
