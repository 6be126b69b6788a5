"""Result of a run: its status, key figures, data and files."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from traction.errors import UndefinedError
from traction.quantities import LADDERS, quantity
from traction.results.folder import RunFolder
from traction.results.manifest import KeyFigure, RunStatus
from traction.results.memory import MemoryStore, Store
from traction.results.stored_run import StoredRun

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True, repr=False)
class Run:
    """Result of `tr.simulate`; printing it shows a summary, `data` is the labelled dataset."""

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

    @cached_property
    def data(self) -> xarray.Dataset:
        """All samples with coordinates, units and long names; read on first use."""
        from traction.results.dataset import to_dataset

        if self.folder is not None:
            return to_dataset(RunFolder.open(self.folder))
        if self.store is not None:
            return to_dataset(self.store)
        raise UndefinedError("this run has no data: it has neither a folder nor samples in memory.")

    def __str__(self) -> str:
        found = [f"  notice: {self.message}"] if self._notice else []
        found += [f"  damaged: {sentence}" for sentence in self.damage]
        return "\n".join((self._headline(), *_table(self.key_figures), *found, f"  files: {self._place()}"))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td style='text-align:right'>{escape(_text(value, unit))}</td></tr>"
            for name, value, unit in self.key_figures
        )
        table = f"<table>{rows}</table>" if rows else ""
        table += f"<p>notice: {escape(self.message)}</p>" if self._notice else ""
        return (
            f"<div><p><strong>{escape(self._headline())}</strong></p>{table}"
            f"<p>files: <code>{escape(self._place())}</code></p></div>"
        )

    def _headline(self) -> str:
        subject = f"Run of {self.kind}" if self.kind else "Run"
        why = f" ({self.message})" if self.message and not self._notice else ""
        return f"{subject}: {self.status}{why}"

    @property
    def _notice(self) -> bool:
        """Whether the message is a notice on a complete run."""
        return self.ok and bool(self.message)

    def _place(self) -> str:
        return "in memory only" if self.folder is None else str(self.folder)


def load_run(path: str | os.PathLike[str]) -> Run:
    """Return the run in a folder; its samples are read when `data` is used.

    Parameters
    ----------
    path
        Folder of the run.

    Returns
    -------
    Run
        Status, key figures and labelled data.

    Raises
    ------
    InputError
        If the folder does not contain a run.

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
    texts = [(name, _text(value, unit)) for name, value, unit in figures]
    wide = max((len(name) for name, _ in texts), default=0)
    return [f"  {name:<{wide}}  {text}" for name, text in texts]


def _text(value: float | int | str | bool, unit: str) -> str:
    """A value with its unit, in engineering units if there are any."""
    if isinstance(value, float) and unit in LADDERS:
        return quantity(value, unit)
    number = f"{value:.6g}" if isinstance(value, float) else str(value)
    return number if unit in ("", "1") else f"{number} {unit}"
