"""Starting a studio: its folder, its port, what it opens, and how it ends."""

import socket

import pytest

from studio_process import MODES, running_studio, start_studio
from traction.errors import InputError
from traction.kinds.case import loads
from traction.kinds.simulate import simulate
from traction.kinds.sweep.run_sweep import sweep
from traction.studio import serve
from traction.studio.settings import HOST, Settings


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A folder with a run and a sweep."""
    folder = tmp_path_factory.mktemp("stored")
    case = loads(MODES)
    simulate(case, folder / "run")
    sweep(case, {"beam.length": "10 m, 20 m"}, folder / "sweep")
    return folder


def test_a_run_is_opened_in_the_folder_around_it(stored):
    assert serve.choose_workspace(stored / "run") == (stored, stored / "run")
    assert serve.choose_workspace(stored / "sweep") == (stored, stored / "sweep")
    variant = next(path for path in (stored / "sweep").iterdir() if (path / "manifest.json").exists())
    assert serve.choose_workspace(variant) == (stored, variant)
    assert serve.choose_workspace(stored) == (stored, None)


def test_a_new_folder_is_made(tmp_path):
    assert serve.choose_workspace(tmp_path / "a" / "b") == (tmp_path / "a" / "b", None)
    assert (tmp_path / "a" / "b").is_dir()


def test_only_the_loopback_address_listens():
    with serve.bind(0) as listener:
        assert listener.getsockname()[0] == HOST == "127.0.0.1"
        taken = listener.getsockname()[1]
        listener.listen()
        with pytest.raises(InputError, match=f"--port {taken}"):
            serve.bind(taken).close()


def test_every_start_has_a_token_of_its_own(tmp_path):
    tokens = {Settings(tmp_path, 1).token for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) >= 32 for token in tokens)
    assert "secret" not in repr(Settings(tmp_path, 1, "secret"))


def test_what_is_missing_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(serve, "NEEDED", ("starlette", "no_such_package"))
    with pytest.raises(InputError, match=r"no_such_package.*traction\[studio\]"):
        serve.serve(tmp_path)


@pytest.mark.slow
def test_the_page_opens_what_was_named_and_the_studio_ends_well(stored):
    studio = start_studio(stored / "sweep")
    try:
        opened = studio.get("/api/info")["open"]
        assert opened["type"] == "sweep"
        table = studio.get(f"/api/sweeps/{opened['id']}")
        assert [row["status"] for row in table["rows"]] == ["done", "done"]
        key = table["rows"][1]["run"]
        run = studio.get(f"/api/runs/{key}")
        assert run["sweep"] == opened["id"]
        assert not run["can_delete"]
        assert studio.client.delete(f"/api/runs/{key}").status_code == 409
        assert studio.get(f"/api/runs/{key}/views")["views"]
        drawn = studio.get(f"/api/sweeps/{opened['id']}/map")
        assert drawn["x"]["values"] == [10.0, 20.0]
        assert drawn["runs"][1] == key
    finally:
        assert studio.end() == 0


@pytest.mark.slow
def test_nobody_else_reaches_it(tmp_path):
    with running_studio(tmp_path) as studio:
        port = int(studio.url.rpartition(":")[2])
        known = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        for address in (one for one in known if not one.startswith("127.")):
            with socket.socket() as other:
                other.settimeout(2.0)
                assert other.connect_ex((address, port)) != 0


def test_scenarios_may_name_files_of_the_workspace_only(studio):
    surface = '[[surface]]\ntype = "profile"\nradius = "0.46 m"\nfile = "NAME"\n'
    grid = "nx = 8\nny = 8\nwidth_x = 0.009\nwidth_y = 0.009\n"
    case = f'kind = "press"\n[grid]\n{grid}[load]\nforce = "1 kN"\n'
    (studio.workspace / "wheel.txt").write_text("\n".join(f"{y / 1e3} {y * y / 1e6}" for y in range(-9, 10)))
    (studio.workspace / "link.txt").symlink_to("/etc/hostname")
    good = studio.post("/api/check", {"toml": case + surface.replace("NAME", "wheel.txt")})
    assert good["ok"], good["errors"]
    assert good["values"]["surface"][0]["file"] == "wheel.txt"
    for name in ("/etc/hostname", "../wheel.txt", "link.txt", "nothing.txt"):
        bad = studio.post("/api/check", {"toml": case + surface.replace("NAME", name)})
        assert not bad["ok"], name
        assert bad["errors"][0]["line"] == 12


@pytest.mark.slow
def test_titles_are_told_as_they_are(studio):
    title = '<img src=x onerror="alert(1)"> & co'
    key = studio.start(MODES.replace('"Modes of a bridge"', f"'{title}'"))
    run = studio.wait_for(key, "done")
    assert run["title"] == title
    assert run["name"].replace("-", "").isalnum()


@pytest.mark.slow
def test_all_changes_are_told_to_who_follows_all(studio, parse_events):
    with studio.client.stream("GET", "/api/events") as stream:
        events = parse_events(stream.iter_lines())
        key = studio.start(MODES)
        seen = []
        for name, data in events:
            seen.append((name, data))
            if data["id"] == key and data.get("report") in ("ready", "failed"):
                break
    assert {name for name, _ in seen} == {"run"}
    studio.wait(key, lambda run: run["can_delete"])
    with studio.client.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith(":")
        studio.client.delete(f"/api/runs/{key}")
        assert next(parse_events(lines)) == ("gone", {"id": key})
