"""Kernels compiled by numba, and the cache that keeps their machine code between runs.

kernel      the decorator
linking     kernels that are called by kernels become part of their callers
lean_lowering   translation into few instructions
quick_steps steps of the compiler that take less time
digest      what a kernel is compiled from: its code, its constants and all that it calls
cache       one file for each compiled signature of a kernel; one process compiles it, the others wait
kernel_folder   where the files are, and which of them are removed
compile_progress   the message while kernels are compiled
"""

from traction.compiled.kernel import kernel
from traction.compiled.kernel_folder import cache_folder

__all__ = ["cache_folder", "kernel"]
