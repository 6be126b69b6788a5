"""Reading TOML: bounded whatever the file holds, and every key knows its line."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traction.printable import printable
from traction.scenario import toml
from traction.scenario.toml import MAX_BYTES, ScenarioError, key_lines, parse, read

LONGEST = 20.0  #: seconds of the processor; work that grows with the square takes thousands
TEXT = '''# line 1
title = "x"
"quoted key".'second part' = 3

[grid]  # line 5
nx = 4
size.x = 1

[[surface]]
type = "sphere"   # line 10
[[surface]]
type = "height-map"
z = [
  [1, 2],
  [3, 4]
]
after = 1  # line 17
[surface.inner]
key = 1

[load]  # line 21
force = [
  1,
  "2 N",
  3.5, 4 ]
text = """
[not.a.table]
key = 1
"""
late = 1  # line 30
inline = { a = 1, b = [ {c = 1},
  {c = 2} ], d.e = 3 }
last = 1979-05-27T07:32:00Z
'''
LINES = {
    ("title",): 2,
    ("quoted key",): 3,
    ("quoted key", "second part"): 3,
    ("grid",): 5,
    ("grid", "nx"): 6,
    ("grid", "size"): 7,
    ("grid", "size", "x"): 7,
    ("surface", 0): 9,
    ("surface", 0, "type"): 10,
    ("surface", 1): 11,
    ("surface", 1, "type"): 12,
    ("surface", 1, "z"): 13,
    ("surface", 1, "z", 0): 14,
    ("surface", 1, "z", 0, 1): 14,
    ("surface", 1, "z", 1): 15,
    ("surface", 1, "z", 1, 0): 15,
    ("surface", 1, "after"): 17,
    ("surface", 1, "inner"): 18,
    ("surface", 1, "inner", "key"): 19,
    ("load",): 21,
    ("load", "force"): 22,
    ("load", "force", 0): 23,
    ("load", "force", 1): 24,
    ("load", "force", 2): 25,
    ("load", "force", 3): 25,
    ("load", "text"): 26,
    ("load", "late"): 30,
    ("load", "inline"): 31,
    ("load", "inline", "a"): 31,
    ("load", "inline", "b", 0, "c"): 31,
    ("load", "inline", "b", 1): 32,
    ("load", "inline", "b", 1, "c"): 32,
    ("load", "inline", "d"): 32,
    ("load", "inline", "d", "e"): 32,
    ("load", "last"): 33,
}


def paths(value, path=()):
    """Paths of all that is in parsed data."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield (*path, key)
        yield from paths(inner, (*path, key))


def test_every_key_knows_its_line():
    document = parse(TEXT.encode(), "a.toml")
    assert {path: document.line_of(path) for path in LINES} == LINES
    assert set(document.lines) == set(paths(document.data)) - {("surface",)}


def test_line_endings_and_byte_order_marks_change_nothing():
    crlf = parse(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(), "a.toml")
    plain = parse(TEXT.encode(), "a.toml")
    assert crlf.lines == plain.lines
    assert crlf.data["surface"] == plain.data["surface"]


def test_an_unknown_key_has_the_line_of_its_table():
    document = parse(TEXT.encode(), "a.toml")
    assert document.line_of(("grid", "missing")) == 5
    assert document.line_of(("missing", "entirely")) == 1


@given(st.text(max_size=300))
def test_the_lines_of_any_text_are_found_or_not_but_never_an_error(text):
    assert all(1 <= line <= text.count("\n") + 1 for line in key_lines(text).values())


REFUSED = {
    "is not text in UTF-8": b"kind = 1\n\xff\xfe\n",
    "is not valid TOML": b"kind = ",
    "Cannot overwrite a value": b"a = 1\na = 2\n",
    "more than 200000 keys and values": b"a = [" + b"1," * 300_000 + b"]",
    "brackets are nested deeper": b"a = " + b"[" * 100_000,
    "brackets are nested": b"a = " + b"[" * 100_000 + b"]" * 100_000,
    "brackets are nested deeper than": b"a = " + b"{a=" * 100_000,
    "brackets are nested deeper than 32": b'b = "' + b"]" * 500 + b'"\na = ' + b"[" * 500 + b"]" * 500,
    "brackets": b"a = [ " + b'"]", [ ' * 5000,
    "a number or key is longer": b"a = " + b"9" * 20_000,
    "a number or key is longer than": b"a = 0x" + b"f" * 20_000,
    "a number or key is longer than 400": b"a = " + b"1_" * 20_000 + b"1",
    "more than 32 dots": b".".join([b"a"] * 100_000) + b" = 1",
    "more than": b'"a".' * 1000 + b"a = 1",
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_read_is_refused_with_a_line(message):
    begin = time.process_time()
    with pytest.raises(ScenarioError, match=rf"^a\.toml:\d+: .*{message}"):
        parse(REFUSED[message], "a.toml")
    assert time.process_time() - begin < LONGEST


def test_the_line_of_what_is_refused_is_right():
    with pytest.raises(ScenarioError, match=r"^a\.toml:2: is not text"):
        parse(b"kind = 1\n\xff\n", "a.toml")
    with pytest.raises(ScenarioError, match=r"^a\.toml:3: is not valid TOML"):
        parse(b"a = 1\n\nb = \n", "a.toml")
    with pytest.raises(ScenarioError, match=r"^a\.toml:4: brackets"):
        parse(b'a = """\n\n"""\nb = ' + b"[" * 50, "a.toml")


#: near the limit of size, each of them once slow in a parser of this kind
LARGE = {
    "blanks": b" " * 4_000_000,
    "blanks in a key": b"a" + b" " * 1_000_000 + b"b = 1",
    "escaped quotes": b'a = "' + b'\\"' * 1_000_000,
    "quotes": b'"' * 1_000_001,
    "single quotes": b"'" * 1_000_001,
    "three quotes": b"'''\n" * 300_001,
    "numbers": b"a = [" + b"0.125, " * 600_000 + b"]",
    "lines": b"\n" * 4_000_000,
    "comment": b"#" * 4_000_000,
    "dots": b"a = 1" + b"." * 1_000_000,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", LARGE)
def test_large_files_take_seconds_at_most(name):
    begin = time.process_time()
    try:
        parse(LARGE[name], "a.toml").line_of(("a", 3))
    except ScenarioError as error:
        message = str(error)
        assert message.startswith("a.toml:")
    assert time.process_time() - begin < LONGEST


def test_a_file_over_the_limit_is_refused_unread(tmp_path, monkeypatch):
    file = tmp_path / "large.toml"
    with file.open("wb") as handle:
        handle.truncate(MAX_BYTES + 1)
    monkeypatch.setattr(toml, "read_regular", lambda *_: pytest.fail("it was read"))
    with pytest.raises(
        ScenarioError, match=f"5000001 bytes are too many for a scenario, at most {MAX_BYTES}"
    ):
        read(file)


def test_what_is_no_file_is_named(tmp_path):
    for name in (tmp_path, tmp_path / "missing.toml", tmp_path / "a\0b", tmp_path / ("x" * 5000)):
        with pytest.raises(ScenarioError, match=r"no such file|cannot be read"):
            read(name)


def test_a_recursion_in_the_parser_is_a_sentence(monkeypatch):
    def recurse(text):
        raise RecursionError("maximum recursion depth exceeded")

    monkeypatch.setattr(toml.tomllib, "loads", recurse)
    with pytest.raises(ScenarioError, match=r"^a\.toml:1: is not valid TOML"):
        parse(b"a = 1", "a.toml")


def test_terminals_are_not_written_to():
    assert printable("a\x1b[2Jµ") == "a\\u001b[2Jµ"
    with pytest.raises(ScenarioError) as caught:
        parse(b'a = 1\n"\x1b[2J" = 1', "a.toml")
    assert "\x1b" not in str(caught.value)
