"""Translation of a kernel into fewer instructions of LLVM, with the same machine code in the end.

Arrays and tuples stay values while a kernel is translated, instead of being written to memory.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from llvmlite import ir as llvm_ir
from llvmlite.ir import instructions
from numba.core import cgutils, codegen, compiler_machinery, ir, lowering, typed_passes, types

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
LOGGER = logging.getLogger("traction.compiled")
Lower: Any = lowering.Lower
NativeLowering: Any = typed_passes.NativeLowering
register_pass: Any = compiler_machinery.register_pass

#: expressions that refer to arrays there are
BORROWING = ("getattr", "static_getitem", "build_tuple", "exhaust_iter", "cast", "phi")

#: functions that numba translated instead, for tests
LEFT_TO_NUMBA: list[str] = []


class NotLeanError(Exception):
    """An array is changed in a way that needs memory."""


@contextmanager
def lean_parts() -> Iterator[None]:
    """While functions are compiled; the compiler's lock is held.

    To replace methods that Python itself calls takes long for a class with as many heirs as numba's proxies
    have: once for all functions that one kernel calls.
    """
    builder = replaced(Builder, extract_value=extract_known)
    with builder, replaced(Code, add_ir_module=add_without_unused), replaced(Proxy, **PROXY_PARTS):
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


class CountedTypes:
    """Which variables of a function hold arrays, whose references are counted."""

    def __init__(self, types: Any, models: Any) -> None:
        self._types, self._models = types, models
        self._known: dict[Any, bool] = {}

    def holds(self, name: str) -> bool:
        """Whether a variable does."""
        return self.is_counted(self._types[name])

    def is_counted(self, kind: Any) -> bool:
        """Whether values of a type do."""
        if kind not in self._known:
            self._known[kind] = bool(self._models[kind].contains_nrt_meminfo())
        return self._known[kind]

    def makes(self, value: Any) -> bool:
        """Whether an expression makes an array, rather than refers to one."""
        if not isinstance(value, ir.Expr) or value.op in BORROWING:
            return False
        # an index that is counted is an array: it selects a copy
        return value.op != "getitem" or self.holds(value.index.name)


def assignments(blocks: Any) -> Iterator[Any]:
    """Those of all blocks."""
    for block in blocks.values():
        yield from block.find_insts(ir.Assign)


def borrowed_variables(blocks: Any, counted: CountedTypes) -> set[str]:
    """Variables that refer to arrays of the callers whatever path is taken; these live longer.

    What a function returns belongs to its caller, and is counted.
    """
    given: dict[str, list[Any]] = {}
    for line in assignments(blocks):
        if counted.holds(line.target.name):
            given.setdefault(line.target.name, []).append(line.value)
    made = {name for name, values in given.items() if any(map(counted.makes, values))}
    ends = (block.terminator for block in blocks.values())
    made |= {end.value.name for end in ends if isinstance(end, ir.Return)}
    sources = {name: {v for value in values for v in _names_in(value)} for name, values in given.items()}
    while True:
        more = {name for name in given if name not in made and not made.isdisjoint(sources[name])}
        if not more:
            return given.keys() - made
        made |= more


def _names_in(value: Any) -> list[str]:
    if isinstance(value, ir.Var):
        return [value.name]
    return [one.name for one in value.list_vars()] if isinstance(value, ir.Expr) else []


def _borrows(value: Any) -> bool:
    """Whether a value is no expression, or one that may refer to arrays there are."""
    return not isinstance(value, ir.Expr) or value.op in (*BORROWING, "getitem")


class LeanLower(Lower):  # type: ignore[misc]
    """Numba's translation, in which values of single assignments stay values of LLVM.

    Only variables that own an array need a place in memory, which says whether they do.
    """

    context: Any

    @cached_property
    def _lean(self) -> set[str]:
        """Variables without references to be counted."""
        counted = CountedTypes(self.fndesc.typemap, self.context.data_model_manager)
        targets = {line.target.name for line in assignments(self.blocks)}
        free = {name for name in targets if not counted.holds(name)}
        return free | borrowed_variables(self.blocks, counted)

    @cached_property
    def _uncounted(self) -> Any:
        return self.context.subtarget(enable_nrt=False)

    def _find_singly_assigned_variable(self) -> None:
        super()._find_singly_assigned_variable()
        if not self.func_ir.func_id.is_generator:
            self._singly_assigned_vars |= self._values()

    def _values(self) -> set[str]:
        """Variables that are assigned once, in a block that all of their uses come after."""
        assigned: dict[str, list[Any]] = {}
        for at, block in self.blocks.items():
            for line in block.find_insts(ir.Assign):
                assigned.setdefault(line.target.name, []).append(at)
        once = {name: at[0] for name, at in assigned.items() if len(at) == 1 and name in self._lean}
        life = self.func_ir.variable_lifetime
        before = life.cfg.dominators()
        for at, names in life.usedefs.usemap.items():
            for name in names:
                if name in once and not (once[name] < at and once[name] in before[at]):
                    del once[name]
        return set(once)

    def lower_inst(self, inst: Any) -> None:
        """Translate a line; those that assign borrowed arrays count nothing."""
        if isinstance(inst, ir.Del) and inst.value in self._lean:
            return
        if not isinstance(inst, ir.Assign) or self.flags.debuginfo:
            super().lower_inst(inst)
        elif inst.target.name in self._lean and self.context.enable_nrt and _borrows(inst.value):
            counting, self.context = self.context, self._uncounted
            try:
                self._assign(inst)
            finally:
                self.context = counting
        else:
            self._assign(inst)

    def _assign(self, line: Any) -> None:
        """Translate an assignment as numba does, without a description for those who debug."""
        name = line.target.name
        self.storevar(self.lower_assign(self.typeof(name), line), name)

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        """Store a value; what was there before needs no care where nothing is counted."""
        if name in self._lean and name not in self._singly_assigned_vars:
            self._alloca_var(name, self.typeof(name))
            self.builder.store(value, self.getvar(name))
        else:
            super().storevar(value, name, argidx)


@register_pass(mutates_CFG=True, analysis_only=False)
class LeanLowering(NativeLowering):  # type: ignore[misc]
    """The pass of the compiler that translates."""

    _name = "lean_lowering"
    lowering_class = LeanLower

    def run_pass(self, state: Any) -> bool:
        """Translate; as numba does, where that fails: numba raises what is wrong with the function itself."""
        try:
            with lean_values():
                return bool(super().run_pass(state))
        except MemoryError:
            raise
        except Exception:
            LOGGER.debug("%s is left to numba", state.func_id.func_qualname, exc_info=True)
            LEFT_TO_NUMBA.append(state.func_id.func_qualname)
            return bool(NativeLowering().run_pass(state))
