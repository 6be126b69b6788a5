"""Files beside a scenario: only text, only numbers, only in its folder."""

import numpy as np
import pytest

from traction.errors import InputError
from traction.scenario import files
from traction.scenario.files import confined, inlined, table


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/passwd",
        "../up.csv",
        "a/../../up.csv",
        "..",
        "a/..",
        "..\\up.csv",
        "a\\..\\..\\up.csv",
        "C:\\up.csv",
        "C:up.csv",
        "c:/up.csv",
        "\\\\server\\share\\up.csv",
        "\\up.csv",
        "nul\0.csv",
    ],
)
def test_names_that_lead_out_are_refused(tmp_path, name):
    with pytest.raises(InputError, match="must lie in the folder of the scenario: give a relative path"):
        confined(tmp_path, name)


def test_links_that_lead_out_are_refused(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.csv").write_text("1, 2\n")
    (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
    (inside / "folder").symlink_to(tmp_path)
    (inside / "circle").symlink_to(inside / "circle")
    for name in ("link.csv", "folder/secret.csv", "circle"):
        with pytest.raises(InputError, match=r"must lie in the folder|does not exist|cannot be read"):
            table(inside, name)


def test_links_that_stay_inside_are_followed(tmp_path):
    (tmp_path / "real.csv").write_text("1, 2\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    assert table(tmp_path, "link.csv").tolist() == [[1.0, 2.0]]


def test_what_is_no_file_is_named(tmp_path):
    (tmp_path / "folder").mkdir()
    for name in ("missing.csv", "folder", ".", "x" * 5000):
        with pytest.raises(InputError, match=r"does not exist|cannot be read"):
            table(tmp_path, name)


WRONG = {
    b"": "has none",
    b"# only a comment\n": "has none",
    b"1, 2\n3\n": r"line 2: 1 numbers, but 2 in the rows before",
    b"1, 2\n\n3, 4, 5\n": r"line 3: 3 numbers, but 2",
    b"1, 2\n3, abc\n": r'line 2: "abc" is not a finite number',
    b"1, nan\n": '"nan" is not a finite number',
    b"1, inf\n": "is not a finite number",
    b"1, 1e999\n": "is not a finite number",
    "1, ٣\n".encode(): "is not a finite number",
    b",,\n": "line 1: no numbers",
    b"\x89PNG\r\n\x1a\n\0\0": "cannot be read as text",
    b"1, 2\n\0\0\0\n": "is not a finite number",
}


@pytest.mark.parametrize("content", WRONG)
def test_wrong_content_is_named_with_its_line(tmp_path, content):
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(InputError, match=rf'file = "a.csv".*{WRONG[content]}'):
        table(tmp_path, "a.csv")


def test_commas_blanks_comments_and_byte_order_marks_are_understood(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbf# y z\r\n1, 2\r\n  3\t4 \r\n\r\n5,6\r\n")
    assert table(tmp_path, "a.csv").tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def test_a_large_file_is_refused_unread(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("1, 2\n" * 10)
    monkeypatch.setattr(files, "MAX_BYTES", 20)
    with pytest.raises(InputError, match="larger than 20 bytes"):
        table(tmp_path, "a.csv")


def test_a_profile_takes_the_place_of_its_name(tmp_path):
    (tmp_path / "a.csv").write_text("0, 1\n1, 2\n")
    found = inlined({"type": "profile", "radius": 0.5, "file": "a.csv"}, tmp_path)
    assert found == {"type": "profile", "radius": 0.5, "y": [0.0, 1.0], "z": [1.0, 2.0]}


def test_a_height_map_takes_the_place_of_its_name(tmp_path):
    x, y, z = np.arange(3.0), np.arange(2.0), np.arange(6.0).reshape(2, 3)
    np.savetxt(tmp_path / "a.csv", np.block([[np.zeros((1, 1)), x[None]], [y[:, None], z]]), delimiter=",")
    found = inlined({"type": "height-map", "file": "a.csv"}, tmp_path)
    assert found == {"type": "height-map", "x": x.tolist(), "y": y.tolist(), "z": z.tolist()}


def test_a_file_that_does_not_fit_is_named(tmp_path):
    (tmp_path / "three.csv").write_text("0, 1, 2\n1, 2, 3\n")
    with pytest.raises(InputError, match="must have two columns, y and z, but has 3"):
        inlined({"type": "profile", "file": "three.csv"}, tmp_path)
    with pytest.raises(InputError, match="at least two positions"):
        inlined({"type": "height-map", "file": "three.csv"}, tmp_path)
    with pytest.raises(InputError, match="brings y along"):
        inlined({"type": "profile", "file": "three.csv", "y": [1.0]}, tmp_path)
    with pytest.raises(InputError, match="file = 3 must be the name of a file"):
        inlined({"type": "profile", "file": 3}, tmp_path)
