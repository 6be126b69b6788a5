"""What a batch needs of a processor or a GPU.

The `Processor` has arrays of numpy and compiled kernels, the `GraphicsProcessor` arrays and products of CuPy,
and kernels in CUDA.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from types import ModuleType
from typing import Any

import numpy as np

from traction.contact.batch.kernels import law_steps, member_moves, pressing_steps, splitting_steps
from traction.contact.stick_slip.kernels import sliding_states
from traction.errors import InputError
from traction.friction_laws.kernels import coefficients

#: by the name of their module
KERNELS = {m.__name__.split(".")[-1]: m for m in (law_steps, member_moves, pressing_steps, splitting_steps)}
CHUNK_BYTES = 1 << 28  #: of the members that are solved at once
THREADS = 224  #: of a block, which is one member
MOST_AT_ONCE = 16_384  #: members; more are not faster
USED_MEMORY = 0.5  #: share of the free memory that members take, as they are copied when some have converged
CONSTANTS = {  #: that sources share with the kernels of the same name
    "splitting_steps": {name: getattr(splitting_steps, name) for name in ("STEP", "GLIDES")},
    "law_steps": {
        **{name: getattr(splitting_steps, name) for name in ("STEP", "GLIDES")},
        **{name: getattr(coefficients, name) for name in ("LINEAR", "EXPONENTIAL", "TABULATED", "LN2")},
        "LEAST_YIELD": sliding_states.LEAST_YIELD,
        "EQUAL": sliding_states.EQUAL,
        "HALVINGS": sliding_states.HALVINGS,
        "LEAST_BOUND": law_steps.LEAST_BOUND,
    },
    "member_moves": {name: getattr(member_moves, name) for name in ("RIDGE", "SMALLEST", "LARGEST")},
    "pressing_steps": {name: getattr(pressing_steps, name) for name in ("STEP", "ROUNDING")},
}
NUMBERS = {"d": np.array([1.0, 0.0]), "e": np.array([1.0, 0.0], np.float32)}  #: by character of the type
#: of cuBLAS by the same: types of the numbers and of the sums, and where the numbers 1 and 0 are
TYPES = {
    char: (*types, NUMBERS[char].ctypes.data, NUMBERS[char][1:].ctypes.data)
    for char, types in (("d", (1, 70)), ("e", (2, 68)))
}


class Processor:
    """Arrays, products and kernels of a batch on the processor; a `GraphicsProcessor` has its own.

    Arrays of CuPy are typed as those of numpy.
    """

    arrays: ModuleType = np  #: or cupy
    low: type = np.float32  #: precision of increments
    most_pressed = 700  #: elements of a grid for which dense matrices are faster than `tr.press`
    most_rolled = 1_100  #: in contact, for which they are as fast as `tr.roll_steady` or faster
    block = 1  #: pairs of elements come in multiples of it

    def fit_members(self, size: int) -> int:
        """Members to solve at once, of so many bytes: enough for products of matrices, few for the cache."""
        return max(64, min(512, CHUNK_BYTES // size))

    def take(self, array: np.ndarray) -> np.ndarray:
        """The array on the device."""
        return np.ascontiguousarray(array)

    def bring(self, array: np.ndarray) -> np.ndarray:
        """The array of the device, as one of numpy."""
        return array

    def find_kernels(self, name: str, sectors: int) -> Any:
        """Functions with the names and arguments of a module of `kernels`, for so many sectors."""
        return KERNELS[name]

    def multiply(
        self, fields: np.ndarray, matrix: np.ndarray, result: np.ndarray, *, add: bool = False
    ) -> None:
        """Products (ns, members, n) of fields in sectors with transposed matrices; or add them to result."""
        if add:
            result += fields @ matrix
        else:
            np.matmul(fields, matrix, out=result)


class GraphicsProcessor(Processor):
    """Arrays, products and kernels of a batch on the current GPU."""

    low: type = np.float16  #: precision of increments
    most_pressed = 20_000  #: elements of a grid whose dense matrices fit into memory
    most_rolled = 6_000  #: the same of elements in contact, with friction
    block = 8  #: pairs of elements come in multiples of it: rows of products are then aligned

    def __init__(self) -> None:
        try:
            import cupy

            cupy.cuda.runtime.getDeviceCount()
            self.find_kernels(
                "pressing_steps", 4
            )  # compiled now, so that a toolkit that is missing is named here
        except ImportError:
            raise InputError(
                'device = "gpu" needs CuPy: install traction[gpu], or use device="cpu".'
            ) from None
        except Exception as error:  # of the driver: CuPy has a type for each of its libraries
            raise InputError(
                f'device = "gpu" found no GPU that CuPy can use ({error}); check the driver, or use '
                'device="cpu".'
            ) from None
        self.arrays = cupy

    def fit_members(self, size: int) -> int:
        """Members of so many bytes that fit into the free memory, at most those that use the whole GPU."""
        pool = self.arrays.get_default_memory_pool()
        free = self.arrays.cuda.runtime.memGetInfo()[0] + pool.free_bytes()
        return max(1, min(MOST_AT_ONCE, int(USED_MEMORY * free) // size))

    def take(self, array: np.ndarray) -> Any:
        """The array on the device."""
        return self.arrays.ascontiguousarray(self.arrays.asarray(array))

    def bring(self, array: Any) -> np.ndarray:
        """The array of the device, as one of numpy."""
        return np.asarray(self.arrays.asnumpy(array))

    def find_kernels(self, name: str, sectors: int) -> CudaKernels:
        """Kernels by the name of their source, compiled for so many sectors."""
        return load_kernels(name, sectors)

    def multiply(self, fields: Any, matrix: Any, result: Any, *, add: bool = False) -> None:
        """Products (ns, members, n) of fields in sectors with transposed matrices; or add them to result.

        By cuBLAS itself: cupy.matmul does not use the tensor cores for stacks of matrices in half precision,
        and copies results that are parts of wider arrays.
        """
        from cupy_backends.cuda.libs import cublas

        (ns, count, k), n, size = fields.shape, matrix.shape[2], fields.itemsize
        kind, sums, one, zero = TYPES[fields.dtype.char]
        handle = self.arrays.cuda.device.get_cublas_handle()
        ld = [array.strides[1] // size for array in (matrix, fields, result)]
        apart = [array.strides[0] // size for array in (matrix, fields, result)]
        cublas.gemmStridedBatchedEx(
            handle, 0, 0, n, count, k, one,
            matrix.data.ptr, kind, ld[0], apart[0],
            fields.data.ptr, kind, ld[1], apart[1],
            one if add else zero, result.data.ptr, kind, ld[2], apart[2], ns, sums, -1,
        )  # fmt: skip


class CudaKernels:
    """Compiled functions of a CUDA source by name, with the arguments of the kernels of the same name.

    Sizes follow the tables of elements and of members, and those of other tables the tables themselves.
    """

    def __init__(self, name: str, sectors: int) -> None:
        import cupy

        options = [
            "-std=c++17",
            f"-DNS={sectors}",
            *(f"-D{key}={value}" for key, value in CONSTANTS[name].items()),
        ]
        self._module = cupy.RawModule(code=_read_source(f"{name}.cu"), options=tuple(options))
        self._module.compile()
        self._ordered: tuple[Any, tuple[Any, ...]] = (None, ())

    def __getattr__(self, name: str) -> Any:
        function = self._module.get_function(name)

        def launch(elements: Any, members: Any, *arguments: Any) -> None:
            count = members.kind.size
            if not count:
                return
            given = (*self._order(elements), *members, np.int64(count), *_flatten(arguments))
            function((count,), (THREADS,), given)

        self.__dict__[name] = launch
        return launch

    def _order(self, elements: Any) -> tuple[Any, ...]:
        """Tables of the elements, then their number and other numbers; those of the last call are kept.

        Threads share the kernels: what is returned is never read back from what another may have replaced.
        """
        last, ordered = self._ordered
        if last is not elements:
            numbers = [number for number in elements if isinstance(number, int | float)]
            tables = [table for table in elements if not isinstance(table, int | float)]
            ordered = (*tables, *_flatten((elements.weight.size, *numbers)))
            self._ordered = elements, ordered
        return ordered


def _flatten(arguments: tuple[Any, ...]) -> Iterator[Any]:
    """Arguments with the members of tuples one after the other, and integers as kernels take them."""
    for one in arguments:
        if isinstance(one, tuple):
            yield from _flatten(one)
        else:
            yield np.int32(one) if isinstance(one, int) else one


def _read_source(name: str) -> str:
    """A CUDA source, with those that it includes."""
    source = files("traction.contact.batch.kernels").joinpath(name).read_text(encoding="utf-8")
    return re.sub(r'#include "(\w+\.\w+)"', lambda found: _read_source(found[1]), source)


@lru_cache(maxsize=8)
def load_kernels(name: str, sectors: int) -> CudaKernels:
    """Compile a source for so many sectors, once."""
    return CudaKernels(name, sectors)
