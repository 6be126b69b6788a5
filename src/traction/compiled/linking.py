"""Compilation of kernels: translated once, optimised together with all that they call.

Numba runs all passes of the compiler on every function; here a kernel has those that it needs.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType
from typing import Any

import numba
import numpy as np
from numba.core import (
    codegen,
    compiler,
    compiler_machinery,
    environment,
    errors,
    ir,
    ir_utils,
    options,
    postproc,
    targetconfig,
    typed_passes,
    types,
    untyped_passes,
)

from traction.compiled.lean_lowering import (
    CountedTypes,
    LeanLowering,
    NativeLowering,
    assignments,
    lean_parts,
)
from traction.compiled.quick_steps import quick_steps, replaced

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
Library: Any = codegen.JITCodeLibrary
Pipeline: Any = compiler.Compiler
Pass: Any = compiler_machinery.FunctionPass
BuiltIn: Any = types.BaseFunction
Settings: Any = targetconfig.ConfigStack
Options: Any = targetconfig.TargetConfig
lookup_environment: Any = environment.lookup_environment
compile_alone: Callable[..., Any] = numba.njit

MOST_OPTIMISED = 12  #: values that the optimised entry of a kernel takes
ENTRY = "_ZN7cpython"  #: how names of entries from Python begin

#: what is used or replaced
USED = {
    Pipeline: "_compile_core define_pipelines",
    options.DefaultOptions: "no_cfunc_wrapper no_cpython_wrapper",
    Library: (
        "_ensure_finalized _finalize_dynamic_globals _get_module_for_linking _optimize_final_module "
        "_raise_if_finalized enable_object_caching"
    ),
    BuiltIn: "get_call_type",
    Settings: "top_or_none",
    Options: "options __slots__",
}
for owner, names in USED.items():
    if not all(hasattr(owner, name) for name in names.split()):
        raise ImportError(f"numba {numba.__version__} has another {owner.__name__}")


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
    inlined = [one for one in used if getattr(one, "targetoptions", {}).get("inline", "never") != "never"]
    return all(is_plain(one.py_func) for one in inlined)


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


def compile_linked(function: Callable[..., Any], **given: Any) -> Any:
    """Numba's njit of a function whose callers, where they are kernels, take it in as part of themselves.

    It has no entry for callers that know its address alone.
    """
    given["no_cfunc_wrapper"] = True
    kernel = compile_alone(function, pipeline_class=CallerCompiler, **given)
    if not hasattr(kernel, "py_func"):  # the compiler is switched off
        return kernel
    twin = compile_alone(function, pipeline_class=CalledCompiler, no_cpython_wrapper=True, **given)
    twin._compiling_counter = kernel._compiling_counter  # so that a function that calls itself is recognised
    kernel.get_call_template = lambda args, named: _call_template(twin, args, named)
    kernel.get_overload = twin.get_overload
    kernel.twin = twin
    return kernel


def _call_template(twin: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """What a caller knows of a function: for any number of a type, unless the function asks for its value."""
    plain = tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in named.items()}
    try:
        return twin.get_call_template(*plain)
    except errors.NumbaError:
        if plain == (args, named):
            raise
        return twin.get_call_template(args, named)


@contextmanager
def collection_paused() -> Iterator[None]:
    """Without searches for unused objects.

    What was made meanwhile counts as old: the next search of all objects removes what is unused, instead of a
    search after each kernel, which would take a tenth of the time of compiling.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if gc.get_freeze_count() == 0:  # what a program has frozen stays so
                gc.freeze()
                gc.unfreeze()
            gc.enable()


class ResolvedCalls:
    """Signatures of calls of numba's own functions that were resolved before.

    Numba tries the templates of a function in turn at every call, some twenty for `a + b`. Which one fits
    depends on the types of the arguments and on the settings of the compiler.
    """

    def __init__(self) -> None:
        self._resolve = BuiltIn.get_call_type
        self._signatures: dict[Any, Any] = {}
        # by identity: the number of settings, and they themselves
        self._numbers: dict[int, tuple[int, Any]] = {}
        self._distinct: list[Any] = []

    @contextmanager
    def used(self) -> Iterator[None]:
        """While one function, and what it calls, is compiled; the compiler's lock is held."""
        with (
            replaced(BuiltIn, get_call_type=lambda function, *call: self.find(function, *call)),
            replaced(Options, __eq__=_equal_options, __hash__=_hash_options),
        ):
            yield

    def find(self, function: Any, context: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The signature of a call."""
        key = id(function), arguments, tuple(named.items()), self._number(Settings.top_or_none())
        found = self._signatures.get(key)
        if found is None or found[1] is not context:
            signature = self._resolve(function, context, arguments, named)
            found = self._signatures[key] = signature, context, function  # which keeps the identity
        return found[0]

    def _number(self, settings: Any) -> int:
        """The same for equal settings, which take long to compare."""
        if id(settings) not in self._numbers:
            if settings not in self._distinct:
                self._distinct.append(settings)
            self._numbers[id(settings)] = self._distinct.index(settings), settings
        return self._numbers[id(settings)][0]


RESOLVED_CALLS = ResolvedCalls()
COMPARED = Options.__eq__


def _equal_options(one: Any, other: Any) -> Any:
    """As numba compares settings, which takes long: equal where the same ones are set to the same."""
    return (
        one is other or (isinstance(other, Options) and one._values == other._values) or COMPARED(one, other)
    )


@lru_cache
def _hash_names(kind: type) -> int:
    return hash(tuple(sorted(kind.options)))  # type: ignore[attr-defined]


def _hash_options(options: Any) -> int:
    """As numba hashes settings: by their names alone."""
    return _hash_names(type(options))  # type: ignore[arg-type]


class CompilerState:
    """Whether numba's parts are replaced; the compiler's lock is held."""

    is_quick = False


@contextmanager
def quick_compiler() -> Iterator[None]:
    """With the parts of numba that are replaced, while a kernel and all that it calls is compiled."""
    if CompilerState.is_quick:
        yield
        return
    with collection_paused(), RESOLVED_CALLS.used(), quick_steps(), lean_parts():
        CompilerState.is_quick = True
        try:
            yield
        finally:
            CompilerState.is_quick = False


@register_pass(mutates_CFG=False, analysis_only=True)
class BorrowArrays(Pass):  # type: ignore[misc]
    """A function that makes no arrays does not count references: what it refers to lives in its callers."""

    _name = "borrow_arrays"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Whether something was changed."""
        counted = CountedTypes(state.typemap, state.targetctx.data_model_manager)
        lines = assignments(state.func_ir.blocks)
        if counted.is_counted(state.return_type) or any(
            counted.makes(line.value) and counted.holds(line.target.name) for line in lines
        ):
            return False
        state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return True


class CallerCompiler(Pipeline):  # type: ignore[misc]
    """Compiles a function with all that it calls."""

    def define_pipelines(self) -> Any:
        """Numba's own, with `BorrowArrays` once types are known."""
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.add_pass_after(BorrowArrays, typed_passes.NopythonTypeInference)
            passes = needed_passes(pipeline.passes, self.state.func_id.func)
            pipeline.passes = [
                (LeanLowering, name) if one is NativeLowering else (one, name) for one, name in passes
            ]
            pipeline.finalize()
        return pipelines

    def _compile_core(self) -> Any:
        self.state.library = library = self._make_library()
        with quick_compiler():
            result = super()._compile_core()
        self._set_environments(library)
        return result

    def _make_library(self) -> Any:
        entered = EnteredLibrary if _count_values(self.state.args) > MOST_OPTIMISED else Library
        library = entered(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        library.enable_object_caching()
        return library

    def _set_environments(self, library: Any) -> None:
        """Of all functions that are part of this one."""
        for variable in library._final_module.global_variables:
            found = lookup_environment(variable.name)
            if found is not None:
                library.codegen.set_env(variable.name, found)


class CalledCompiler(CallerCompiler):
    """Translates a function for its callers."""

    def _make_library(self) -> Any:
        return LinkedLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)

    def _set_environments(self, library: Any) -> None:
        """Nothing to do: there is no machine code."""


def _count_values(kinds: Any) -> int:
    """Number of arrays and numbers in types of arguments, those in tuples counted."""
    return sum(_count_values(kind.types) if hasattr(kind, "types") else 1 for kind in kinds)


class EnteredLibrary(Library):  # type: ignore[misc]
    """A kernel whose entry from Python takes many values, and is translated as it is.

    To optimise code that unpacks one value after the other takes a third of the time, and saves a call some
    hundredths of its microseconds.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.name.startswith(ENTRY) and not function.is_declaration:
                function.add_function_attribute("optnone")
                function.add_function_attribute("noinline")
        super()._optimize_final_module()


class LinkedLibrary(Library):  # type: ignore[misc]
    """A translated function and all that it calls, without machine code."""

    @property
    def codegen(self) -> Any:
        """The object without what needs an address in memory."""
        return _WithoutAddresses(self._codegen)

    def finalize(self) -> None:
        """Take in what the function calls; its callers do the rest."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Zero: nothing here can be called from Python."""
        self._ensure_finalized()
        return 0


class _WithoutAddresses:
    """A code generator that sets no environments; `CallerCompiler` does so where there is machine code."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to do."""
