"""Routes of runs: start, follow, stop, resume, delete, files."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from traction.studio.jobs.run_job import RunJob
from traction.studio.refusal import RefusedError
from traction.studio.server.answers import json_answer, name_of, pass_on, read_body, text_of, time_stamp
from traction.studio.server.studio import Studio, take_order
from traction.studio.workspace.run_files import TYPES, find_file, list_files

FORMATS = ("csv", "mat", "nc", "toml")


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
