"""Routes of cases and kinds: built-in scenarios, forms, checks."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from traction.studio.refusal import RefusedError
from traction.studio.server.answers import pass_on, read_body, text_of
from traction.studio.server.studio import Studio


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
