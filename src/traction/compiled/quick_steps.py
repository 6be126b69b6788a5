"""Steps of the compiler with equal results in less time; they replace numba's while a kernel is compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen, event, ir, postproc, transforms

Instruction: Any = ir.Inst
Code: Any = codegen.CPUCodeLibrary
AfterPass: Any = postproc.PostProcessor

#: what is in instructions besides variables
WITHOUT_VARIABLES = frozenset({str, int, float, bool, type(None), ir.Loc})
#: passes over a function before those over all that are linked, which do the same again with more. Without
#: `simplify_cfg`, after which loops over values are not recognised and not computed several at a time
FEW_PASSES = ("sroa", "instruction_combine")
#: event of each call of LLVM, of which numba keeps the time in metadata
LOCKED = "numba:llvm_lock"

LISTED = Instruction._rec_list_vars
STARTED: Any = event.start_event
ENDED: Any = event.end_event
PROCESSED = AfterPass.run


@contextmanager
def replaced(owner: Any, **parts: Any) -> Iterator[None]:
    """With parts of a class or module replaced."""
    before = {name: getattr(owner, name) for name in parts}
    for name, part in parts.items():
        setattr(owner, name, part)
    try:
        yield
    finally:
        for name, part in before.items():
            setattr(owner, name, part)


@contextmanager
def quick_steps() -> Iterator[None]:
    """While one function, and what it calls, is compiled; the compiler's lock is held."""
    with ExitStack() as stack:
        stack.enter_context(replaced(Instruction, _rec_list_vars=list_variables))
        stack.enter_context(replaced(event, start_event=start_heard, end_event=end_heard))
        stack.enter_context(replaced(AfterPass, run=process_blocks))
        if hasattr(llvm, "create_new_function_pass_manager"):
            stack.enter_context(replaced(Code, _optimize_functions=optimise_functions))
        yield


def list_variables(instruction: Any, value: Any) -> list[Any]:
    """The variables in what an instruction is made of, as numba lists them."""
    found: list[Any] = []
    _collect(instruction, value, found)
    return found


def _collect(instruction: Any, value: Any, found: list[Any]) -> None:
    kind = type(value)
    if kind is ir.Var:
        found.append(value)
    elif kind is list or kind is tuple:
        for one in value:
            _collect(instruction, one, found)
    elif kind is dict:
        for one in value.values():
            _collect(instruction, one, found)
    elif kind not in WITHOUT_VARIABLES:
        found += LISTED(instruction, value)


def start_heard(kind: str, data: Any = None) -> None:
    """Announce that something begins, where somebody listens; calls of LLVM, tens of thousands, are not."""
    if kind != LOCKED and event._registered[kind]:
        STARTED(kind, data)


def end_heard(kind: str, data: Any = None, exc_details: Any = None) -> None:
    """Announce that it ends, likewise."""
    if kind != LOCKED and event._registered[kind]:
        ENDED(kind, data, exc_details)


def optimise_functions(library: Any, module: Any) -> None:
    """Make the functions of a module small; they are optimised when all that they call is linked."""
    generator = library._codegen
    module.data_layout = generator._data_layout
    for function in module.functions:
        if function.is_declaration:
            continue
        passes, builder = llvm.create_new_function_pass_manager(), generator._pass_builder()
        for name in FEW_PASSES:
            getattr(passes, f"add_{name}_pass")()
        passes.add_refprune_pass(codegen._parse_refprune_flags())
        passes.run(function, builder)


def process_blocks(after: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Renew what is known of a function after a pass, without what only generators ask for."""
    function = after.func_ir
    if function.is_generator:
        PROCESSED(after, emit_dels, extend_lifetimes)
        return
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = postproc.VariableLifetime(function.blocks)
    function.generator_info = None
    if emit_dels:
        after._insert_var_dels(extend_lifetimes=extend_lifetimes)
