"""Starting a studio: a socket on this machine only, the printed address, the server."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from traction.errors import InputError
from traction.outputs.atomic import storage_error
from traction.results.storage.run_files import MANIFEST
from traction.results.sweeps.sweep_folder import PLAN
from traction.studio.settings import HOST, Settings, StudioLimits

NEEDED = ("starlette", "uvicorn")
GOODBYE_SECONDS = 3  #: for open requests when the server ends


def serve(
    folder: Path | None,
    *,
    port: int = 0,
    browser: bool = True,
    limits: StudioLimits | None = None,
    tell: Callable[[str], None] = print,
) -> None:
    """Serve a workspace, or the one around a run or a sweep, until the user ends it."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(f"the studio needs {' and '.join(missing)}: pip install 'traction[studio]'.")
    workspace, opened = choose_workspace(Path() if folder is None else folder)
    listener = bind(port)
    with listener:
        settings = Settings(
            workspace, listener.getsockname()[1], opened=opened, limits=limits or StudioLimits()
        )
        run_server(settings, listener, lambda: _greet(settings, browser, tell))


def choose_workspace(folder: Path) -> tuple[Path, Path | None]:
    """The folder to work in, and the run or sweep in it that was named."""
    place = folder.absolute()
    try:
        if (place / MANIFEST).is_file() or (place / PLAN).is_file():
            place = place.resolve()
            inside = (place.parent / PLAN).is_file()  # a variant is shown with its sweep around it
            return (place.parent.parent if inside else place.parent), place
        place.mkdir(parents=True, exist_ok=True)
        return place.resolve(), None
    except OSError as error:
        raise storage_error(error, place) from error


def bind(port: int) -> socket.socket:
    """A listening socket on the loopback address; port 0 is any that is free."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # connections inherit it: otherwise the body of an answer waits 40 ms for the receipt of its header
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        raise InputError(
            f"--port {port}: {HOST}:{port} cannot be used ({error.strerror}); leave it out for a free one."
        ) from error
    return listener


def run_server(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve on a socket until a signal; `ready` is called once requests are answered."""
    import uvicorn

    from traction.studio.server.application import build_application

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready()

    config = uvicorn.Config(
        build_application(settings),
        log_level="warning",
        lifespan="on",
        http="h11",
        ws="none",
        loop="asyncio",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
        limit_concurrency=500,
    )
    with suppress(KeyboardInterrupt):  # Ctrl-C is how a studio is ended
        Server(config).run(sockets=[listener])


def _greet(settings: Settings, browser: bool, tell: Callable[[str], None]) -> None:
    tell(f"Traction Studio in {settings.workspace}")
    tell(f"  open {settings.address}")
    tell("  end it with Ctrl-C")
    if browser:
        webbrowser.open(settings.address)
