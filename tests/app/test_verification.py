"""Verification: every registered check passes, and a number that is none is a miss."""

import math

import pytest

from traction.app.verification import Check, Verdict, checks, verify


@pytest.mark.parametrize("check", checks(), ids=lambda check: f"{check.name}-{check.quantity}")
def test_every_check_passes(check):
    verdict = Verdict(check, check.compute())
    assert verdict.passed, (verdict.computed, check.expected)


def test_not_a_number_is_a_miss():
    assert not Verdict(Check("a", "b", "c", 1.0, 1e-3, lambda: math.nan), math.nan).passed


def test_only_selects_by_name():
    assert {verdict.check.name for verdict in verify("load-circle")} == {"load-circle"}
    assert not list(verify("nothing like it"))
