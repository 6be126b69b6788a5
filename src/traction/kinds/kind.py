"""Parts of a kind of scenario: a schema, a run and a report, each in a module of that name.

    schema.py   PressCase      the pydantic model of the file: describes, checks and builds models
    run.py      PressStepper   a `KindStepper`, which computes all that is stored
    report.py   PressReport    a `KindReport`: tables, figures and files, made from stored data

The name of the kind, here "press", begins the names of its classes. A module is loaded when it is needed:
checking a file loads no solver, and running no figures.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from traction.kinds.report_tables import Checks, check_table, input_table, tell_checks
from traction.kinds.stored_state import require_counter, require_like
from traction.results.field import Field, Layout
from traction.results.manifest import KeyFigure
from traction.results.recorder import Stop
from traction.results.stored_run import StoredRun
from traction.scenario.schema import Strict
from traction.state_arrays import Arrays, unflatten_state

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from traction.view.animations.film import Film
    from traction.view.report import Table

Case = TypeVar("Case", bound=Strict)
Findings = TypeVar("Findings")
Sample = Mapping[str, float | np.ndarray]  #: a value for each field
KeyFigures = Iterable[KeyFigure]  #: name, value in SI, unit
Words = list[tuple[str, str]]  #: rows of a table: what, and its value for people
Figures = Iterator[tuple[str, str, "Figure"]]  #: file name, caption, figure
Films = Iterator[tuple[str, str, "Film"]]  #: file name, caption, film
Tables = Sequence["Table"]
Extras = Sequence[tuple[Path, str]]  #: file, caption


@dataclass(frozen=True)
class KindStepper(ABC, Generic[Case]):
    """The run of a case: a `Stepper` for the recorder, and the findings after all samples."""

    case: Case
    counter: ClassVar[str] = "step"  #: of samples, in the state
    #: fields with dimensions of which reports get all samples, not the last only
    whole: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse a case that cannot be run."""

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """What is stored: fields of every sample, their coordinates, and the number of samples."""

    def initial(self) -> Arrays:
        """The state before the first sample."""
        return {"step": np.array(0)}

    def check_state(self, samples: int, state: Arrays) -> None:
        """Refuse a stored state, by an `InputError`, that is not one of this run after so many samples."""
        require_counter(self.counter, state, samples)
        require_like(self.initial(), state)

    @abstractmethod
    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """The next state and sample."""

    def findings(self, run: StoredRun) -> object | None:
        """Findings of the whole run for the report, in the form of `flatten_state`; None for nothing."""
        return None

    def evaluate(self, run: StoredRun, stop: Stop) -> object | None:
        """`findings`; kinds whose findings take long ask `stop` meanwhile and raise a `StoppedError`."""
        return self.findings(run)

    @abstractmethod
    def key_figures(self, run: StoredRun) -> KeyFigures:
        """The numbers that summarise the run."""

    def notices(self, run: StoredRun) -> Sequence[str]:
        """Sentences on limited validity of the result; they become the message of the finished run."""
        return ()

    def failure(self, run: StoredRun) -> str | None:
        """Why the result is worthless, in a sentence; None where it is not. Such a run ends as failed."""
        return None


class IndependentSamples(ABC):
    """Mixin for steppers whose samples are independent: the state counts them."""

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """The next state and sample."""
        step = int(state["step"])
        return {"step": np.array(step + 1)}, self.sample(step)

    @abstractmethod
    def sample(self, step: int) -> Sample:
        """The sample of that index."""


class TableStepper(IndependentSamples, KindStepper[Case]):
    """A run that is computed as a whole, quickly and reproducibly; samples are its rows."""

    @property
    @abstractmethod
    def rows(self) -> Mapping[str, np.ndarray]:
        """All samples of each field."""

    def sample(self, step: int) -> Sample:
        """The row of that index."""
        return {name: values[step] for name, values in self.rows.items()}


def sum_up_last(fields: Iterable[Field], run: StoredRun) -> list[KeyFigure]:
    """Key figures: numbers of the last sample."""
    return [(field.long_name, float(run[field.name][-1]), field.unit) for field in fields]


class KindReport(ABC, Generic[Case, Findings]):
    """Content of the report on a finished run; it reads stored data and computes nothing."""

    kept: type[Findings]  #: what the run keeps beside its samples

    def __init__(self, case: Case, run: StoredRun) -> None:
        self.case, self.run = case, run

    @cached_property
    def found(self) -> Findings:
        """Findings of the whole run."""
        return unflatten_state(self.kept, self.run.findings)

    @abstractmethod
    def computed(self) -> str:
        """What was computed: a paragraph for one who has not seen the case."""

    @abstractmethod
    def outcome(self) -> str:
        """What came out: a paragraph with numbers and units."""

    def trust(self) -> str:
        """Whether it can be trusted: a paragraph on the checks."""
        return f"{tell_checks(self.checks())} {self.evidence()}".strip()

    def evidence(self) -> str:
        """A sentence on what the checks compare with."""
        return ""

    def story(self) -> Sequence[str]:
        """Paragraphs for the top of the report, for a reader who has not seen the case."""
        return [self.computed(), self.outcome(), self.trust()]

    @abstractmethod
    def results(self) -> Tables:
        """What came out, in tables."""

    @abstractmethod
    def checks(self) -> Checks:
        """Whether it holds."""

    @abstractmethod
    def inputs(self) -> Words:
        """What went in."""

    def tables(self) -> Tables:
        """Tables of input, results and checks."""
        return [*self.results(), check_table(*self.checks()), input_table(self.inputs())]

    @abstractmethod
    def figures(self) -> Figures:
        """The figures, one after the other."""

    def films(self, folder: Path) -> Films:
        """What moves, of a run in that folder."""
        return iter(())

    def files(self, folder: Path) -> Extras:
        """Write files for other programs into the folder."""
        return ()


@dataclass(frozen=True)
class Kind:
    """A kind of scenario; its parts are loaded when needed."""

    name: str
    summary: str  #: one line for lists
    folder: str  #: of its modules, beside this one

    @property
    def schema(self) -> type[Strict]:
        """Schema of everything in the file but `kind`."""
        return self._load("schema", "Case")

    @property
    def stepper(self) -> type[KindStepper[Strict]]:
        """Stepper that runs a case."""
        return self._load("run", "Stepper")

    @property
    def report(self) -> type[KindReport[Strict, object]]:
        """Report on a finished run."""
        return self._load("report", "Report")

    def _load(self, module: str, part: str) -> Any:
        """The class of the kind in a module: of "creep-table", such as CreepTableCase."""
        name = "".join(word.capitalize() for word in self.name.split("-"))
        return getattr(import_module(f"traction.kinds.{self.folder}.{module}"), name + part)
