"""Arrays and tuples that stay values while a kernel is translated, instead of being written to memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from llvmlite import ir as llvm_ir
from llvmlite.ir import instructions
from numba.core import cgutils, codegen, types

from traction.compiled.quick_steps import replaced

Builder: Any = llvm_ir.IRBuilder
Insert: Any = instructions.InsertValue
Extract: Any = instructions.ExtractValue
Phi: Any = instructions.PhiInstr
Proxy: Any = cgutils.ValueStructProxy
Code: Any = codegen.CPUCodeLibrary

#: types whose values are made in one go, and stay values
KEPT = (types.Array, types.RangeType, types.RangeIteratorType)

EXTRACTED = Builder.extract_value
STARTED, READ, SET, ASKED = Proxy.__init__, Proxy.__getitem__, Proxy.__setitem__, Proxy.__getattr__
VALUE_OF, ADDED = Proxy._getvalue, Code.add_ir_module


class NotLeanError(Exception):
    """An array is changed in a way that needs memory."""


@contextmanager
def lean_parts() -> Iterator[None]:
    """While functions are compiled; the compiler's lock is held.

    To replace methods that Python itself calls takes long for a class with as many heirs as numba's proxies
    have: once for all functions that one kernel calls.
    """
    with ExitStack() as stack:
        stack.enter_context(replaced(Builder, extract_value=extract_known))
        stack.enter_context(replaced(Code, add_ir_module=add_without_unused))
        stack.enter_context(replaced(Proxy, **PROXY_PARTS))
        yield


class LeanState:
    """Whether arrays stay values."""

    kept = False


@contextmanager
def lean_values() -> Iterator[None]:
    """While a function is translated."""
    before, LeanState.kept = LeanState.kept, True
    try:
        yield
    finally:
        LeanState.kept = before


def extract_known(builder: Any, aggregate: Any, index: Any, name: str = "") -> Any:
    """A member of an aggregate: what was inserted there, where that is known."""
    if not LeanState.kept:
        return EXTRACTED(builder, aggregate, index, name=name)
    wanted = tuple(index) if isinstance(index, tuple | list) else (index,)
    source = aggregate
    while wanted and type(source) is Insert:
        inserted = tuple(source.indices)
        common = min(len(inserted), len(wanted))
        if inserted[:common] != wanted[:common]:
            source = source.aggregate
        elif len(inserted) <= len(wanted):
            source, wanted = source.value, wanted[common:]
        else:
            break  # a part of what is wanted
    return EXTRACTED(builder, source, wanted, name=name) if wanted else source


def start_proxy(proxy: Any, context: Any, builder: Any, value: Any = None, ref: Any = None) -> None:
    """Begin with the value of an array, or with none yet."""
    if LeanState.kept and ref is None and type(proxy._fe_type) in KEPT:
        model = context.data_model_manager[proxy._fe_type]
        kind = model.get_value_type()
        if value is None or value.type == kind:
            proxy._context, proxy._datamodel, proxy._builder, proxy._be_type = context, model, builder, kind
            proxy._known = value if value is not None else llvm_ir.Constant(kind, None)
            proxy._block, proxy._seen_elsewhere = None if value is None else builder.block, False
            return
    STARTED(proxy, context, builder, value, ref)


def _known(proxy: Any) -> Any:
    """The value of an array, None where it is in memory."""
    value = proxy.__dict__.get("_known")
    if value is not None and proxy._block not in (None, proxy._builder.block):
        proxy._seen_elsewhere = True
    return value


def _put_in_memory(proxy: Any) -> None:
    """From here on the array may change."""
    if proxy._block not in (None, proxy._builder.block) or proxy._seen_elsewhere:
        raise NotLeanError
    proxy._value = proxy._outer_ref = cgutils.alloca_once(proxy._builder, proxy._be_type)
    proxy._builder.store(proxy._known, proxy._value)
    proxy._known = None


def read_member(proxy: Any, index: int) -> Any:
    """A member by its number."""
    value = _known(proxy)
    return READ(proxy, index) if value is None else proxy._builder.extract_value(value, index)


def set_member(proxy: Any, index: int, member: Any) -> None:
    """Set a member by its number."""
    value = proxy.__dict__.get("_known")
    if value is not None:
        proxy._block = proxy._block or proxy._builder.block  # an array begins where something is known of it
        same = proxy._builder.block is proxy._block and not proxy._seen_elsewhere
        if same and member.type == proxy._be_type.elements[index]:
            proxy._known = proxy._builder.insert_value(value, member, index)
            return
        _put_in_memory(proxy)
    SET(proxy, index, member)


def ask_member(proxy: Any, field: str) -> Any:
    """A member by its name; the place in memory if that is asked for."""
    if field in ("_value", "_outer_ref") and proxy.__dict__.get("_known") is not None:
        _put_in_memory(proxy)
        return proxy.__dict__[field]
    return ASKED(proxy, field)


def value_of(proxy: Any) -> Any:
    """The whole array."""
    value = _known(proxy)
    return VALUE_OF(proxy) if value is None else value


def know_shape(kind: Any) -> None:
    """Let kinds of proxies that read a shape from memory take it from a value that is known."""
    read = vars(kind).get("shape")
    if isinstance(read, property):
        kind.shape = property(
            lambda proxy: (
                read.fget(proxy)  # type: ignore[misc]
                if proxy.__dict__.get("_known") is None
                else ask_member(proxy, "shape")
            )
        )


PROXY_PARTS = {
    "__init__": start_proxy,
    "__getitem__": read_member,
    "__setitem__": set_member,
    "__getattr__": ask_member,
    "_getvalue": value_of,
    "__init_subclass__": classmethod(know_shape),
}


def add_without_unused(library: Any, module: Any) -> None:
    """Add a module to a library, without values that are never used."""
    if LeanState.kept:
        for function in module.functions:
            remove_unused(function)
    ADDED(library, module)


def remove_unused(function: Any) -> None:
    """Remove insertions and extractions whose results are never used."""
    used: set[int] = set()
    packing = (Insert, Extract)
    for block in function.blocks:
        for line in block.instructions:
            if type(line) not in packing:
                used.update(map(id, line.operands))
                if isinstance(line, Phi):
                    used.update(id(value) for value, _ in line.incomings)
    # what is inserted comes from before: blocks may be in any order, so until nothing changes
    while True:
        before = len(used)
        for block in function.blocks:
            for line in reversed(block.instructions):
                if type(line) in packing and id(line) in used:
                    used.update(map(id, line.operands))
        if len(used) == before:
            break
    for block in function.blocks:
        block.instructions[:] = [
            line for line in block.instructions if type(line) not in packing or id(line) in used
        ]
