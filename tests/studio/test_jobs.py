"""Processes of runs and desks in this event loop: limits of time, memory and waiting calls."""

import asyncio
import json

import pytest

from studio_process import LONG, MODES, run_async
from traction.errors import StorageError
from traction.kinds.case import loads
from traction.results.run import load_run
from traction.studio.jobs.desk import Desk
from traction.studio.jobs.job_queue import JobQueue
from traction.studio.jobs.order_book import ROOM, KeptOrder, OrderBook
from traction.studio.jobs.run_changes import Changes
from traction.studio.jobs.run_job import RunJob
from traction.studio.messages import RefusedError
from traction.studio.settings import StudioLimits
from traction.studio.workspace.workspace import Workspace


def order(toml, folder):
    return {"action": "start", "folder": str(folder), "toml": loads(toml).to_toml()}


@pytest.mark.slow
def test_a_run_that_takes_too_long_is_stopped_and_can_be_resumed(tmp_path):
    job = RunJob("key", tmp_path / "run", order(LONG, tmp_path / "run"), {})
    run_async(job.run(StudioLimits(run_seconds=4.0), lambda: None))
    assert job.is_over
    assert job.state in ("stopped", "interrupted")
    assert "limit of 4 s" in job.message
    assert not load_run(tmp_path / "run").ok


@pytest.mark.slow
def test_a_run_that_needs_too_much_memory_fails_with_words(tmp_path):
    large = LONG.replace("96", "2000").partition("force =")[0] + "force = 100.0\n"
    job = RunJob("key", tmp_path / "run", order(large, tmp_path / "run"), {})
    run_async(job.run(StudioLimits(memory_bytes=600_000_000), lambda: None))
    assert job.state == "failed"
    assert "memory" in job.message


def test_the_queue_is_bounded(tmp_path):
    async def fill():
        queue = JobQueue(StudioLimits(jobs=1, queue=1), lambda key: None, OrderBook(tmp_path))
        for key in "ab":
            queue.add(RunJob(key, tmp_path / key, order(MODES, tmp_path / key), {}))
        with pytest.raises(RefusedError) as refused:
            queue.add(RunJob("c", tmp_path / "c", order(MODES, tmp_path / "c"), {}))
        assert refused.value.status == 429
        with pytest.raises(RefusedError) as refused:
            queue.add(RunJob("a", tmp_path / "a", order(MODES, tmp_path / "a"), {}))
        assert refused.value.status == 409
        await queue.stop("b")
        await queue.close()
        assert all(job.is_over for job in queue.jobs)

    run_async(fill())


def test_a_desk_refuses_what_takes_too_long_and_what_waits_too_long():
    async def ask():
        desk = Desk(StudioLimits(waiting_calls=1), seconds=60.0)
        first = asyncio.create_task(desk.ask("kinds"))
        await asyncio.sleep(0)
        with pytest.raises(RefusedError) as refused:
            await desk.ask("kinds")
        assert refused.value.status == 429
        assert json.loads((await first).body)["kinds"]
        desk._seconds = 0.0
        with pytest.raises(RefusedError) as refused:
            await desk.ask("cases")
        assert refused.value.status == 503
        desk._seconds = 60.0
        assert (await desk.ask("case", name="nothing")).status == 404
        await desk.close()

    run_async(ask())


def test_followers_miss_nothing_that_stays():
    async def follow():
        changes = Changes()
        with changes.follow("a") as one, changes.follow() as every:
            for key in "abab":
                changes.tell(key)
            assert await one.wait(1.0) == {"a"}
            assert await every.wait(1.0) == {"a", "b"}
            assert await one.wait(0.0) == set()
            assert len(changes) == 2
        assert len(changes) == 0

    run_async(follow())


def test_orders_are_kept_until_another_studio_takes_them_over(tmp_path):
    run = RunJob("a", tmp_path / "first", order(MODES, tmp_path / "first"), {"title": "one"})
    again = RunJob("b", tmp_path / "sweep" / "000-a", {"action": "resume"}, {})
    first, second, third = (OrderBook(tmp_path) for _ in range(3))
    first.enter(run)
    first.enter(again)
    assert second.take_over() == {}  # the first one lives
    first.close()
    taken = second.take_over()
    toml = {name: value for name, value in run.order.items() if name != "folder"}
    expected = [
        KeptOrder(("first",), toml, {"title": "one"}),
        KeptOrder(again.folder.parts[-2:], again.order, {}),
    ]
    assert list(taken.values()) == expected
    assert third.take_over() == {}  # now they are the second one's
    second.close()  # ... which ends before it has done anything
    taken = third.take_over()
    assert list(taken.values()) == expected
    for key, file in zip("ab", taken, strict=True):
        third.adopt(key, file)
    third.strike("a")
    assert (tmp_path / ROOM).exists()
    third.strike("b")
    assert not (tmp_path / ROOM).exists()


def test_a_run_that_cannot_be_recorded_is_refused(tmp_path):
    async def add():
        (tmp_path / ROOM).write_text("a file has the name of the folder")
        queue = JobQueue(StudioLimits(), lambda key: None, OrderBook(tmp_path))
        with pytest.raises(StorageError):
            queue.add(RunJob("a", tmp_path / "a", order(MODES, tmp_path / "a"), {}))
        assert queue.jobs == []

    run_async(add())


def test_a_place_outside_the_workspace_is_not_reclaimed(tmp_path):
    workspace = Workspace(tmp_path)
    for name in ("..", "../a", "/etc", "", "A b"):
        assert workspace.reclaim(name).path.parent == tmp_path
    assert workspace.reclaim("left").path == tmp_path / "left"
    assert workspace.reclaim("left").path == tmp_path / "left-2"
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "something").write_text("else")
    assert workspace.reclaim("taken").path == tmp_path / "taken-2"
