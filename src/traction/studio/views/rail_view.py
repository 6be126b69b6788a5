"""Wheels on rails at one position of a run: solved again, since runs keep the numbers of patches only."""

from __future__ import annotations

from functools import lru_cache

from traction.kinds.case import stored_scenario
from traction.kinds.wheel_rail.run import WheelRailStepper
from traction.kinds.wheel_rail.schema import WheelRailCase
from traction.studio.json_text import pack
from traction.studio.patches.rail_scene import describe_scene
from traction.studio.views.run_samples import RunSamples

MOST_KEPT = 64  #: positions

Facts = dict[str, object]


def draw_rails(run: RunSamples, sample: int) -> Facts:
    """Profiles and patches of the wheels at a sample."""
    row = run.row(sample)
    return {"sample": row, "scene": _solve(str(run.folder.path), run.folder.manifest.run, row)}


@lru_cache(maxsize=MOST_KEPT)
def _solve(folder: str, run: str, row: int) -> Facts:
    """The scene, packed; `run` tells a run from another that has taken its folder."""
    from traction.results.folder import RunFolder

    case = stored_scenario(RunFolder.open(folder)).case
    assert isinstance(case, WheelRailCase)
    found = WheelRailStepper(case).touch(row)
    return {key: pack(one) for key, one in describe_scene(case.models, found, case.side).items()}
