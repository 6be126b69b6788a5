"""Routes of sweeps: check, start, follow, stop, resume, delete, and what came out."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response

from traction.studio.jobs.desk import Answer
from traction.studio.jobs.run_job import RunJob
from traction.studio.messages import MOST_WORKERS, RefusedError, read_workers
from traction.studio.server.answers import json_answer, name_of, pass_on, read_body, text_of, time_stamp
from traction.studio.server.studio import Studio, take_order

OPTIONS = ("vary", "zipped", "samples", "sampling", "seed", "keep")


async def check_sweep(request: Request, studio: Studio) -> Response:
    """Check a sweep: what is wrong with it, how many variants it has, which keys can be varied."""
    return pass_on(await _check(await read_body(request), studio))


async def start_sweep(request: Request, studio: Studio) -> Response:
    """Check a sweep and take it into the queue."""
    body = await read_body(request)
    name, workers = name_of(body), read_workers(body)
    answer = await _check(body, studio)
    checked = json.loads(answer.body)
    if answer.status != 200:
        return pass_on(answer)
    if not checked["ok"]:
        sentences = [problem["message"] for problem in checked["errors"]] or ["vary at least one key."]
        raise RefusedError(422, "\n".join(sentences), {"errors": checked["errors"]})
    name = name or f"{checked['title'] or checked['kind']}-sweep"
    words = {key: str(checked[key]) for key in ("title", "kind", "variants")} | {"created": time_stamp()}
    order = {key: body[key] for key in OPTIONS if key in body}
    order |= {"action": "sweep", "toml": checked["normal"], "workers": workers}
    return json_answer({"id": take_order(studio, name, order, words)}, 201)


async def stop_sweep(request: Request, studio: Studio) -> Response:
    """Ask a sweep to stop."""
    return json_answer(await studio.stop(request.path_params["id"], studio.describe_sweep), 202)


async def resume_sweep(request: Request, studio: Studio) -> Response:
    """Run the variants of a sweep that are missing or failed."""
    key = request.path_params["id"]
    job = studio.jobs.find(key)
    if job is not None and job.is_sweep and job.can_begin_again:
        studio.begin_again(job)
        return json_answer(await studio.describe_sweep(key), 202)
    place = studio.workspace.find_sweep(key)
    await studio.jobs.settle(key)
    sweep = await studio.describe_sweep(key)
    if not sweep["can_resume"]:
        raise RefusedError(
            409, f"this sweep is {sweep['state']}; only those that have stopped can be resumed."
        )
    words = {name: str(sweep[name]) for name in ("title", "kind", "created", "variants")}
    order = {"action": "resume-sweep", "folder": str(place.path), "workers": MOST_WORKERS}
    studio.jobs.add(RunJob(key, place.path, order, words))
    return json_answer(await studio.describe_sweep(key), 202)


async def delete_sweep(request: Request, studio: Studio) -> Response:
    """Delete the folder of a sweep with all its variants."""
    await studio.delete(request.path_params["id"], studio.workspace.find_sweep)
    return Response(status_code=204)


async def show_sweep(request: Request, studio: Studio) -> Response:
    """A sweep with its table."""
    key = request.path_params["id"]
    entry = await studio.describe_sweep(key)
    nothing: dict[str, object] = {"varied": [], "results": [], "rows": [], "axes": []}
    try:
        place = studio.workspace.find_sweep(key)
    except RefusedError:  # it waits
        return json_answer({**entry, **nothing})
    runs = {name: one.key for name, one in studio.workspace.variants(place).items()}
    answer = await studio.views.ask("sweep", folder=str(place.path), runs=runs)
    if answer.status != 200:
        return pass_on(answer)
    return json_answer({**entry, **json.loads(answer.body)})


async def show_sweep_map(request: Request, studio: Studio) -> Response:
    """A result of a sweep over what was varied."""
    place = studio.workspace.find_sweep(request.path_params["id"])
    runs = {name: one.key for name, one in studio.workspace.variants(place).items()}
    result, over = (request.query_params.get(name) for name in ("result", "over"))
    arguments = {"folder": str(place.path), "runs": runs, "result": result, "over": over}
    return pass_on(await studio.views.ask("sweep_map", **arguments))


async def _check(body: dict[str, object], studio: Studio) -> Answer:
    root = str(studio.workspace.root)
    return await studio.forms.ask("check_sweep", toml=text_of(body, "toml"), given=body, folder=root)
