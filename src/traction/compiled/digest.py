"""Digest of the sources of a kernel: code, constants, captured values, and all that it calls.

Comments, docstrings, line numbers and names of local variables do not count. Globals are taken as they are
when the digest is first computed, like the compiler takes them.
"""

from __future__ import annotations

import builtins
import enum
import hashlib
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from weakref import WeakKeyDictionary

import numba
import numpy as np

#: packages whose functions are identified by their names: their versions are part of the cache's folder
VERSIONED = frozenset({"builtins", "cmath", "llvmlite", "math", "numba", "numpy", "operator"})
PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...), range)
HAS_DOCSTRING = 0x4000000  #: flag of code objects, from Python 3.13 on

Token = bytes | Callable[..., object]  #: a piece of a description, or a function that has one of its own

_descriptions: WeakKeyDictionary[Callable[..., object], tuple[Token, ...]] = WeakKeyDictionary()


class IndigestibleError(Exception):
    """A kernel refers to something that may mean another thing in the next process."""


def digest_kernel(kernel: Callable[..., object]) -> str:
    """Digest of a kernel and, through all layers, of the functions it calls.

    Functions are numbered as they are met and named by their numbers, so they may call each other in circles.
    """
    digest = hashlib.sha256()
    numbers = {id(kernel): 0}
    met = [kernel]
    for function in met:  # grows on the way
        for token in _describe(function):
            if not isinstance(token, bytes):
                if id(token) not in numbers:
                    numbers[id(token)] = len(met)
                    met.append(token)
                token = f"function {numbers[id(token)]}".encode()
            digest.update(f"{len(token)}:".encode() + token)
    return digest.hexdigest()


def _describe(function: Callable[..., object]) -> tuple[Token, ...]:
    """Description of `function` itself; functions that it calls are only referenced."""
    if function not in _descriptions:
        _descriptions[function] = tuple(_function_tokens(function))
    return _descriptions[function]


def _function_tokens(kernel: Callable[..., object]) -> Iterator[Token]:
    options = getattr(kernel, "targetoptions", {})
    function = getattr(kernel, "py_func", kernel)
    yield f"{function.__module__}.{function.__qualname__}".encode()
    for name in sorted(options):
        yield name.encode()
        yield from _tokens(options[name])
    code = function.__code__
    yield from _code_tokens(code, function.__doc__)
    yield from _tokens(function.__defaults__)
    yield from _tokens(tuple(sorted((function.__kwdefaults__ or {}).items())))
    for cell in function.__closure__ or ():
        yield from _tokens(_content(cell))
    for name in _names_in(code):  # attributes too: one that has the name of a global only adds to the digest
        if name in function.__globals__:
            yield from _tokens(function.__globals__[name])
        elif hasattr(builtins, name):
            yield b"builtin"


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError as error:
        raise IndigestibleError("a captured value is not set yet") from error


def _code_tokens(code: CodeType, docstring: str | None = None) -> Iterator[Token]:
    arguments = code.co_argcount + code.co_kwonlyargcount
    yield code.co_code
    yield getattr(code, "co_exceptiontable", b"")
    yield repr((code.co_flags & ~HAS_DOCSTRING, code.co_argcount, code.co_kwonlyargcount)).encode()
    yield repr((code.co_names, code.co_varnames[:arguments], code.co_freevars)).encode()
    constants = code.co_consts
    if docstring is not None and constants[:1] == (docstring,):
        constants = (None, *constants[1:])
    for constant in constants:
        yield from _tokens(constant)


def _names_in(code: CodeType) -> list[str]:
    """Names of globals and attributes, also in comprehensions and inner functions."""
    names = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names.update(dict.fromkeys(_names_in(constant)))
    return list(names)


def _tokens(value: object) -> Iterator[Token]:
    """The description of a value: equal in every process, different for different values."""
    kind = type(value)
    if kind in PLAIN:
        yield f"{kind.__name__} {value!r}".encode()
    elif isinstance(value, CodeType):
        yield b"code"
        yield from _code_tokens(value)
    elif isinstance(value, enum.Enum):
        yield f"member {value.name}".encode()
        yield from _class_tokens(kind)
    elif isinstance(value, tuple):
        yield f"tuple {len(value)}".encode()
        yield from _class_tokens(kind)
        for item in value:
            yield from _tokens(item)
    elif isinstance(value, frozenset):
        yield f"frozenset {len(value)}".encode()
        yield from sorted(_joined(item) for item in value)  # their own order changes from process to process
    elif isinstance(value, slice):
        yield b"slice"
        yield from _tokens((value.start, value.stop, value.step))
    elif isinstance(value, np.ndarray | np.generic):
        yield from _array_tokens(value)
    elif isinstance(value, type):
        yield from _class_tokens(value)
    else:
        yield from _reference_tokens(value)


def _joined(value: object) -> bytes:
    tokens = list(_tokens(value))
    if not all(isinstance(token, bytes) for token in tokens):
        raise IndigestibleError(f"a set holds the function {value!r}")
    return b";".join(f"{len(token)}:".encode() + token for token in tokens if isinstance(token, bytes))


def _array_tokens(array: np.ndarray | np.generic) -> Iterator[Token]:
    """Arrays and scalars of numpy; the compiler distinguishes their layouts."""
    if array.dtype.hasobject:
        raise IndigestibleError("an array of objects")
    flags = array.flags
    yield f"{type(array).__name__} {array.dtype.descr} {array.shape}".encode()
    yield f"{flags.c_contiguous} {flags.f_contiguous} {flags.aligned}".encode()
    yield array.tobytes()


def _class_tokens(kind: type) -> Iterator[Token]:
    yield f"class {kind.__module__}.{kind.__qualname__}".encode()
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        yield repr(kind._fields).encode()
        yield from _tokens(tuple(sorted(getattr(kind, "_field_defaults", {}).items())))
    elif issubclass(kind, enum.Enum):
        for member in kind:
            yield member.name.encode()
            yield from _tokens(member.value)
    elif not issubclass(kind, BaseException) and not _is_versioned(kind.__module__):
        raise IndigestibleError(f"the class {kind.__qualname__}")


def _reference_tokens(value: object) -> Iterator[Token]:
    """Objects identified by name, and functions, which are described elsewhere."""
    if isinstance(value, numba.types.Type | np.dtype):
        yield f"type {value!r}".encode()
    elif isinstance(value, ModuleType) and _is_versioned(value.__name__):
        yield f"module {value.__name__}".encode()
    elif isinstance(value, np.ufunc) and getattr(np, value.__name__, None) is value:
        yield repr(value).encode()
    elif isinstance(value, BuiltinFunctionType | FunctionType) and _is_versioned(value.__module__):
        yield f"function {value.__module__}.{value.__qualname__}".encode()
    elif callable(value) and isinstance(getattr(value, "py_func", value), FunctionType):
        yield value
    else:
        raise IndigestibleError(f"a value of {type(value).__qualname__}")


def _is_versioned(module: str | None) -> bool:
    return (module or "").partition(".")[0] in VERSIONED
