"""The march of a crossing with a contact that gives way: condensed, or by a method."""

from __future__ import annotations

from typing import Any

from traction.crossing.choices import CONDENSED
from traction.crossing.marches.condensed_march import CondensedMarch
from traction.crossing.marches.march_part import ElasticMarch
from traction.crossing.marches.method_march import MethodMarch
from traction.crossing.setup import CrossingSetup


def make_march(setup: CrossingSetup) -> ElasticMarch[Any]:
    """The march that the method of a crossing asks for; refuses steps at which it is not stable."""
    return CondensedMarch(setup) if setup.method == CONDENSED else MethodMarch(setup)
