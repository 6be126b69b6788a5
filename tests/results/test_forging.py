"""Folders rewritten with every checksum right end in errors of the package, never in others."""

import shutil
import signal

import pytest

import traction as tr
from results.forging import forgeries
from traction.kinds.registry import shipped
from traction.kinds.report_run import report_run
from traction.results.folder import RunFolder

LONGEST = 60  #: seconds
SMALL = {"grid.nx": "16", "grid.ny": "16"}
#: built-in examples that are stopped after three samples, made small
STOPPED = {
    "ball-on-plate": SMALL,
    "shifted-ball": SMALL,
    "cattaneo-to-carter": {"grid.nx": "17", "grid.ny": "16", "rolling.step": '"0.5 mm"'},
    "bouncing-ball": {"time.samples": "51"},
    "dropped-paraboloid": {"time.samples": "21"},
}
DONE = {"bridge-modes": {}, "force-table": {}, "bouncing-ball": {"time.samples": "51"}}
EVERY = [pytest.param(53, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of a run that is complete, or was stopped."""

    def run(name, changes, stop):
        place = tmp_path_factory.mktemp("forged") / name
        answers = iter([False] * 3 + [True])
        scenario = tr.load(shipped()[name], changes=changes)
        tr.simulate(scenario, place, stop=(lambda: next(answers)) if stop else None)
        return place

    return run


def count_forgeries(place, copy, every, uses, reports=()):
    """Try every nth forgery of a folder; how many were tried.

    `reports` read no states, but take long: they are made for the first forged state only.
    """
    words, met = [one for one, _ in forgeries(place)][::every], False
    for one in words:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(place, copy)
        dict(forgeries(copy))[one]()
        is_state = ".state" in one
        for use in (*(() if is_state and met else reports), *uses):
            signal.alarm(LONGEST)  # ends the process, rather than to hang
            try:
                use(copy)
            except tr.TractionError:
                continue
            except Exception as error:
                raise AssertionError(f"{one}: {type(error).__name__}: {error}") from error
            finally:
                signal.alarm(0)
        met = met or is_state
    return len(words)


def resume_shortly(place):
    answers = iter([False, False, True])
    return tr.resume(place, stop=lambda: next(answers))


@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="no alarm on this system")
@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("name", STOPPED)
def test_forged_states_are_refused(name, every, made, tmp_path):
    uses = (lambda path: str(tr.load_run(path)), lambda path: tr.load_run(path).data, resume_shortly)
    place = made(name, STOPPED[name], True)
    assert count_forgeries(place, tmp_path / "copy", every, uses) > 90 / every


@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="no alarm on this system")
@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("name", DONE)
def test_forged_results_are_refused(name, every, made, tmp_path, quick_figures):
    place, uses = made(name, DONE[name], False), (resume_shortly,)
    assert count_forgeries(place, tmp_path / "copy", every, uses, (report_run,)) > 90 / every


def test_an_older_state_is_used_where_the_newest_is_forged(made, tmp_path):
    """It is set aside and named, and the run is that of an uninterrupted one."""
    place = made("ball-on-plate", SMALL, True)
    newest = max((place / "checkpoints").iterdir())
    deed = dict(forgeries(place))[f"{newest.name} displacement: longer"]
    deed()
    done = tr.resume(place)
    assert done.ok
    assert any(newest.name in sentence and "displacement" in sentence for sentence in done.damage)
    whole = tr.simulate(tr.load(shipped()["ball-on-plate"], changes=SMALL))
    assert done.key_figures == whole.key_figures
    assert RunFolder.open(place).verify() == []
