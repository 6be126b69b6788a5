"""Each kernel is compiled for one signature, whatever calls of the public interface lead to it."""

import ast
import importlib
import json
from pathlib import Path

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import traction

SOURCE = Path(traction.__file__).parent

#: kernels that compute in double and in single precision, by their module
BOTH_PRECISIONS = {
    "traction.halfspace.kernels.tensor_products": (
        "multiply_by_tensor_waves", "_fold_field", "_take_rows", "_multiply_blocks", "_apply_influence",
        "_unfold_parts",
    ),
    "traction.contact.batch.kernels.splitting_steps": ("unfold", "fold", "append_sticking", "_sum_forces"),
}  # fmt: skip
#: kernels that are compiled for two kinds of arguments, and why
SEVERAL = {
    "traction.integrators.compiled_march.kernels.scalar_operations.stage_row": "a number for each row",
    **{f"{module}.{name}": "precision" for module, names in BOTH_PRECISIONS.items() for name in names},
}
#: calls that take long and lead to no kernel that others do not reach
LEFT_OUT = (
    "api/sweep",
    "api/signals",
    "api/integrators/stability_*",
    "api/cross/method_*",
    "api/cross/compare_methods",
    "api/cross/drive_creepage",
    "api/cross/drive_force",
    "api/cross/drive_method",
    "api/cross/drive_slippery",
    "api/cross/drive_torque",
    "api/cross/elements_*",
    "api/cross/half_space_differences",
    "api/cross/half_space_elements",
    "api/cross/hertz_differences",
    "api/beams/elements_thick",
    "api/beams/vibrate_differences",
    "api/moving_load/explicit_rk4",
    "api/moving_load/forces_elements_*",
    "api/moving_load/thick",
    "api/moving_load/vehicle_*",
    "api/obstacle/thick_point",
    "api/bounce/losses",
    "api/bounce/hertz_auto_*",
    "api/bounce/hertz_euler-backward",
    "api/bounce/hertz_euler-forward",
    "api/bounce/hertz_newmark",
    "api/bounce/hertz_rk4",
    "api/integrators/chain_radau-*",
    "api/integrators/events_auto_*",
    "api/integrators/events_euler-backward",
    "api/integrators/oscillator_radau-ia",
    "api/rest/soft",
    "api/wheels/conicity_*",
    "api/wheels/kinematic_wave",
)
CODE = """
import importlib, json, pkgutil, sys
from numba.core.dispatcher import Dispatcher
from fingerprints import calls
from fingerprints.cases import API, computed, matches
for module in pkgutil.iter_modules(calls.__path__):
    importlib.import_module(f"fingerprints.calls.{module.name}")
made = [name for name in API if not (LEFT_OUT and matches(name, LEFT_OUT))]
for name in made:
    computed(API[name])
found = {}
for name, module in list(sys.modules.items()):
    if name.startswith("traction.") and ".kernels" in name:
        for value in vars(module).values():
            if isinstance(value, Dispatcher):
                kernel = f"{value.py_func.__module__}.{value.py_func.__qualname__}"
                called = getattr(value, "twin", value).signatures  # by other kernels
                found[kernel] = sorted({str(signature) for signature in [*value.signatures, *called]})
print(json.dumps([len(made), found]))
"""


def test_no_kernel_hands_a_constant_array_on():
    """Those of a module are read-only in kernels: what takes them would be compiled once more."""
    handed = []
    for path in sorted(SOURCE.rglob("kernels/*.py")):
        module = importlib.import_module(".".join(path.with_suffix("").relative_to(SOURCE.parent).parts))
        arrays = {name for name, value in vars(module).items() if isinstance(value, np.ndarray)}
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call):
                names = {one.id for one in call.args if isinstance(one, ast.Name)} & arrays
                to_kernel = isinstance(getattr(module, getattr(call.func, "id", ""), None), Dispatcher)
                handed += [f"{path.name}: {name}" for name in names if to_kernel]
    assert not handed


@pytest.mark.parametrize(
    "left_out", [LEFT_OUT, pytest.param((), marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_each_kernel_has_one_signature(left_out, run_python):
    """Arrays of one type and layout: never strided, read-only or single the second time."""
    tools = str(Path(__file__).parents[1] / "tools")
    made, found = json.loads(run_python(f"LEFT_OUT = {left_out}\n{CODE}", PYTHONPATH=tools, timeout=1800))
    assert made > 200
    used = {name: signatures for name, signatures in found.items() if signatures}
    assert len(used) > 90
    several = {name: signatures for name, signatures in used.items() if len(signatures) > 1}
    assert set(several) <= set(SEVERAL), json.dumps(several, indent=2)
