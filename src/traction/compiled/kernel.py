"""`kernel`: numba's njit with a cache that is private to the user and heals itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from traction.compiled.cache import attach_cache
from traction.compiled.linking import compile_linked


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
    dispatcher = compile_linked(
        function,
        nogil=nogil,
        error_model="python" if checked else "numpy",
        inline="always" if inlined else "never",
        **_saved_work(),
    )
    attach_cache(dispatcher)
    return dispatcher


@lru_cache(maxsize=1)
def _saved_work() -> dict[str, Any]:
    """Options that leave out what kernels do not need, as far as this numba knows them.

    By default each signature is compiled with a second entry, for callers that know its address alone.
    """
    try:
        from numba.core.options import DefaultOptions

        return {"no_cfunc_wrapper": True} if hasattr(DefaultOptions, "no_cfunc_wrapper") else {}
    except Exception:
        return {}
