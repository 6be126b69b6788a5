"""Orders on the disk: none is lost, none is done twice, and nothing that is not an order is touched."""

import errno
import json
import os
import threading
from types import SimpleNamespace

import pytest

from studio_process import MODES, run_async
from traction.errors import StorageError
from traction.results.storage.run_files import MANIFEST, sole_writer
from traction.studio.jobs import order_book
from traction.studio.jobs.job_queue import JobQueue
from traction.studio.jobs.order_book import ROOM, OrderBook
from traction.studio.jobs.run_job import RunJob
from traction.studio.processes import run_process
from traction.studio.processes.server_link import ServerLink, compute
from traction.studio.server.routes import run_routes, sweep_routes
from traction.studio.server.studio import Studio
from traction.studio.settings import Settings, StudioLimits
from traction.studio.workspace.workspace import Workspace, identify

OTHER = "123-0123abcd"  #: name of the folder of another studio
ORDER = b'{"place": ["a"], "order": {"action": "start"}, "words": {}}'


def resumption(workspace, name):
    return RunJob(identify(name), workspace / name, {"action": "resume"}, {})


def left_orders(workspace, *names):
    """Orders of a studio that has ended."""
    book = OrderBook(workspace)
    for name in names:
        book.enter(resumption(workspace, name))
    book.close()


def places(workspace):
    """Of the orders that the next studio finds."""
    return [kept.place[0] for kept in OrderBook(workspace).take_over().values()]


def fail_once(monkeypatch, place, name, code):
    """Let the next call fail as the system would."""
    usual, failures = getattr(place, name), [code]

    def call(*values, **options):
        if failures:
            raise OSError(failures.pop(), "injected")
        return usual(*values, **options)

    monkeypatch.setattr(place, name, call)


@pytest.mark.parametrize("data", [b"", b"[1]", b'{"place": "a", "order": {}, "words": {}}', b"\xff"])
def test_a_damaged_order_is_dropped(tmp_path, data):
    folder = tmp_path / ROOM / OTHER
    folder.mkdir(parents=True)
    (folder / "000001.json").write_bytes(data)
    assert OrderBook(tmp_path).take_over() == {}
    assert not (tmp_path / ROOM).exists()


@pytest.mark.parametrize("code", [errno.EMFILE, errno.EIO])
def test_an_order_that_cannot_be_read_once_is_left(tmp_path, monkeypatch, code):
    left_orders(tmp_path, "a")
    fail_once(monkeypatch, order_book, "read_regular", code)
    assert places(tmp_path) == []
    assert places(tmp_path) == ["a"]


def test_links_in_the_place_of_orders_are_not_followed(tmp_path):
    outside, room = tmp_path / "outside", tmp_path / "work" / ROOM
    outside.mkdir()
    (outside / "000001.json").write_bytes(ORDER)
    (room / OTHER).mkdir(parents=True)
    (room / OTHER / "000001.json").symlink_to(outside / "000001.json")
    (room / OTHER.replace("1", "2")).symlink_to(outside)
    assert places(tmp_path / "work") == []
    assert (outside / "000001.json").exists()
    assert (room / OTHER / "000001.json").is_symlink()


def test_a_room_that_is_a_link_is_neither_emptied_nor_written(tmp_path):
    home, work = tmp_path / "home", tmp_path / "work"
    (home / OTHER).mkdir(parents=True)
    work.mkdir()
    (home / OTHER / "000001.json").write_bytes(ORDER)
    (work / ROOM).symlink_to(home)
    book = OrderBook(work)
    assert book.take_over() == {}
    with pytest.raises(StorageError, match="link"):
        book.enter(resumption(work, "a"))
    assert [one.name for one in home.rglob("*")] == [OTHER, "000001.json"]


@pytest.mark.parametrize("name", ["x", "thesis", "123-0123abcd-old", OTHER])
def test_what_is_not_an_order_stays(tmp_path, name):
    file = tmp_path / ROOM / name / "deep" / "f"
    file.parent.mkdir(parents=True)
    file.write_text("kept")
    (tmp_path / ROOM / name / "000001.txt").write_text("kept")
    assert places(tmp_path) == []
    assert file.exists()
    assert (tmp_path / ROOM / name / "000001.txt").exists()


@pytest.mark.parametrize("name", ["open_lock", "sync_folder"])
def test_no_order_is_kept_without_a_lock_after_a_full_disk(tmp_path, monkeypatch, name):
    book = OrderBook(tmp_path)
    fail_once(monkeypatch, order_book, name, errno.ENOSPC)
    with pytest.raises(StorageError, match="no space"):
        book.enter(resumption(tmp_path, "a"))
    assert not (tmp_path / ROOM).exists()
    book.enter(resumption(tmp_path, "a"))
    assert places(tmp_path) == []  # its studio lives
    book.close()
    assert places(tmp_path) == ["a"]


def test_a_folder_that_could_not_be_removed_stays_locked(tmp_path, monkeypatch):
    book = OrderBook(tmp_path)
    book.enter(resumption(tmp_path, "a"))
    fail_once(monkeypatch, os, "rmdir", errno.EIO)
    book.strike(identify("a"))
    book.enter(resumption(tmp_path, "b"))
    assert places(tmp_path) == []
    book.strike(identify("b"))
    assert not (tmp_path / ROOM).exists()


def test_studios_that_come_and_go_at_the_same_time_lose_no_order(tmp_path):
    """Each book enters orders while others take over all that they can lock."""
    lost, done = [], threading.Event()

    def work(number):
        for turn in range(40):
            book, name = OrderBook(tmp_path), f"run-{number}-{turn}"
            try:
                book.enter(resumption(tmp_path, name))
            except StorageError:
                continue  # refused, not lost
            if not book._files[identify(name)].exists():
                lost.append(name)
            book.strike(identify(name))

    def take_over():
        while not done.is_set():
            lost.extend(kept.place[0] for kept in OrderBook(tmp_path).take_over().values())

    taker = threading.Thread(target=take_over)
    workers = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in (taker, *workers):
        thread.start()
    for thread in workers:
        thread.join()
    done.set()
    taker.join()
    assert lost == []


def test_orders_of_several_studios_are_taken_over_by_time(tmp_path):
    for number, (folder, name) in enumerate(
        [("90-00000000", "a"), ("100-00000000", "b"), ("9-00000000", "c")]
    ):
        file = tmp_path / ROOM / folder / "000001.json"
        file.parent.mkdir(parents=True)
        file.write_bytes(ORDER.replace(b'"a"', json.dumps(name).encode()))
        os.utime(file, (1000 + number, 1000 + number))
    assert places(tmp_path) == ["a", "b", "c"]
    assert places(tmp_path) == ["a", "b", "c"]  # and again by the one after it


def test_a_run_that_was_stopped_is_not_continued_for_a_studio_that_was_killed(tmp_path):
    async def stop():
        queue = JobQueue(StudioLimits(jobs=0), lambda key: None, OrderBook(tmp_path))
        left_orders(tmp_path, "a", "b")
        queue.add(resumption(tmp_path, "a"))  # ... withdraws what was left
        assert len(list((tmp_path / ROOM).glob("*/*.json"))) == 2
        left_orders(tmp_path, "a")
        await queue.stop(identify("a"))

    run_async(stop())
    assert places(tmp_path) == ["b"]


def test_a_run_that_was_deleted_does_not_come_back(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / MANIFEST).write_text("{}")
    left_orders(tmp_path, "a", "b")
    studio = Studio(Settings(tmp_path, 0))
    run_async(studio.delete(identify("a"), studio.workspace.find_run))
    assert places(tmp_path) == ["b"]


def test_a_new_run_leaves_the_order_of_another_one_of_its_name(tmp_path):
    async def start():
        left_orders(tmp_path, "a")
        queue = JobQueue(StudioLimits(jobs=0), lambda key: None, OrderBook(tmp_path))
        queue.add(RunJob(identify("a"), tmp_path / "a", {"action": "start", "toml": MODES}, {}))
        await queue.stop(identify("a"))

    run_async(start())
    assert places(tmp_path) == ["a"]


@pytest.mark.parametrize(("routes", "start"), [(run_routes, "start_run"), (sweep_routes, "start_sweep")])
def test_the_name_of_a_run_that_cannot_be_stored_is_free_again(tmp_path, monkeypatch, routes, start):
    async def ask(*names, **given):
        checked = {"ok": True, "title": "Modes", "kind": "modes", "normal": MODES, "variants": 2}
        return SimpleNamespace(status=200, body=json.dumps(checked))

    async def read_body(request):
        return {"toml": MODES, "vary": {}, "name": "modes"}

    def add(job):
        raise StorageError("no space is left.")

    monkeypatch.setattr(routes, "read_body", read_body)
    workspace = Workspace(tmp_path)
    desk, jobs = SimpleNamespace(ask=ask), SimpleNamespace(add=add)
    with pytest.raises(StorageError):
        run_async(getattr(routes, start)(None, SimpleNamespace(workspace=workspace, forms=desk, jobs=jobs)))
    assert workspace.reserve("modes").path.name == "modes"


class Pipe:
    """A server that asks to stop at once, or says nothing."""

    def __init__(self, *messages):
        self.said, self.messages = [], messages

    def send(self, message):
        self.said.append(message)

    def receive(self):
        yield from self.messages
        threading.Event().wait(0.3)


@pytest.mark.parametrize("work", [run_process._run, run_process._sweep])
def test_what_is_stopped_while_it_waits_for_an_earlier_process_ends_as_stopped(tmp_path, work):
    pipe = Pipe({"stop": True})
    link = ServerLink(pipe)
    link.listen()
    action = "resume" if work is run_process._run else "resume-sweep"
    with sole_writer(tmp_path):
        assert compute(link, lambda: work(link, {"action": action, "workers": 1}, tmp_path)) is None
    assert [one["ended"] for one in pipe.said if "ended" in one] == ["stopped"]


@pytest.mark.parametrize("workers", ["many", True, 0, 10**9, None])
def test_a_forged_number_of_workers_is_refused_with_words(tmp_path, workers):
    pipe = Pipe()
    link, order = ServerLink(pipe), {"action": "sweep", "workers": workers, "toml": MODES, "vary": {}}
    assert compute(link, lambda: run_process._sweep(link, order, tmp_path)) is None
    assert pipe.said[-1]["ended"] == "failed"
    assert pipe.said[-1]["message"].startswith("workers must be")


@pytest.mark.parametrize("action", [None, "", "delete", ["start"]])
def test_a_forged_action_is_dropped(tmp_path, action):
    folder = tmp_path / ROOM / OTHER
    folder.mkdir(parents=True)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / MANIFEST).write_text("{}")
    forged = {"place": ["a"], "order": {"action": action}, "words": {}}
    (folder / "000001.json").write_text(json.dumps(forged))
    studio = Studio(Settings(tmp_path, 0))
    assert [studio._restore(kept) for kept in OrderBook(tmp_path).take_over().values()] == [None]
