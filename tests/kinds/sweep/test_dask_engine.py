"""Sweeps on Dask: the same table, whatever is killed; clusters that do not fit."""

import multiprocessing
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import distributed
import pytest

import traction as tr
from traction.kinds.sweep import sweep_engine
from traction.kinds.sweep.sweep_engine import probe, require_open, require_workers_fit

BRIDGE = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
CASE = tr.Scenario.build("modes", modes=1, beam=BRIDGE)
VARY = {"beam.length": "normal(20, 2 m)"}
DRAW = {"samples": 12, "seed": 1}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills")
def test_a_killed_worker_costs_its_time_only(tmp_path):
    """kill -9 of one of two workers in mid-sweep: nothing fails, and the table is that of one process."""
    killed = []

    def kill(name, run):
        if not killed:
            killed.append(multiprocessing.active_children()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    sweep = tr.sweep(CASE, VARY, tmp_path / "out", executor="dask", workers=2, each=kill, **DRAW)
    assert killed
    assert sweep.ok
    assert sweep.table == tr.sweep(CASE, VARY, **DRAW).table == tr.load_sweep(tmp_path / "out").table
    assert not multiprocessing.active_children()


KILLED = """import os, signal
import traction as tr

if __name__ == "__main__":
    bridge = {bridge!r}
    case = tr.Scenario.build("modes", modes=1, beam=bridge)
    end = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    tr.sweep(case, {vary!r}, {out!r}, executor="dask", workers=2, each=end, keep={keep!r}, **{draw!r})
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills")
@pytest.mark.parametrize("keep", ["runs", "figures"])
def test_a_killed_sweep_repeats_unfinished_variants_only(tmp_path, keep):
    out, script = tmp_path / "out", tmp_path / "script.py"
    script.write_text(KILLED.format(bridge=BRIDGE, vary=VARY, out=str(out), keep=keep, draw=DRAW))
    assert subprocess.run([sys.executable, str(script)], timeout=300).returncode == -signal.SIGKILL
    before = tr.load_sweep(out)
    ready = {name for name, run in zip(before.table.variants, before.runs, strict=True) if run.ok}
    assert ready
    repeated = []
    sweep = tr.sweep(CASE, VARY, out, keep=keep, each=lambda name, run: repeated.append(name), **DRAW)
    assert ready.isdisjoint(repeated)
    assert len(ready) + len(repeated) == 12
    assert sweep.table == tr.sweep(CASE, VARY, **DRAW).table


@pytest.mark.slow
def test_a_cluster_that_exists(tmp_path):
    """By its address and by its client; it stays when the sweep is done."""
    alone = tr.sweep(CASE, VARY, **DRAW).table
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        by_address = tr.sweep(CASE, VARY, executor=cluster.scheduler_address, **DRAW)
        by_client = tr.sweep(CASE, VARY, tmp_path / "out", executor=client, **DRAW)
        assert client.submit(int, 3).result() == 3
    assert by_address.table == by_client.table == alone


@pytest.mark.slow
def test_a_script_without_a_guard_is_told_of_it(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        f"import traction as tr\ncase = tr.Scenario.build('modes', modes=1, beam={BRIDGE!r})\n"
        f"out, vary = {str(tmp_path / 'out')!r}, {{'beam.length': '10:30:4 m'}}\n"
        "tr.sweep(case, vary, out, executor='dask', workers=2)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith('under `if __name__ == "__main__":`, or leave workers=1.')
    assert not (tmp_path / "out").exists()


def answers(*found):
    """A client whose workers answer so."""
    return SimpleNamespace(run=lambda *_, on_error: {f"tcp://w{k}": one for k, one in enumerate(found)})


def test_workers_that_do_not_fit_are_told(tmp_path):
    with pytest.warns(RuntimeWarning, match="has no workers yet; the variants wait"):
        require_workers_fit(answers(), tmp_path)
    require_workers_fit(answers(probe(None)), None)
    for answer, message in {
        probe(str(tmp_path)): "the Dask worker tcp://w0 does not see .*share, or keep key figures only",
        ("0.0.1\x1b[2J", True): r"tcp://w0 has Traction 0.0.1\\u001b\[2J, and this is",
        ModuleNotFoundError(
            "No module named 'traction'"
        ): "tcp://w0 cannot load Traction .* install it there",
    }.items():
        with pytest.raises(tr.InputError, match=message):
            require_workers_fit(answers(answer), tmp_path)


def test_without_dask_the_remedy_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(sweep_engine, "find_spec", lambda name: None)
    with pytest.raises(
        tr.InputError, match=r'Dask is not installed; install it: pip install "traction\[dask\]"'
    ):
        tr.sweep(CASE, VARY, tmp_path / "out", executor="dask", **DRAW)
    assert not (tmp_path / "out").exists()


def test_an_address_where_nobody_answers(monkeypatch):
    monkeypatch.setattr(sweep_engine, "ANSWER_SECONDS", 0.3)
    with pytest.raises(tr.InputError, match=r"no Dask scheduler answers at 127\.0\.0\.1:1 within 0\.3 s"):
        tr.sweep(CASE, VARY, executor="127.0.0.1:1", **DRAW)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tls://127.0.0.1:1", r"tls needs certificates in the configuration of Dask"),
        ("wss://127.0.0.1:1", r"wss needs certificates"),
        ("ucx://127.0.0.1:1", r"Dask cannot use the protocol ucx here \(.*\); install its package"),
    ],
)
def test_a_protocol_that_is_not_configured(address, message):
    with pytest.raises(tr.InputError, match=f"^{address}: {message}"):
        tr.sweep(CASE, VARY, executor=address, **DRAW)


@pytest.mark.parametrize(
    ("state", "message"),
    [({"asynchronous": True}, "asynchronous"), ({"asynchronous": False, "status": "closed"}, "is closed")],
)
def test_a_client_that_takes_no_calls(state, message):
    with pytest.raises(tr.InputError, match=f"the Dask client .*{message}"):
        require_open(SimpleNamespace(**state))
