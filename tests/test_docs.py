"""Every Python block of the README and the pages runs, in order, as a reader would run it."""

import re
from pathlib import Path

import pytest

import traction as tr
from traction.kinds.registry import shipped

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)
PAGES = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if BLOCK.search(path.read_text())
]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_code_on_the_page_runs(page, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ball.toml").write_bytes(shipped()["ball-on-plate"].read_bytes())
    blocks = BLOCK.findall(
        page.read_text().replace("range(16)", "range(2)").replace("t_end=4.5", "t_end=0.3")
    )
    assert blocks
    namespace = {}
    for block in blocks:
        exec(compile(block, page.name, "exec"), namespace)
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.mark.slow
def test_the_readme_states_what_its_first_lines_compute():
    text = (ROOT / "README.md").read_text()
    namespace = {}
    exec(compile(BLOCK.findall(text)[0], "README.md", "exec"), namespace)
    run = namespace["run"]
    peaks = [(run.largest("deflection", 10.0).value, "# 10.40 mm")]
    for speed, shown in ((30.0, "by 5.5 mm"), (40.0, "by 6.9 mm")):
        train = [(namespace["wheel"], 8.0 * k) for k in range(16)]
        other = tr.cross(namespace["bridge"], train, speed, contact="hertz", dt=1e-3, t_end=5.0)
        peaks.append((other.largest("deflection", 10.0).value, shown))
    for value, shown in peaks:
        assert shown in text
        assert float(shown.split()[1]) == pytest.approx(1e3 * value, rel=1e-2)
    assert f"{run.contact_forces.max() / 1e3:.1f} kN" in text


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_formulas_on_the_page_are_known_to_their_renderer(page):
    """The pages are drawn by matplotlib, which knows a part of LaTeX."""
    parser = pytest.importorskip("matplotlib.mathtext").MathTextParser("path")
    text = CODE.sub("", page.read_text())
    for formula in FORMULA.findall(text):
        drawn = parser.parse(f"${' '.join(formula.strip('$').split())}$")
        assert drawn.width > 0.0, formula


def test_examples_of_errors_are_what_is_printed(tmp_path):
    """The three messages on the page about scenario files belong to the file shown there."""
    from traction.kinds.case import load
    from traction.scenario.toml import ScenarioError

    page = (ROOT / "docs" / "scenarios.md").read_text()
    shown = re.findall(r"^    (ball\.toml:\d+: .*)$", page, re.MULTILINE)
    assert len(shown) == 3
    text = shipped()["ball-on-plate"].read_text()
    changes = (("nx = 64", "nx = 0"), ('width_x = "0.5 mm"', 'width_x = "3 kN"'), ("radius =", "radus ="))
    file = tmp_path / "ball.toml"
    for (before, after), message in zip(changes, shown, strict=True):
        assert before in text
        file.write_text(text.replace(before, after))
        with pytest.raises(ScenarioError) as caught:
            load(file)
        assert message in str(caught.value).splitlines()


def test_modules_named_on_the_page_of_the_architecture_exist():
    """A walk through the package names modules; a folder that is not on the page has been forgotten."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    source = ROOT / "src" / "traction"
    walks = page[page.index("## Walks of the data") : page.index("## What a layer may import")]
    named = set(re.findall(r"`((?:[a-z_]+\.)+[a-z_]+)`", walks)) - {
        "tr.press",
        "tr.roll",
        "tr.roll_steady",
        "tr.impact",
    }
    assert len(named) > 30
    assert [name for name in sorted(named) if not (source / f"{name.replace('.', '/')}.py").exists()] == []
    folders = {path.parent.name for path in source.glob("*/__init__.py")}
    assert [name for name in sorted(folders) if f"{name}/" not in page] == []
