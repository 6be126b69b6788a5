"""Kind "moving-load": forces, wheels, vehicles or a train cross a beam."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import Field as Limits
from pydantic import model_validator

from traction.errors import InputError
from traction.integrators.methods import method as method_of
from traction.kinds import moving_load_report
from traction.kinds.beams import MOST_MODES
from traction.kinds.bounce import MethodName, Option
from traction.kinds.crossed import CrossedCase
from traction.kinds.moving_load_run import MovingLoadStepper
from traction.kinds.registry import Kind
from traction.scenario.schema import Strict
from traction.simulation.coupled import coupled_step
from traction.simulation.crossing import Crossing
from traction.simulation.discrete_load import METHODS, discrete_step
from traction.simulation.moving_load import SIZES, moving_load
from traction.simulation.steps import default_step

MOST_ELEMENTS = 20_000
MOST_NUMBERS = 4e7  #: of all states of a crossing, which are kept while it is looked at
MOST_STORED = 1e8  #: numbers of all samples


class ModelTable(Strict):
    """Exact modes, finite elements or finite differences."""

    type: Literal["modes", "elements", "differences"] = "modes"
    size: Annotated[int, Limits(ge=1, le=MOST_ELEMENTS)] | None = None
    """of modes (40), elements or cells (100)"""
    residual: bool | None = None
    """of modes: those left out take part as if at rest (true)"""
    method: MethodName | None = None
    """of elements ("newmark") and differences ("verlet")"""
    options: dict[str, Option] = Limits(default_factory=dict, max_length=10)
    """of that method"""
    allow_unstable: bool | None = None
    """to see what a step over the stability limit does"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.type == "modes":
            for name in ("method", "options", "allow_unstable"):
                if getattr(self, name):
                    raise ValueError(f'takes {name} only with type = "elements" or "differences"')
            if self.number > MOST_MODES:
                raise ValueError(f"has {self.size} modes, at most {MOST_MODES}")
            return self
        if self.residual is not None:
            raise ValueError('takes residual only with type = "modes"')
        method_of(self.marches_by, **self.options)  # refuses options that the method has not
        return self

    @property
    def number(self) -> int:
        """Of modes, elements or cells."""
        return self.size or SIZES[self.type]

    @property
    def marches_by(self) -> str:
        """The method of a discrete beam."""
        return self.method or METHODS[self.type]


class MovingLoadCase(CrossedCase):
    """Axles that cross a beam."""

    title: Annotated[str, Limits(max_length=200)] = "A load crosses a beam"
    model: ModelTable = ModelTable()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.check_load()
        wheels = bool(self.cars.vehicles)
        if wheels and self.model.type != "modes":
            raise ValueError(f'has wheels on {self.model.type}; choose model.type = "modes"')
        if self.model.type == "modes":
            self.beam.require_ratios(self.model.number)
        self.check_arrival()
        self._check_stored()
        return self

    @property
    def numbers(self) -> int:
        """That are kept of each step: of the model, the axles and the vehicles."""
        cars = self.cars
        return self.model.number + len(cars) + sum(len(vehicle.mass) for vehicle, _ in cars.vehicles)

    @cached_property
    def crossing(self) -> Crossing:
        """The whole crossing, by `tr.moving_load`."""
        self._check_size()
        model = self.model
        options: dict[str, Any] = {"residual": model.residual}
        if model.type != "modes":
            options = {"method": model.marches_by, **model.options}
            options |= {"allow_unstable": True} if model.allow_unstable else {}
        return moving_load(
            self.built, self.cars, self.way, model=model.type, size=model.number, dt=self.time.dt,
            t_end=self.time.t_end, gravity=self.gravity,
            irregularity=None if self.irregularity is None else self.irregularity.build(), **options,
        )  # fmt: skip

    def _check_stored(self) -> None:
        stored = self.time.samples * (self.output.points + self.numbers + len(self.cars) + 10)
        if stored > MOST_STORED:
            raise ValueError(
                f"would store {stored:.2g} numbers, at most {MOST_STORED:g}; choose "
                "fewer time.samples or output.points"
            )
        if self.time.dt is None:
            return
        steps = self.t_end / self.time.dt
        if steps * self.numbers > MOST_NUMBERS:
            raise ValueError(_too_many(self.time.dt, steps, self.numbers))
        if steps < 0.5 * (self.time.samples - 1):
            raise ValueError(
                f"has {self.time.samples} samples of about {steps:.0f} steps of time.dt; choose fewer "
                "time.samples, or a shorter time.dt"
            )

    def _check_size(self) -> None:
        """Refuse a crossing that would not fit into memory; its steps follow from the beam's frequencies."""
        step = self.time.dt or self._default_step()
        steps = self.t_end / step
        if steps * self.numbers > MOST_NUMBERS:
            raise InputError(f"the crossing {_too_many(step, steps, self.numbers)}.")

    def _default_step(self) -> float:
        model, beam, t_end = self.model, self.built, self.time.t_end
        given: tuple[Any, ...] = (beam, self.cars, model.number, self.way, t_end)
        if model.type == "modes":
            return coupled_step(*given) if self.cars.vehicles else default_step(*given)
        discrete: Any = getattr(beam, model.type)(model.number)
        return discrete_step(discrete, model.marches_by, self.way, t_end)


def _too_many(step: float, steps: float, size: int) -> str:
    return (
        f"has {steps:.3g} steps of {step:.3g} s with {size} numbers each, at most {MOST_NUMBERS:g} in all; "
        "choose a longer time.dt, or a smaller model.size"
    )


KIND = Kind(
    name="moving-load",
    summary="forces, wheels, vehicles or a train cross a beam",
    schema=MovingLoadCase,
    stepper=MovingLoadStepper,
    key_figures=moving_load_report.key_figures,
    tables=moving_load_report.tables,
    figures=moving_load_report.figures,
    extras=moving_load_report.extras,
)
