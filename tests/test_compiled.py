"""The cache of compiled kernels: it saves compiling, heals itself, is private and never in the way."""

import contextlib
import hashlib
import math
import os
import pickle
import platform
import stat
import subprocess
import sys
import time

import numba
import numpy as np
import pytest

from traction.compiled import cache, kernel_folder
from traction.compiled.digest import IndigestibleError, digest_kernel

#: prints the answer, then how often the machine code was loaded and compiled
USE = """
from traction.halfspace.kernels.surface_influence import _scaled_asinh
print(_scaled_asinh(2.0, 3.0).hex())
print(sum(_scaled_asinh.stats.cache_hits.values()), sum(_scaled_asinh.stats.cache_misses.values()))
"""
#: the same through kernels that call each other, each with a file of its own
USE_NESTED = USE.replace(
    "_scaled_asinh(2.0, 3.0)", "compute_rectangle_lags(5, 2, 2, 1.0, 1.0)[1, 1]"
).replace("_scaled_asinh", "compute_rectangle_lags")


def kernel_files(folder):
    return sorted(folder.rglob("*.bin"))


def flip(content, path):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def with_checksum(payload, path):
    return hashlib.sha256(f"{path.name}\n".encode() + payload).digest() + payload


DAMAGES = {
    "truncated": lambda content, path: content[: len(content) // 2],
    "empty": lambda content, path: b"",
    "garbage": lambda content, path: os.urandom(len(content)),
    "shorter than a checksum": lambda content, path: content[:7],
    "one bit": flip,
    "one bit of the checksum": lambda content, path: bytes([content[0] ^ 1]) + content[1:],
    "intact, not a pickle": lambda content, path: with_checksum(b"not a pickle", path),
    "intact, another layout": lambda content, path: with_checksum(pickle.dumps((1, 2, 3)), path),
}


@pytest.fixture(scope="module")
def warm(run_python, tmp_path_factory):
    """A folder filled by one run, what it printed, and its intact files."""
    folder = tmp_path_factory.mktemp("warm")
    printed = run_python(USE_NESTED, TRACTION_CACHE_DIR=str(folder)).split()
    return folder, printed, {path: path.read_bytes() for path in kernel_files(folder)}


def test_first_run_compiles_and_keeps_the_code(warm):
    folder, (_, hits, misses), files = warm
    assert (hits, misses) == ("0", "1")
    assert len(files) == 1  # what the kernel calls is part of it
    assert {path.parent for path in files} == {next((folder / "traction" / "kernels").iterdir())}


def test_second_run_loads_the_code(run_python, warm):
    folder, printed, files = warm
    changed = {path: path.stat().st_mtime_ns for path in files}
    answer, hits, misses = run_python(USE_NESTED, TRACTION_CACHE_DIR=str(folder)).split()
    assert (answer, hits, misses) == (printed[0], "1", "0")
    assert {path: path.stat().st_mtime_ns for path in kernel_files(folder)} == changed


@pytest.mark.slow
def test_damaged_files_heal_in_a_new_process(run_python, warm):
    folder, printed, files = warm
    for damage, (path, content) in zip(DAMAGES.values(), files.items(), strict=False):
        path.write_bytes(damage(content, path))
    assert run_python(USE_NESTED, TRACTION_CACHE_DIR=str(folder)).split() == [printed[0], "0", "1"]
    assert kernel_files(folder) == sorted(files)
    for path, content in files.items():
        healed = path.read_bytes()
        assert healed == with_checksum(healed[cache.DIGEST_SIZE :], path)
        assert len(healed) == pytest.approx(len(content), rel=0.1)


@pytest.mark.slow
def test_one_damaged_file_heals_among_intact_ones(run_python, warm):
    """The inner kernel is damaged: the outer one holds a copy of its code and still loads."""
    folder, printed, files = warm
    for path, content in files.items():
        path.write_bytes(content[:100] if ".primitive." in path.name else content)
    assert run_python(USE_NESTED, TRACTION_CACHE_DIR=str(folder)).split()[0] == printed[0]


@pytest.mark.slow
def test_deleted_files_are_made_again(run_python, warm):
    folder, printed, files = warm
    for path in files:
        path.unlink(missing_ok=True)
    assert run_python(USE_NESTED, TRACTION_CACHE_DIR=str(folder)).split() == [printed[0], "0", "1"]
    assert kernel_files(folder) == sorted(files)


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
@pytest.mark.parametrize("umask", [0o000, pytest.param(0o022, marks=pytest.mark.slow)])
def test_everything_below_the_given_folder_is_private(run_python, tmp_path, umask):
    run_python(f"import os; os.umask({umask})\n{USE}", TRACTION_CACHE_DIR=str(tmp_path))
    made = list(tmp_path.rglob("*"))
    assert len(made) == 5  # three folders, the kernel, and the time of the last pruning
    for path in made:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("open_folder", ["traction", "traction/kernels"])
def test_a_folder_others_may_write_is_not_trusted(run_python, tmp_path, open_folder):
    (tmp_path / open_folder).mkdir(parents=True, mode=0o777)
    (tmp_path / open_folder).chmod(0o777)
    answer = run_python(USE, TRACTION_CACHE_DIR=str(tmp_path)).split()[0]
    assert float.fromhex(answer) == pytest.approx(2.0 * math.asinh(1.5))
    assert not kernel_files(tmp_path)


def test_a_file_in_place_of_the_folder(run_python, tmp_path):
    path = tmp_path / "file"
    path.write_text("mine")
    answer = run_python(USE, TRACTION_CACHE_DIR=str(path)).split()[0]
    assert float.fromhex(answer) == pytest.approx(2.0 * math.asinh(1.5))
    assert path.read_text() == "mine"


def test_processes_that_start_cold_together(tmp_path):
    environment = {**os.environ, "TRACTION_CACHE_DIR": str(tmp_path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment}
    processes = [subprocess.Popen([sys.executable, "-c", USE], **pipes) for _ in range(3)]
    printed = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0] * 3
    assert {errors for _, errors in printed} == {""}
    answers, hits, misses = zip(*(text.split() for text, _ in printed), strict=True)
    assert len(set(answers)) == 1
    assert sorted(misses) == ["0", "0", "1"]  # one compiles, the others wait for it
    assert sorted(hits) == ["0", "1", "1"]
    assert len(kernel_files(tmp_path)) == 1
    assert not list(tmp_path.rglob("new-*"))
    assert not list(tmp_path.rglob("*.lock"))


def test_folder_is_named_by_versions_and_machine(warm):
    name = next(iter(warm[2])).parent.name
    python = f"py{sys.version_info.major}.{sys.version_info.minor}"
    for part in (python, f"numba{numba.__version__}", f"numpy{np.__version__}", platform.machine()):
        assert part in name.split("-")


@pytest.mark.slow
def test_kernels_of_one_factory_are_told_apart(run_python, tmp_path):
    """They have the same name and the same bytecode; captured values and constants differ."""
    code = """
from traction.compiled import kernel
def power(exponent):
    @kernel
    def raised(x):
        return x**exponent
    return raised
twice, thrice = kernel(lambda x: 2.0 * x), kernel(lambda x: 3.0 * x)
print(power(2.0)(3.0), power(3.0)(3.0), twice(3.0), thrice(3.0))
"""
    for _ in range(2):
        assert run_python(code, TRACTION_CACHE_DIR=str(tmp_path)).split() == ["9.0", "27.0", "6.0", "9.0"]
    assert len(kernel_files(tmp_path)) == 4


FACTORY = """
from traction.compiled import kernel
def times(factor):
    @kernel
    def multiplied(x):
        return factor * x
    return multiplied
"""


def test_kernels_of_one_factory_saved_by_two_processes_are_told_apart(run_python, tmp_path):
    """Numba gives both the same name in machine code, and a caller of both would call one of them twice."""
    for factor in (2.0, 5.0):
        run_python(FACTORY + f"times({factor})(3.0)", TRACTION_CACHE_DIR=str(tmp_path))
    code = f"""
{FACTORY}
twice, five_times = times(2.0), times(5.0)
@kernel
def both(x):
    return twice(x) + 100.0 * five_times(x)
print(both(3.0), twice(3.0), five_times(3.0))
"""
    assert run_python(code, TRACTION_CACHE_DIR=str(tmp_path)).split() == ["1506.0", "6.0", "15.0"]


LAYERS = """
from traction.compiled import kernel
@kernel
def inverse(x):
    if x > 100.0:
        raise ValueError("too large")
    return 1.0 / x
@kernel
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)
@kernel
def outer(x, n):
    return inverse(x) + factorial(n)
print(outer(2.0, 5), inverse(4.0), factorial(4))
for function, x in ((outer, 0.0), (inverse, 0.0), (outer, 200.0)):
    try:
        function(x, 1) if function is outer else function(x)
    except (ZeroDivisionError, ValueError) as error:
        print(error)
print(len(outer.signatures), len(inverse.signatures))
"""


def test_kernels_called_by_kernels_compute_raise_and_recur(run_python, tmp_path):
    """Compiled and loaded; they are called by kernels and from Python."""
    for _ in range(2):
        printed = run_python(LAYERS, TRACTION_CACHE_DIR=str(tmp_path)).splitlines()
        assert printed == ["120.5 0.25 24", "division by zero", "division by zero", "too large", "1 1"]
    assert len(kernel_files(tmp_path)) == 3


@pytest.fixture
def double(tmp_path):
    """A kernel whose cache is in the folder of the test."""
    return cached_kernel(lambda x: 2.0 * x, tmp_path)


def cached_kernel(function, path):
    dispatcher = numba.njit(function)
    dispatcher._cache = cache.KernelCache(dispatcher, path)
    return dispatcher


def broken(error):
    def fail(*_, **__):
        raise error

    return fail


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_heal(tmp_path, double, damage):
    double(1.0)
    (path,) = kernel_files(tmp_path)
    intact = path.read_bytes()
    path.write_bytes(DAMAGES[damage](intact, path))
    again = cached_kernel(double.py_func, tmp_path)
    assert again(1.0) == 2.0
    assert (sum(again.stats.cache_hits.values()), sum(again.stats.cache_misses.values())) == (0, 1)
    assert kernel_files(tmp_path) == [path]
    healed = path.read_bytes()
    assert healed == with_checksum(healed[cache.DIGEST_SIZE :], path)
    assert len(healed) == pytest.approx(len(intact), rel=0.1)


def test_a_folder_in_place_of_the_file(tmp_path, double):
    """What cannot be read, replaced or deleted costs time only."""
    double(1.0)
    (path,) = kernel_files(tmp_path)
    path.unlink()
    (path / "in the way").mkdir(parents=True)
    again = cached_kernel(double.py_func, tmp_path)
    assert again(1.0) == 2.0
    assert (sum(again.stats.cache_hits.values()), sum(again.stats.cache_misses.values())) == (0, 1)
    assert not list(tmp_path.rglob("new-*"))


def test_exchanged_files_are_compiled_anew(tmp_path):
    """Intact code under the name of another kernel, or of another signature, is never executed."""

    def twice(x):
        return 2 * x

    def thrice(x):
        return 3 * x

    first, second = (cached_kernel(one, tmp_path) for one in (twice, thrice))
    assert (first(1.0), first(1), second(1.0)) == (2.0, 2, 3.0)
    files = kernel_files(tmp_path)
    contents = [path.read_bytes() for path in files]
    for path, content in zip(files, contents[1:] + contents[:1], strict=True):
        path.write_bytes(content)
    first, second = (cached_kernel(one, tmp_path) for one in (twice, thrice))
    assert (first(1.0), first(1), second(1.0)) == (2.0, 2, 3.0)
    assert [sum(one.stats.cache_hits.values()) for one in (first, second)] == [0, 0]
    assert [path.read_bytes()[: cache.DIGEST_SIZE] for path in files] != [
        content[: cache.DIGEST_SIZE] for content in contents[1:] + contents[:1]
    ]
    assert all(
        path.read_bytes() == with_checksum(path.read_bytes()[cache.DIGEST_SIZE :], path) for path in files
    )


def test_an_interrupt_while_writing_leaves_no_file(tmp_path, monkeypatch, double):
    monkeypatch.setattr(cache.os, "replace", broken(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        double(1.0)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_costs_the_next_start_only(tmp_path, monkeypatch, double):
    monkeypatch.setattr(cache.tempfile, "mkstemp", broken(OSError(28, "No space left on device")))
    assert double(1.0) == 2.0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["_reduce", "_rebuild"])
@pytest.mark.parametrize("error", [AttributeError("gone"), TypeError("other arguments")])
def test_a_numba_that_has_changed_costs_time_only(tmp_path, monkeypatch, name, error):
    """The first kernel saves, the second one loads, if they can."""
    monkeypatch.setattr(f"numba.core.compiler.CompileResult.{name}", broken(error))
    for _ in range(2):
        assert cached_kernel(lambda x: 2.0 * x, tmp_path)(1.0) == 2.0


def test_memory_that_runs_out_while_saving_is_told(monkeypatch, double):
    monkeypatch.setattr("numba.core.compiler.CompileResult._reduce", broken(MemoryError()))
    with pytest.raises(MemoryError):
        double(1.0)


#: private names of numba without which nothing is kept, and the kernels still run
MISSING = {
    "globals": "from numba.core.codegen import CPUCodeLibrary as c; c.has_dynamic_globals = property()",
    "reduce": "from numba.core.compiler import CompileResult as c; del c._reduce",
    "numbers": "from numba.core.bytecode import FunctionIdentity as f; f._unique_ids = iter(range(10**6))",
}


@pytest.mark.parametrize(
    "missing", [pytest.param(name, marks=[] if name == "numbers" else [pytest.mark.slow]) for name in MISSING]
)
def test_a_numba_without_private_names_keeps_nothing(run_python, tmp_path, missing):
    code = f"import numba\n{MISSING[missing]}\n{USE}"
    answer, hits, misses = run_python(code, TRACTION_CACHE_DIR=str(tmp_path)).split()
    assert float.fromhex(answer) == pytest.approx(2.0 * math.asinh(1.5))
    assert (hits, misses) == ("0", "1")
    assert not kernel_files(tmp_path)


def test_a_numba_without_its_class_of_caches(run_python, tmp_path):
    hidden = "import numba.core.caching as c; null = c.NullCache; del c.NullCache; import traction.compiled"
    code = f"{hidden}; c.NullCache = null\n{USE}"  # numba asks for it later
    for counts in (["0", "1"], ["1", "0"]):
        assert run_python(code, TRACTION_CACHE_DIR=str(tmp_path)).split()[1:] == counts


def test_a_kernel_that_cannot_be_told_apart_is_not_kept(tmp_path):
    """A list may be changed by anybody; here it decides on an answer through a function of numba."""
    table = [1.0, 2.0]

    @numba.extending.register_jitable
    def entry():
        return 2.0

    entry.__defaults__ = (table,)
    function = cached_kernel(lambda x: x * entry(), tmp_path)
    with pytest.raises(IndigestibleError):
        digest_kernel(function)
    with contextlib.suppress(numba.core.errors.NumbaError):
        function(1.0)
    assert not list(tmp_path.iterdir())


def test_flush_forgets_one_function_only(tmp_path):
    def double(x):
        return 2.0 * x

    def triple(x):
        return 3.0 * x

    for function in (double, triple):
        cached_kernel(function, tmp_path)(1.0)
    assert len(kernel_files(tmp_path)) == 2
    cached_kernel(double, tmp_path)._cache.flush()
    assert ["triple" in path.name for path in kernel_files(tmp_path)] == [True]


def test_kernels_run_without_compiler(run_python, warm, tmp_path):
    """NUMBA_DISABLE_JIT is how one debugs a kernel; it has no statistics."""
    code = USE_NESTED.splitlines()[:3]
    printed = run_python("\n".join(code), NUMBA_DISABLE_JIT="1", TRACTION_CACHE_DIR=str(tmp_path))
    assert float.fromhex(printed) == pytest.approx(float.fromhex(warm[1][0]), rel=1e-14)


def aged(path, days, size=0):
    """A file that was last used so many days ago."""
    path.write_bytes(bytes(size))
    os.utime(path, (time.time() - 86400.0 * days,) * 2)
    return path


def test_versions_used_longest_ago_are_forgotten(tmp_path):
    versions = [tmp_path / f"version{k}" for k in range(12)]
    for age, path in enumerate(versions):
        path.mkdir()
        os.utime(path, (1e9 - age, 1e9 - age))
    kernel_folder.prune_versions(versions[-1])
    assert [path.exists() for path in versions] == [True] * 8 + [False] * 3 + [True]


def test_files_unused_for_long_and_abandoned_ones_are_forgotten(tmp_path):
    old, recent = aged(tmp_path / "a.bin", 61), aged(tmp_path / "b.bin", 59)
    abandoned, written_now = aged(tmp_path / "new-a", 1), aged(tmp_path / "new-b", 0)
    killed, compiled_now = aged(tmp_path / "a.lock", 1), aged(tmp_path / "b.lock", 0)
    kernel_folder.prune_files(tmp_path)
    assert not any(path.exists() for path in (old, abandoned, killed))
    assert all(path.exists() for path in (recent, written_now, compiled_now))


def test_files_above_the_size_are_forgotten_by_last_use(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_folder, "LARGEST_BYTES", 2500)
    files = [aged(tmp_path / f"{days}.bin", days, 1000) for days in (3, 1, 4, 2)]
    kernel_folder.prune_files(tmp_path)
    assert [path.name for path in files if path.exists()] == ["1.bin", "2.bin"]


def test_pruning_happens_once_a_day_and_when_something_is_saved(tmp_path, double):
    old = aged(tmp_path / "old.bin", 61)
    double(1.0)
    assert not old.exists()
    aged(old, 61)
    kernel_folder.prune_daily(tmp_path)
    assert old.exists()
    aged(tmp_path / kernel_folder.PRUNED, 2)
    kernel_folder.prune_daily(tmp_path)
    assert not old.exists()


def test_loading_marks_a_file_as_used(tmp_path, double):
    double(1.0)
    (path,) = kernel_files(tmp_path)
    os.utime(path, (1e9, 1e9))
    again = cached_kernel(double.py_func, tmp_path)
    assert again(1.0) == 2.0
    assert sum(again.stats.cache_hits.values()) == 1
    assert time.time() - path.stat().st_mtime < 3600.0
