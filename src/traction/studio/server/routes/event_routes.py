"""Server-sent events: changes of one run, or of all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from traction.studio.json_text import to_json
from traction.studio.refusal import RefusedError
from traction.studio.server.studio import Studio

SILENCE_SECONDS = 15.0  #: after which a comment shows that the stream lives
PAUSE_SECONDS = 0.1  #: between two looks at the same runs


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
