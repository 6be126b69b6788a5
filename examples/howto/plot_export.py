"""
Export results
==============

**Task**: take results to another program: netCDF, CSV, Matlab, or plain arrays.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.io import loadmat, savemat

import traction as tr

folder = Path(tempfile.mkdtemp())
steel = tr.Pair(tr.STEEL, tr.STEEL)
grid = tr.Grid.around(0.8e-3, 0.8e-3, 64, 64)
contact = tr.press(tr.Sphere(0.020), grid, steel, force=1000.0)

# %%
# **Arrays.** Fields are numpy arrays over the grid, of shape (ny, nx), with positions
# in ``grid.x`` and ``grid.y``.
np.savez(
    folder / "contact.npz",
    x=grid.x,
    y=grid.y,
    pressure=contact.pressure,
    contact=contact.contact,
)

# %%
# **Matlab** reads the same arrays:
savemat(folder / "contact.mat", {"x": grid.x, "y": grid.y, "pressure": contact.pressure})

# %%
# **Time series** as CSV, here of a load that crosses a bridge:
bridge = tr.Beam(20.0, 2.08e9, 7900.0)
run = tr.moving_load(bridge, [(200e3, 0.0)], 30.0)
columns = np.column_stack([run.t, run.deflection([5.0, 10.0]), run.acceleration(10.0)])
header = (
    "time (s), deflection at 5 m (m), deflection at 10 m (m), acceleration at 10 m (m/s2)"
)
np.savetxt(folder / "crossing.csv", columns, delimiter=",", header=header, fmt="%.6g")

# %%
# **netCDF.** A run of a scenario stores everything with names and units; ``run.data``
# is an xarray dataset.
scenario = tr.Scenario.build(
    "press",
    title="A ball on a plate",
    grid={"nx": 64, "ny": 64, "width_x": "1.6 mm", "width_y": "1.6 mm"},
    surface=[{"type": "sphere", "radius": "20 mm"}],
    load={"force": ["200 N", "500 N", "1 kN"]},
)
stored = tr.simulate(scenario, out=folder / "ball")
print(stored.data["pressure"].attrs, dict(stored.data["pressure"].sizes))
print(*sorted(path.name for path in (folder / "ball").glob("*.nc")))

# %%
# xarray converts it further: ``.to_dataframe()``, ``.to_netcdf()``, ``.sel(...)``. In
# another Python, ``xarray.open_dataset`` is enough, without this package.
peaks = stored.data["pressure"].max(dim=("y", "x")) / 1e6
print("peak pressures", ", ".join(f"{float(value):.0f} MPa" for value in peaks))

# %%
# **Figures**: each function of ``tr.view`` returns matplotlib axes.
ax = tr.view.pressure_map(contact)
ax.figure.savefig(folder / "pressure.pdf")
plt.show()

# %%
# Everything reads back as it was.
assert np.array_equal(loadmat(folder / "contact.mat")["pressure"], contact.pressure)
assert np.loadtxt(folder / "crossing.csv", delimiter=",").shape == columns.shape
assert abs(float(peaks[-1]) * 1e6 / contact.peak_pressure - 1.0) < 1e-4
