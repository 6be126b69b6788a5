"""The application: routes behind the guard."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from traction.studio.messages import MOST_WORKERS, RefusedError
from traction.studio.server.answers import answered, json_answer
from traction.studio.server.guard import Guard, answer_refusal
from traction.studio.server.openapi import describe_api
from traction.studio.server.routes import desk_routes, run_routes, sweep_routes
from traction.studio.server.served_files import find_page_file, media_type
from traction.studio.server.studio import Studio
from traction.studio.settings import Settings
from traction.version import __version__


async def send_page_file(request: Request, studio: Studio) -> Response:
    """A file of the page."""
    found = find_page_file(request.url.path)
    if found is None or not found.is_file():
        raise RefusedError(404, "there is no such file.")
    return FileResponse(found, media_type=media_type(found))


async def show_info(request: Request, studio: Studio) -> Response:
    """The studio itself."""
    from traction.studio.live.drags import available_drags

    studio.warm()
    settings, opened = studio.settings, None
    key = None if settings.opened is None else studio.workspace.identify_path(settings.opened)
    if key is not None:
        opened = {"type": "sweep" if studio.workspace.find(key).is_sweep else "run", "id": key}
    limits = {
        name: getattr(settings.limits, name)
        for name in ("jobs", "queue", "memory_bytes", "run_seconds", "request_bytes")
    }
    limits["cores"] = MOST_WORKERS
    facts = {"version": __version__, "workspace": str(settings.workspace), "open": opened, "limits": limits}
    return json_answer({**facts, "live": list(available_drags())})


async def show_api(request: Request, studio: Studio) -> Response:
    """The description of this API."""
    return json_answer(describe_api(API))


#: path, method and function; `openapi` describes each of them
API = (
    ("/api/openapi.json", "GET", show_api),
    ("/api/info", "GET", show_info),
    ("/api/events", "GET", run_routes.follow_all),
    ("/api/cases", "GET", desk_routes.list_cases),
    ("/api/cases/{name}", "GET", desk_routes.show_case),
    ("/api/kinds", "GET", desk_routes.list_kinds),
    ("/api/kinds/{kind}/schema", "GET", desk_routes.show_schema),
    ("/api/check", "POST", desk_routes.check_case),
    ("/api/runs", "GET", run_routes.list_runs),
    ("/api/runs", "POST", run_routes.start_run),
    ("/api/runs/{id}", "GET", run_routes.show_run),
    ("/api/runs/{id}", "DELETE", run_routes.delete_run),
    ("/api/runs/{id}/details", "GET", run_routes.show_details),
    ("/api/runs/{id}/stop", "POST", run_routes.stop_run),
    ("/api/runs/{id}/resume", "POST", run_routes.resume_run),
    ("/api/runs/{id}/report", "POST", run_routes.draw_report),
    ("/api/runs/{id}/report-link", "POST", run_routes.link_report),
    ("/api/runs/{id}/events", "GET", run_routes.follow_run),
    ("/api/runs/{id}/files", "GET", run_routes.show_files),
    ("/api/runs/{id}/files/{name}", "GET", run_routes.send_file),
    ("/api/runs/{id}/export/{format}", "GET", run_routes.export_run),
    ("/api/runs/{id}/views", "GET", desk_routes.list_views),
    ("/api/runs/{id}/views/{name}", "GET", desk_routes.show_view),
    ("/api/runs/{id}/frames", "GET", desk_routes.show_frames),
    ("/api/runs/{id}/crossing", "POST", desk_routes.open_crossing),
    ("/api/compare", "GET", desk_routes.compare_runs),
    ("/api/compare/{name}", "GET", desk_routes.compare_series),
    ("/api/sweeps", "POST", sweep_routes.start_sweep),
    ("/api/check-sweep", "POST", sweep_routes.check_sweep),
    ("/api/sweeps/{id}", "GET", sweep_routes.show_sweep),
    ("/api/sweeps/{id}", "DELETE", sweep_routes.delete_sweep),
    ("/api/sweeps/{id}/stop", "POST", sweep_routes.stop_sweep),
    ("/api/sweeps/{id}/resume", "POST", sweep_routes.resume_sweep),
    ("/api/sweeps/{id}/events", "GET", run_routes.follow_sweep),
    ("/api/sweeps/{id}/map", "GET", sweep_routes.show_sweep_map),
    ("/api/live/{name}", "GET", desk_routes.describe_drag),
    ("/api/live/{name}", "POST", desk_routes.solve_drag),
)


def build_application(settings: Settings) -> ASGIApp:
    """The guarded application of a studio."""
    studio = Studio(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await studio.open()
        yield
        await studio.close()

    routes = [Route(path, answered(function), methods=[method]) for path, method, function in API]
    routes += [
        Route("/", answered(send_page_file), methods=["GET"]),
        Route("/report/{name}", answered(run_routes.send_report), methods=["GET"]),
        Route("/static/{name:path}", answered(send_page_file), methods=["GET"]),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={HTTPException: _answer_missing, Exception: _answer_fault},
    )
    app.state.studio = studio
    return Guard(app, settings, studio.links)


async def _answer_missing(request: Request, error: Exception) -> Response:
    """A path or a method that is not there."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = "this path takes other methods." if status == 405 else "there is no such path."
    return answer_refusal(RefusedError(status, words))


async def _answer_fault(request: Request, error: Exception) -> Response:
    """A fault of the program; the traceback is on the terminal."""
    return answer_refusal(RefusedError(500, f"{type(error).__name__}: {error}. This is a bug in Traction."))
