"""Functions that are compiled as parts of kernels."""

from traction.compiled.linking import compile_linked


def part(function):
    """A part of kernels, never called by itself: what is not inlined counts references in every call."""
    return compile_linked(function, forceinline=True)


def whole(function):
    """A part of kernels that is called at several places."""
    return compile_linked(function)
