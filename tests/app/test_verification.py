"""Verification: every registered check passes, and a number that is none is a miss."""

import math
from importlib import import_module
from pathlib import Path

import pytest

from traction.app import checks as rows
from traction.app.checks import finite_elements
from traction.app.verification import (
    CAPABILITIES,
    QUICK,
    Check,
    Verdict,
    checks,
    left_out,
    select_checks,
    verify,
)
from traction.integrators.method_table import methods

#: rows that take long, whose claims tests of their rooms check too; by how their names begin
SLOW = (
    "bounce-conserved",
    "bounce-energy",
    "cross-energy",
    "cross-hard-contact",
    "cross-methods",
    "cross-resonance",
    "differences-stability",
    "driving-steps",
    "fem-block",
    "fem-crossing",
    "impact-cantilever",
    "roll-wiggles",
)


def marked(check):
    label = f"{check.name}-{check.quantity}"
    return pytest.param(check, id=label, marks=[pytest.mark.slow] if check.name.startswith(SLOW) else [])


@pytest.mark.parametrize("check", [marked(check) for check in checks()])
def test_every_check_passes(check):
    verdict = Verdict(check, check.compute())
    assert verdict.passed, (verdict.computed, check.expected)


def test_not_a_number_is_a_miss():
    assert not Verdict(Check("a", "b", "c", 1.0, 1e-3, lambda: math.nan), math.nan).passed


def test_only_selects_by_name():
    assert {verdict.check.name for verdict in verify("load-circle")} == {"load-circle"}
    assert not list(verify("nothing like it"))


def test_rows_without_their_package_are_named(monkeypatch):
    assert left_out() == ()
    monkeypatch.setattr(finite_elements, "installed", lambda: False)
    assert not list(finite_elements.checks())
    (reason,) = left_out()
    assert "fem-crossing" in reason
    assert "pip install traction[fem]" in reason
    assert not any(check.name.startswith("fem-") for check in checks())


def test_every_capability_is_registered_and_every_row_has_its_own_name():
    files = {path.stem for path in Path(rows.__file__).parent.glob("*.py")}
    assert files - {"__init__", "check"} == set(CAPABILITIES)
    names = [(check.name, check.quantity) for check in checks()]
    assert len(set(names)) == len(names)
    assert {name for name, _ in names} >= {f"order-{method}" for method in methods()}


def test_the_quick_selection_has_rows_of_every_capability_but_those_that_compile_much():
    known = {check.name for check in checks()}
    assert set(QUICK) <= known
    selected = {check.name for check in select_checks(quick=True)}
    assert selected == set(QUICK)
    for name in set(CAPABILITIES) - {"driving"}:
        module = import_module(f"traction.app.checks.{name}")
        assert selected & {check.name for check in module.checks()}, name
    assert {check.name for check in select_checks("bounce", quick=True)} == {"bounce-ball"}
