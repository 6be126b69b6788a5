"""Routes of runs: start, follow by server-sent events, stop, resume, delete, files and reports.

A report is a page with a script of its own, which the policy of the studio would not run. It is shown in a
tab under a random address that is good for one visit within a minute, in a sandbox: its script can reach
neither the studio nor the network.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from traction.studio.jobs.run_job import RunJob
from traction.studio.messages import RefusedError, to_json
from traction.studio.server.answers import json_answer, name_of, pass_on, read_body, text_of, time_stamp
from traction.studio.server.studio import Studio, take_order
from traction.studio.workspace.run_entry import REPORT
from traction.studio.workspace.workspace import TYPES, find_file, list_files

FORMATS = ("csv", "mat", "nc", "toml")
POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; frame-ancestors 'none'"
)
SILENCE_SECONDS = 15.0  #: after which a comment shows that the stream lives
PAUSE_SECONDS = 0.1  #: between two looks at the same runs


async def list_runs(request: Request, studio: Studio) -> Response:
    """All runs and sweeps."""
    runs, sweeps = await studio.list_runs()
    return json_answer({"runs": runs, "sweeps": sweeps})


async def start_run(request: Request, studio: Studio) -> Response:
    """Check a scenario and take it into the queue."""
    body = await read_body(request)
    name = name_of(body)
    answer = await studio.forms.ask("check", toml=text_of(body, "toml"), folder=str(studio.workspace.root))
    checked = json.loads(answer.body)
    if answer.status != 200:
        return pass_on(answer)
    if not checked["ok"]:
        sentences = [problem["message"] for problem in checked["errors"]]
        raise RefusedError(422, "\n".join(sentences), {"errors": checked["errors"]})
    words = {"title": checked["title"], "kind": checked["kind"], "created": time_stamp()}
    order = {"action": "start", "toml": checked["normal"]}
    key = take_order(studio, name or checked["title"] or checked["kind"], order, words)
    return json_answer({"id": key}, 201)


async def show_run(request: Request, studio: Studio) -> Response:
    """How a run stands."""
    return json_answer(await studio.describe_run(request.path_params["id"]))


async def show_details(request: Request, studio: Studio) -> Response:
    """A run with its scenario, key figures, story and files."""
    key = request.path_params["id"]
    run = await studio.describe_run(key)
    place = studio.workspace.find_run(key)
    answer = await studio.views.ask("details", folder=str(place.path))
    if answer.status != 200:
        return pass_on(answer)
    files = [one.facts for one in await asyncio.to_thread(list_files, place)]
    return json_answer({**run, **json.loads(answer.body), "files": files})


async def stop_run(request: Request, studio: Studio) -> Response:
    """Ask a run to stop."""
    return json_answer(await studio.stop(request.path_params["id"], studio.describe_run), 202)


async def resume_run(request: Request, studio: Studio) -> Response:
    """Continue a run where it stopped."""
    return await _again(request, studio, "resume")


async def draw_report(request: Request, studio: Studio) -> Response:
    """Draw the report of a complete run."""
    return await _again(request, studio, "report")


async def _again(request: Request, studio: Studio, action: str) -> Response:
    key = request.path_params["id"]
    job = studio.jobs.find(key)
    if action == "resume" and job is not None and not job.is_sweep and job.can_begin_again:
        studio.begin_again(job)
        return json_answer(await studio.describe_run(key), 202)
    place = studio.workspace.find_run(key)
    await studio.jobs.settle(key)
    run = await studio.describe_run(key)
    if action == "resume" and not run["can_resume"]:
        raise RefusedError(409, f"this run is {run['state']}; only runs that have stopped can be resumed.")
    if action == "report" and run["state"] != "done":
        raise RefusedError(409, f"this run is {run['state']}; reports are drawn of complete runs.")
    words = {"title": str(run["title"]), "kind": str(run["kind"]), "created": str(run["created"])}
    job = RunJob(key, place.path, {"action": action, "folder": str(place.path)}, words)
    studio.jobs.add(job)
    return json_answer(await studio.describe_run(key), 202)


async def delete_run(request: Request, studio: Studio) -> Response:
    """Delete the folder of a run."""
    await studio.delete(request.path_params["id"], studio.workspace.find_run)
    return Response(status_code=204)


async def show_files(request: Request, studio: Studio) -> Response:
    """Files to take away."""
    place = studio.workspace.find(request.path_params["id"])
    return json_answer({"files": [one.facts for one in await asyncio.to_thread(list_files, place)]})


async def send_file(request: Request, studio: Studio) -> Response:
    """One of the files."""
    place = studio.workspace.find(request.path_params["id"])
    found = await asyncio.to_thread(find_file, place, request.path_params["name"])
    return FileResponse(
        found.path,
        filename=found.path.name,
        media_type=found.media_type,
        content_disposition_type="attachment",
    )


async def export_run(request: Request, studio: Studio) -> Response:
    """All samples in a format of other programs."""
    ending = request.path_params["format"]
    if ending not in FORMATS:
        raise RefusedError(404, f"formats are {', '.join(FORMATS)}.")
    place = studio.workspace.find_run(request.path_params["id"])
    folder = tempfile.TemporaryDirectory(prefix="traction-studio-", ignore_cleanup_errors=True)
    target = Path(folder.name) / f"{place.path.name}.{ending}"
    try:
        answer = await studio.views.ask("export", folder=str(place.path), target=str(target))
    except BaseException:
        folder.cleanup()
        raise
    if answer.status != 200:
        folder.cleanup()
        return pass_on(answer)
    return FileResponse(
        target,
        filename=target.name,
        media_type=TYPES[target.suffix],
        content_disposition_type="attachment",
        background=BackgroundTask(folder.cleanup),
    )


async def link_report(request: Request, studio: Studio) -> Response:
    """A new address of the report of a run or a sweep."""
    place = studio.workspace.find(request.path_params["id"])
    return json_answer({"url": f"/report/{studio.links.give(find_file(place, REPORT))}"}, 201)


async def send_report(request: Request, studio: Studio) -> Response:
    """The report at such an address."""
    file = studio.links.take(request.path_params["name"])
    headers = {"content-security-policy": POLICY, "cache-control": "no-store"}
    return FileResponse(file.path, media_type="text/html; charset=utf-8", headers=headers)


async def follow_run(request: Request, studio: Studio) -> Response:
    """Changes of a run until nothing more will change."""
    key = request.path_params["id"]
    await studio.describe_run(key)
    return _stream(studio, key)


async def follow_sweep(request: Request, studio: Studio) -> Response:
    """Changes of a sweep until nothing more will change."""
    key = request.path_params["id"]
    await studio.describe_sweep(key)
    return _stream(studio, key)


async def follow_all(request: Request, studio: Studio) -> Response:
    """Changes of all runs and sweeps."""
    return _stream(studio, None)


def _stream(studio: Studio, key: str | None) -> Response:
    if len(studio.changes) >= studio.settings.limits.streams:
        raise RefusedError(429, "too many pages follow runs; close some of them.")
    return StreamingResponse(_events(studio, key), media_type="text/event-stream")


async def _events(studio: Studio, key: str | None) -> AsyncIterator[bytes]:
    with studio.changes.follow(key) as follower:
        yield b": follows\n\n" if key is None else await _event(studio, key)
        while key is None or _will_change(studio, key):
            changed = await follower.wait(SILENCE_SECONDS)
            if not changed:
                yield b": nothing new\n\n"
            for one in changed:
                yield await _event(studio, one)
            await asyncio.sleep(PAUSE_SECONDS)
        if key is not None:
            yield await _event(studio, key)


def _will_change(studio: Studio, key: str) -> bool:
    """Whether a job of this studio works on the run; those of other programs are not followed."""
    return studio.jobs.is_active(key)


async def _event(studio: Studio, key: str) -> bytes:
    name, facts = await studio.describe_change(key)
    return b"event: " + name.encode() + b"\ndata: " + to_json(facts) + b"\n\n"
