"""`Studio`: what the routes share: settings, workspace, runs, desks, and followers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from traction.errors import TractionError
from traction.studio.jobs.desk import Desk
from traction.studio.jobs.job_queue import JobQueue
from traction.studio.jobs.order_book import KeptOrder, OrderBook
from traction.studio.jobs.run_changes import Changes
from traction.studio.jobs.run_job import ACTIONS, CONTINUED, FINISHED, RunJob
from traction.studio.messages import RefusedError
from traction.studio.server.served_files import OneTimeFiles
from traction.studio.settings import Settings
from traction.studio.workspace.run_entry import Facts, RunCatalogue, SweepCatalogue
from traction.studio.workspace.workspace import Place, Workspace, identify

#: longest answers; the first of each kind may have to compile
CHECK_SECONDS, VIEW_SECONDS, LIVE_SECONDS = 60.0, 120.0, 120.0
WORDS = ("title", "kind", "created", "variants")  #: of a job, while there is no folder to read them from
STOPPING = {False: "stopping after this sample", True: "stopping after the present samples"}


class Studio:
    """One running studio."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.workspace = Workspace(settings.workspace)
        self.catalogue, self.sweeps = RunCatalogue(), SweepCatalogue()
        self.changes = Changes()
        self._book = OrderBook(self.workspace.root)
        self.jobs = JobQueue(settings.limits, self.changes.tell, self._book)
        limits = settings.limits
        self.forms, self.views = Desk(limits, CHECK_SECONDS), Desk(limits, VIEW_SECONDS)
        self.live = Desk(limits, LIVE_SECONDS)
        self.links = OneTimeFiles()
        self._warming: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the processes that every page needs at once."""
        await self.forms.open()
        await self.views.open()
        for file, kept in (await asyncio.to_thread(self._book.take_over)).items():
            job = await asyncio.to_thread(self._restore, kept)
            if job is None or self.jobs.is_active(job.key):
                self._book.discard(file)
            else:
                self._book.adopt(job.key, file)
                self.jobs.restore(job)

    def warm(self) -> None:
        """Let the solvers of the drags load and compile before the first of them, once a page is open."""
        if self._warming is None:
            self._warming = asyncio.create_task(self._warm())

    async def _warm(self) -> None:
        with suppress(RefusedError):
            await self.live.ask("drag", name="rolling", given={})
            await self.live.ask("drag", name="creep-curve", given={})

    async def close(self) -> None:
        """End all child processes; runs are asked to stop."""
        await self.jobs.close()
        self._book.close()
        await asyncio.gather(self.forms.close(), self.views.close(), self.live.close())

    async def describe_run(self, key: str) -> Facts:
        """A run: what its files say, and its job."""
        job = self.jobs.find(key)
        if job is not None and job.is_sweep:
            raise RefusedError(404, "this is a sweep, not a run.")
        if job is not None and not job.is_over and not job.has_begun:
            return _describe_job(job)
        try:
            place = self.workspace.find_run(key)
        except RefusedError:
            if job is not None:
                return _describe_job(job)
            raise
        return self._with_job(await asyncio.to_thread(self.catalogue.describe, place), job)

    async def describe_sweep(self, key: str) -> Facts:
        """A sweep: what its files say, and its job."""
        job = self.jobs.find(key)
        if job is not None and job.is_sweep and not job.has_begun:
            return _describe_sweep_job(job)
        place = self.workspace.find_sweep(key)
        return self._sweep_with_job(await asyncio.to_thread(self._stored_sweep, place), job)

    async def describe_change(self, key: str) -> tuple[str, Facts]:
        """What has changed, "run", "sweep" or "gone", and how it is now."""
        job = self.jobs.find(key)
        try:
            if job is not None and job.is_sweep:
                return "sweep", await self.describe_sweep(key)
            return "run", await self.describe_run(key)
        except RefusedError:
            return "gone", {"id": key}

    async def delete(self, key: str, find: Callable[[str], Place]) -> None:
        """Delete the folder of a run or a sweep that is not under way."""
        await self.jobs.settle(key)
        if self.jobs.is_active(key):
            raise RefusedError(409, "it is under way; stop it first.")
        job = self.jobs.find(key)
        if job is None or job.has_begun:
            place = find(key)
            await asyncio.to_thread(self.workspace.delete, place)
            if job is None or not job.is_new:
                self._book.withdraw(place.path)
        self.jobs.forget(key)
        self.workspace.release(key)
        self.changes.tell(key)

    async def stop(self, key: str, describe: Callable[[str], Awaitable[Facts]]) -> Facts:
        """Ask a run or a sweep to stop; how it stands then, as `describe` says."""
        found = await describe(key)
        if not self.jobs.is_active(key) and found["state"] == "running":
            raise RefusedError(409, "another program runs it; stop it there.")
        await self.jobs.stop(key)
        return await describe(key)

    def begin_again(self, job: RunJob) -> None:
        """Start a run or a sweep anew that ended before it had begun."""
        self.jobs.add(RunJob(job.key, job.folder, job.order, job.words))

    async def list_runs(self) -> tuple[list[Facts], list[Facts]]:
        """All runs and all sweeps of the workspace, the newest first."""
        runs, sweeps = await asyncio.to_thread(self._list_stored)
        found = {str(run["id"]): self._with_job(run, self.jobs.find(str(run["id"]))) for run in runs}
        swept = {str(one["id"]): self._sweep_with_job(one, self.jobs.find(str(one["id"]))) for one in sweeps}
        for job in self.jobs.jobs:
            if job.key in found or job.key in swept or job.has_begun:
                continue
            if job.is_sweep:
                swept[job.key] = _describe_sweep_job(job)
            else:
                found[job.key] = _describe_job(job)
        return _newest(found), _newest(swept)

    def _list_stored(self) -> tuple[list[Facts], list[Facts]]:
        runs, sweeps = [], []
        for place in self.workspace.places():
            if place.is_sweep:
                sweeps.append(self._stored_sweep(place))
            else:
                runs.append(self.catalogue.describe(place))
        return runs, sweeps

    def _stored_sweep(self, place: Place) -> Facts:
        variants = self.workspace.variants(place).values()
        return self.sweeps.describe(place, [self.catalogue.state_of(one) for one in variants])

    def _restore(self, kept: KeptOrder) -> RunJob | None:
        """The job of an order that a studio could not finish; what had begun is continued."""
        action = kept.order.get("action")
        if not isinstance(action, str) or action not in ACTIONS:
            return None
        words = {name: kept.words.get(name, "") for name in WORDS}
        try:
            place = self.workspace.find(identify(*kept.place))
        except RefusedError:
            if action not in CONTINUED:
                return None  # there is nothing left to continue
            place = self.workspace.reclaim(kept.place[-1] if kept.place else "")
            order = {**kept.order, "folder": str(place.path), "restored": True}
            return RunJob(place.key, place.path, order, words)
        facts = self._stored_sweep(place) if place.is_sweep else self.catalogue.describe(place)
        complete = facts["state"] == "done" and facts["report"] == "ready"
        if complete or (facts["state"] == "failed" and action in CONTINUED):
            return None  # it had ended
        order = {**kept.order, "action": CONTINUED.get(action, action), "folder": str(place.path)}
        return RunJob(place.key, place.path, order, words)

    def _with_job(self, run: Facts, job: RunJob | None) -> Facts:
        """What the files say, with what the job knows better."""
        if job is None:
            return run
        told = dict(run)
        told["report"] = job.report if job.report != "none" else run["report"]
        told["pid"] = job.pid
        active = not job.is_over and not self.jobs.is_leaving(job.key)
        told["can_delete"] = bool(run["can_delete"]) and not active
        told["can_resume"] = bool(run["can_resume"]) and not active
        if active and job.state in ("queued", "running"):
            told |= _progress_of(job)
        elif job.state in FINISHED and run["state"] not in ("done", "running"):
            # the files know that a run ended, the job how its process did
            told["message"] = job.message or run["message"]
        elif active and job.state in FINISHED:
            told["phase"] = job.phase
        return told

    def _sweep_with_job(self, sweep: Facts, job: RunJob | None) -> Facts:
        if job is None or not job.is_sweep:
            return sweep
        told = {**sweep, "pid": job.pid}
        told["report"] = job.report if job.report != "none" else sweep["report"]
        active = not job.is_over and not self.jobs.is_leaving(job.key)
        if active and job.state in ("queued", "running"):
            return told | _progress_of(job) | {"can_resume": False, "can_delete": False}
        if sweep["state"] != "running":
            told["message"] = job.message or sweep["message"]
        return told


def _newest(found: dict[str, Facts]) -> list[Facts]:
    return sorted(found.values(), key=lambda one: str(one["created"]), reverse=True)


def take_order(studio: Studio, name: str, order: dict[str, object], words: dict[str, str]) -> str:
    """Reserve a folder for a new run or sweep and take its order into the queue; returns its key."""
    place = studio.workspace.reserve(name)
    try:
        studio.jobs.add(RunJob(place.key, place.path, {**order, "folder": str(place.path)}, words))
    except (RefusedError, TractionError):  # the latter where the order cannot be stored
        studio.workspace.release(place.key)
        raise
    return place.key


def _progress_of(job: RunJob) -> Facts:
    return {
        "state": job.state,
        "progress": job.progress,
        "message": STOPPING[job.is_sweep] if job.stopping else job.message or job.note,
        "phase": job.phase,
        "seconds_left": job.seconds_left,
        "seconds": job.seconds,
        "samples": job.samples,
        "total": job.total,
        "can_stop": True,
    }


def _describe_job(job: RunJob) -> Facts:
    """A run that has no folder yet, or never got one."""
    return {
        "id": job.key,
        "name": job.folder.name,
        "report": "none",
        "can_resume": job.can_begin_again,
        "can_delete": job.is_over,
        "pid": job.pid,
        "updated": job.words["created"],
        "sweep": None,
        **{name: job.words[name] for name in WORDS[:3]},
        **_progress_of(job),
        "can_stop": not job.is_over,
    }


def _describe_sweep_job(job: RunJob) -> Facts:
    """A sweep that has no plan in its folder yet, or never got one."""
    return {
        "id": job.key,
        "name": job.folder.name,
        "keep": str(job.order.get("keep", "")),
        "variants": int(job.words.get("variants") or 0),
        "done": 0,
        "failed": 0,
        "report": "none",
        "can_resume": job.can_begin_again,
        "can_delete": job.is_over,
        "pid": job.pid,
        **{name: job.words[name] for name in WORDS[:3]},
        **_progress_of(job),
        "can_stop": not job.is_over,
    }
