"""
6. A scenario file and its report
=================================

What steps 1 to 5 did in Python can be written in a file: readable, checked before it
runs, and kept with its results. Runs can be stopped and resumed, and end in a report.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import traction as tr

folder = Path(tempfile.mkdtemp())

# %%
# **The file.** Quantities have units. Everything that is not in the file has a default,
# and misspelt keys are errors that name the file, the line and the key.
head = """
kind = "cross"
title = "Sixteen axles on a bridge"
speed = "36.5 m/s"
contact = "hertz"

[beam]
length = "20 m"
bending_stiffness = "2.08 GN m^2"
mass_per_length = "7900 kg/m"
supports = ["clamped", "clamped"]
damping = 0.01

[wheel]
radius = "0.46 m"

[model]
size = 6

[time]
dt = "1 ms"
samples = 401
"""
axle = """
[[axle]]
distance = "{} m"
mass = "1.8 t"
suspension = [{{ stiffness = "0.8 MN/m", damping = "30 kN s/m", mass = "17 t" }}]
"""
file = folder / "train.toml"
text = head + "".join(axle.format(8 * k) for k in range(16))
print(f"{file.name}: {file.write_text(text)} characters")

# %%
# **Run it.** In a terminal: ``traction run train.toml --out train``, which writes the
# report as well. ``traction new cross --out train.toml`` writes a file to start from,
# and ``traction resume train`` continues a run that was stopped. In Python:
run = tr.simulate(tr.load(file), out=folder / "train")
print(f"{run.status}: {run.message or 'no remarks'}")

# %%
# **The report**, one page that works without a network: what was computed, what came
# out, figures, checks, inputs and versions.
command = [sys.executable, "-m", "traction", "report", "train"]
subprocess.run(command, cwd=folder, check=True, capture_output=True)
kinds = (".html", ".nc", ".png", ".gif")
print(
    *sorted(path.name for path in run.folder.glob("*.*") if path.suffix in kinds), sep="\n"
)

# %%
# **The results** are data with names and units: an xarray dataset, stored as netCDF
# (``data.nc``) in the folder of the run. ``tr.load_run`` opens it again later.
data = tr.load_run(folder / "train").data
deflection = data["deflection"]
print(f"{deflection.attrs['long_name']}: {1e3 * float(deflection.max()):.2f} mm at most")

# %%
# **Many variants** of a file are a sweep, over any of its keys. In a terminal:
# ``traction sweep train.toml --set "speed=30:40:11 m/s"``.
speeds = tr.sweep(tr.load(file), {"speed": ["30 m/s", "36.5 m/s", "40 m/s"]})
name = next(column for column in speeds.table.columns if "deflection" in column)
for speed, largest in zip(speeds.table["speed"], speeds.table[name], strict=True):
    print(f"{speed:g} m/s: {1e3 * largest:.2f} mm")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
left.plot(data["time"], 1e3 * deflection)
left.invert_yaxis()
tr.view.style_axes(
    left, "time (s)", "deflection (mm), downwards", "Midspan, from the file of the run"
)
right.plot(speeds.table["speed"], 1e3 * speeds.table[name], "o-")
tr.view.style_axes(right, "speed (m/s)", "largest deflection (mm)", "The sweep")
plt.show()

# %%
# Checked whenever these pages are built:
assert run.ok
assert (run.folder / "report.html").exists()
assert abs(1e3 * speeds.table[name][1] - 10.40) < 0.01  # as in step 5
assert abs(float(deflection.max()) / speeds.table[name][1] - 1.0) < 0.02

# %%
# **That is all.** The :doc:`how-to guides </howto/index>` solve single tasks, the
# :doc:`gallery </gallery/index>` shows what the package can do, and :doc:`/theory`
# explains how.
