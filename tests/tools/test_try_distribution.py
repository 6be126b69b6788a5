"""The trial of the distribution: a wheel that misses a file of the package is refused."""

import zipfile

import pytest

import try_distribution
from try_distribution import ROOT, require_complete


@pytest.fixture
def wheel(tmp_path):
    """A wheel of all files of the package, as far as their names go."""
    path = tmp_path / "traction.whl"
    source = ROOT / "src"
    with zipfile.ZipFile(path, "w") as packed:
        for file in source.rglob("*"):
            if file.is_file():
                packed.writestr(str(file.relative_to(source)), "")
    return path


def test_a_complete_wheel_is_accepted_and_one_without_a_scenario_is_not(wheel, tmp_path):
    require_complete(wheel)
    less = tmp_path / "less.whl"
    with zipfile.ZipFile(wheel) as packed, zipfile.ZipFile(less, "w") as rest:
        for name in packed.namelist():
            if not name.endswith("ball-on-plate.toml"):
                rest.writestr(name, "")
    with pytest.raises(SystemExit, match=r"less\.whl does not hold .*ball-on-plate\.toml"):
        require_complete(less)


def test_commands_do_not_see_the_checkout(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    seen = []
    monkeypatch.setattr(try_distribution.subprocess, "run", lambda command, **given: seen.append(given))
    try_distribution.call(["x"], tmp_path)
    assert "PYTHONPATH" not in seen[0]["env"]
    assert seen[0]["cwd"] == tmp_path
