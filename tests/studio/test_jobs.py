"""Processes of runs and desks in this event loop: limits of time, memory and waiting calls."""

import asyncio
import json

import pytest

from studio_process import LONG, MODES, run_async
from traction.kinds.case import loads
from traction.results.run import load_run
from traction.studio.jobs.changes import Changes
from traction.studio.jobs.desk import Desk
from traction.studio.jobs.job_queue import JobQueue
from traction.studio.jobs.queue_file import ROOM, QueueFile, WaitingOrder
from traction.studio.jobs.run_job import RunJob
from traction.studio.refusal import RefusedError
from traction.studio.settings import StudioLimits


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
        queue = JobQueue(StudioLimits(jobs=1, queue=1), lambda key: None)
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


def test_what_waits_is_kept_until_another_studio_takes_it_over(tmp_path):
    waiting = [
        WaitingOrder(("first",), {"action": "start", "toml": MODES}, {"title": "one"}),
        WaitingOrder(("sweep", "000-a"), {"action": "resume"}, {}),
    ]
    first, second = QueueFile(tmp_path), QueueFile(tmp_path)
    first.keep(waiting)
    assert second.take_over() == []  # the first one lives
    first.close()
    assert second.take_over() == waiting
    assert second.take_over() == []
    assert not (tmp_path / ROOM).exists()
    second.keep(waiting)
    second.keep([])
    assert not (tmp_path / ROOM).exists()


@pytest.mark.parametrize("data", [b"", b"[1]", b'[{"place": "a", "order": {}, "words": {}}]', b"\xff"])
def test_a_damaged_queue_is_dropped(tmp_path, data):
    folder = tmp_path / ROOM / "other"
    folder.mkdir(parents=True)
    (folder / "queue.json").write_bytes(data)
    assert QueueFile(tmp_path).take_over() == []
    assert not folder.exists()


def test_links_in_the_place_of_a_queue_are_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "queue.json").write_text("[]")
    (tmp_path / "work" / ROOM).mkdir(parents=True)
    (tmp_path / "work" / ROOM / "other").symlink_to(outside)
    assert QueueFile(tmp_path / "work").take_over() == []
    assert (outside / "queue.json").exists()
