"""Functions that are compiled as parts of kernels."""

from traction.compiled.kernel import compile_function


def part(function):
    """A part of kernels, never called by itself: without inlining references are counted in every call."""
    return compile_function(function, forceinline=True)


def whole(function):
    """A part of kernels that is called at several places."""
    return compile_function(function)
