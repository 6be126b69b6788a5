"""Built-in scenarios, each run once for all tests and all their processes, shortened by its own settings."""

import contextlib
import importlib
import importlib.util
import itertools
import shutil
import time
from unittest import mock

from matplotlib.figure import Figure
from PIL import Image

from kinds.no_computing import nothing_computed
from traction.kinds.case import load
from traction.kinds.registry import KINDS, kind_of, shipped
from traction.kinds.report_run import REPORT, report_run
from traction.kinds.simulate import simulate
from traction.results.folder import RunFolder
from traction.results.run import load_run
from traction.results.stored_run import digest_samples
from traction.view import report
from traction.view.animations import film

#: settings that take less time and show the same; the files as they are run with the slow tests
SHORTER = {
    "ball-on-plate": {"load.force": "[20, 60, 100]"},
    "bouncing-ball": {"time.bounces": "2", "time.samples": "201"},
    "braking-wheel": {
        "time.t_end": '"18 ms"',
        "time.dt": '"0.2 ms"',
        "time.samples": "19",
        "drive.elements": "6",
        "drive.torque": '[["1 ms", 0], ["8 ms", "-8 kN m"]]',
        "drive.friction": '[["11 ms", 0.3], ["12 ms", 0.1], ["15 ms", 0.1], ["16 ms", 0.3]]',
    },
    "coach-on-rough-track": {"time.dt": '"1 ms"', "time.samples": "81", "model.size": "4"},
    "dropped-paraboloid": {"time.bounces": "1", "contact.elements": "12", "time.samples": "101"},
    "flat-wheel": {"time.t_end": '"60 ms"', "time.samples": "61", "model.size": "6"},
    "hslm-resonance": {"speeds.count": "21"},
    "thesis-bridge": {"time.samples": "51", "model.size": "6"},
    "train-crossing": {
        "time.dt": '"2 ms"',
        "time.t_end": '"0.16 s"',
        "time.samples": "41",
        "model.size": "6",
        "axle.0.count": "5",
        "axle.0.spacing": '"1 m"',
        "study.speeds": '["30 m/s", "36.5 m/s", "40 m/s"]',
    },
    "wandering-wheelset": {
        "position.y": '["-1 mm", "-1.002 mm", "-1.006 mm"]',
        "elements.dx": '"0.8 mm"',
        "elements.dy": '"0.8 mm"',
    },
    "wheel-rail-benchmark": {"position.count": "5", "elements.dx": '"0.5 mm"', "elements.dy": '"0.5 mm"'},
    "train-on-bridge": {"time.samples": "101", "model.size": "3"},
}
#: of each kind the one whose report is drawn and looked at by a browser; of others figures are composed only
SHOWN = {
    "press": "ball-on-plate", "shift": "shifted-ball", "steady": "driven-roller",
    "creep-table": "creep-forces", "creep-law": "creep-law", "roll": "cattaneo-to-carter",
    "bounce": "bouncing-ball", "impact": "ball-on-beam", "obstacle": "beam-on-step", "modes": "bridge-modes",
    "moving-load": "coach-on-rough-track", "resonance": "hslm-resonance",
    "rest": "wheel-on-thin-beam", "cross": "train-crossing", "wheel-rail": "wheel-rail-benchmark",
}  # fmt: skip
LONGEST_WAIT = 600.0  #: seconds for a run of another process


def run_once(name, folder):
    """The stored run in `folder`, by the first process that asks for it; the others wait for its end."""

    def run():
        with few_frames():
            simulate(load(shipped()[name], changes=SHORTER.get(name, {})), folder / name)

    _make_once(folder / name, run)
    return load_run(folder / name)


def report_once(name, folder):
    """The report page of a built-in scenario, likewise, made without computing; see `SHOWN`."""
    run = run_once(name, folder)
    copy = folder / f"{name}-report"

    def write():
        shutil.copytree(run.folder, copy)
        _ = kind_of(run.kind).report  # loaded, so that its names are guarded too
        drawn = mock.patch.object(report, "_rendered", _draw_svg) if name in SHOWN.values() else undrawn()
        with few_frames(), quick_pictures(), drawn, nothing_computed():
            report_run(copy)

    _make_once(copy, write)
    return copy / REPORT


def _make_once(target, make):
    """Make what lies at a path, unless another process has begun it: then wait for its end."""
    begun, ended = (target.with_name(f"{target.name}.{state}") for state in ("begun", "ended"))
    try:
        begun.touch(exist_ok=False)
    except FileExistsError:
        _await_file(ended)
    else:
        try:
            make()
        finally:
            ended.touch()


@contextlib.contextmanager
def undrawn():
    """Figures are composed, and neither laid out nor drawn: pictures without what is in them."""
    empty = mock.patch.object(report, "_rendered", lambda figure, ending: f"<{ending}></{ending}>".encode())
    with empty, mock.patch.object(Figure, "draw_without_rendering"):
        yield


def _draw_svg(figure, ending, draw=report._rendered):
    return draw(figure, ending) if ending == "svg" else b"png"


def read_stored(run):
    """What a report reads of a run that was loaded from its folder."""
    folder = RunFolder.open(run.folder)
    stored = digest_samples(folder, kind_of(run.kind).stepper.whole)
    return stored.with_findings(folder.findings()).with_key_figures(run.key_figures)


@contextlib.contextmanager
def few_frames():
    """Animations of three frames, whether a kind stores or draws them."""
    with contextlib.ExitStack() as stack:
        for kind, part in itertools.product(KINDS, ("run", "report", "findings")):
            name = f"traction.kinds.{kind_of(kind).folder}.{part}"
            module = importlib.import_module(name) if importlib.util.find_spec(name) else None
            if hasattr(module, "FRAMES"):
                stack.enter_context(mock.patch.object(module, "FRAMES", 3))
        yield


@contextlib.contextmanager
def quick_pictures():
    """Animations are composed, and not drawn."""

    def move_only(stage, frames):
        for frame in range(frames):
            stage.show(frame)
        return [Image.new("L", (8, 8), 255 - frame) for frame in range(frames)]

    with mock.patch.object(film, "_draw_frames", move_only):
        yield


def _await_file(path):
    until = time.monotonic() + LONGEST_WAIT
    while not path.exists():
        if time.monotonic() > until:
            raise TimeoutError(f"another process has not made {path}")
        time.sleep(0.05)
