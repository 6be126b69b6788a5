"""The guard before every route: host, origin, token and size of a request; headers of every answer.

A page elsewhere can make a browser send requests to this machine. Its requests carry its own `Origin`, after
DNS rebinding its own `Host`, and never the token, which only the address printed in the terminal holds.
"""

from __future__ import annotations

from secrets import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from traction.studio.messages import RefusedError, to_json
from traction.studio.server.served_files import OneTimeFiles, is_page_path
from traction.studio.settings import Settings

TOKEN = "x-traction-token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
LINK = "/report/"  #: how one-time addresses begin


class Guard:
    """An application around another one."""

    def __init__(self, app: ASGIApp, settings: Settings, links: OneTimeFiles) -> None:
        self._app, self._settings, self._links = app, settings, links
        self._origins = {f"http://{host}" for host in settings.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no other protocol is spoken here
        sender = _HeaderSender(send, stays=not scope["path"].startswith("/api"))
        try:
            self._check(scope)
            counted = _CountedBody(receive, self._settings.limits.request_bytes)
            await self._app(scope, counted, sender)
        except RefusedError as refused:
            await answer_refusal(refused)(scope, receive, sender)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._settings.hosts:
            raise RefusedError(403, "this address is not that of the studio (Host).")
        origins = headers.getlist("origin")
        if any(origin.lower() not in self._origins for origin in origins):
            raise RefusedError(403, "requests of other pages are refused (Origin).")
        path, method = scope["path"], scope["method"]
        one_time = path.startswith(LINK) and self._links.holds(path.removeprefix(LINK))
        if one_time or is_page_path(path):
            if method not in ("GET", "HEAD"):
                raise RefusedError(405, "files of the page can only be read.")
            return
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise RefusedError(403, "requests of other pages are refused (Sec-Fetch-Site).")
        tokens = headers.getlist(TOKEN)
        expected = self._settings.token.encode()
        if len(tokens) != 1 or not compare_digest(tokens[0].encode("utf-8", "replace"), expected):
            raise RefusedError(
                401, "the header X-Traction-Token is missing or wrong; open the printed address."
            )
        self._check_body(headers)

    def _check_body(self, headers: Headers) -> None:
        announced = headers.get("content-length", "0")
        if not announced.isascii() or not announced.isdigit():
            raise RefusedError(400, "Content-Length must be a number.")
        if int(announced[:20]) > self._settings.limits.request_bytes:
            raise too_large(self._settings.limits.request_bytes)


def too_large(most: int) -> RefusedError:
    """A body beyond the limit."""
    return RefusedError(413, f"the request is larger than {most} bytes.")


def answer_refusal(refused: RefusedError) -> Response:
    """The answer to a request that is not met."""
    return Response(to_json(refused.body), refused.status, media_type="application/json")


class _CountedBody:
    """Receives a body that may not have announced its size, up to a limit."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._most, self._seen = receive, most, 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self._most:
            raise too_large(self._most)
        return message


class _HeaderSender:
    """Sends answers with the headers that all of them have."""

    def __init__(self, send: Send, stays: bool) -> None:
        self._send, self._cache = send, "no-cache" if stays else "no-store"

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", self._cache)
        await self._send(message)
