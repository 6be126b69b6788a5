"""Sweeps on executors: the same table, whoever computes; executors that break, stop or refuse."""

import multiprocessing
import os
import re
import signal
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest

import traction as tr
from traction.kinds.sweep import sweep_executor
from traction.kinds.sweep.checked_variants import CheckedVariants
from traction.kinds.sweep.sweep_executor import run_submitted
from traction.kinds.sweep.sweep_workers import one_by_one
from traction.results.manifest import RunStatus
from traction.results.storage.run_files import sole_writer
from traction.results.sweeps import sweep_folder
from traction.results.sweeps.sweep_folder import PLAN, read_plan

BRIDGE = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
CASE = tr.Scenario.build("modes", modes=1, beam=BRIDGE)
VARY = {"beam.length": "uniform(10, 30 m)", "modes": [1, 2]}
DRAW = {"samples": 4, "seed": 3}


@pytest.fixture(scope="module")
def alone():
    return tr.sweep(CASE, VARY, **DRAW).table


class AtOnce(Executor):
    """Runs what is submitted at once; `broken` is what it raises from some submission on."""

    def __init__(self, broken=None, after=3):
        self.broken, self.after, self.submitted = broken, after, 0

    def submit(self, function, *arguments):
        self.submitted += 1
        future = Future()
        if self.broken is not None and self.submitted > self.after:
            future.set_exception(self.broken)
        else:
            future.set_result(function(*arguments))
        return future


@pytest.mark.parametrize("keep", ["runs", "figures"])
def test_the_table_does_not_depend_on_the_workers(alone, tmp_path, keep):
    with ThreadPoolExecutor(3) as pool:
        shared = tr.sweep(CASE, VARY, tmp_path / "out", keep=keep, executor=pool, **DRAW)
    assert shared.ok
    assert shared.table == alone == tr.load_sweep(tmp_path / "out").table
    again = tr.sweep(CASE, VARY, tmp_path / "out", keep=keep, executor=AtOnce(RuntimeError(), 0), **DRAW)
    assert again.table == alone  # nothing was submitted
    assert not list((tmp_path / "out").glob("stopping-*"))


def test_figures_alone_take_one_file(alone, tmp_path):
    sweep = tr.sweep(CASE, VARY, tmp_path / "out", keep="figures", **DRAW)
    assert sweep.table == alone
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("sweep.json", "scenario.toml", "outcomes.jsonl", "table.csv", "lock")
    }
    with pytest.raises(tr.InputError, match="of which key figures are kept, not of"):
        tr.sweep(CASE, VARY, tmp_path / "out", **DRAW)
    with pytest.raises(tr.TractionError, match="this run has no data"):
        assert sweep.runs[0].data
    with pytest.raises(tr.InputError, match="keep = 'all' is not known"):
        tr.sweep(CASE, VARY, keep="all", **DRAW)


def test_a_killed_sweep_repeats_unfinished_variants_only(alone, tmp_path):
    """Without folders of variants, too: what a kill leaves is the journal, with a line that is cut."""
    out = tmp_path / "out"

    def end(name, run):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tr.sweep(CASE, VARY, out, keep="figures", each=end, **DRAW)
    journal = out / "outcomes.jsonl"
    journal.write_bytes(journal.read_bytes() + b"0123456789abcdef [")
    counted = AtOnce()
    sweep = tr.sweep(CASE, VARY, out, keep="figures", executor=counted, **DRAW)
    assert counted.submitted == 7
    assert sweep.table == alone == tr.load_sweep(out).table


def test_a_report_names_all_versions_of_a_resumed_sweep(tmp_path, monkeypatch):
    def end(name, run):
        raise KeyboardInterrupt

    with monkeypatch.context() as earlier:
        earlier.setattr(sweep_folder, "current_versions", lambda: {"traction": "0.1"})
        with pytest.raises(KeyboardInterrupt):
            tr.sweep(CASE, VARY, tmp_path / "out", keep="figures", each=end, **DRAW)
    sweep = tr.sweep(CASE, VARY, tmp_path / "out", keep="figures", **DRAW)
    found = CheckedVariants.of(sweep, read_plan(tmp_path / "out"))
    assert found.versions["traction"] == f"0.1 and {tr.__version__}"
    assert found.versions["numpy"] == np.__version__


@pytest.mark.parametrize("error", [BrokenExecutor(), BrokenProcessPool("killed")])
def test_a_broken_executor_leaves_its_variants_to_processes(alone, tmp_path, monkeypatch, error):
    left = []

    def in_this_process(variants, workers, folder, share, stop):
        left.extend(variant.number for variant in variants)
        return one_by_one(variants, share, stop)

    monkeypatch.setattr(sweep_executor, "side_by_side", in_this_process)
    with pytest.warns(RuntimeWarning, match=r"unfinished variants \(5\) are run by processes"):
        sweep = tr.sweep(CASE, VARY, tmp_path / "out", executor=AtOnce(error), **DRAW)
    assert left == [3, 4, 5, 6, 7]
    assert sweep.table == alone


def test_an_error_of_a_worker_fails_its_variant_only(alone):
    sweep = tr.sweep(
        CASE, VARY, executor=AtOnce(ModuleNotFoundError("No module named 'traction'"), 7), **DRAW
    )
    assert [run.ok for run in sweep.runs] == [True] * 7 + [False]
    assert "could not run it (ModuleNotFoundError: No module" in sweep.runs[-1].message


class OnRequest(Executor):
    """Runs the first variant when it is submitted, and each other one when it is asked to."""

    def __init__(self):
        self.waiting = []

    def submit(self, function, *arguments):
        future = Future()
        self.waiting.append((future, function, arguments))
        if len(self.waiting) == 1:
            self.run(self.waiting[0])
        return future

    def run(self, work):
        future, function, arguments = work
        if future.set_running_or_notify_cancel():
            future.set_result(function(*arguments))

    def run_next(self):
        for work in [work for work in self.waiting if not work[0].done()][:1]:
            self.run(work)


def test_a_stop_cancels_what_has_not_begun(tmp_path):
    """Though outcomes come one upon the other, the sweep asks after each whether to stop."""
    told, pool = [], OnRequest()

    def tell(name, run):
        told.append(run)
        if run.ok:
            pool.run_next()

    vary = {"beam.length": "10:30:9 m"}
    sweep = tr.sweep(CASE, vary, tmp_path / "out", executor=pool, each=tell, stop=lambda: bool(told))
    assert [run.ok for run in sweep.runs] == [True, True, *[False] * 7]
    assert sweep.status is RunStatus.STOPPED
    assert tr.sweep(CASE, vary, tmp_path / "out").ok


def test_cancelled_by_others_and_shut_down_are_told():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(tr.InputError, match=r"the executor takes no variants \(cannot schedule"):
        tr.sweep(CASE, VARY, executor=pool, **DRAW)

    class Cancels(AtOnce):
        def submit(self, function, *arguments):
            future = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    with pytest.raises(tr.InputError, match="perhaps since its workers are gone"):
        tr.sweep(CASE, VARY, executor=Cancels(), **DRAW)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"executor": 3}, "executor = 3 must be a concurrent.futures.Executor"),
        ({"executor": AtOnce(), "workers": 2}, "workers = 2 counts processes of the sweep"),
        ({"executor": "nowhere"}, 'must read like "tcp://10.0.0.5:8786"'),
        ({"executor": "tcp://a b:1\x1b[2J"}, 'must read like "tcp://10.0.0.5:8786"'),
    ],
)
def test_executors_are_checked_before_a_folder_is_made(tmp_path, options, message):
    with pytest.raises(tr.InputError, match=message):
        tr.sweep(CASE, VARY, tmp_path / "out", **DRAW, **options)
    assert not (tmp_path / "out").exists()


def test_a_variant_that_another_worker_is_at_is_waited_for(tmp_path, monkeypatch):
    """A worker of a killed sweep may still be at it; when it is done, it is not done again."""
    from traction.kinds.sweep.sweep_variant import Variant

    place = tmp_path / "one"
    (tmp_path / PLAN).touch()
    tr.simulate(CASE, place, stop=lambda: True)
    variant = Variant(0, "one", "modes", CASE.to_toml(), place)
    held = sole_writer(place)
    held.__enter__()
    monkeypatch.setattr(sweep_executor.time, "sleep", lambda _: held.__exit__(None, None, None))
    assert run_submitted(variant, None, tr.__version__).run.ok


@pytest.mark.parametrize(
    ("version", "keep", "message"),
    [
        ("0.0.1", "figures", "it has Traction .* and the sweep 0.0.1"),
        (tr.__version__, "runs", "not see .*out"),
    ],
)
def test_a_worker_that_starts_late_and_does_not_fit(tmp_path, monkeypatch, version, keep, message):
    """Its variants fail: they are not computed by another version, nor written where nobody finds them."""
    monkeypatch.setattr(sweep_executor, "__version__", version)

    class Late(Executor):
        def submit(self, function, variant, flag, version):
            future = Future()
            monkeypatch.setattr(sweep_executor, "__version__", tr.__version__)
            monkeypatch.setattr(sweep_executor, "PLAN", "unseen.json")
            try:
                future.set_result(function(variant, flag, version))
            except tr.TractionError as error:
                future.set_exception(error)
            return future

    sweep = tr.sweep(CASE, {"beam.length": "20 m"}, tmp_path / "out", executor=Late(), keep=keep)
    assert sweep.status is RunStatus.FAILED
    assert re.search(f"its worker could not run it .*{message}", sweep.message)
    assert tr.sweep(CASE, {"beam.length": "20 m"}, tmp_path / "out", keep=keep).ok


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills")
def test_a_pool_whose_process_is_killed(alone, tmp_path):
    """kill -9 of a process of the pool: the sweep completes, with the same table."""
    killed = []

    def kill(name, run):
        if not killed:
            killed.append(multiprocessing.active_children()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    context = multiprocessing.get_context("spawn")
    with (
        ProcessPoolExecutor(2, mp_context=context) as pool,
        pytest.warns(RuntimeWarning, match="unfinished variants"),
    ):
        sweep = tr.sweep(CASE, VARY, tmp_path / "out", executor=pool, each=kill, samples=40, seed=3)
    assert sweep.ok
    assert sweep.table == tr.sweep(CASE, VARY, samples=40, seed=3).table
