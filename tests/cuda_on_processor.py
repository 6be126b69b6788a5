"""CuPy as far as batches use it, with numpy arrays and CUDA sources that g++ compiles for the processor."""

import ctypes
import re
import subprocess
import types
from pathlib import Path

import numpy as np

THREADS = 64  #: of a block: two warps
HALVES = {  # instructions of the GPU that convert half precision
    'asm("cvt.f32.f16 %0,%1;" : "=f"(f) : "h"(*p));': "f = read_half(p);",
    'asm("cvt.rn.f16.f32 %0,%1;" : "=h"(*p) : "f"(f));': "write_half(p, f);",
}
KINDS = {"double *": np.float64, "float *": np.float32, "i64 *": np.int64, "half_t *": np.float16}
NUMBERS = {
    "double": (float, ctypes.c_double),
    "int": (np.int32, ctypes.c_int),
    "i64": (np.int64, ctypes.c_int64),
}


def find_kernels(source):
    """Arguments of the kernels of a source by name, as (type, name)."""
    macros = dict(re.findall(r"#define (ELEMENTS|MEMBERS|WAYS|RULE)((?:.*\\\n)*.*)\n", source))
    found = {}
    for name, arguments in re.findall(r"__global__ void (\w+)\(([^)]*)\)", source):
        for macro, words in macros.items():
            arguments = arguments.replace(macro, words.replace("\\\n", " "))
        parts = [re.fullmatch(r"(?:const )?(.*?)(\w+)", a.strip()) for a in arguments.split(",")]
        found[name] = [(part[1].strip(), part[2]) for part in parts]
    return found


class RawModule:
    """A compiled CUDA source."""

    folder: Path

    def __init__(self, code, options):
        self.kernels = find_kernels(code)
        for there, here in HALVES.items():
            code = code.replace(there, here)
        lines = ['#include "cuda_on_processor.h"', code, 'extern "C" {']
        for name, arguments in self.kernels.items():
            given, names = (", ".join(p) for p in (map(" ".join, arguments), (n for _, n in arguments)))
            lines.append(f"void launch_{name}({given}) {{ launch(count, [&] {{ {name}({names}); }}); }}")
        source = self.folder / f"kernels_{abs(hash((code, options)))}.cpp"
        source.write_text("\n".join([*lines, "}"]))
        here = [f"-DTHREADS={THREADS}", f"-I{Path(__file__).parent}", "-Wl,-Bsymbolic", "-pthread"]
        command = ["g++", "-O1", "-shared", "-fPIC", *options, *here, str(source), "-o", f"{source}.so"]
        subprocess.run(command, check=True, capture_output=True)
        self.library = ctypes.CDLL(f"{source}.so")

    def compile(self):
        """Done before."""

    def get_function(self, name):
        function, arguments = getattr(self.library, f"launch_{name}"), self.kernels[name]

        def call(_grid, _block, given):
            function(*(convert(*argument, value) for argument, value in zip(arguments, given, strict=True)))

        return call


def convert(kind, name, value):
    """An argument for a kernel, whose type must be right: a GPU would not notice."""
    if kind in KINDS:
        assert value.flags.c_contiguous, name
        assert value.dtype == KINDS[kind] or not value.size, name
        return ctypes.c_void_p(value.ctypes.data)
    type_here, type_there = NUMBERS[kind]
    assert isinstance(value, type_here), name
    return type_there(value)


def fill_with_nan(shape, dtype=float):
    """Memory that holds whatever it held: an answer must not depend on it."""
    return np.full(shape, np.nan if np.issubdtype(dtype, np.floating) else -1, dtype)


def make_cupy(folder):
    """A module in place of CuPy that compiles in a folder."""
    cupy = types.ModuleType("cupy")
    cupy.__getattr__ = lambda name: getattr(np, name)
    cupy.empty = fill_with_nan
    cupy.empty_like = lambda array: fill_with_nan(array.shape, array.dtype)
    cupy.asnumpy = np.asarray
    cupy.get_default_memory_pool = lambda: types.SimpleNamespace(free_bytes=lambda: 0)
    cupy.cuda = types.SimpleNamespace(
        runtime=types.SimpleNamespace(getDeviceCount=lambda: 1, memGetInfo=lambda: (1 << 30, 1 << 30))
    )
    cupy.RawModule = type("RawModule", (RawModule,), {"folder": folder})
    return cupy


def multiply(_device, fields, matrix, result, *, add=False):
    """Products as on a GPU: those of half precision have sums in single precision."""
    assert fields.size, "cuBLAS refuses products of nothing"
    sums = np.float32 if fields.dtype == np.float16 else np.float64
    product = fields.astype(sums) @ matrix.astype(sums)
    result[...] = (result + product if add else product).astype(result.dtype)
