"""Verification: every registered check passes, and a number that is none is a miss."""

import math
from importlib import import_module
from pathlib import Path

import pytest

from traction.app import checks as rows
from traction.app.checks import finite_element_checks
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
    "batch-falling",
    "bounce-conserved",
    "bounce-energy",
    "cross-energy",
    "cross-half-space",
    "cross-hard-contact",
    "cross-methods",
    "cross-resonance",
    "differences-stability",
    "driving-steps",
    "fem-block",
    "fem-crossing",
    "fem-heavy-wheel",
    "impact-cantilever",
    "roll-wiggles",
    "table-error",
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
    monkeypatch.setattr(finite_element_checks, "installed", lambda: False)
    assert not list(finite_element_checks.checks())
    (reason,) = left_out()
    assert "fem-crossing" in reason
    assert "pip install traction[fem]" in reason
    assert not any(check.name.startswith("fem-") for check in checks())


def test_every_capability_is_registered_and_every_row_has_its_own_name():
    folder = Path(rows.__file__).parent
    files = {path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py")}
    assert {".".join(one.parts) for one in files if one.name != "__init__"} == set(CAPABILITIES)
    names = [(check.name, check.quantity) for check in checks()]
    assert len(set(names)) == len(names)
    assert {name for name, _ in names} >= {f"order-{method}" for method in methods()}


def test_the_quick_selection_has_rows_of_every_capability_but_those_that_compile_much():
    known = {check.name for check in checks()}
    assert set(QUICK) <= known
    selected = {check.name for check in select_checks(quick=True)}
    assert selected == set(QUICK)
    for name in set(CAPABILITIES) - {"driving_checks"}:
        module = import_module(f"traction.app.checks.{name}")
        assert selected & {check.name for check in module.checks()}, name
    assert {check.name for check in select_checks("bounce", quick=True)} == {"bounce-ball"}


def test_resonance_of_hslm_a1_is_that_of_the_closed_form():
    """First mode of a pinned beam: each axle is half a sine, then a free vibration."""
    import numpy as np

    from traction.app.checks.beam_checks import A1_ACCELERATION, A1_SPEED
    from traction.trains.train import Train

    train, L, m, zeta = Train.hslm("A1"), 15.0, 15000.0, 0.01
    w, v = math.pi**2 / L**2 * math.sqrt(7.694081e9 / m), 324.25 / 3.6
    passing, damped, scale = math.pi * v / L, w * math.sqrt(1.0 - zeta**2), 2.0 / (m * L)
    assert pytest.approx(3.6 * w / (2.0 * math.pi) * train.spacing) == A1_SPEED
    stiff, lost = w * w - passing**2, 2.0 * zeta * w * passing
    a, b = np.linalg.solve([[stiff, -lost], [lost, stiff]], [scale, 0.0])

    def free(t, q, p):
        s = (p + zeta * w * q) / damped
        e, C, S = np.exp(-zeta * w * t), np.cos(damped * t), np.sin(damped * t)
        return e * (q * C + s * S), e * ((damped * s - zeta * w * q) * C - (damped * q + zeta * w * s) * S)

    def forced(t):
        q, p = free(t, -b, -a * passing)
        S, C = np.sin(passing * t), np.cos(passing * t)
        return a * S + b * C + q, passing * (a * C - b * S) + p

    t = np.arange(0.0, (train.length + L) / v + 0.3, 5e-4)
    acceleration = np.zeros_like(t)
    for force, behind in train.forces:
        s = t - behind / v
        on, gone = (s >= 0.0) & (s <= L / v), s > L / v
        q, p = forced(s[on])
        acceleration[on] += force * (scale * np.sin(passing * s[on]) - 2.0 * zeta * w * p - w * w * q)
        q, p = free(s[gone] - L / v, *forced(L / v))
        acceleration[gone] -= force * (2.0 * zeta * w * p + w * w * q)
    assert np.abs(acceleration).max() == pytest.approx(A1_ACCELERATION, rel=1e-4)


def test_rows_are_about_results_and_name_their_source():
    every = checks()
    assert not [one for one in every if "Newton" in one.quantity]
    assert not [one for one in every if "ERRI" in one.source]
