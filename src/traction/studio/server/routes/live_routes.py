"""Routes of what is dragged: answered by a process of its own, whose solvers are warm."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from traction.studio.server.answers import pass_on, read_body
from traction.studio.server.studio import Studio


async def describe_drag(request: Request, studio: Studio) -> Response:
    """What can be dragged, with limits and defaults."""
    return pass_on(await studio.live.ask("live", name=request.path_params["name"]))


async def solve_drag(request: Request, studio: Studio) -> Response:
    """The solution at one place of the handles."""
    body = await read_body(request)
    return pass_on(await studio.live.ask("drag", name=request.path_params["name"], given=body))
