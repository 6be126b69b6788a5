"""Kill runs at random moments and resume them: `python kill_runs.py FOLDER KILLS SEED`; prints JSON.

One process forks all runs, so that a run costs milliseconds and not the start of an interpreter. It computes
nothing itself before the last fork, so there are no threads to lose.
"""

import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

import h5netcdf
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from toy_run import Toy, assert_same, expected, files_of, make

from traction.outputs.atomic import WRITING
from traction.results.folder import RunFolder
from traction.results.recorder import record
from traction.results.run_dataset import export_netcdf
from traction.results.storage.run_files import DATA

TOY = Toy(total=30, ny=8, nx=9, work=40)
MOST_KILLS_OF_ONE_RUN = 3


class Acknowledging(RunFolder):
    """Tells on a file what it has promised, right after it has."""

    tell = None

    def append(self, first, samples):
        self.say("append")
        super().append(first, samples)
        self.say(f"acknowledged {first + len(samples['time'])}")

    def checkpoint(self, samples, state):
        self.say("checkpoint")
        super().checkpoint(samples, state)

    def say(self, what):
        os.write(self.tell, f"{what}\n".encode())


def go_on(place, log):
    """What a process does that begins or resumes the run."""
    Acknowledging.tell = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(Acknowledging.tell, b"create\n")
    folder = (
        Acknowledging.open(place) if (place / "manifest.json").exists() else make(place, TOY, Acknowledging)
    )
    folder.say("resume")
    outcome = record(folder, TOY, segment_bytes=3 * folder.layout.bytes_per_sample)
    folder.say("finish")
    folder.finish("done", f"{outcome.completed} samples", [("last pressure", 1.0, "Pa")])
    folder.say("export")
    export_netcdf(folder)
    folder.say("end")


def start(place, log):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            go_on(place, log)
            code = 0
        finally:
            os._exit(code)
    return child


def said(log):
    return log.read_text().splitlines() if log.exists() else []


def has_ended(child):
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def kill_at_random(child, log, rng, lines):
    """Kill shortly after a random event of the run, every third time in the export; True when in time."""
    before = len(said(log))
    in_export = rng.random() < 0.33
    target = before + rng.randint(0, max(1, lines - before))
    while not has_ended(child):
        told = said(log)
        if "export" in told[before:] or (not in_export and len(told) >= target):
            break
        time.sleep(0.0003)
    time.sleep(rng.uniform(0.0, 0.03 if in_export else 0.004))
    os.kill(child, signal.SIGKILL)  # a child that has ended is still there to be waited for
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the run failed by itself"
    return os.WIFSIGNALED(status)


def check_promises(place, log, reference):
    """Every acknowledged sample is there, and every sample there is right."""
    acknowledged = max([int(line.split()[1]) for line in said(log) if line.startswith("ack")], default=0)
    if not (place / "manifest.json").exists():
        assert acknowledged == 0
        return
    samples = RunFolder.open(place).samples()
    count = len(samples["time"])
    assert count >= acknowledged, f"{acknowledged} acknowledged, {count} there"
    assert_same(samples, reference, count)


def check_end(place, reference):
    folder = RunFolder.open(place)
    assert folder.verify() == []
    assert folder.manifest.status == "done"
    assert_same(folder.samples(), reference)
    assert not [path for path in files_of(place) if path.name.startswith(WRITING)]
    with h5netcdf.File(place / DATA) as file:
        for name, values in reference.items():
            stored = np.asarray(file.variables[name][...])
            assert stored.astype(values.dtype).tobytes() == values.tobytes(), name


def uninterrupted(place, log):
    _, status = os.waitpid(start(place, log), 0)
    assert status == 0, "the run failed without being killed"


def main(parent, kills, seed):
    rng = random.Random(seed)
    reference = expected(TOY)
    log = parent / "log"
    uninterrupted(parent / "whole", log)
    lines = len(said(log))
    met = {}
    done = runs = 0
    while done < kills:
        runs += 1
        place = parent / f"run{runs}"
        log.unlink(missing_ok=True)
        for _ in range(min(MOST_KILLS_OF_ONE_RUN, kills - done)):
            if not kill_at_random(start(place, log), log, rng, lines):
                break
            done += 1
            phase = (said(log) or ["create"])[-1].split()[0]
            met[phase] = met.get(phase, 0) + 1
            check_promises(place, log, reference)
        uninterrupted(place, log)
        check_end(place, reference)
        shutil.rmtree(place)
    print(json.dumps({"kills": done, "runs": runs, "phases": met}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
