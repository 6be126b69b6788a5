"""Whatever a file holds: an exit code and a sentence with the file, within seconds, and nothing is run."""

import sys
import time

import pytest

from kinds.mutants import mutant
from traction import cli
from traction.kinds.case import load
from traction.kinds.registry import KINDS, kind_of
from traction.scenario.toml import ScenarioError


def code_of(arguments, monkeypatch):
    """Exit code of the command line."""
    monkeypatch.setattr(sys, "argv", ["traction", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return ended.value.code or 0


def none(*arguments):
    """Figures of motion and friction take seconds; those of the shipped cases are drawn elsewhere."""
    return ()


def is_number(step):
    """Whether a step is given: None is the usual one, "auto" is searched for."""
    return isinstance(step, float)


def cheap(scenario):
    """Whether a run takes a moment."""
    case = scenario.case
    if scenario.kind == "press":
        return case.grid.nx * (case.grid.ny or 1) <= 4096 and len(case.load.values) <= 3
    if scenario.kind == "obstacle":
        return case.mesh.elements <= 400 and len(case.load.values) <= 12
    if scenario.kind in ("shift", "steady", "creep-table", "roll"):
        return case.grid.nx * (case.grid.ny or 1) <= 2048 and len(case.steps) <= 12
    if scenario.kind == "creep-law":
        return False
    if scenario.kind == "wheel-rail":
        return len(case.positions) <= 2 and min(case.elements.dx, case.elements.dy) >= 4e-4
    if scenario.kind == "impact":
        few = case.time.samples * case.time.points <= 200_000 and (case.structure.modes or 1) <= 500
        return few and (case.time.t_end or 0.0) < 100.0 * case.contact_time and case.structure.type != "plate"
    if scenario.kind == "modes":
        return case.modes <= 50 and len(case.beam.spans) <= 8
    if scenario.kind == "resonance":
        return len(case.cars) * case.speeds.all.size <= 300 and case.speeds.all[0] > 10.0 and case.modes <= 5
    if scenario.kind == "rest":
        return case.grid is None and len(case.wheel) <= 3 and case.points <= 500
    if scenario.kind == "cross":
        few = case.model.number <= 20 and case.time.samples <= 100 and case.grid is None
        plain = case.contact != "half-space" and case.model.method is None and case.model.type == "modes"
        rolls = any(case.drives) and float(case.way.place(case.t_end)) > 0.2
        return (
            few
            and plain
            and not rolls
            and case.t_end < 2.0
            and is_number(case.time.dt)
            and case.time.dt > 1e-4
        )
    if scenario.kind == "moving-load":
        steps = case.t_end / case.time.dt if is_number(case.time.dt) else 0.0
        small = case.model.number <= 100 and case.time.samples <= 2000
        return small and case.t_end < 10.0 and steps < 2e4
    if case.contact.grid is not None or (case.contact.elements or 0) > 32 or case.time.samples > 2000:
        return False
    if case.time.dt == "auto" and case.time.chosen.order == 1:  # a hundred thousand steps in a contact
        return False
    steps = 1 if case.time.dt == "auto" else case.contact_time / case.time.dt
    return case.t_end / case.contact_time < 3e4 and steps < 100 and (case.time.rtol or 1e-8) > 1e-9


def assert_survival(seeds, folder, monkeypatch, capsys):
    file = folder / "case.toml"
    for name in KINDS:
        for part in ("figures", "films"):
            monkeypatch.setattr(kind_of(name).report, part, none)
    for seed in seeds:
        file.write_bytes(mutant(seed))
        begin = time.process_time()
        code = code_of(["validate", str(file)], monkeypatch)
        seconds = time.process_time() - begin
        said = capsys.readouterr()
        assert code in (0, 2), (seed, code, said.err)
        assert seconds < 20.0, seed  # of the processor: whatever else the machine does
        if code:
            assert said.err.startswith("error: case.toml:"), (seed, said.err)
            assert "\x1b" not in said.err
            continue
        if cheap(load(file)):
            code = code_of(["run", str(file), "--out", str(folder / f"run-{seed}"), "--json"], monkeypatch)
            assert code in (0, 2, 3), (seed, code)
            capsys.readouterr()


@pytest.mark.parametrize("chunk", [0, *(pytest.param(one, marks=pytest.mark.slow) for one in range(1, 9))])
def test_mutants_end_with_a_sentence(chunk, tmp_path, monkeypatch, capsys):
    assert_survival(range(60 * chunk, 60 * chunk + 60), tmp_path, monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(40))
def test_many_mutants_end_with_a_sentence(chunk, tmp_path, monkeypatch, capsys):
    assert_survival(range(1000 + 500 * chunk, 1500 + 500 * chunk), tmp_path, monkeypatch, capsys)


AUDITED = """
import sys
from pathlib import Path
from kinds.mutants import mutant
from traction.kinds.case import load
from traction.kinds.registry import KINDS, kind_of, shipped
from traction.scenario.toml import ScenarioError
folder = Path(sys.argv[1]).resolve()
contents = [mutant(seed) for seed in range(800)]
def attempt(content):
    (folder / "case.toml").write_bytes(content)
    try:
        load(folder / "case.toml")
    except ScenarioError:
        pass
for path in shipped().values():  # so that each kind has imported what it needs
    attempt(path.read_bytes())
for content in contents[:300]:
    attempt(content)
seen = []
def hook(event, arguments):
    name = event.partition(".")[0]
    forbidden = ("exec", "compile", "subprocess", "socket", "pickle", "import")
    if name in forbidden or event in ("os.system", "os.exec"):
        seen.append((event, str(arguments)[:200]))
    if event == "open" and isinstance(arguments[0], int):
        return  # a file that is open already
    if event == "open" and not str(arguments[0]).startswith(str(folder)):
        seen.append((event, str(arguments)[:200]))
sys.addaudithook(hook)
for content in contents:
    attempt(content)
print(len(seen), seen[:5])
"""


def test_untrusted_files_run_nothing_and_open_nothing_outside(tmp_path):
    import os
    import subprocess
    from pathlib import Path

    done = subprocess.run(
        [sys.executable, "-c", AUDITED, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "0 []"), done.stderr + done.stdout


def test_the_error_of_a_load_is_a_scenario_error(tmp_path):
    (tmp_path / "a.toml").write_text('kind = "press"\n')
    with pytest.raises(ScenarioError, match='the key "grid" is missing'):
        load(tmp_path / "a.toml")
