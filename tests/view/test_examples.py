"""Every gallery example runs, asserts its number, and ends in one figure."""

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("plot_*.py"))


def test_there_are_examples():
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, monkeypatch):
    from matplotlib import pyplot as plt

    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr(plt, "show", lambda *_, **__: None)
    runpy.run_path(str(path), run_name="__main__")
    assert len(plt.get_fignums()) == 1
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    assert "\nassert " in text
