"""The loop of every run: advance, check, store; stop at any sample and resume from it, bit for bit."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import ConvergenceError, InputError, TractionError
from traction.results.field import Field, Layout, Samples
from traction.results.manifest import RunStatus
from traction.results.memory import Store
from traction.results.storage.container import DamagedError, packable
from traction.results.storage.segments import State

MIB = 1 << 20
LONGEST_SECONDS = 60.0  #: no segment waits longer to be written
SHARE_AT_RISK = 0.01  #: of the time computed so far; long runs need not write every second
PROGRESS_SECONDS = 0.1

#: phases of a run: its samples, what is found of the run as a whole, and its files
COMPUTING, EVALUATING, WRITING = "computing", "evaluating", "writing"

Progress = Callable[[int, int], None]  #: called with samples completed and samples in all
Phase = Callable[[str], None]  #: called with the name of the phase that begins
Stop = Callable[[], bool]
Sample = Mapping[str, ArrayLike]  #: a value for each field
Check = Callable[[int, State], None]  #: called with a number of samples and the state after them
Keep = Callable[[int, Samples], None]  #: called with a first sample and the samples from it on


def pass_over(*_: object) -> None:
    """Do nothing: nobody asked for it."""


def never() -> bool:
    """Go on to the end."""
    return False


class StoppedError(Exception):
    """A computation was asked to stop on its way; the words say how far it came."""


class Stepper(Protocol):
    """A computation that can be recorded. The contract:

    1. The `layout` is known from the start and never changes.
    2. `initial()` is the state before sample 0: a dict of arrays of numbers or booleans, nothing else.
    3. `advance(state)` returns the next state and one sample: a dict with an array for each field.
    4. The state is complete: `advance` keeps nothing between calls. Random generators keep their
       numbers in the state, or derive them from the seed and a sample index in the state.
    5. `advance` does not change the state it is given; it returns a new one.
    6. Equal states return equal states and samples, bit for bit.
    7. A failed computation raises; a number that is not finite is an error unless its field may be NaN.
    """

    @property
    def layout(self) -> Layout: ...  # noqa: D102

    def initial(self) -> State: ...  # noqa: D102

    def advance(self, state: State) -> tuple[State, Sample]: ...  # noqa: D102


@dataclass(frozen=True)
class RunOutcome:
    """Progress of a call of `record`."""

    completed: int  #: samples that are acknowledged
    stopped: bool  #: True when asked to stop before the end
    seconds: float  #: of this call
    waiting: float  #: seconds of this call in which computing waited for the disk


def record(
    store: Store,
    stepper: Stepper,
    *,
    progress: Progress = pass_over,
    stop: Stop = never,
    keep: Keep = pass_over,
    check: Check = pass_over,
    segment_seconds: float = 1.0,
    segment_bytes: int = 8 * MIB,
) -> RunOutcome:
    """Compute and store the missing samples, from where the last process stopped.

    Samples are written in segments of `segment_bytes` or `segment_seconds`, whichever comes first (in
    long runs, up to 1 % of the time so far, at most a minute); `keep` gets each of them too. `check` refuses
    stored states that are none of the run, by an `InputError`; an older one is then used. `stop` is
    asked before every sample; when it returns True, or `advance` raises, or the user interrupts, all
    samples so far are stored with the state after them. The caller calls `finish` on the store when
    `completed` is the total.
    """
    checks.positive("segment_seconds", segment_seconds, "s")
    checks.count("segment_bytes", segment_bytes)
    check_same_layout(store.layout, stepper.layout)
    with store.lock():
        return _Recording(store, stepper, progress, stop, keep, check).run(segment_seconds, segment_bytes)


def check_same_layout(layout: Layout, computed: Layout) -> None:
    """Refuse to resume with a stepper that computes something else."""
    if computed.fields != layout.fields or computed.total != layout.total:
        raise InputError(
            "the fields or the number of samples are not those of the stored run; start a new one."
        )
    if len(computed.coordinates) != len(layout.coordinates):
        raise InputError("the coordinates are not those of the stored run; start a new one.")
    for ours, theirs in zip(layout.coordinates, computed.coordinates, strict=True):
        if ours.name != theirs.name or not np.array_equal(ours.values, theirs.values):
            raise InputError(f"coordinate {ours.name} is not that of the stored run; start a new one.")


class _Recording:
    """One call of `record`.

    An interrupt may come between any two instructions, so related values are assigned together:
    `_latest` is a number of samples with the state after them, `_chunk` a first sample with storage for
    those that follow. A segment or a checkpoint whose writing was interrupted is written again.
    """

    def __init__(
        self, store: Store, stepper: Stepper, progress: Progress, stop: Stop, keep: Keep, check: Check
    ) -> None:
        self._store, self._stepper, self._check = store, stepper, check
        self._restored = False  # whether the next step begins from a state of another process
        self._progress, self._stop, self._keep_copy = progress, stop, keep
        self._latest: tuple[int, State] = (0, {})
        self._chunk: tuple[int, _Room] | None = None
        self._checkpointed = 0  # samples before the newest checkpoint
        self._waiting = 0.0  # seconds for the disk

    def run(self, segment_seconds: float, segment_bytes: int) -> RunOutcome:
        """Advance until the end, a stop or an error; store the samples in each case."""
        began = time.perf_counter()
        samples, state = self._store.resume_point(self._check)
        self._restored = state is not None
        self._store.begin()
        self._checkpointed = samples
        try:
            self._latest = (samples, self._stepper.initial() if state is None else state)
            stopped = self._replay() or self._advance(began, segment_seconds, segment_bytes)
            self._write()
        except BaseException as error:
            self._write_after(error)
            self._time(began)
            with suppress(TractionError):  # the disk may be full; the error itself says so
                self._store.finish(*_last_words(error))
            raise
        seconds = self._time(began)
        completed, total = self._store.acknowledged, self._store.layout.total
        self._progress(completed, total)
        if stopped:
            self._store.finish(RunStatus.STOPPED, f"stopped after {completed} of {total} samples")
        return RunOutcome(completed, stopped, seconds, self._waiting)

    def _replay(self) -> bool:
        """Recompute from the last state to the last acknowledged sample; True when stopped on the way.

        The stored samples stay. That the new ones are equal proves that the run resumes as it began.
        """
        samples, state = self._latest
        if samples == self._store.acknowledged:
            return False
        for first, block in self._store.blocks():
            count = self._store.layout.count_of(block)
            for number in range(max(first, samples), first + count):
                if self._stop():
                    return True
                state, sample = self._step(state)
                room = _Room(self._store.layout, 1)
                room.put(0, sample, number)
                for name, values in room.between(0, 1).items():
                    if values.tobytes() != block[name][number - first].tobytes():
                        self._store.damage.append(
                            f"{name} of sample {number}, recomputed, differs from the stored one: "
                            f"{self._cause()}. The stored samples are kept."
                        )
                self._latest = (number + 1, state)
        return False

    def _step(self, state: State) -> tuple[State, Sample]:
        """The next state and sample; the first after a stored state may find that it is none of the run."""
        restored, self._restored = self._restored, False
        try:
            return self._stepper.advance(state)
        except TractionError:
            raise
        except Exception as error:
            if not restored:
                raise
            raise DamagedError(
                f"the stored state after {self._latest[0]} samples cannot be used ({type(error).__name__}: "
                f"{error}). Move the newest file of {self._store.states} away and resume again."
            ) from error

    def _cause(self) -> str:
        """Why a resumed run may differ from its start."""
        changed = self._store.changed_versions()
        return f"versions have changed ({'; '.join(changed)})" if changed else "the machine has changed"

    def _advance(self, began: float, segment_seconds: float, segment_bytes: int) -> bool:
        """Compute and store the missing samples; True when stopped on the way."""
        layout = self._store.layout
        missing = layout.total - self._latest[0]
        capacity = max(1, min(segment_bytes // layout.bytes_per_sample, missing))
        room = _Room(layout, capacity)
        self._chunk = (self._latest[0], room)
        written = shown = time.perf_counter()
        while self._latest[0] < layout.total:
            if self._stop():
                return True
            samples, state = self._latest
            state, sample = self._step(state)
            first = self._chunk[0]
            room.put(samples - first, sample, samples)
            samples += 1
            self._latest = (samples, state)
            now = time.perf_counter()
            if now - shown >= PROGRESS_SECONDS:
                self._progress(samples, layout.total)
                shown = now
            at_risk = min(SHARE_AT_RISK * (now - began), LONGEST_SECONDS)
            if samples - first == capacity or now - written >= max(segment_seconds, at_risk):
                self._write()
                self._chunk = (samples, room)
                written = time.perf_counter()
        return False

    def _write(self) -> None:
        """Write pending samples, and the state after them."""
        start = time.perf_counter()
        samples, state = self._latest
        there = self._store.acknowledged
        if self._chunk is not None and self._chunk[0] <= there < samples:
            first, room = self._chunk
            block = room.between(there - first, samples - first)
            self._store.append(there, block)
            self._keep_copy(there, block)
        if self._checkpointed < samples == self._store.acknowledged:
            self._store.checkpoint(samples, {name: packable(name, one) for name, one in state.items()})
            self._checkpointed = samples
        self._waiting += time.perf_counter() - start

    def _write_after(self, error: BaseException) -> None:
        """Store the samples although something failed; a second error becomes a note of the first."""
        try:
            self._write()
        except TractionError as second:
            if str(second) != str(error):
                error.add_note(f"The last samples could not be kept: {second}")

    def _time(self, began: float) -> float:
        seconds = time.perf_counter() - began
        self._store.add_timings(run=seconds, waiting_for_disk=self._waiting)
        return seconds


class _Room:
    """Storage for the samples of one segment."""

    def __init__(self, layout: Layout, capacity: int) -> None:
        self._arrays = layout.empty(capacity)
        self._fields = tuple((item, self._arrays[item.name]) for item in layout.fields)

    def put(self, place: int, sample: Sample, number: int) -> None:
        """Check sample `number` and copy it."""
        if len(sample) != len(self._fields):
            expected = ", ".join(item.name for item, _ in self._fields)
            raise InputError(f"sample {number} holds {', '.join(sample)}; expected exactly {expected}.")
        for item, array in self._fields:
            if item.name not in sample:
                raise InputError(f"sample {number} has no field {item.name}.")
            values = np.asarray(sample[item.name])
            if values.shape != array.shape[1:]:
                raise InputError(
                    f"{item.name} of sample {number} has shape {values.shape}, expected {array.shape[1:]}."
                )
            if values.dtype != array.dtype and not np.can_cast(values.dtype, array.dtype):
                raise InputError(
                    f"{item.name} of sample {number} has dtype {values.dtype}, expected {item.dtype}."
                )
            if not item.may_be_nan and not np.logical_and.reduce(np.isfinite(values), axis=None):
                raise _not_finite(item, values, number, sample)
            array[place] = values

    def between(self, start: int, end: int) -> Samples:
        """A view of some of the samples."""
        return {name: values[start:end] for name, values in self._arrays.items()}


def _not_finite(
    item: Field, values: np.ndarray, number: int, sample: Mapping[str, ArrayLike]
) -> ConvergenceError:
    where = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
    place = f"[{', '.join(map(str, where))}]" if where else ""
    return ConvergenceError(
        f"{item.name}{place} of sample {number} is {values[where]}, expected a finite number of {item.unit}; "
        "the samples before it are kept. Look at them, and try smaller steps or another method.",
        result=dict(sample),
    )


def _last_words(error: BaseException) -> tuple[RunStatus, str]:
    if isinstance(error, TractionError):
        return RunStatus.FAILED, str(error)
    if isinstance(error, Exception):
        return RunStatus.FAILED, f"{type(error).__name__}: {error}"
    return RunStatus.STOPPED, f"interrupted ({type(error).__name__})"
