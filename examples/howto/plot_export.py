"""
Export results
==============

**Task**: take results to another program: netCDF, MATLAB, CSV, pandas or plain arrays.

Every result has the same four: ``to_xarray()``, ``to_pandas()``, ``save(path)`` and its arrays. Everything is
in SI, with units and long names.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import xarray
from scipy.io import loadmat

import traction as tr

folder = Path(tempfile.mkdtemp())
steel = tr.Pair(tr.STEEL, tr.STEEL)
grid = tr.Grid.around(0.8e-3, 0.8e-3, 64, 64)
contact = tr.press(tr.Sphere(0.020), grid, steel, force=1000.0)

# %%
# **Labelled data**: fields over the grid and key figures together.
data = contact.to_xarray()
print(
    *(
        f"{name}: {one.attrs['long_name']} ({one.attrs['units']})"
        for name, one in data.items()
    ),
    sep="\n",
)

# %%
# **Files**: the suffix says the format. ``.nc`` and ``.mat`` hold everything, ``.csv`` the table.
for suffix in (".nc", ".mat", ".csv"):
    contact.save(folder / f"contact{suffix}")
print((folder / "contact.csv").read_text().splitlines()[0])

# %%
# **Time series**: the same calls, here of a load that crosses a bridge. The table has a row for each time.
bridge = tr.Beam(20.0, 2.08e9, 7900.0)
run = tr.moving_load(bridge, [(200e3, 0.0)], 30.0)
run.save(folder / "crossing.csv")
frame = run.to_pandas()
print(frame.iloc[:3, :4].to_string(index=False))

# %%
# **Runs of scenarios** keep their data as netCDF in their folder already: ``data.nc``. xarray opens it, also
# where this package is not installed.
scenario = tr.Scenario.build(
    "press",
    title="A ball on a plate",
    grid={"nx": 64, "ny": 64, "width_x": "1.6 mm", "width_y": "1.6 mm"},
    surface=[{"type": "sphere", "radius": "20 mm"}],
    load={"force": ["200 N", "500 N", "1 kN"]},
)
tr.simulate(scenario, out=folder / "ball")
with xarray.open_dataset(folder / "ball" / "data.nc", engine="h5netcdf") as stored:
    peaks = stored["pressure"].max(dim=("y", "x")).values
print("peak pressures", ", ".join(f"{peak / 1e6:.0f} MPa" for peak in peaks))

# %%
# **Figures**: each function of ``tr.view`` returns matplotlib axes.
ax = tr.view.pressure_map(contact)
ax.figure.savefig(folder / "pressure.pdf")
plt.show()

# %%
# Everything reads back as it was.
with xarray.open_dataset(folder / "contact.nc", engine="h5netcdf") as again:
    assert np.array_equal(again["pressure"].values, contact.pressure)
assert np.array_equal(loadmat(folder / "contact.mat")["pressure"], contact.pressure)
assert len(frame) == len(run.t)
assert abs(peaks[-1] / contact.peak_pressure - 1.0) < 1e-4
