"""Names and titles of users are drawn as they are: no mathematics, no control characters."""

import io
import math
from xml.etree import ElementTree

import numpy as np
import pytest

import traction as tr
from traction.app.terminal import fit
from traction.kinds.report_run import report_run
from traction.outputs.variable import Variable
from traction.printable import literal, printable, printable_lines
from traction.quantities import Unit
from traction.results.sweeps.sweep import Sweep, SweepTable
from traction.results.sweeps.sweep_column import Column
from traction.view import sweep_plot
from traction.view.chart import Chart
from traction.view.page.live import plain

HOSTILE = r"$\frac{$ <b>&\ x_{$"
CONTROL = "a\x1b[31mb\x00\u202e\ud800"
TRAIN = {"spacing": "18 m", "axle": [{"force": "170 kN"}, {"force": "170 kN", "distance": "3 m"}]}


def svg_of(ax):
    file = io.BytesIO()
    ax.figure.savefig(file, format="svg")
    return ElementTree.fromstring(file.getvalue())


def test_labels_and_titles_of_charts_are_literal():
    chart = Chart(None, Unit("s", 1.0), Unit("m", 1.0))
    chart.plot([0.0, 1.0], [0.0, 1.0], label=HOSTILE)
    chart.step([0.0, 1.0], [0.0, 1.0], label=CONTROL)
    chart.fill([0.0, 1.0], [0.0, 1.0], label=HOSTILE)
    chart.shade([(0.0, 0.1), (0.2, 0.3)], HOSTILE)
    ax = chart.finish("x", "y", f"{HOSTILE}{CONTROL}", legend=True)
    svg_of(ax)
    assert plain(ax.get_title(loc="left")) == printable(f"{HOSTILE}{CONTROL}")
    assert [plain(text.get_text()) for text in ax.get_legend().get_texts()][:2] == [
        HOSTILE,
        printable(CONTROL),
    ]


def test_names_of_sweeps_are_literal():
    values = (HOSTILE, "b", "c", "$a$")
    columns = Column(HOSTILE, "", values), Column("$y$", "m", (1.0, 2.0, 1.0, 2.0))
    table = SweepTable(
        tuple("0123"),
        columns,
        (Column(f"{HOSTILE} r", "m", (1.0, 2.0, 3.0, math.nan)),),
        ("done",) * 4,
        ("",) * 4,
    )
    for over in (None, HOSTILE, "$y$"):
        svg_of(sweep_plot(Sweep("cross", (), table), f"{HOSTILE} r", over=over))


def test_a_train_named_with_dollars_is_reported(tmp_path):
    """Two dollars enclose mathematics that matplotlib cannot read."""
    bridge = {"length": "15 m", "bending_stiffness": "7.7 GN m2", "mass_per_length": "15 t/m"}
    case = tr.Scenario.build(
        "resonance",
        title=HOSTILE,
        beam=bridge,
        train=[{"name": "costs $5^{ or $6", **TRAIN}, {"name": "$_b", **TRAIN}],
        speeds={"lowest": "40 m/s", "highest": "60 m/s", "count": 3},
    )
    run = tr.simulate(case, tmp_path / "run")
    page, *files = report_run(run).files
    assert "costs $5^{ or $6" in page.read_text(encoding="utf-8")
    for file in files:
        if file.suffix == ".svg":
            ElementTree.fromstring(file.read_bytes())


def test_texts_of_scenarios_must_be_printable():
    with pytest.raises(tr.InputError, match=r"title = .*u001b.* must be printable text"):
        tr.Scenario.build("modes", title="a\x1b[31m", beam={})


def test_a_terminal_gets_no_control_characters():
    for columns in (None, 80):
        shown = fit(f"one {CONTROL}\r\b\x9b2J\n  two", columns)
        assert shown.splitlines()[-1] == "  two"
        assert all(one.isprintable() for one in shown.splitlines())


@pytest.mark.parametrize("text", ["plain µ ² ₀", "", "a b", "1\u202f000\u00a0N", "\u0646\u200c\u0645"])
def test_printable_text_stays(text):
    assert (printable(text), printable_lines(text), literal(text)) == (text, text, text)


def test_codes_of_characters():
    assert printable("\x1b\u202e\U000e0001") == r"\u001b\u202e\U000e0001"
    assert printable_lines("a\n\tb\r") == "a\n\tb\\u000d"
    assert literal("$a$") == r"\$a\$"
    assert plain(literal("$a$")) == "$a$"
    assert plain(r"$p_0$ (\$)") == "p₀ ($)"


def test_sketches_escape_names():
    from traction.outputs.sketch import sketch

    x = Variable("t", np.linspace(0.0, 1.0, 5), "s", f"{HOSTILE}{CONTROL}", ("t",))
    y = Variable("y", np.linspace(0.0, 1.0, 5), "m", f"{HOSTILE}{CONTROL}", ("t",))
    ElementTree.fromstring(sketch([x, y], "y"))
