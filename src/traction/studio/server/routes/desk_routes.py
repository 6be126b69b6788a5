"""Routes that a desk answers: cases and kinds, views of runs, and what is dragged, by warm solvers."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response

from traction.studio.messages import RefusedError
from traction.studio.server.answers import json_answer, number_of, pass_on, read_body, text_of, whole_number
from traction.studio.server.studio import Studio

MOST_POINTS, MOST_FRAMES, MOST_SAMPLES = 20_000, 240, 10**10


async def list_cases(request: Request, studio: Studio) -> Response:
    """Built-in cases."""
    return pass_on(await studio.forms.ask("cases"))


async def show_case(request: Request, studio: Studio) -> Response:
    """A built-in case."""
    return pass_on(await studio.forms.ask("case", name=request.path_params["name"]))


async def list_kinds(request: Request, studio: Studio) -> Response:
    """Kinds of scenarios."""
    return pass_on(await studio.forms.ask("kinds"))


async def show_schema(request: Request, studio: Studio) -> Response:
    """The form of a kind."""
    return pass_on(await studio.forms.ask("schema", kind=request.path_params["kind"]))


async def check_case(request: Request, studio: Studio) -> Response:
    """Check a scenario as text or as values."""
    body = await read_body(request)
    given: dict[str, object] = {"folder": str(studio.workspace.root)}
    if "toml" in body:
        given["toml"] = text_of(body, "toml")
    else:
        values = body.get("values")
        if not isinstance(values, dict):
            raise RefusedError(400, 'the body needs "toml", or "kind" and "values".')
        given |= {"kind": text_of(body, "kind"), "values": values}
    return pass_on(await studio.forms.ask("check", **given))


async def list_views(request: Request, studio: Studio) -> Response:
    """What can be seen of a run."""
    return await _ask(request, studio, "views")


async def show_view(request: Request, studio: Studio) -> Response:
    """The numbers of a view."""
    return await _ask(
        request,
        studio,
        "view",
        name=request.path_params["name"],
        points=whole_number(request, "points", 1200, 2, MOST_POINTS),
        sample=whole_number(request, "sample", -1, -1, MOST_SAMPLES),
        member=whole_number(request, "member", 0, 0, MOST_SAMPLES),
        **_span(request),
    )


async def show_frames(request: Request, studio: Studio) -> Response:
    """What moves."""
    count = whole_number(request, "count", 120, 2, MOST_FRAMES)
    return await _ask(request, studio, "frames", count=count, **_span(request))


async def compare_runs(request: Request, studio: Studio) -> Response:
    """Two runs side by side."""
    keys = [_key(request, name) for name in ("a", "b")]
    runs = [await studio.describe_run(key) for key in keys]
    answer = await studio.views.ask("compare", a=_folder(studio, keys[0]), b=_folder(studio, keys[1]))
    if answer.status != 200:
        return pass_on(answer)
    return json_answer({"a": runs[0], "b": runs[1], **json.loads(answer.body)})


async def compare_series(request: Request, studio: Studio) -> Response:
    """One quantity of two runs."""
    a, b = (_folder(studio, _key(request, name)) for name in ("a", "b"))
    points = whole_number(request, "points", 1200, 2, MOST_POINTS)
    return pass_on(
        await studio.views.ask("compare_series", a=a, b=b, name=request.path_params["name"], points=points)
    )


async def open_crossing(request: Request, studio: Studio) -> Response:
    """The scenario of a single crossing of a resonance map."""
    body = await read_body(request)
    return await _ask(
        request, studio, "crossing", train=number_of(body, "train"), speed=number_of(body, "speed")
    )


async def _ask(request: Request, studio: Studio, what: str, **asked: object) -> Response:
    """An answer of the views of the run that the request names."""
    return pass_on(await studio.views.ask(what, folder=_folder(studio, request.path_params["id"]), **asked))


def _span(request: Request) -> dict[str, int]:
    """The first and the last sample that are asked for; -1 is the last there is."""
    ends = (("first", 0), ("last", -1))
    return {name: whole_number(request, name, usual, usual, MOST_SAMPLES) for name, usual in ends}


def _key(request: Request, name: str) -> str:
    key = request.query_params.get(name)
    if key is None:
        raise RefusedError(400, "the query needs a and b, the ids of two runs.")
    return key


def _folder(studio: Studio, key: str) -> str:
    return str(studio.workspace.find_run(key).path)


async def describe_drag(request: Request, studio: Studio) -> Response:
    """What can be dragged, with limits and defaults."""
    return pass_on(await studio.live.ask("live", name=request.path_params["name"]))


async def solve_drag(request: Request, studio: Studio) -> Response:
    """The solution at one place of the handles."""
    body = await read_body(request)
    return pass_on(await studio.live.ask("drag", name=request.path_params["name"], given=body))
