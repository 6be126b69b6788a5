"""Steps of the compiler with equal results in less time; they replace numba's while a kernel is compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm
from numba.core import base, codegen, errors, event, ir, lowering, postproc, transforms, typeinfer

Instruction: Any = ir.Inst
Expression: Any = ir.Expr
Errors: Any = errors
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
HAS_PLACE: Any = base._has_loc
NUMBA, PLACES, FORMATTED = Errors._numba_path, Errors.loc_info, Errors._format_msg
STARTED: Any = event.start_event
ENDED: Any = event.end_event
PROCESSED = AfterPass.run


@contextmanager
def replaced(owner: Any, **parts: Any) -> Iterator[None]:
    """With parts of a class or module replaced."""
    before = {name: vars(owner)[name] for name in parts if name in vars(owner)}
    for name, part in parts.items():
        setattr(owner, name, part)
    try:
        yield
    finally:
        for name in parts:
            if name in before:
                setattr(owner, name, before[name])
            else:  # inherited
                delattr(owner, name)


@contextmanager
def quick_steps() -> Iterator[None]:
    """While a function, and what it calls, is compiled; the compiler's lock is held."""
    with ExitStack() as stack:
        stack.enter_context(replaced(Instruction, _rec_list_vars=list_variables))
        stack.enter_context(replaced(Expression, list_vars=list_expression))
        stack.enter_context(replaced(ir.Assign, list_vars=list_assignment))
        stack.enter_context(replaced(base, _has_loc=takes_place))
        for user in (errors, lowering, typeinfer):
            stack.enter_context(replaced(user, new_error_context=ErrorContext))
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


def list_expression(expression: Any) -> list[Any]:
    """The variables in an expression, likewise."""
    found: list[Any] = []
    for value in expression._kws.values():
        kind = type(value)
        if kind is ir.Var:
            found.append(value)
        elif kind not in WITHOUT_VARIABLES:
            _collect(expression, value, found)
    return found


def list_assignment(line: Any) -> list[Any]:
    """The variables in an assignment, likewise."""
    value = line.value
    if type(value) is ir.Var:
        return [value, line.target]
    if isinstance(value, Instruction):
        return [*value.list_vars(), line.target]
    return [line.target]  # of a constant, a global name or an argument


@lru_cache(maxsize=4096)
def takes_place(function: Any) -> bool:
    """Whether a function of numba takes a place in the source, which its signature says."""
    return bool(HAS_PLACE(function))


class ErrorContext:
    """What is being done, for the message of an error; as numba's, whose generator takes longer."""

    __slots__ = ("_given", "_named", "_words")

    def __init__(self, fmt_: str, *given: Any, **named: Any) -> None:
        self._words, self._given, self._named = fmt_, given, named

    def __enter__(self) -> None:
        place = self._named.get("loc")
        if place is not None and not place.filename.startswith(NUMBA):
            PLACES.update(self._named)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, errors.NumbaError):
            error.add_context(FORMATTED(self._words, self._given, self._named))


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
