"""Passes of the compiler that a kernel needs; numba runs all of them on every function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import numpy as np
from numba.core import compiler_machinery, ir, ir_utils, postproc, typed_passes, types, untyped_passes

register_pass: Any = compiler_machinery.register_pass
InlineClosureLikes: Any = untyped_passes.InlineClosureLikes
NopythonRewrites: Any = typed_passes.NopythonRewrites

#: names of functions that numba rewrites before it knows types
REWRITTEN = frozenset({"hasattr", "isinstance", "literal_unroll", "literally", "prange", "reduce", "stencil"})
#: passes for these, for functions inside functions and for `with`
FOR_REWRITTEN = frozenset(
    {
        untyped_passes.WithLifting,
        untyped_passes.MakeFunctionToJitFunction,
        untyped_passes.FindLiterallyCalls,
        untyped_passes.LiteralUnroll,
        untyped_passes.LiteralPropagationSubPipelinePass,
        typed_passes.DumpParforDiagnostics,
    }
)
#: functions that make arrays without computing what is in them
MAKERS = (np.empty, np.zeros)


def needed_passes(passes: list[tuple[Any, str]], function: Callable[..., Any]) -> list[tuple[Any, str]]:
    """Of the passes of a pipeline those that a function needs."""
    if not is_plain(function):
        return passes
    kept = [(one, name) for one, name in passes if one not in FOR_REWRITTEN]
    lean = {InlineClosureLikes: DefineVariables, NopythonRewrites: RewriteArrays}
    return [(lean.get(one, one), name) for one, name in kept]


def is_plain(function: Any) -> bool:
    """Whether a function has no functions inside, no comprehensions, no `with` and none of `REWRITTEN`.

    Functions that become part of it have none either.
    """
    code = function.__code__
    names = code.co_names + code.co_freevars
    inside = any(isinstance(constant, CodeType) for constant in code.co_consts)
    if inside or code.co_exceptiontable or not REWRITTEN.isdisjoint(names):
        return False
    used = [function.__globals__.get(name) for name in code.co_names]
    used += [cell.cell_contents for cell in function.__closure__ or ()]
    return all(is_plain(one.py_func) for one in used if _is_inlined(one))


def _is_inlined(value: Any) -> bool:
    return getattr(value, "targetoptions", {}).get("inline", "never") != "never"


@register_pass(mutates_CFG=True, analysis_only=False)
class DefineVariables(InlineClosureLikes):  # type: ignore[misc]
    """What is left of inlining closures in a function without any; lists may still become arrays."""

    _name = "define_variables"

    def run_pass(self, state: Any) -> bool:
        """Whether something was changed."""
        if any(value.op == "build_list" for _, value in _expressions(state.func_ir)):
            return bool(super().run_pass(state))
        postproc.PostProcessor(state.func_ir).run()
        ir_utils.fixup_var_define_in_scope(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class RewriteArrays(NopythonRewrites):  # type: ignore[misc]
    """Rewrites that need types, where a whole array is computed or an index is a name."""

    _name = "rewrite_arrays"

    def run_pass(self, state: Any) -> bool:
        """Whether something was changed."""
        return self._is_needed(state) and bool(super().run_pass(state))

    def _is_needed(self, state: Any) -> bool:
        kinds = state.typemap
        if any(isinstance(kind, types.StringLiteral) for kind in kinds.values()):
            return True
        for target, value in _expressions(state.func_ir):
            if isinstance(kinds[target], types.Array) and value.op not in ("getitem", "static_getitem"):
                called = kinds[value.func.name] if value.op == "call" else None
                if getattr(called, "typing_key", None) not in MAKERS:
                    return True
        return False


def _expressions(function: Any) -> Iterator[tuple[str, Any]]:
    """Variables that are given the values of expressions, and these."""
    for block in function.blocks.values():
        for line in block.find_insts(ir.Assign):
            if isinstance(line.value, ir.Expr):
                yield line.target.name, line.value
