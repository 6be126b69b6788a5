"""Cost of `import traction` beside `import numpy`, in fresh interpreters; the target is at most 1.5 times."""

import subprocess
import sys
import time

RUNS = 15
TARGET = 1.5
STATEMENTS = {
    "python alone": "pass",
    "import numpy": "import numpy",
    "import traction": "import traction",
    "describe a contact": (
        "import traction as tr; tr.Sphere(0.1).gap(tr.Grid(40, 40, 1e-4, 1e-4)); tr.Pair(tr.STEEL, tr.STEEL)"
    ),
    "load the half space": "import traction as tr; tr.HalfSpace",
}


def seconds(statement):
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - start


def main():
    best = dict.fromkeys(STATEMENTS, float("inf"))
    for _ in range(RUNS):  # in turns, so that a slow moment of the machine meets all of them
        for name, statement in STATEMENTS.items():
            best[name] = min(best[name], seconds(statement))
    numpy = best["import numpy"]
    for name, least in best.items():
        print(f"{name:22} {1e3 * least:7.1f} ms {least / numpy:6.2f} of import numpy")
    ratio = best["import traction"] / numpy
    verdict = "met" if ratio <= TARGET else "MISSED"
    print(f"import traction / import numpy = {ratio:.2f}, target {TARGET}: {verdict}")


if __name__ == "__main__":
    main()
