"""USETAB files: their form, what is refused, and the creepages that their rows stand for."""

import os

import numpy as np
import pytest

import traction as tr
from traction.contact.tables import usetab_file
from traction.contact.tables.usetab_file import (
    Usetab,
    file_ratios,
    read_printed_coefficients,
    read_usetab,
    scaled_creepages,
    write_usetab,
)

LONG = (130.0, 4.0, 1.0)


@pytest.fixture(scope="module")
def small():
    """A file of itab = 2 and three ratios of 1 and more, with made-up forces."""
    rng = np.random.default_rng(0)
    values = rng.uniform(-0.7, 0.7, (5, 6, 6, 12, 3))
    values[0, 0, 0, 0], values[0, 0, 0, 1] = 0.0, (-3e-7, 4.9e-7, -5.1e-7)
    return Usetab(file_ratios(2, LONG), values, 14)


@pytest.fixture
def written(tmp_path, small):
    return write_usetab(tmp_path / "tabcon", small)


def test_nodes_are_those_of_contact():
    x = scaled_creepages()
    assert x[:8] == pytest.approx(np.arange(8) / 7)
    assert x[9:] == pytest.approx(7 / np.arange(1, 8))
    assert x[8] == pytest.approx(7e5, rel=1e-7)
    ratios = file_ratios()
    assert ratios.size == 25
    assert ratios[[0, 6, 7, 13, 24]] == pytest.approx([1 / 7, 1.0, 200.0, 22.4, 1.0])
    assert ratios.size * 16 * 16 * 32 == 204_800


def test_layout(written):
    lines = written.read_text().splitlines()
    assert all(line.startswith("!") for line in lines[:3])
    assert lines[3:6] == [
        " ", "     2     3    10     0     0  itab, naob1, imap", "  130.000000,    4.000000,    1.000000",
    ]  # fmt: skip
    assert lines[6].endswith("mxeff= 14.")
    assert lines[8] == "! aob= 0.500000, xi= 0.000000, eta= 0.000000"
    assert lines[9:11] == ["  " + " ".join(["   0.000000"] * 3), "     0.000000    0.000000   -0.000001"]
    assert "! aob=  130.000, xi= 0.500000, eta= 2.000000" in lines
    assert "! aob= 4.000000, xi= 200000.0, eta= 1.000000" in lines
    assert lines[-1] == " End of Table"
    rows = [line for line in lines[8:-1] if not line.startswith("!")]
    assert len(rows) == 5 * 6 * 6 * 12
    assert {len(line) for line in rows} == {37}


def test_more_than_five_ratios_take_several_lines(tmp_path):
    many = Usetab(file_ratios(1, (9.0, 8.0, 7.0, 6.0, 5.0, 1.0)), np.zeros((7, 4, 4, 8, 3)))
    lines = write_usetab(tmp_path / "many", many).read_text().splitlines()
    assert lines[5].count(",") == 5
    assert lines[6] == "    1.000000"
    assert read_usetab(tmp_path / "many").ratios.tolist() == many.ratios.tolist()


def test_written_read_and_written_again_is_the_same(tmp_path, small, written):
    found = read_usetab(written)
    assert found.values == pytest.approx(small.values, abs=5.1e-7)
    assert found.ratios.tolist() == small.ratios.tolist()
    assert found.cells == small.cells
    assert write_usetab(tmp_path / "again", found).read_bytes() == written.read_bytes()


def test_files_of_other_writers(written, small):
    text = (
        written.read_text().replace("\n", "\r\n").replace("130.000000,", "1.3D+02 ").replace("! aob", "!\xe9")
    )
    text = text.replace("mxeff", "more")
    written.write_bytes(text.encode("latin-1"))
    found = read_usetab(written)
    assert found.ratios.tolist() == small.ratios.tolist()
    assert found.cells is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("     2     3", "     3     3", "there are 2,160 rows, expected 6,144 by itab"),
        ("     2     3    10", "     2     3    11", ":5: imap = 11 must be 10"),
        ("     2     3", "    99     3", "itab = 99 and naob1 = 3 must be 1 to 20"),
        ("     2     3", "     2     0", "itab = 2 and naob1 = 0"),
        ("     2     3", "     2   3.0", "three whole numbers itab, naob1 and imap"),
        ("  130.000000", "    3.000000", ":6: the 3 ratios a/b must decrease to 1"),
        ("  130.000000", " 9e9", "a/b = 9e.09 must be at most"),
        ("   4.000000,    1.000000", "   4.000000", "the 3 ratios a/b must decrease"),
        (" End of Table", "", "the end: 'End of Table' must follow 2,160 rows; the file is not complete"),
        (
            "    0.000000   -0.000001",
            "    0.000000",
            ":11: a row must be the three numbers Fx, Fy, Mz",
        ),
        ("    0.000000   -0.000001", "    0.000000 ***********", "'[*]+' is not a number; expected forces"),
        ("    0.000000   -0.000001", "    nan   -0.000001", "'nan' is not a number"),
        ("    0.000000   -0.000001", "    1.100000   -0.000001", ":11: the force is 1.1 of mu N"),
        ("    0.000000   -0.000001", "    1e999   -0.000001", "the force is inf of mu N"),
        ("    0.000000   -0.000001", "    0.000000   -9.000001", ":11: the moment is -9 of mu N c"),
    ],
)
def test_faults_are_named_with_their_line(written, old, new, words):
    text = written.read_text()
    assert old in text
    written.write_text(text.replace(old, new, 1))
    with pytest.raises(tr.InputError, match=words):
        read_usetab(written)


def test_what_is_not_a_file_or_too_large(tmp_path, written, monkeypatch, small):
    os.mkfifo(tmp_path / "pipe")
    for path, words in ((tmp_path / "pipe", "not a regular file"), (tmp_path, "not a regular file"),
                        (tmp_path / "absent", "No such file")):  # fmt: skip
        with pytest.raises(tr.InputError, match=words):
            read_usetab(path)
    monkeypatch.setattr(usetab_file, "MOST_BYTES", 1000)
    with pytest.raises(tr.InputError, match="expected at most 1000"):
        read_usetab(written)
    with pytest.raises(tr.InputError, match="does not exist; create it first"):
        write_usetab(tmp_path / "absent" / "tabcon", small)


def test_damaged_files_are_read_or_refused(tmp_path):
    file = write_usetab(tmp_path / "tabcon", Usetab(file_ratios(1, (1.0,)), np.zeros((2, 4, 4, 8, 3)), 10))
    whole, rng = file.read_bytes(), np.random.default_rng(1)
    refused = 0
    for _ in range(300):
        content = bytearray(whole)
        for _ in range(rng.integers(1, 4)):
            at = int(rng.integers(0, 500 if rng.random() < 0.5 else len(content)))
            match rng.integers(0, 4):
                case 0:
                    content[at] = rng.integers(0, 256)
                case 1:
                    del content[at : at + int(rng.integers(1, 300))]
                case 2:
                    content[at:at] = bytes(rng.integers(0, 256, 5).astype(np.uint8))
                case _:
                    content[at:at] = content[: int(rng.integers(1, 200))]
        file.write_bytes(content)
        try:
            assert np.isfinite(read_usetab(file).values).all()
        except tr.InputError:
            refused += 1
    assert refused > 100


@pytest.mark.parametrize(
    ("ratio", "nu", "expected"),
    [
        (1.0, 0.25, (4.12, 3.67, 1.47)),
        (0.2, 0.0, (2.59, 2.59, 0.483)),
        (5.0, 0.5, (8.82, 9.79, 7.89)),
        (0.25, 0.25, (3.405, 2.69, 0.659)),
        (0.8, 0.25, (3.91, 3.41, 1.15)),
    ],
)
def test_coefficients_are_those_of_the_printed_table(ratio, nu, expected):
    assert read_printed_coefficients(ratio, nu) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("ratio", "within"), [(0.1, 0.05), (0.35, 0.01), (3.0, 0.02), (10.0, 0.05)])
def test_printed_coefficients_are_near_computed_ones(ratio, within):
    k = tr.kalker_coefficients(ratio, 0.28)
    assert read_printed_coefficients(ratio) == pytest.approx([k.C11, k.C22, k.C23], rel=within)
