"""The cache of compiled kernels: it saves compiling, heals itself, is private and never in the way."""

import hashlib
import math
import os
import pickle
import platform
import stat
import subprocess
import sys

import numba
import pytest

from traction import compiled

#: prints the answer, then how often the machine code was loaded and compiled
USE = """
from traction.halfspace.kernels.surface_influence import _scaled_asinh
print(_scaled_asinh(2.0, 3.0).hex())
print(sum(_scaled_asinh.stats.cache_hits.values()), sum(_scaled_asinh.stats.cache_misses.values()))
"""
#: the same through kernels that call each other, each with a file of its own
USE_NESTED = USE.replace("_scaled_asinh(2.0, 3.0)", "rectangle_lags(5, 2, 2, 1.0, 1.0)[1, 1]").replace(
    "_scaled_asinh", "rectangle_lags"
)


def kernel_files(folder):
    return sorted(folder.rglob("*.bin"))


def flip(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def with_checksum(payload):
    return hashlib.sha256(payload).digest() + payload


DAMAGES = {
    "truncated": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "garbage": lambda content: os.urandom(len(content)),
    "shorter than a checksum": lambda content: content[:7],
    "one bit": flip,
    "one bit of the checksum": lambda content: bytes([content[0] ^ 1]) + content[1:],
    "intact, not a pickle": lambda content: with_checksum(b"not a pickle"),
    "intact, another layout": lambda content: with_checksum(pickle.dumps((1, 2, 3))),
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
    assert len(files) == 3
    assert {path.parent for path in files} == {next((folder / "traction" / "kernels").iterdir())}


def test_second_run_loads_the_code(run_python, warm):
    folder, printed, files = warm
    changed = {path: path.stat().st_mtime_ns for path in files}
    answer, hits, misses = run_python(USE_NESTED, TRACTION_CACHE_DIR=str(folder)).split()
    assert (answer, hits, misses) == (printed[0], "1", "0")
    assert {path: path.stat().st_mtime_ns for path in kernel_files(folder)} == changed


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_heal(run_python, warm, damage):
    folder, printed, files = warm
    for path, content in files.items():
        path.write_bytes(DAMAGES[damage](content))
    assert run_python(USE_NESTED, TRACTION_CACHE_DIR=str(folder)).split() == [printed[0], "0", "1"]
    assert kernel_files(folder) == sorted(files)
    for path, content in files.items():
        healed = path.read_bytes()
        assert healed == with_checksum(healed[compiled.DIGEST_SIZE :])
        assert len(healed) == pytest.approx(len(content), rel=0.1)


def test_one_damaged_file_heals_among_intact_ones(run_python, warm):
    """The inner kernel is damaged: the outer one holds a copy of its code and still loads."""
    folder, printed, files = warm
    for path, content in files.items():
        path.write_bytes(content[:100] if ".primitive." in path.name else content)
    assert run_python(USE_NESTED, TRACTION_CACHE_DIR=str(folder)).split()[0] == printed[0]


def test_deleted_files_are_made_again(run_python, warm):
    folder, printed, files = warm
    for path in files:
        path.unlink(missing_ok=True)
    assert run_python(USE_NESTED, TRACTION_CACHE_DIR=str(folder)).split() == [printed[0], "0", "1"]
    assert kernel_files(folder) == sorted(files)


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_everything_below_the_given_folder_is_private(run_python, tmp_path, umask):
    run_python(f"import os; os.umask({umask})\n{USE}", TRACTION_CACHE_DIR=str(tmp_path))
    made = list(tmp_path.rglob("*"))
    assert len(made) == 4
    for path in made:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
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


def test_folders_in_place_of_the_files(run_python, warm, tmp_path):
    """What cannot be read, replaced or deleted costs time only."""
    _, printed, files = warm
    for path in files:
        (tmp_path / "traction" / "kernels" / path.parent.name / path.name / "in the way").mkdir(parents=True)
    assert run_python(USE_NESTED, TRACTION_CACHE_DIR=str(tmp_path)).split() == [printed[0], "0", "1"]
    assert not list(tmp_path.rglob("new-*"))


def test_processes_that_start_cold_together(tmp_path):
    environment = {**os.environ, "TRACTION_CACHE_DIR": str(tmp_path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment}
    processes = [subprocess.Popen([sys.executable, "-c", USE], **pipes) for _ in range(8)]
    printed = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0] * 8
    assert {errors for _, errors in printed} == {""}
    assert len({text.split()[0] for text, _ in printed}) == 1
    assert len(kernel_files(tmp_path)) == 1
    assert not list(tmp_path.rglob("new-*"))


def test_folder_is_named_by_versions_and_machine(warm):
    name = next(iter(warm[2])).parent.name
    python = f"py{sys.version_info.major}.{sys.version_info.minor}"
    for part in (python, f"numba{numba.__version__}", platform.machine(), compiled.source_digest()):
        assert part in name.split("-")


def test_digest_follows_the_content_of_every_kernel(tmp_path, monkeypatch):
    """Size and time of change stay the same here; only a digit differs."""
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    source = package / "inner" / "some_kernels.py"
    (package / "compiled.py").write_text("")
    monkeypatch.setattr(compiled, "__file__", str(package / "compiled.py"))

    def digest(text):
        source.write_text(text)
        os.utime(source, (1e9, 1e9))
        return compiled.source_digest.__wrapped__()

    first = digest("IMAGES = 3\n")
    assert digest("IMAGES = 4\n") != first
    assert digest("IMAGES = 3\n") == first
    source.rename(package / "inner" / "renamed_kernels.py")
    assert compiled.source_digest.__wrapped__() != first


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


def test_an_interrupt_while_writing_leaves_no_file(tmp_path, monkeypatch):
    @numba.njit
    def double(x):
        return 2.0 * x

    def interrupt(*_):
        raise KeyboardInterrupt

    double._cache = compiled.KernelCache(double.py_func, tmp_path)
    monkeypatch.setattr(compiled.os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        double(1.0)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_costs_the_next_start_only(tmp_path, monkeypatch):
    @numba.njit
    def double(x):
        return 2.0 * x

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    double._cache = compiled.KernelCache(double.py_func, tmp_path)
    monkeypatch.setattr(compiled.tempfile, "mkstemp", full)
    assert double(1.0) == 2.0
    assert not list(tmp_path.iterdir())


def test_flush_forgets_one_function_only(tmp_path):
    @numba.njit
    def double(x):
        return 2.0 * x

    @numba.njit
    def triple(x):
        return 3.0 * x

    for function in (double, triple):
        function._cache = compiled.KernelCache(function.py_func, tmp_path)
        function(1.0)
    assert len(kernel_files(tmp_path)) == 2
    double._cache.flush()
    assert ["triple" in path.name for path in kernel_files(tmp_path)] == [True]


def test_kernels_run_without_compiler(run_python, warm, tmp_path):
    """NUMBA_DISABLE_JIT is how one debugs a kernel; it has no statistics."""
    code = USE_NESTED.splitlines()[:3]
    printed = run_python("\n".join(code), NUMBA_DISABLE_JIT="1", TRACTION_CACHE_DIR=str(tmp_path))
    assert float.fromhex(printed) == pytest.approx(float.fromhex(warm[1][0]), rel=1e-14)


def test_old_versions_and_abandoned_files_are_forgotten(tmp_path):
    folders = [tmp_path / f"version{k}" for k in range(12)]
    for age, folder in enumerate(folders):
        folder.mkdir()
        os.utime(folder, (1e9 - age, 1e9 - age))
    current = folders[-1]
    abandoned, fresh = current / "new-old", current / "new-now"
    for path in (abandoned, fresh):
        path.write_bytes(b"")
    os.utime(abandoned, (1e9, 1e9))
    compiled._forget_old(current)
    assert current.exists()
    assert [folder.exists() for folder in folders[:-1]] == [True] * 8 + [False] * 3
    assert not abandoned.exists()
    assert fresh.exists()
