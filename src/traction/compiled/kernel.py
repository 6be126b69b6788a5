"""`kernel`: numba's njit with a cache that is private to the user and heals itself."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba

from traction.compiled.cache import attach_cache

compile_function: Callable[..., Any] = numba.njit
with suppress(Exception):  # a numba that has changed compiles every kernel on its own
    from traction.compiled.linking import compile_linked as compile_function


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    nogil: bool = False,
    checked: bool = True,
    inlined: bool = False,
) -> Any:
    """Compile `function` to machine code on first use and remember the code between runs.

    With `nogil` threads run it side by side. A division by zero is an error; where it is not `checked` it is
    an infinity, and loops of divisions may go several at a time. What is `inlined` becomes part of each
    kernel that calls it: a kernel is optimised again with all that it calls, which takes long in many layers.
    """
    if function is None:
        return lambda function: kernel(function, nogil=nogil, checked=checked, inlined=inlined)
    dispatcher = compile_function(
        function,
        nogil=nogil,
        error_model="python" if checked else "numpy",
        inline="always" if inlined else "never",
    )
    attach_cache(dispatcher)
    return dispatcher
