"""Translation of a kernel into fewer instructions of LLVM, with the same machine code in the end."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from numba.core import compiler_machinery, ir, lowering, typed_passes

from traction.compiled.lean_values import lean_values

LOGGER = logging.getLogger("traction.compiled")
Lower: Any = lowering.Lower
NativeLowering: Any = typed_passes.NativeLowering
register_pass: Any = compiler_machinery.register_pass

#: expressions that refer to arrays there are
BORROWING = ("getattr", "static_getitem", "build_tuple", "exhaust_iter", "cast", "phi")

#: functions that numba translated instead, for tests
LEFT_TO_NUMBA: list[str] = []


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
