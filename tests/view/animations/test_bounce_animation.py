import itertools
import math
import re

import numpy as np
import pytest

import traction as tr
from traction.view.animations.bounce_animation import frame_times


@pytest.fixture(scope="module")
def ball():
    pair = tr.Pair(tr.Material(math.inf, 0.3, density=910.0), tr.Material(1.5e8, 0.5))
    return tr.bounce(0.11, pair, 1.0, t_end=1.4)


def test_time_runs_slower_in_contact(ball):
    frames = frame_times(ball, 80, (0.0, 1.4))
    assert frames.t[[0, -1]].tolist() == [0.0, 1.4]
    assert (np.diff(frames.t) > 0.0).all()
    for contact in ball.contacts:
        inside = (frames.t >= contact.start) & (frames.t <= contact.end)
        assert inside.sum() >= 12
        assert np.ptp(frames.step[inside]) < 1e-3 * frames.step[inside].max()
        assert frames.step[inside].max() < 0.01 * frames.step[0]


def test_gif_has_its_frames_and_equal_bytes(ball, tmp_path):
    from PIL import Image

    first = tr.view.animate_bounce(ball, tmp_path / "a.gif", frames=3, fps=10.0)
    second = tr.view.animate_bounce(ball, str(tmp_path / "b.gif"), frames=3, fps=10.0)
    assert first == tmp_path / "a.gif"
    assert first.read_bytes() == second.read_bytes()
    with Image.open(first) as picture:
        assert picture.n_frames == 3
        assert picture.info["duration"] == 100
        assert picture.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.gif", "b.gif"]


def test_page_holds_all_it_shows(ball, tmp_path):
    import base64

    page = tr.view.animate_bounce(ball, tmp_path / "ball.html", frames=3, span=(0.4, 0.5)).read_text("utf-8")
    pictures = re.findall(r'^"([A-Za-z0-9+/=]+)",?$', page, flags=re.MULTILINE)
    assert len(pictures) == 3
    assert all(base64.b64decode(text).startswith(b"\x89PNG") for text in pictures)
    assert "http" not in page
    assert "{" + "WAIT}" not in page


def test_any_shape_can_fall(tmp_path):
    pair = tr.Pair(tr.RIGID, tr.Material(1.5e8, 0.5))
    history = tr.bounce(surface=tr.Paraboloid(0.1, 0.2), mass=5.0, pair=pair, height=0.1, t_end=0.2)
    assert tr.view.animate_bounce(history, tmp_path / "bowl.gif", frames=3).stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"path": "ball.mp4"}, r"path = 'ball.mp4' must end in .gif or .html"),
        ({"path": "ball"}, "must end in .gif or .html"),
        ({"frames": 1}, "frames = 1"),
        ({"fps": 0.0}, "fps = 0.0"),
        ({"span": (0.5, 0.4)}, "must be two increasing times within 0 and 1.4 s"),
        ({"span": (0.0, 9.0)}, "must be two increasing times"),
        ({"history": 1.0}, "tr.bounce"),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(ball, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tr.InputError, match=message):
        tr.view.animate_bounce(**{"history": ball, "path": "ball.gif", **options})
    assert not list(tmp_path.iterdir())


def test_missing_folder_is_named(ball, tmp_path):
    with pytest.raises(tr.TractionError, match="nowhere"):
        tr.view.animate_bounce(ball, tmp_path / "nowhere" / "ball.gif", frames=2)


@pytest.fixture(scope="module")
def rolled():
    """A ball that is pulled, and then rolls by three steps; and the same as a line contact."""
    pair, mu = tr.Pair(tr.STEEL, tr.STEEL), 0.3
    ball = tr.press(tr.Sphere(0.1), tr.Grid(20, 18, 1.2e-4, 1.2e-4), pair, force=1000.0)
    roller = tr.press(tr.Cylinder(0.1), tr.Grid.line(40, 2.5e-5, length=0.1), pair, force=1e5)
    runs = []
    for n in (ball, roller):
        force = (-0.5 * mu * n.force, None)
        run = [tr.shift(n, mu, displacement=(None, 0.0, 0.0), force=force)]
        for _ in range(3):
            distance = 0.5 * n.grid.dx
            run.append(tr.roll(run[-1], mu, distance=distance, creepage=(None, 0.0, 0.0), force=force))
        runs.append((run, 0.5 * n.grid.dx * np.arange(4)))
    return runs


@pytest.mark.parametrize("number", [0, 1], ids=["ball", "line"])
def test_rolling_has_a_frame_for_each_contact(rolled, number, tmp_path):
    from PIL import Image

    contacts, distance = rolled[number]
    file = tr.view.animate_rolling(contacts[1:], tmp_path / "a.gif", distance=distance[1:], fps=8.0)
    with Image.open(file) as film:
        assert film.n_frames == 3
        frames = []
        for k in range(3):
            film.seek(k)
            frames.append(np.asarray(film.convert("RGB"), dtype=int))
    for one, other in itertools.pairwise(frames):
        assert (np.abs(one - other).max(axis=2) > 50).sum() > 20  # something moves


def test_equal_contacts_give_equal_bytes(rolled, tmp_path):
    contacts, distance = rolled[1]
    files = [
        tr.view.animate_rolling(contacts[:2], tmp_path / name, distance=distance[:2])
        for name in ("a.gif", "b.gif")
    ]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_rolling_page_says_what_it_is(rolled, tmp_path):
    contacts, distance = rolled[1]
    page = tr.view.animate_rolling(contacts[:2], tmp_path / "a.html", distance=distance[:2]).read_text(
        "utf-8"
    )
    assert "<title>Rolling</title>" in page


@pytest.mark.parametrize("given", ["creepage", "force"])
def test_rolling_shows_what_was_found(rolled, given, tmp_path):
    """The third panel has the creepage, or the force where the creepage is given."""
    from traction.view.animations.rolling_animation import (
        RollingHistory,
        RollingStage,
        _history,
        find_borders,
    )

    contacts, distance = rolled[0]
    found = _history(contacts, distance)
    assert np.isnan(found.creepage[0]).all()  # of the shift
    if given == "creepage":
        found = RollingHistory.of(distance, np.full((4, 2), 1e-3), found.force)
    stage = RollingStage(contacts, distance, found, 1)
    assert stage.figure.axes[-1].get_ylabel().startswith("force" if given == "creepage" else "creepage")
    stage.show(2)
    shown = stage.traction.get_ydata() * max(float(t.bound.max()) for t in contacts)
    np.testing.assert_allclose(shown, contacts[2].traction[0, 9], atol=1e-6 * np.abs(shown).max())
    sides = len(find_borders(stage.map, contacts[2].normal.contact))
    assert (
        sides
        == np.abs(np.diff(np.pad(contacts[2].normal.contact, 1).astype(int), axis=0)).sum()
        + np.abs(np.diff(np.pad(contacts[2].normal.contact, 1).astype(int), axis=1)).sum()
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"contacts": slice(0, 1)}, "two or more"),
        ({"distance": [0.0, 1.0]}, "distance"),
        ({"path": "a.mp4"}, "must end in"),
        ({"direction": 0}, "direction"),
        ({"fps": 0.0}, "fps"),
    ],
)
def test_rolling_refuses(rolled, change, words, tmp_path):
    contacts, distance = rolled[1]
    options = {"distance": distance, **change}
    chosen = contacts[options.pop("contacts", slice(None))]
    path = tmp_path / options.pop("path", "a.gif")
    with pytest.raises(tr.InputError, match=words):
        tr.view.animate_rolling(chosen, path, **options)


def test_without_a_path_the_film_is_shown_in_notebooks(ball, tmp_path):
    from html import unescape

    film = tr.view.animate_bounce(ball, frames=3, fps=10.0, span=(0.4, 0.5))
    assert isinstance(film, tr.view.Film)
    assert repr(film) == "Film: A body bounces on the ground, 3 frames at 10 per second"
    view = film._repr_html_()
    frame = re.fullmatch(r'<iframe srcdoc="([^"]*)" title="[^"]*" style="[^"]*"></iframe>', view)
    assert unescape(frame.group(1)) == film.to_html()
    assert film.save(tmp_path / "film.html").read_text("utf-8") == film.to_html()
    written = tr.view.animate_bounce(ball, tmp_path / "b.gif", frames=3, fps=10.0, span=(0.4, 0.5))
    assert film.save(tmp_path / "a.gif").read_bytes() == written.read_bytes()
    with pytest.raises(tr.InputError, match=r"must end in \.gif or \.html"):
        film.save(tmp_path / "a.mp4")


def test_all_animations_are_films_without_a_path():
    from outputs.result_samples import sample

    contact = sample("TangentialContact")
    films = (
        tr.view.animate_crossing(sample("Crossing"), frames=2),
        tr.view.animate_impact(sample("ImpactHistory"), frames=2),
        tr.view.animate_rolling([contact, contact], distance=[0.0, 1e-4]),
    )
    assert all(isinstance(film, tr.view.Film) for film in films)


@pytest.mark.parametrize("fps", [0.0, -5.0])
def test_frames_per_second_are_checked_without_a_path_too(fps):
    beam = tr.Beam(10.0, 1e8, 1e3, supports=("pinned", "pinned"))
    crossing = tr.moving_load(beam, [(1e4, 0.0)], 20.0, size=2)
    with pytest.raises(tr.InputError, match=r"fps = .* must be positive"):
        tr.view.animate_crossing(crossing, frames=3, fps=fps)
