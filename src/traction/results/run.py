"""Result of a run: its status, key figures, data and files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from traction.errors import TractionError, UndefinedError
from traction.outputs.result import Result, html_view
from traction.outputs.sketch import sketch
from traction.outputs.variable import Variable
from traction.quantities import figure_text
from traction.results.field import SAMPLE
from traction.results.folder import RunFolder
from traction.results.manifest import KeyFigure, RunStatus
from traction.results.memory import MemoryStore, Store
from traction.results.stored_run import StoredRun

if TYPE_CHECKING:
    import xarray


MOST_DRAWN = 1 << 25  #: bytes of samples of which a picture is drawn


@dataclass(frozen=True, repr=False)
class Run(Result):
    """Result of `tr.simulate`; printing it shows a summary, `data` is the labelled dataset."""

    _rows = (SAMPLE,)

    status: RunStatus  #: "done", or how it ended
    message: str = ""  #: why it is not complete, or limits of validity of the result
    folder: Path | None = None  #: its folder; None for a run in memory
    key_figures: tuple[KeyFigure, ...] = ()  #: (name, value in SI, unit)
    kind: str = ""  #: kind of the scenario
    damage: tuple[str, ...] = ()  #: damaged files that were found and recomputed
    store: MemoryStore | None = field(default=None, compare=False)  #: samples of a run in memory
    stored: StoredRun | None = field(default=None, compare=False)  #: input of reports, if loaded

    @property
    def ok(self) -> bool:
        """Whether the run is complete."""
        return self.status is RunStatus.DONE

    @property
    def is_complete(self) -> bool:
        """Whether all samples and what was found of them are there; also of a result judged worthless."""
        return self.ok or self.stored is not None

    @cached_property
    def data(self) -> xarray.Dataset:
        """All samples with coordinates, units and long names; read on first use."""
        from traction.results.run_dataset import to_dataset

        return to_dataset(self._samples_store())

    def to_xarray(self) -> xarray.Dataset:
        """Return all samples as a labelled dataset; the same as `data`.

        Raises
        ------
        UndefinedError
            If the run has neither a folder nor samples in memory.

        """
        return self.data

    def _samples_store(self) -> Store:
        if self.folder is not None:
            return RunFolder.open(self.folder)
        if self.store is not None:
            return self.store
        raise UndefinedError("this run has no data: it has neither a folder nor samples in memory.")

    def _variables(self) -> Iterable[Variable]:
        from traction.results.run_dataset import variables_of

        store = self._samples_store()
        return variables_of(store.layout, store.samples())

    def _attributes(self) -> dict[str, str]:
        from traction.results.run_dataset import attributes_of

        return attributes_of(self._samples_store())

    def _figures(self) -> list[tuple[str, str]]:
        known = (figure for figure in self.key_figures if figure[1] == figure[1])  # nan says nothing
        return [(name, figure_text(value, unit)) for name, value, unit in known]

    def __str__(self) -> str:
        first = f"{self._subject()}: {self._ending()}"
        found = [f"  notice: {self.message}"] if self._notice else []
        found += [f"  damaged: {sentence}" for sentence in self.damage]
        return "\n".join((first, *_table(self.key_figures), *found, f"  files: {self._place()}"))

    def _repr_html_(self) -> str:
        words = [self._ending(), self.message if self._notice else "", f"files: {self._place()}"]
        return html_view(self._subject(), "; ".join(filter(None, words)), self._figures(), self._sketch())

    def _subject(self) -> str:
        return f"Run of {self.kind}" if self.kind else "Run"

    def _ending(self) -> str:
        return f"{self.status} ({self.message})" if self.message and not self._notice else str(self.status)

    def _sketch(self) -> str:
        """Of the first quantity that varies, over what labels the samples; not of runs of great size."""
        try:
            layout = self._samples_store().layout
            if layout.bytes_per_sample * layout.total > MOST_DRAWN:
                return ""
            label = next((one.name for one in layout.fields if one.labels_samples), SAMPLE)
            found = [
                replace(one, dims=tuple(label if dim == SAMPLE else dim for dim in one.dims))
                for one in self._variables()
            ]
        except (TractionError, OSError):  # a summary does not depend on the files of the run
            return ""
        known = (one for one in found if label in one.dims and not one.is_coordinate)
        pictures = (sketch(found, one.name) for one in known if np.ptp(one.values.astype(float)) > 0.0)
        return next(filter(None, pictures), "")

    def _headline(self) -> str:
        return ", ".join(filter(None, (self.kind, self._ending())))

    @property
    def _notice(self) -> bool:
        """Whether the message is a notice on a complete run."""
        return self.ok and bool(self.message)

    def _place(self) -> str:
        return "in memory only" if self.folder is None else str(self.folder)


def load_run(path: str | os.PathLike[str]) -> Run:
    """Return the run in a folder.

    Its samples are read when `data` is used.

    Parameters
    ----------
    path
        Folder of the run.

    Returns
    -------
    Run
        As `tr.simulate` returned it.

    Raises
    ------
    InputError
        If there is no run in that folder.

    Examples
    --------
    >>> bridge = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
    >>> case = tr.Scenario.build("modes", modes=2, beam=bridge)
    >>> done = tr.simulate(case, "bridge-modes")
    >>> tr.load_run("bridge-modes").kind
    'modes'
    """
    return finished_run(RunFolder.open(path))


def finished_run(store: Store, stored: StoredRun | None = None) -> Run:
    """The run in a folder or in memory, with the damage that was found."""
    manifest, message = store.manifest, store.manifest.message
    path, kept = (store.path, None) if isinstance(store, RunFolder) else (None, store)
    if isinstance(store, RunFolder) and store.status is RunStatus.INTERRUPTED:
        message = f"its process ended before the run was complete; resume it: {store.resume_command}"
    figures, damage = manifest.key_figures, tuple(store.damage)
    return Run(store.status, message, path, figures, manifest.kind, damage, kept, stored)


def _table(figures: tuple[KeyFigure, ...]) -> list[str]:
    texts = [(name, figure_text(value, unit)) for name, value, unit in figures]
    wide = max((len(name) for name, _ in texts), default=0)
    return [f"  {name:<{wide}}  {text}" for name, text in texts]
