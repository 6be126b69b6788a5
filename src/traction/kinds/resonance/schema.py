"""Kind "resonance": trains cross a beam at many speeds; the largest response of each crossing."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from pydantic import Field as Limits
from pydantic import model_validator

from traction.beams.beam import Beam
from traction.crossing.moving_load import moving_load
from traction.crossing.sweeps.resonance import (
    AFTER,
    ResonanceCurve,
    ResonanceSpeed,
    expected_speeds,
    resonance,
)
from traction.kinds.registry import Extra, KeyFigure, Kind
from traction.kinds.tables.axle_tables import MOST_AXLES, TrainName, named_train
from traction.kinds.tables.beam_tables import BeamTable, beam_words, held
from traction.quantities import quantity, significant
from traction.results.field import Field
from traction.results.storage.atomic import write_atomic
from traction.scenario.schema import Force, NotNegativeLength, PositiveLength, PositiveSpeed, Strict
from traction.trains.train import Train
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Samples = dict[str, Any]
State = dict[str, np.ndarray]
MOST_TRAINS, MOST_SPEEDS, MOST_CROSSINGS = 20, 100_000, 1_000_000
MOST_SWEPT_MODES = 50
MOST_SHOWN = 12  #: expected speeds in a table
NEAR = 0.03  #: of an expected speed, within which a peak belongs to it
AGREEMENT = 1e-3  #: limit of the check
FILE = "resonance.csv"

FIELDS = (
    Field("crossing", "1", "number of the crossing", dtype="int64", labels_samples=True),
    Field("train", "1", "number of the train", dtype="int64"),
    Field("speed", "m/s", "speed"),
    Field("deflection", "m", "largest deflection at the place"),
    Field("acceleration", "m/s2", "largest acceleration at the place"),
    Field("amplification", "1", "largest deflection over the largest at rest"),
)


class ForceTable(Strict):
    """A constant force behind the first axle."""

    force: Force
    distance: NotNegativeLength = 0.0


class AxlesTable(Strict):
    """A train of one's own: constant forces, and the spacing that repeats."""

    name: Annotated[str, Limits(min_length=1, max_length=40)]
    spacing: PositiveLength | None = None
    """of coaches or axles; expected resonance speeds follow from it"""
    axle: Annotated[list[ForceTable], Limits(min_length=1, max_length=MOST_AXLES)]

    def build(self) -> Train:
        """The train."""
        axles = [(axle.force, axle.distance) for axle in self.axle]
        return Train(axles, spacing=self.spacing, name=self.name)


class SpeedsTable(Strict):
    """Equally spaced speeds, or a list of them."""

    lowest: PositiveSpeed | None = None
    highest: PositiveSpeed | None = None
    count: Annotated[int, Limits(ge=2, le=MOST_SPEEDS)] | None = None
    values: Annotated[list[PositiveSpeed], Limits(min_length=1, max_length=MOST_SPEEDS)] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        given = [value is not None for value in (self.lowest, self.highest, self.count)]
        if any(given) == (self.values is not None) or any(given) != all(given):
            raise ValueError("needs lowest, highest and count, or a list of values")
        if self.lowest is not None and self.highest is not None and self.lowest >= self.highest:
            raise ValueError(
                f"has lowest = {self.lowest:g} m/s, which must be below highest = {self.highest:g} m/s"
            )
        if self.values is not None and any(np.diff(self.values) <= 0.0):
            raise ValueError("has values that do not rise")
        return self

    @property
    def all(self) -> np.ndarray:
        """Speeds, m/s."""
        if self.values is not None:
            return np.array(self.values)
        return np.linspace(self.lowest or 0.0, self.highest or 0.0, self.count or 0)


class ResonanceCase(Strict):
    """Trains that cross a beam at many speeds."""

    title: Annotated[str, Limits(max_length=200)] = "Resonance of a beam with trains"
    beam: BeamTable
    trains: Annotated[list[TrainName], Limits(min_length=1, max_length=MOST_TRAINS)] | None = None
    """by name"""
    train: Annotated[list[AxlesTable], Limits(min_length=1, max_length=MOST_TRAINS)] | None = None
    """one's own"""
    speeds: SpeedsTable
    modes: Annotated[int, Limits(ge=1, le=MOST_SWEPT_MODES)] = 3
    place: NotNegativeLength | None = None
    """midspan unless given"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.trains is None and self.train is None:
            raise ValueError("needs trains by name, or a list of one's own")
        names = [one.name for one in self.cars]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f'has two trains of the name "{twice}"')
        if len(names) > MOST_TRAINS or len(names) * self.speeds.all.size > MOST_CROSSINGS:
            raise ValueError(
                f"has too many crossings, at most {MOST_TRAINS} trains and {MOST_CROSSINGS} in all"
            )
        if not held(self.built):
            raise ValueError("has a beam that can move as a whole: support it")
        self.beam.require_ratios(self.modes)
        self.beam.require_place("place", self.place)
        return self

    @cached_property
    def built(self) -> Beam:
        """The beam."""
        return self.beam.build()

    @cached_property
    def cars(self) -> list[Train]:
        """All trains."""
        return [*map(named_train, self.trains or []), *(one.build() for one in self.train or [])]

    @property
    def x(self) -> float:
        """Place that is looked at, m."""
        return 0.5 * self.built.length if self.place is None else self.place

    def expected(self, which: int) -> tuple[ResonanceSpeed, ...]:
        """Resonance speeds of a train within the sweep."""
        speeds = self.speeds.all
        return expected_speeds(self.built, self.cars[which].spacing, self.modes, speeds[0], speeds[-1])


class ResonanceStepper:
    """One crossing after the other, train by train."""

    fields = FIELDS
    coordinates = ()

    def __init__(self, case: ResonanceCase) -> None:
        self.case, self.speeds = case, case.speeds.all

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


def curve_of(case: ResonanceCase, samples: Samples) -> ResonanceCurve:
    """All crossings as `tr.resonance` gives them."""
    shape = (len(case.cars), case.speeds.all.size)
    deflection, factor = (samples[name].reshape(shape) for name in ("deflection", "amplification"))
    at_rest = np.where(factor > 0.0, deflection / np.where(factor > 0.0, factor, 1.0), 0.0)
    return ResonanceCurve(
        case.speeds.all,
        tuple(train.name for train in case.cars),
        deflection,
        samples["acceleration"].reshape(shape),
        at_rest.max(axis=1),
        tuple(case.expected(which) for which in range(len(case.cars))),
        case.x,
        case.modes,
    )


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


def tables(case: ResonanceCase, samples: Samples) -> Sequence[Table]:
    """What went in, the worst speed of each train, and the speeds that were to be expected."""
    curve, speeds = curve_of(case, samples), 3.6 * case.speeds.all
    inputs = [
        *beam_words(case.beam),
        ("first frequency", f"{significant(case.built.frequencies(1)[0] / (2.0 * np.pi))} Hz"),
        ("trains", f"{len(case.cars)}"),
        ("speeds", f"{speeds.size} from {significant(speeds[0])} to {significant(speeds[-1])} km/h"),
        ("modes", f"{case.modes}"),
        ("place that is looked at", quantity(case.x, "m")),
    ]
    rows = [_worst(case, curve, which) for which in range(len(case.cars))]
    header = (
        "train",
        "worst speed (km/h)",
        "acceleration (m/s²)",
        "deflection (mm)",
        "amplification",
        "expected",
    )
    return [
        Table("Inputs", ("quantity", "value"), inputs),
        Table("Worst speeds", header, rows),
        *_expected_table(case),
        Table("Checks", ("check", "found", "limit", "verdict"), [_check(case, curve)]),
    ]


def _check(case: ResonanceCase, curve: ResonanceCurve) -> tuple[str, str, str, str]:
    """The deepest crossing once more, as a single one."""
    which, k = np.unravel_index(int(np.argmax(curve.deflection)), curve.deflection.shape)
    speed, train = float(curve.speeds[k]), case.cars[int(which)]
    swings = AFTER * 2.0 * np.pi / float(case.built.frequencies(1)[0])
    end = (float(train.places.max()) + case.built.length) / speed + swings
    single = moving_load(case.built, train, speed, size=case.modes, residual=False, t_end=end)
    expected = abs(single.largest("deflection", case.x).value)
    found = abs(float(curve.deflection[which, k]) - expected) / expected if expected else 0.0
    words = "largest deflection, difference from the single crossing"
    return words, f"{found:.1e}", f"{AGREEMENT:g}", "passed" if found <= AGREEMENT else "large"


def _worst(case: ResonanceCase, curve: ResonanceCurve, which: int) -> tuple[str, ...]:
    k = int(np.argmax(curve.acceleration[which]))
    speed = float(curve.speeds[k])
    near = [one for one in curve.expected[which] if abs(speed / one.speed - 1.0) <= NEAR]
    nearest = min(near, key=lambda one: (one.mode, abs(one.speed - speed)), default=None)
    at_rest = float(curve.static[which])
    return (
        curve.names[which],
        significant(3.6 * speed),
        significant(float(curve.acceleration[which, k])),
        significant(1e3 * float(curve.deflection[which, k])),
        significant(float(curve.deflection[which, k]) / at_rest) if at_rest else "none",
        f"{_words(nearest)} = {significant(3.6 * nearest.speed)} km/h" if nearest is not None else "no",
    )


def _expected_table(case: ResonanceCase) -> list[Table]:
    rows = [
        (train.name, _words(one), significant(one.spacing), significant(3.6 * one.speed))
        for which, train in enumerate(case.cars)
        for one in case.expected(which)
        if one.mode == 1
    ]
    if not rows:
        return []
    title = "Expected resonance speeds of the first mode"
    if len(rows) > MOST_SHOWN:
        title += f" (the first {MOST_SHOWN} of {len(rows)})"
    return [Table(title, ("train", "rule", "spacing D (m)", "speed (km/h)"), rows[:MOST_SHOWN])]


def _words(one: ResonanceSpeed) -> str:
    return f"f{one.mode} D" if one.period == 1 else f"f{one.mode} D/{one.period}"


def figures(case: ResonanceCase, samples: Samples) -> Sequence[tuple[str, str, Figure]]:
    """Accelerations and deflections over speed."""
    from traction.view import figures as view
    from traction.view.bridges import resonance_plot

    curve, drawn = curve_of(case, samples), []
    if curve.speeds.size < 2:
        return []
    worst = int(np.argmax(curve.acceleration.max(axis=1)))
    for name in ("acceleration", "deflection"):
        figure = view.blank_figure(9.0, 5.0)
        resonance_plot(curve, figure.add_subplot(), quantity=name, marks=worst)
        words = f"Largest {name} of each crossing over speed; dashes: resonances expected of "
        words += f"{curve.names[worst]}."
        drawn.append((name, words, figure))
    return drawn


def extras(case: ResonanceCase, samples: Samples, folder: Path) -> Sequence[Extra]:
    """All crossings for other programs."""
    store = io.StringIO()
    writer = csv.writer(store, lineterminator="\n")
    shown = FIELDS[2:]
    writer.writerow(["train", *(f"{field.name} ({field.unit})" for field in shown)])
    rows = zip(*(samples[field.name].tolist() for field in shown), strict=True)
    names = [case.cars[int(number) - 1].name for number in samples["train"]]
    writer.writerows((name, *row) for name, row in zip(names, rows, strict=True))
    file = folder / FILE
    write_atomic(file, store.getvalue().encode())
    return [(file, "All crossings, in SI.")]


KIND = Kind(
    name="resonance",
    summary="trains cross a beam at many speeds, with the expected resonances",
    schema=ResonanceCase,
    stepper=ResonanceStepper,
    key_figures=key_figures,
    tables=tables,
    figures=figures,
    extras=extras,
)
