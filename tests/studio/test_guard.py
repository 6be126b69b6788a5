"""What the guard refuses: other hosts, other pages, no token, too much; and what no path leads to."""

import itertools
import os
from urllib.parse import quote

import httpx
import pytest

from studio_process import run_async
from traction.studio.server.application import API, build_application
from traction.studio.settings import Settings, StudioLimits

TOKEN = "the-token"
HOST = "127.0.0.1:8000"
#: ways to write "one folder up", which servers and decoders have been fooled with
UP = (
    "..",
    "%2e%2e",
    "%252e%252e",
    "..%00",
    "..;",
    ".%2e",
    "%c0%ae%c0%ae",
    "%e0%80%ae%e0%80%ae",
    "..\\",
    "..%5c",
    "%uff0e%uff0e",
    "....//",
    "%ef%bc%8e%ef%bc%8e",
)
TARGETS = ("etc/passwd", "settings.py", "secret.txt", "manifest.json")


@pytest.fixture
def workspace(tmp_path):
    """A workspace with a secret beside it, and links that lead there."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("TOP SECRET")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "manifest.json").write_text("TOP SECRET")
    (outside / "data.nc").write_text("TOP SECRET")
    (folder / "linked").symlink_to(outside, target_is_directory=True)
    (folder / "run").mkdir()
    (folder / "run" / "manifest.json").write_text("{}")
    (folder / "run" / "data.nc").symlink_to(tmp_path / "secret.txt")
    (folder / "run" / "report.html").symlink_to(tmp_path / "secret.txt")
    return folder


@pytest.fixture
def ask(workspace):
    """Send a request to a studio in this process; its answer."""
    settings = Settings(workspace.resolve(), 8000, TOKEN, limits=StudioLimits(request_bytes=1000))
    app = build_application(settings)

    def send(path, method="GET", headers=None, **more):
        async def call():
            transport = httpx.ASGITransport(app, raise_app_exceptions=True)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
                usual = {"Host": HOST, "X-Traction-Token": TOKEN}
                sent = {
                    name: value for name, value in {**usual, **(headers or {})}.items() if value is not None
                }
                request = client.build_request(method, "/", headers=sent, **more)
                request.url = request.url.copy_with(raw_path=path.encode())
                return await client.send(request)

        return run_async(call())

    return send


def filled(path):
    for name in ("id", "name", "kind", "format"):
        path = path.replace(f"{{{name}}}", "0123456789abcdef" if name == "id" else "csv")
    return path


@pytest.mark.parametrize(("path", "method"), [(filled(path), method) for path, method, _ in API])
@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN + "x", TOKEN[:-1]])
def test_every_call_needs_the_token(ask, path, method, token):
    answer = ask(path, method, {"X-Traction-Token": token})
    assert answer.status_code == 401
    assert "Token" in answer.json()["error"]


@pytest.mark.parametrize(
    "path", ["/api", "/nothing", "/report/x", "/static/nothing.js", "/static/", "/api/runs/"]
)
def test_paths_that_are_no_file_of_the_page_need_it_too(ask, path):
    assert ask(path, headers={"X-Traction-Token": None}).status_code == 401


def test_the_page_needs_none(ask):
    answer = ask("/", headers={"X-Traction-Token": None})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert ask("/", "POST", {"X-Traction-Token": None}).status_code == 405


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1:8000.evil.example",
        "0.0.0.0:8000",
        "localhost",
        "[::1]:8000",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/info"])
def test_other_hosts_are_refused(ask, host, path):
    assert ask(path, headers={"Host": host}).status_code == 403


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://127.0.0.1:8000",
        "http://127.0.0.1:8001",
        "http://127.0.0.1",
        "file://",
        "http://localhost:8000.evil.example",
        "",
    ],
)
@pytest.mark.parametrize(("path", "method"), [("/", "GET"), ("/api/info", "GET"), ("/api/runs", "POST")])
def test_other_origins_are_refused(ask, origin, path, method):
    assert ask(path, method, {"Origin": origin}).status_code == 403


@pytest.mark.parametrize("origin", [f"http://{HOST}", "http://localhost:8000", None])
def test_the_own_origin_passes(ask, origin):
    assert ask("/api/info", headers={"Origin": origin}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_fetches_of_other_sites_are_refused(ask, site):
    assert ask("/api/info", headers={"Sec-Fetch-Site": site}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/api/info", "/api/runs", "/nothing"])
def test_every_answer_has_the_policy(ask, path):
    for token in (TOKEN, None):
        headers = ask(path, headers={"X-Traction-Token": token}).headers
        policy = headers["content-security-policy"]
        assert "unsafe" not in policy
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


def test_large_bodies_are_refused(ask):
    body = b'{"toml": "' + b"x" * 2000 + b'"}'
    kind = {"Content-Type": "application/json"}
    assert ask("/api/check", "POST", kind, content=body).status_code == 413

    async def pieces():
        for k in range(0, len(body), 100):
            yield body[k : k + 100]

    assert ask("/api/check", "POST", kind, content=pieces()).status_code == 413


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("text/plain", b'{"toml": ""}', 415),
        (None, b'{"toml": ""}', 415),
        ("application/json", b"", 400),
        ("application/json", b"[]", 400),
        ("application/json", b"{", 400),
        ("application/json", b"\xff\xfe", 400),
        ("application/json", b'{"toml": NaN}', 400),
        ("application/json", b'{"toml": 3}', 400),
        ("application/json", b"[" * 900, 400),
        ("application/json", b'{"values": {}}', 400),
    ],
)
def test_bodies_that_are_no_object_are_refused(ask, kind, body, status):
    assert ask("/api/check", "POST", {"Content-Type": kind}, content=body).status_code == status


def traversals():
    for up, target in itertools.product(UP, TARGETS):
        for depth in (1, 3, 8):
            way = "/".join([up] * depth) + "/" + target
            yield f"/static/{way}"
            yield f"/{way}"
            yield f"/api/runs/{way}"
            yield f"/api/runs/{quote(way, safe='')}/files/data.nc"
            yield f"/api/cases/{quote(way, safe='')}"
            yield f"/report/{way}"
    yield from (
        "/static//etc/passwd",
        "/static/page/../../settings.py",
        "//etc/passwd",
        "/static/%00",
        "/static/C:/Windows/win.ini",
    )


def test_no_way_leads_out_of_the_page_and_the_workspace(ask):
    for path in traversals():
        for token in (TOKEN, None):
            answer = ask(path, headers={"X-Traction-Token": token})
            assert answer.status_code in (400, 401, 404, 405), path
            assert "SECRET" not in answer.text
            assert "root:" not in answer.text
            assert "import" not in answer.text


def test_links_do_not_exist(ask, workspace):
    listed = ask("/api/runs").json()["runs"]
    assert [run["name"] for run in listed] == ["run"]
    key = listed[0]["id"]
    assert ask(f"/api/runs/{key}/files").json()["files"] == []
    for name in ("data.nc", "report.html", "manifest.json", "..%2fsecret.txt"):
        answer = ask(f"/api/runs/{key}/files/{name}")
        assert answer.status_code == 404, name
        assert "SECRET" not in answer.text
    assert ask(f"/api/runs/{key}/report-link", "POST").status_code == 404


def test_a_folder_that_becomes_a_link_is_gone(ask, workspace, tmp_path):
    key = ask("/api/runs").json()["runs"][0]["id"]
    os.rename(workspace / "run", tmp_path / "moved")
    (workspace / "run").symlink_to(tmp_path / "moved", target_is_directory=True)
    assert ask(f"/api/runs/{key}").status_code == 404
    assert ask(f"/api/runs/{key}/files").status_code == 404
