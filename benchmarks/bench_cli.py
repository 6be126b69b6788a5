"""Cost of `traction --help` beside importing numpy, typer and rich; the target is a ratio of at most 1.5."""

import subprocess
import sys
import time

TARGET = 1.5
REPEAT = 9


def seconds(*arguments):
    """Least time of a fresh interpreter."""
    times = []
    for _ in range(REPEAT):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return min(times)


def main():
    base = seconds("-c", "import numpy, typer, rich")
    ours = seconds("-m", "traction", "--help")
    verdict = "met" if ours <= TARGET * base else "MISSED"
    print(f"traction --help / import numpy, typer, rich = {ours / base:.2f}, target {TARGET}: {verdict}")


if __name__ == "__main__":
    main()
