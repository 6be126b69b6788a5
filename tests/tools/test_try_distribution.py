"""The trial of the distribution: a wheel that misses a file of the package is refused."""

import re
import tarfile
import zipfile

import pytest

import try_distribution
from try_distribution import ROOT, SOURCES, read_pins, require_complete, require_sources


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


def test_every_locked_version_has_hashes_and_no_host_is_named():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pins = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(pins) > 80
    for pin in pins:
        assert re.match(r"[A-Za-z0-9._-]+==\S+ \\\n", pin), pin
        assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}", pin)) >= 1, pin
    assert not re.search(r"://|--index|--extra|--find|--trusted", text)
    constraints = read_pins(ROOT / "requirements.lock").splitlines()
    assert len(constraints) == len(pins)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", one) for one in constraints)


def test_an_sdist_without_the_lock_is_refused(tmp_path):
    for left_out in (None, "requirements.lock"):
        sdist = tmp_path / "traction-1.tar.gz"
        with tarfile.open(sdist, "w:gz") as packed:
            for name in SOURCES:
                if name != left_out:
                    packed.add(ROOT / name, f"traction-1/{name}")
        if left_out is None:
            require_sources(sdist)
        else:
            with pytest.raises(SystemExit, match=r"does not hold requirements\.lock"):
                require_sources(sdist)
