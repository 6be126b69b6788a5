"""C code of a table: compiled without a warning, and with the forces of Python."""

import ctypes
import math
import subprocess

import numpy as np
import pytest

import traction as tr
from spline_samples import random_calls, random_splines
from traction.contact.tables.exports.c_source import write_c
from traction.contact.tables.kernels.table_forces import POLE, creep_forces_of_many

STRICT = ("-O2", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-shared", "-fPIC")
TABLES = {
    "polar, one ratio": ("polar", (2.0,)),
    "polar": ("polar", (0.3, 0.6, 1.0, 2.0, 4.0)),
    "box": ("box", (0.5, 1.0, 2.0, 5.0)),
}


@pytest.fixture(scope="module", params=TABLES)
def compiled(request, tmp_path_factory):
    """A table, and its function in C."""
    table = random_splines(*TABLES[request.param])
    folder = tmp_path_factory.mktemp("c")
    files = write_c(folder / "creep.c", table, ["made-up forces"])
    subprocess.run(["gcc", *STRICT, "-o", "creep.so", files.source, "-lm"], cwd=folder, check=True)
    function = ctypes.CDLL(folder / "creep.so").traction_creep_forces
    function.restype, number = None, ctypes.c_double
    function.argtypes = [ctypes.c_void_p, number, number, number, number, ctypes.c_void_p, ctypes.c_void_p]
    return table, function


def call(function, creepage, contact, *, derivatives=True):
    """Forces, (3,), and derivatives, (3, 3), of the function in C."""
    given, force, jacobian = np.array(creepage, dtype=float), np.full(3, -1.0), np.full((3, 3), -1.0)
    function(given.ctypes.data, *contact, force.ctypes.data, jacobian.ctypes.data if derivatives else None)
    return force, jacobian


def round_off(table, creepage, contact):
    """Of slopes by the azimuth, sums of 4^4 products over the distance from the axis of spin."""
    if table.coordinates == "box" or not any(creepage):
        return 0.0
    x, y, w = creepage / table.creepage_scales(*contact)
    return 16.0 * np.finfo(float).eps / max(math.hypot(x, y) / math.hypot(x, y, w), POLE)


def test_forces_are_those_of_python(compiled):
    table, function = compiled
    creepages, contacts = random_calls(table, 300)
    forces, jacobians = np.empty((300, 3)), np.empty((300, 3, 3))
    creep_forces_of_many(creepages, contacts, table.packed, forces, jacobians)
    for k, contact in enumerate(contacts.tolist()):
        force, jacobian = call(function, creepages[k], contact)
        limit = 0.3 * contact[2]
        assert np.abs(force - forces[k]).max() <= 1e-12 * limit
        allowed = 1e-12 + round_off(table, creepages[k], contact)
        assert np.abs(jacobian - jacobians[k]).max() <= allowed * np.abs(jacobians[k]).max()
        alone, untouched = call(function, creepages[k], contact, derivatives=False)
        assert alone.tolist() == force.tolist()
        assert (untouched == -1.0).all()


@pytest.mark.parametrize(
    ("creepage", "contact", "expected"),
    [
        ((1e-3, 0.0, 0.1), (0.01, 0.005, 0.0, 0.3), 0.0),
        ((1e-3, 0.0, 0.1), (0.0, 0.0, 0.0, 0.3), 0.0),
        ((1e-3, 0.0, 0.1), (0.01, 0.005, 8e4, 0.0), 0.0),
        ((1e-3, 0.0, 0.1), (0.05, 0.005, 8e4, 0.3), math.nan),
        ((1e-3, 0.0, 0.1), (0.005, 0.05, 8e4, 0.3), math.nan),
        ((1e-3, 0.0, 0.1), (-0.01, -0.005, 8e4, 0.3), math.nan),
        ((1e-3, 0.0, 0.1), (0.0, 0.005, 8e4, 0.3), math.nan),
        ((1e-3, 0.0, 0.1), (0.01, 0.005, -8e4, 0.3), math.nan),
        ((1e-3, 0.0, 0.1), (0.01, 0.005, 8e4, math.nan), math.nan),
        ((math.inf, 0.0, 0.1), (0.01, 0.005, 8e4, 0.3), math.nan),
        ((0.0, math.nan, 0.1), (0.01, 0.005, 8e4, 0.3), math.nan),
    ],
)
def test_without_load_zero_and_outside_not_a_number(compiled, creepage, contact, expected):
    force, jacobian = call(compiled[1], creepage, contact)
    assert np.array_equal(force, np.full(3, expected), equal_nan=True)
    assert np.array_equal(jacobian, np.full((3, 3), expected), equal_nan=True)


def test_forces_are_smooth_at_zero_and_bounded_far_away(compiled):
    table, function = compiled
    contact = (0.01, 0.005, 8e4, 0.3)
    force, jacobian = call(function, (0.0, 0.0, 0.0), contact)
    assert np.isfinite(jacobian).all()
    if table.coordinates == "polar":
        assert not force.any()
    near, far = (call(function, (size, -size, size), contact) for size in (1e9, 1e80))
    assert near[0] == pytest.approx(far[0], rel=1e-5)
    assert np.isfinite(far[1]).all()


def test_two_tables_in_one_program_have_their_names(tmp_path):
    files = write_c(
        tmp_path / "tread", random_splines("polar", (2.0,)), ["a comment */ in it"], "tread_forces"
    )
    assert (files.header.name, files.source.name) == ("tread.h", "tread.c")
    source = files.source.read_text()
    assert '#include "tread.h"' in source
    assert "void tread_forces(const double creepage[3]" in source
    assert "a comment * / in it" in source
    assert "@" not in source + files.header.read_text()


def test_text_of_a_file_stays_in_its_comment(tmp_path):
    """The origin of a table comes from files, and a line that ends in a backslash continues."""
    origin = "*\\\n/ int injected = @TABLE@ @NAME@; /*"
    files = write_c(tmp_path / "creep.c", random_splines("polar", (2.0,)), [origin])
    plain = (*STRICT[:-2], "-Wno-error=comment", "-Wno-comment", "-fsyntax-only")
    subprocess.run(["gcc", *plain, files.source], check=True)
    done = subprocess.run(["gcc", "-E", "-P", files.source], check=True, capture_output=True, text=True)
    assert "injected" not in done.stdout


def test_names_that_differ_by_case_have_guards_of_their_own(tmp_path):
    splines = random_splines("polar", (2.0,))
    guards = {
        write_c(tmp_path / name, splines, [], name).header.read_text().split("#ifndef ")[1].split()[0]
        for name in ("left", "Left")
    }
    assert len(guards) == 2


@pytest.mark.parametrize(
    ("path", "name", "words"),
    [
        ("creep.f90", "creep", "must end in .c or .h"),
        ("absent/creep.c", "creep", "does not exist; create it first"),
        ("creep.c", "creep-forces", "must be a name in C"),
        ("creep.c", "", "must be a name in C"),
        ("creep.c", "double", "has a meaning in C"),
        ("creep.c", "coefficients", "has a meaning in C or in the source"),
        ('cre"ep.c', "creep", "cannot stand in #include"),
    ],
)
def test_bad_names_are_refused(tmp_path, path, name, words):
    with pytest.raises(tr.InputError, match=words):
        write_c(tmp_path / path, random_splines("polar", (2.0,)), [], name)
