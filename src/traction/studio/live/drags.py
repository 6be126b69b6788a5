"""Solving what is dragged."""

from __future__ import annotations

import time
import warnings
from importlib import import_module
from types import ModuleType

from traction.studio.json_text import pack
from traction.studio.live.drag_list import available_drags
from traction.studio.live.parameters import read_switch
from traction.studio.refusal import RefusedError

Facts = dict[str, object]


def describe_drag(name: str) -> Facts:
    """Handles of a drag, with limits and defaults."""
    facts: Facts = _module(name).describe()
    return facts


def solve_drag(name: str, given: Facts) -> Facts:
    """The solution where the handles are, what limits its validity, and how long it took."""
    module, began = _module(name), time.perf_counter()
    packed = read_switch(given, "packed", default=False)
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        found: Facts = module.solve(given)
    notes = dict.fromkeys(str(one.message) for one in raised if issubclass(one.category, UserWarning))
    facts = {key: pack(one) for key, one in found.items()} if packed else found
    return {**facts, "notes": list(notes), "seconds": time.perf_counter() - began}


def _module(name: str) -> ModuleType:
    module = available_drags().get(name)
    if module is None:
        raise RefusedError(404, f'there is no drag "{name[:60]}".')
    return import_module(f"traction.studio.live.{module}")
