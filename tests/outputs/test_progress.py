"""Progress of long calls: a bar in notebooks and terminals, nothing in logs."""

import io
import sys
import types

import numpy as np
import pytest

import traction as tr
from traction.outputs import progress
from traction.outputs.progress import telling


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def slow(monkeypatch):
    """Every look at the clock finds a second more."""
    seconds = iter(range(1000))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(seconds)))


@pytest.fixture
def notebook(monkeypatch, slow):
    """A kernel of Jupyter that keeps what is displayed."""
    shown = []

    class DisplayHandle:
        def display(self, view):
            shown.append(["display", view.data])

        def update(self, view):
            shown.append(["update", view.data])

    def HTML(text):
        return types.SimpleNamespace(data=text)

    shell = type("ZMQInteractiveShell", (), {})()
    display = types.ModuleType("IPython.display")
    display.HTML, display.DisplayHandle = HTML, DisplayHandle
    package = types.ModuleType("IPython")
    package.get_ipython, package.display = lambda: shell, display
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return shown


def count(told):
    for k in range(4):
        told(k, 3)


def test_functions_are_passed_on():
    calls = []
    with telling(lambda done, total: calls.append((done, total)), "words") as told:
        count(told)
    assert calls == [(0, 3), (1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("asked", [True, None, False])
def test_nothing_in_a_log(asked, slow, monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    with telling(asked, "words") as told:
        assert told is None
    assert log.getvalue() == ""


def test_one_line_in_a_terminal_where_asked_for(slow, monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with telling(None, "words") as told:
        assert told is None
    with telling(True, "words") as told:
        count(told)
    lines = screen.getvalue().split("\r")
    assert "words [========                ]  33 %, 4 s left" in [line.rstrip() for line in lines]
    assert "\n" not in screen.getvalue()
    assert lines[-1] == ""  # the line is gone
    assert lines[-2].strip() == ""


def test_short_calls_show_nothing(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with telling(True, "words") as told:
        count(told)
    assert screen.getvalue() == ""


def test_bar_in_a_notebook_goes_away(notebook):
    with telling(None, "words & more") as told:
        count(told)
    assert [kind for kind, _ in notebook] == ["display", "update", "update", "update", "update"]
    assert "<progress value='0.3333'" in notebook[1][1]
    assert "words &amp; more 33 %" in notebook[1][1]
    assert notebook[-1][1] == ""
    with telling(False, "words") as told:
        assert told is None


def test_long_calls_show_progress_in_a_notebook(notebook, monkeypatch):
    system = tr.SecondOrderSystem(np.eye(2), None, np.ones(2), stiffness=np.eye(2))
    monkeypatch.setattr("traction.integrators.integrate.PROGRESS_SECONDS", -1.0)
    tr.integrate(system, "rk4", 0.1, 1.0)
    tr.creep_table(gap=tr.Sphere(0.02), grid=tr.Grid(14, 14, 4e-5, 4e-5), friction=0.3, load=30.0)
    tr.simulate(tr.Scenario.build("modes", modes=2, beam=BRIDGE))
    tr.sweep(tr.Scenario.build("modes", modes=1, beam=BRIDGE), {"beam.length": "10:20:2 m"})
    words = [text for kind, text in notebook if kind == "display"]
    for k, name in enumerate(("integrating", "creep forces", "computing modes", "variants")):
        assert name in words[k]


BRIDGE = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}


def test_what_is_no_function_is_refused():
    system = tr.SecondOrderSystem(1.0, None, 1.0, stiffness=4.0)
    with pytest.raises(tr.InputError, match="progress = 'yes' must be a function, True or False"):
        tr.integrate(system, "rk4", 0.1, 1.0, progress="yes")
