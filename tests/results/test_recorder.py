"""A run stops at any sample and goes on from it, bit for bit."""

import signal
import threading
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.toy_run import Toy, assert_same, expected, make
from traction.errors import ConvergenceError, InputError
from traction.results import recorder
from traction.results.field import Coordinate, Field
from traction.results.folder import RunFolder
from traction.results.memory import MemoryStore
from traction.results.recorder import record
from traction.results.storage.segments import worth_keeping

TOY = Toy(total=24)


def stop_after(samples):
    """A stop that says yes once it was asked `samples` times."""
    asked = iter(range(samples))
    return lambda: next(asked, None) is None


def interrupt_after(seconds, work):
    """Ends a function by SIGINT after some time; a signal that comes too late hits nothing.

    No block of a context manager: a signal between its end and the manager's code would hit the test.
    """
    armed = True

    def interrupt(*_):
        nonlocal armed
        if armed:
            armed = False
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    timer = threading.Timer(seconds, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    try:
        work()
        armed = False
    except KeyboardInterrupt:
        pass
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def in_memory(toy):
    return MemoryStore("toy", toy.layout)


@given(st.lists(st.integers(0, 9), max_size=5), st.integers(1, 5))
def test_stopping_and_resuming_changes_no_bit(tmp_path_factory, stops, per_segment):
    folder = make(tmp_path_factory.mktemp("stop") / "run", TOY)
    size = per_segment * folder.layout.bytes_per_sample
    completed = 0
    for samples in stops:
        folder = RunFolder.open(folder.path)
        outcome = record(folder, TOY, stop=stop_after(samples), segment_bytes=size)
        completed = min(completed + samples, TOY.total)
        assert outcome.completed == completed
        assert outcome.stopped == (completed < TOY.total)
        assert_same(folder.samples(), expected(TOY), completed)
    folder = RunFolder.open(folder.path)
    assert record(folder, TOY, segment_bytes=size).completed == TOY.total
    assert_same(folder.samples(), expected(TOY))
    assert folder.damage == []


def test_a_stopped_run_says_so(tmp_path):
    folder = make(tmp_path / "run", TOY)
    record(folder, TOY, stop=stop_after(5))
    again = RunFolder.open(folder.path)
    assert again.status == "stopped"
    assert again.manifest.message == "stopped after 5 of 24 samples"
    assert set(again.manifest.timings) == {"run", "waiting_for_disk"}


def test_a_complete_run_is_not_computed_again(tmp_path):
    folder = make(tmp_path / "run", TOY)
    record(folder, TOY)

    class Refusing(Toy):
        def advance(self, state):
            raise AssertionError("computed again")

    assert record(RunFolder.open(folder.path), Refusing(total=24)).completed == 24


class Troubled(Toy):
    """Goes wrong at one sample."""

    def __init__(self, at, trouble, **options):
        super().__init__(**options)
        self.at, self.trouble = at, trouble

    def advance(self, state):
        new, sample = super().advance(state)
        return (new, sample) if int(state["step"]) != self.at else self.trouble(new, sample)


def raising(error):
    def trouble(state, sample):
        raise error

    return trouble


def spoiling(name, value, index=()):
    def trouble(state, sample):
        spoilt = np.array(sample[name], dtype=float)
        spoilt[index] = value
        return state, {**sample, name: spoilt}

    return trouble


@pytest.mark.parametrize(
    "error", [RuntimeError("bad luck"), ConvergenceError("stalled"), KeyboardInterrupt(), SystemExit(1)]
)
@pytest.mark.parametrize("at", [0, 1, 10, 23])
def test_an_error_keeps_the_samples_before_it(tmp_path, error, at):
    folder = make(tmp_path / "run", TOY)
    with pytest.raises(type(error)):
        record(
            folder, Troubled(at, raising(error), total=24), segment_bytes=4 * folder.layout.bytes_per_sample
        )
    again = RunFolder.open(folder.path)
    assert_same(again.samples(), expected(TOY), at)
    assert again.resume_point()[0] == at
    wanted = "failed" if isinstance(error, Exception) else "stopped"
    assert again.status == wanted
    assert (str(error) if wanted == "failed" else type(error).__name__) in again.manifest.message
    record(again, TOY)
    assert_same(again.samples(), expected(TOY))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nan_stops_the_run_and_names_field_sample_and_index(tmp_path, value):
    folder = make(tmp_path / "run", TOY)
    with pytest.raises(ConvergenceError, match=r"pressure\[1, 2\] of sample 9 is -?(nan|inf)") as caught:
        record(folder, Troubled(9, spoiling("pressure", value, (1, 2)), total=24))
    assert caught.value.result["pressure"].shape == (3, 4)
    assert_same(RunFolder.open(folder.path).samples(), expected(TOY), 9)
    with pytest.raises(ConvergenceError, match=r"time of sample 12 is nan"):
        record(folder, Troubled(12, spoiling("time", np.nan), total=24))


def test_a_field_may_be_nan_when_it_says_so():
    class Holes(Toy):
        fields = (Field("hole", "m", "gap outside the surface", may_be_nan=True),)
        coordinates = constants = ()

        def __init__(self):
            self.total = 3

        def initial(self):
            return {}

        def advance(self, state):
            return {}, {"hole": np.nan}

    store = in_memory(Holes())
    record(store, Holes())
    assert np.isnan(store.samples()["hole"]).all()


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (lambda state, sample: (state, {"time": 1.0}), "sample 2 holds time"),
        (
            lambda state, sample: (state, {**{k: sample[k] for k in list(sample)[1:]}, "tame": 1}),
            "has no field time",
        ),
        (spoiling("contact", 1.0), "contact of sample 2 has dtype float64"),
        (
            lambda state, sample: (state, {**sample, "pressure": np.zeros(3)}),
            r"shape \(3,\), expected \(3, 4\)",
        ),
        (lambda state, sample: ({"s": np.array(["text"])}, sample), "s has dtype"),
    ],
)
def test_a_sample_that_breaks_the_contract_is_told(tmp_path, trouble, words):
    folder = make(tmp_path / "run", TOY)
    with pytest.raises(InputError, match=words):
        record(folder, Troubled(2, trouble, total=24), segment_bytes=1)
    assert folder.acknowledged >= 2
    assert_same(RunFolder.open(folder.path).samples(), expected(TOY), folder.acknowledged)


def test_another_stepper_cannot_go_on(tmp_path):
    folder = make(tmp_path / "run", TOY)
    for other in (Toy(total=25), Toy(nx=5)):
        with pytest.raises(InputError, match="stored run"):
            record(folder, other)
    moved = Toy()
    moved.coordinates = (moved.coordinates[0], Coordinate("x", np.arange(4.0), "m", "rolling position"))
    with pytest.raises(InputError, match="coordinate x"):
        record(folder, moved)


def test_progress_ends_at_the_end(monkeypatch):
    monkeypatch.setattr(recorder, "PROGRESS_SECONDS", 0.0)
    seen = []
    record(in_memory(TOY), TOY, progress=lambda completed, total: seen.append((completed, total)))
    assert seen == [(n, 24) for n in range(1, 25)] + [(24, 24)]


def test_segments_are_written_by_time_too(tmp_path, monkeypatch):
    monkeypatch.setattr(recorder, "SHARE_AT_RISK", 0.0)
    folder = make(tmp_path / "run", TOY)
    record(folder, TOY, segment_seconds=1e-9)
    assert len(list((folder.path / "segments").iterdir())) == 24


# An interrupt between opening a file and the `with` that closes it leaves the closing to the collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_at_any_moment_keeps_a_consistent_run(tmp_path):
    """SIGINT as the terminal sends it, between any two instructions of the loop."""
    toy = Toy(total=4000, work=3)
    reference = expected(toy)
    for turn in range(12):
        folder = make(tmp_path / f"run{turn}", toy)
        size = 7 * folder.layout.bytes_per_sample
        interrupt_after(0.002 + 0.004 * turn, partial(record, folder, toy, segment_bytes=size))
        again = RunFolder.open(folder.path)
        count = len(again.samples()["time"])
        assert_same(again.samples(), reference, count)
        samples, state = again.resume_point()
        assert samples == count
        assert state is None or int(state["step"]) == count
        assert again.damage == []


def test_memory_and_folder_hold_the_same(tmp_path):
    store, folder = in_memory(TOY), make(tmp_path / "run", TOY)
    record(store, TOY, stop=stop_after(7), segment_bytes=200)
    assert store.status == "stopped"
    record(store, TOY, segment_bytes=200)
    record(folder, TOY)
    assert_same(store.samples(), folder.samples())


@given(st.integers(1, 400))
def test_kept_checkpoints_are_few_and_spread(count):
    kept: list[int] = []
    for number in range(count):
        kept = list(worth_keeping([*kept, number]))
        assert kept == list(worth_keeping(range(number + 1)))  # what is needed later was never dropped
    assert kept[-2:] == list(range(count))[-2:]
    assert kept[0] == 0
    assert len(kept) <= 2 * count.bit_length() + 2


def test_gaps_and_overlaps_are_refused(tmp_path):
    folder = make(tmp_path / "run", TOY)
    samples = expected(TOY, 3)
    folder.append(0, samples)
    for first, words in ((2, "an overlap"), (4, "a gap")):
        with pytest.raises(InputError, match=words):
            folder.append(first, samples)
    with pytest.raises(InputError, match="do not fit"):
        folder.append(3, expected(TOY) | {})
    with pytest.raises(InputError, match="expected exactly"):
        folder.append(3, {"time": samples["time"]})
    with pytest.raises(InputError, match="checkpoint after 5 samples"):
        folder.checkpoint(5, {})
    assert_same(folder.samples(), expected(TOY), 3)
