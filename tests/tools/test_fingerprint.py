"""The fingerprint of a refactoring: what counts as the same, and that there is enough of it."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import fingerprint
import traction as tr
from fingerprints.cases import ERROR, computed, matches
from fingerprints.compare import DIFFERENT, IDENTICAL, MISSING, NEW, ROUNDED, compare, failed, report

VALUES = np.array([1.0, -2.0, np.nan, np.inf, 0.0])


def verdict(old, new):
    """Of one case with one array on either side."""
    (finding,) = compare({"case::x": np.asarray(old)}, {"case::x": np.asarray(new)})
    return finding.verdict


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (VALUES.copy(), IDENTICAL),  # with not a number among them
        (VALUES * (1.0 + 1e-13), ROUNDED),
        (VALUES + np.array([1e-12, 0.0, 0.0, 0.0, 0.0]), ROUNDED),  # of the largest, which is 2
        (VALUES * [1.0, 1.0, 1.0, 1.0, -1.0], ROUNDED),  # the sign of a zero is a bit
        (VALUES * (1.0 + 1e-11), DIFFERENT),
        (np.array([1.0, -2.0, 0.0, np.inf, 0.0]), DIFFERENT),
        (np.array([1.0, -2.0, np.nan, -np.inf, 0.0]), DIFFERENT),
        (np.array([1.0, -2.0, np.nan, 5.0, 0.0]), DIFFERENT),
        (VALUES[:4], DIFFERENT),
        (VALUES.astype(np.float32), DIFFERENT),
        (VALUES.astype(str), DIFFERENT),
    ],
)
def test_verdicts_on_arrays(new, expected):
    assert verdict(VALUES, new) == expected


def test_verdicts_on_other_types():
    assert verdict([True, False], [True, False]) == IDENTICAL
    assert verdict([True, False], [True, True]) == DIFFERENT
    assert verdict([3, 4], [3, 5]) == DIFFERENT
    assert verdict("converged", "converged") == IDENTICAL
    assert verdict("converged", "stalled") == DIFFERENT
    assert verdict([1.0 + 1j], [1.0 + 1j * (1.0 + 1e-13)]) == ROUNDED
    assert verdict([0.0], [1e-300]) == DIFFERENT
    assert verdict([], []) == IDENTICAL


def test_cases_that_only_one_has():
    both = {"a::x": np.ones(2)}
    missing, _ = compare({**both, "Z::x": np.ones(1)}, both)
    new, _ = compare(both, {**both, "Z::x": np.ones(1)})
    assert (missing.verdict, new.verdict) == (MISSING, NEW)
    (changed,) = compare(both, {**both, "a::y": np.ones(1)})
    assert changed.verdict == DIFFERENT


def test_what_vanishes_counts_against_what_is_beside_it():
    old = {"a::energies.total": np.array([1e3]), "a::energies.residual": np.array([1e-13])}
    rounded = compare(old, old | {"a::energies.residual": np.array([-2e-13])})
    changed = compare(old, old | {"a::energies.residual": np.array([1e-8])})
    share = compare({"a::closure": np.array([1e-15])}, {"a::closure": np.array([3e-15])})
    assert [found[0].verdict for found in (rounded, changed, share)] == [ROUNDED, DIFFERENT, ROUNDED]


def test_the_worst_array_is_told():
    old = {"a::x": np.ones(3), "a::y": np.ones(3), "b::x": np.ones(3)}
    new = {**old, "a::x": old["a::x"] + 1e-3, "a::y": old["a::y"] + 0.5}
    findings = compare(old, new)
    assert findings[0].difference == pytest.approx(0.5 / 1.5)
    lines = report(findings)
    assert len(lines) == 2
    assert "a  y" in lines[0]
    assert lines[1] == "2 cases: 1 identical, 1 different"


def test_rounding_fails_only_when_exactness_is_asked_for(tmp_path):
    first, second = tmp_path / "a.npz", tmp_path / "b.npz"
    np.savez(first, **{"about": np.array("here"), "case::x": VALUES})
    np.savez(second, **{"about": np.array("there"), "case::x": VALUES * (1.0 + 1e-13)})
    assert fingerprint.main(["compare", str(first), str(second)]) == 0
    assert fingerprint.main(["compare", "--exact", str(first), str(second)]) == 1
    assert fingerprint.main(["compare", "--exact", str(first), str(first)]) == 0
    assert not failed([])


def test_an_error_is_a_text_and_a_new_one_a_difference():
    def broken():
        raise ValueError("no such thing")

    raised, fine = computed(broken), computed(lambda: {"x": 1.0})
    assert str(raised[ERROR]) == "ValueError: no such thing"
    (finding,) = compare({"case::x": fine["x"]}, {f"case::{ERROR}": raised[ERROR]})
    assert finding.verdict == DIFFERENT
    assert "no such thing" in finding.words


def test_selection():
    name = "api/contact/press_force"
    assert all(matches(name, [one]) for one in ("api", "api/contact/", name, "api/*/press*"))
    assert not any(matches(name, [one]) for one in ("api/con", "verify", "press*"))


#: functions without a call, and why
WITHOUT_CALL = {"solve_usetab": "takes minutes"}


def test_every_public_function_has_a_call():
    """By `tr.name`, or `tr.module.name` of the closed forms and friction laws."""
    called = set()
    for path in Path(fingerprint.__file__).parent.glob("fingerprints/**/*.py"):
        called |= set(re.findall(r"\btr\.([a-z_]+)", path.read_text(encoding="utf-8")))
    functions = {name for name in tr.__all__ if inspect.isfunction(getattr(tr, name))}
    assert len(functions) > 40
    assert functions - called == set(WITHOUT_CALL)


def test_there_are_many_calls():
    assert len(fingerprint.api_cases()) >= 40
