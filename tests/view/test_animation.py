import math
import re

import numpy as np
import pytest

import traction as tr
from traction.view.animation import frame_times


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

    first = tr.view.animate_bounce(ball, tmp_path / "a.gif", frames=6, fps=10.0)
    second = tr.view.animate_bounce(ball, str(tmp_path / "b.gif"), frames=6, fps=10.0)
    assert first == tmp_path / "a.gif"
    assert first.read_bytes() == second.read_bytes()
    with Image.open(first) as picture:
        assert picture.n_frames == 6
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
        ({"span": (0.5, 0.4)}, "must be two rising times within 0 and 1.4 s"),
        ({"span": (0.0, 9.0)}, "must be two rising times"),
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
