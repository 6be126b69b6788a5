"""Kernels that are called by kernels: translated once, optimised only as a part of their callers.

Numba optimises every function, emits machine code for it, and does both again in each function that calls it,
through all layers. What is called by kernels only needs neither, and a kernel of many layers compiles in less
time. So each kernel has a twin, which its callers see: the same function, translated but not optimised.

The parts of numba that are used are not public. Where they change, every kernel is compiled on its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

#: classes of numba that are built upon
Library: Any = object
Pipeline: Any = object
#: methods of a library that are used
METHODS = ("_finalize_dynamic_globals", "_get_module_for_linking", "_raise_if_finalized", "_ensure_finalized")

try:
    from numba.core import codegen, compiler, environment

    Library, Pipeline = codegen.JITCodeLibrary, compiler.Compiler
    lookup_environment: Any = environment.lookup_environment
    CAN_LINK = all(hasattr(Library, name) for name in METHODS) and hasattr(Pipeline, "_compile_core")
except Exception:  # a numba that keeps them elsewhere
    CAN_LINK = False


def compile_linked(function: Callable[..., Any], **options: Any) -> Any:
    """Numba's njit of a function whose callers, where they are kernels, take it in as part of themselves."""
    compile_alone: Callable[..., Any] = numba.njit
    if not CAN_LINK:
        return compile_alone(function, **options)
    kernel = compile_alone(function, pipeline_class=CallerCompiler, **options)
    if not hasattr(kernel, "py_func"):  # the compiler is switched off
        return kernel
    twin = compile_alone(function, pipeline_class=CalledCompiler, no_cpython_wrapper=True, **options)
    twin._compiling_counter = kernel._compiling_counter  # so that a function that calls itself is recognised
    kernel.get_call_template = twin.get_call_template
    kernel.get_overload = twin.get_overload
    kernel.twin = twin
    return kernel


class CallerCompiler(Pipeline):  # type: ignore[misc]
    """Compiles a function with all that it calls."""

    def _compile_core(self) -> Any:
        result = super()._compile_core()
        library = result.library
        for variable in library._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                library.codegen.set_env(variable.name, environment)
        return result


class CalledCompiler(Pipeline):  # type: ignore[misc]
    """Translates a function for its callers."""

    def _compile_core(self) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = LinkedLibrary(codegen, self.state.func_id.func_qualname)
        return super()._compile_core()


class LinkedLibrary(Library):  # type: ignore[misc]
    """A translated function and all that it calls, without machine code."""

    @property
    def codegen(self) -> Any:
        """As it is, less what needs an address in memory."""
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
