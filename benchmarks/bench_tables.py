"""Creep-force tables: all cases of a USETAB file, and a call of the table in C.

Stops with an error where the file is not the same when it is read and written again, or C differs from Python
by more than 1e-12 of mu N. With a GPU: ``python benchmarks/bench_tables.py gpu``; numbers after it are the
elements across.
"""

import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from rich.console import Console
from rich.table import Table

import traction as tr

CASES = 25 * 16 * 16 * 32
ACROSS = {"cpu": (20,), "gpu": (20, 40)}
CALLS = 200_000
LARGEST_DIFFERENCE = 1e-12  #: of C and Python, of mu N
CONTACT = 6e-3, 5e-3, 8e4, 0.3  #: a, b, load, friction

TIMING = """
#include <stdio.h>
#include <time.h>
#include "creep.h"
int main(void)
{
    double force[3], jacobian[9], sum = 0.0;
    unsigned int seed = 1;
    const clock_t began = clock();
    for (int call = 0; call < CALLS; ++call) {
        double given[4];
        for (int k = 0; k < 4; ++k)
            given[k] = (seed = seed * 1664525u + 1013904223u) / 4294967296.0;
        const double creepage[3] = {1e-2 * given[0] - 5e-3, 1e-2 * given[1] - 5e-3, 2.0 * given[2] - 1.0};
        traction_creep_forces(creepage, (3e-3 + 5e-3 * given[3]), 5e-3, 8e4, 0.3, force, jacobian);
        sum += force[0] + jacobian[8];
    }
    printf("%.6e %.6e", (double)(clock() - began) / CLOCKS_PER_SEC / CALLS, sum);
    return 0;
}
"""


def time_usetab(cells, device, folder):
    """Wall and processor seconds of all cases, and of writing and reading the file; the table."""
    wall, busy = perf_counter(), process_time()
    table = tr.solve_usetab(cells, device=device)
    solved = perf_counter() - wall, process_time() - busy
    wall = perf_counter()
    path = table.to_usetab(folder / "tabcon")
    wrote = perf_counter() - wall
    wall = perf_counter()
    again = tr.CreepTable.from_usetab(path)
    read = perf_counter() - wall
    if again.to_usetab(folder / "again").read_bytes() != path.read_bytes():
        raise SystemExit("the file is not the same when it is read and written again.")
    return solved, wrote, read, table


def compile_table(table, folder):
    """Seconds per call in C, and the library."""
    table.to_c(folder / "creep.c")
    (folder / "timing.c").write_text(TIMING)
    strict = ["gcc", "-O2", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    for more in (["-shared", "-fPIC", "-o", "creep.so"], [f"-DCALLS={CALLS}", "-o", "timing", "timing.c"]):
        subprocess.run([*strict, *more, "creep.c", "-lm"], cwd=folder, check=True)
    printed = subprocess.run([folder / "timing"], check=True, capture_output=True, text=True).stdout
    return float(printed.split()[0]), ctypes.CDLL(folder / "creep.so")


def compare_with_python(table, library):
    """Largest difference of a force in C, over mu N."""
    number, array = ctypes.c_double, ctypes.c_double * 3
    library.traction_creep_forces.argtypes = [array, *[number] * 4, array, ctypes.c_void_p]
    rows = np.random.default_rng(0).uniform(-1.0, 1.0, (500, 3)) * (5e-3, 5e-3, 1.0)
    expected = np.stack(table.forces(rows, *CONTACT), axis=-1)
    worst = 0.0
    for row, one in zip(rows, expected, strict=True):
        force = array()
        library.traction_creep_forces(array(*row), *CONTACT, force, None)
        worst = max(worst, float(np.abs(np.array(force) - one).max()))
    return worst / (CONTACT[2] * CONTACT[3])


def main():
    """Print the tables for a device."""
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    across = tuple(int(word) for word in sys.argv[2:]) or ACROSS[device]
    console = Console(width=130)
    found = Table(
        "elements across", "cases", "solved in s", "processor s", "cases per second", "written in s",
        "read in s", title=f"All cases of a USETAB file on the {device}, with set-up of 24 ellipses",
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for cells in across:
            (wall, busy), wrote, read, table = time_usetab(cells, device, folder)
            found.add_row(
                str(cells), f"{CASES:,}", f"{wall:.1f}", f"{busy:.1f}", f"{CASES / wall:,.0f}",
                f"{wrote:.2f}", f"{read:.2f}",
            )  # fmt: skip
        console.print(found)
        seconds, library = compile_table(table, folder)
        apart = compare_with_python(table, library)
    console.print(f"A call in C (gcc -O2), 24 ratios a/b, with derivatives: {seconds * 1e6:.2f} us;", end=" ")
    console.print(f"{apart:.0e} of mu N off Python.")
    if apart > LARGEST_DIFFERENCE:
        raise SystemExit(f"C is {apart:.1e} of mu N off Python, {LARGEST_DIFFERENCE} allowed.")


if __name__ == "__main__":
    main()
