"""`Studio`: what the routes share: settings, workspace, runs, desks, and followers."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from traction.studio.jobs.changes import Changes
from traction.studio.jobs.desk import Desk
from traction.studio.jobs.job_queue import JobQueue
from traction.studio.jobs.run_job import FINISHED, RunJob
from traction.studio.refusal import RefusedError
from traction.studio.server.one_time_files import OneTimeFiles
from traction.studio.settings import Settings
from traction.studio.workspace.run_entry import Facts, RunCatalogue
from traction.studio.workspace.workspace import Place, Workspace

#: longest answers; the first of each kind may have to compile
CHECK_SECONDS, VIEW_SECONDS, LIVE_SECONDS = 60.0, 120.0, 120.0


class Studio:
    """One running studio."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.workspace = Workspace(settings.workspace)
        self.catalogue = RunCatalogue()
        self.changes = Changes()
        self.jobs = JobQueue(settings.limits, self.changes.tell)
        limits = settings.limits
        self.forms, self.views = Desk(limits, CHECK_SECONDS), Desk(limits, VIEW_SECONDS)
        self.live = Desk(limits, LIVE_SECONDS)
        self.links = OneTimeFiles()
        self._warming: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the processes that every page needs at once."""
        await self.forms.open()
        await self.views.open()

    def warm(self) -> None:
        """Let the solvers of the drags load and compile before the first of them, once a page is open."""
        if self._warming is None:
            self._warming = asyncio.create_task(self._warm())

    async def _warm(self) -> None:
        with suppress(RefusedError):
            await self.live.ask("drag", name="rolling", given={})

    async def close(self) -> None:
        """End all child processes; runs are asked to stop."""
        await self.jobs.close()
        await asyncio.gather(self.forms.close(), self.views.close(), self.live.close())

    async def describe_run(self, key: str) -> Facts:
        """A run: what its files say, and its job."""
        job = self.jobs.find(key)
        if job is not None and not job.is_over and not job.folder.exists():
            return _describe_job(job)
        try:
            place = self.workspace.find_run(key)
        except RefusedError:
            if job is not None:
                return _describe_job(job)
            raise
        return self._with_job(await asyncio.to_thread(self.catalogue.describe, place), job)

    async def list_runs(self) -> tuple[list[Facts], list[Facts]]:
        """All runs and all sweeps of the workspace, the newest first."""
        runs, sweeps = await asyncio.to_thread(self._list_stored)
        found = {str(run["id"]): self._with_job(run, self.jobs.find(str(run["id"]))) for run in runs}
        for job in self.jobs.jobs:
            if job.key not in found and not job.folder.exists():
                found[job.key] = _describe_job(job)
        newest = sorted(found.values(), key=lambda run: str(run["created"]), reverse=True)
        return newest, sorted(sweeps, key=lambda sweep: str(sweep["created"]), reverse=True)

    def _list_stored(self) -> tuple[list[Facts], list[Facts]]:
        runs, sweeps = [], []
        for place in self.workspace.places():
            if place.is_sweep:
                sweeps.append(self.describe_sweep(place))
            else:
                runs.append(self.catalogue.describe(place))
        return runs, sweeps

    def describe_sweep(self, place: Place) -> Facts:
        """A sweep and how far it is."""
        variants = self.workspace.variants(place).values()
        return self.catalogue.describe_sweep(place, [self.catalogue.state_of(one) for one in variants])

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


def _progress_of(job: RunJob) -> Facts:
    return {
        "state": job.state,
        "progress": job.progress,
        "message": "stopping after this sample" if job.stopping else job.message or job.note,
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
        "can_resume": False,
        "can_delete": job.is_over,
        "pid": job.pid,
        "updated": job.words["created"],
        "sweep": None,
        **job.words,
        **_progress_of(job),
        "can_stop": not job.is_over,
    }
