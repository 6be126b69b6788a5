"""Reading requests and writing answers."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import wraps

import numpy as np
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from traction.errors import InputError, TractionError
from traction.studio.jobs.desk import Answer
from traction.studio.messages import RefusedError, to_json
from traction.studio.server.guard import answer_refusal
from traction.studio.server.studio import Studio

LONGEST_NAME = 100
MOST_DEPTH = 64  #: of brackets in a body
TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
OPENING, CLOSING = (np.frombuffer(brackets, dtype=np.uint8) for brackets in (b"[{", b"]}"))

Route = Callable[[Request, Studio], Awaitable[Response]]


def answered(route: Route) -> Callable[[Request], Awaitable[Response]]:
    """The route as the server calls it: what goes wrong becomes an answer."""

    @wraps(route)
    async def answer(request: Request) -> Response:
        try:
            return await route(request, request.app.state.studio)
        except RefusedError as refused:
            return answer_refusal(refused)
        except ClientDisconnect:
            return answer_refusal(RefusedError(400, "the request ended early."))
        except InputError as error:
            return answer_refusal(RefusedError(422, str(error)))
        except TractionError as error:
            return answer_refusal(RefusedError(507, str(error)))
        except OSError as error:
            return answer_refusal(RefusedError(507, f"{error.strerror or error}."))

    return answer


def json_answer(value: object, status: int = 200) -> Response:
    """JSON."""
    return Response(to_json(value), status, media_type="application/json")


def pass_on(answer: Answer) -> Response:
    """The answer of a desk."""
    return Response(answer.body, answer.status, media_type="application/json")


async def read_body(request: Request) -> dict[str, object]:
    """The JSON object in the body."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusedError(415, "the body must be JSON: Content-Type: application/json.")
    data = await request.body()
    if _depth(data) > MOST_DEPTH:
        raise RefusedError(400, f"the body is nested deeper than {MOST_DEPTH}.")
    try:
        body = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, f"the body is not valid JSON: {str(error)[:200]}.") from None
    if not isinstance(body, dict):
        raise RefusedError(400, "the body must be a JSON object.")
    return body


def text_of(body: dict[str, object], key: str) -> str:
    """A text of the body."""
    value = body.get(key)
    if not isinstance(value, str):
        raise RefusedError(400, f'"{key}" must be text.')
    return value


def name_of(body: dict[str, object]) -> str | None:
    """The name that a client wishes for a folder, where it has one."""
    name = body.get("name")
    if name is not None and (not isinstance(name, str) or len(name) > LONGEST_NAME):
        raise RefusedError(400, f'"name" must be text of at most {LONGEST_NAME} characters.')
    return name


def time_stamp() -> str:
    """Now."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def whole_number(request: Request, name: str, default: int, least: int, most: int) -> int:
    """A whole number of the query, within limits."""
    text = request.query_params.get(name)
    if text is None:
        return default
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 12) or not least <= int(text) <= most:
        raise RefusedError(400, f"{name} must be a whole number from {least} to {most}.")
    return int(text)


def number_of(body: dict[str, object], key: str) -> float:
    """A finite number of the body."""
    value = body.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise RefusedError(400, f'"{key}" must be a finite number.')
    return float(value)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def _depth(data: bytes) -> int:
    """Depth of brackets, texts left out."""
    letters = np.frombuffer(TEXTS.sub(b"", data), dtype=np.uint8)
    opened = (np.isin(letters, OPENING).astype(np.int8) - np.isin(letters, CLOSING)).astype(np.int32)
    return int(np.cumsum(opened).max(initial=0))
