"""What a kind of scenario consists of: a schema, a run and a report, each in a module of that name.

    schema.py   CASE      the pydantic model of the file: describes, checks and builds models
    run.py      RUN       a `KindRun`: the stepper that computes all that is stored
    report.py   REPORT    a `KindReport`: tables, figures and files, made of what is stored

A module is loaded when its part is asked for: checking a file loads no solver, and running no figures.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from traction.results.field import Layout
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun
from traction.scenario.schema import Strict
from traction.state_arrays import Arrays

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from traction.view.report import Table

Case = TypeVar("Case", bound=Strict)
Sample = Mapping[str, float | np.ndarray]  #: a value for each field
Drawn = tuple[str, str, "Figure"]  #: file name, caption, figure
Extra = tuple[Path, str]  #: file, caption


@dataclass(frozen=True)
class KindStepper(ABC, Generic[Case]):
    """The run of a case: a `Stepper` for the recorder, and what is found once all samples are there."""

    case: Case

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """What is stored: fields of every sample, their coordinates, and the number of samples."""

    def initial(self) -> Arrays:
        """The state before the first sample."""
        return {"step": np.array(0)}

    @abstractmethod
    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """The next state and sample."""

    def findings(self, run: StoredRun) -> Arrays:
        """What the report needs beside the samples, of the run as a whole; `flatten_state` makes arrays."""
        return {}

    @abstractmethod
    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """The numbers that sum up the run: name, value in SI, unit."""

    def notices(self, run: StoredRun) -> Sequence[str]:
        """Sentences on what makes the answer a rough one; they become the message of the finished run."""
        return ()


class TableStepper(KindStepper[Case]):
    """A run that is computed as a whole, in a moment, and always in the same way; samples are its rows."""

    @property
    @abstractmethod
    def rows(self) -> Mapping[str, np.ndarray]:
        """All samples of each field."""

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """The next row."""
        k = int(state["step"])
        return {"step": np.array(k + 1)}, {name: values[k] for name, values in self.rows.items()}


@dataclass(frozen=True)
class KindRun(Generic[Case]):
    """How a case of some kind is run."""

    stepper: Callable[[Case], KindStepper[Case]]  #: of a case; refuses one that cannot be run
    whole: tuple[str, ...] = ()  #: fields with dimensions of which reports get all samples, not the last only


@dataclass(frozen=True)
class KindReport(Generic[Case]):
    """What the report on a finished run of some kind shows; it reads what is stored and computes nothing."""

    tables: Callable[[Case, StoredRun], Sequence[Table]]
    figures: Callable[[Case, StoredRun], Sequence[Drawn]]
    #: writes files that are no figures, such as animations, into the folder
    extras: Callable[[Case, StoredRun, Path], Sequence[Extra]] = lambda case, run, folder: ()
    #: paragraphs for the top of the report, for one who has not seen the case
    story: Callable[[Case, StoredRun], Sequence[str]] = lambda case, run: ()


@dataclass(frozen=True)
class Kind:
    """A kind of scenario; its parts are loaded when they are asked for."""

    name: str
    summary: str  #: one line for lists

    PACKAGE: ClassVar[str] = "traction.kinds"

    @property
    def schema(self) -> type[Strict]:
        """Of everything in the file but `kind`."""
        return self._module("schema").CASE

    @property
    def run(self) -> KindRun[Any]:
        """How a case is run."""
        return self._module("run").RUN

    @property
    def report(self) -> KindReport[Any]:
        """What is shown of a finished run."""
        return self._module("report").REPORT

    def _module(self, part: str) -> Any:
        return import_module(f"{self.PACKAGE}.{self.name.replace('-', '_')}.{part}")
