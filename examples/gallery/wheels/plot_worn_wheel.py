"""
What does noise in a measured profile do to the pressure?
=========================================================

A worn wheel is measured with an error of 1 um at each point. A curve through all points is rough: the patch
breaks up into spots of higher pressure. The default smooths according to the noise and keeps the radii.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

# %%
# The wheel: S1002 with a hollow of 0.15 mm worn into its tread, as a measuring device would store it.
new = tr.Profile.standard("S1002")
s = np.linspace(0.0, new.curve.length, 1500)
y, z = new.curve.position(s)
z = z + 0.15e-3 * np.exp(-(((y - 2e-3) / 18e-3) ** 2))
noise = 1e-6 * np.random.default_rng(5).normal(size=s.size)
folder = Path(tempfile.mkdtemp())
rows = "\n".join(f"{-1e3 * a:.6f} {-1e3 * b:.6f}" for a, b in zip(y, z + noise, strict=True))
(folder / "worn.whl").write_text(f"ColumnDef=X,Y\nXYPoints={s.size}\n\n{rows}\n")

# %%
# The notes state what was done on reading.
wheels = {
    "true shape": tr.Profile(y, z, "wheel", smoothing=0),
    "measured, through all points": tr.Profile.read(folder / "worn.whl", smoothing=0),
    "measured, default": tr.Profile.read(folder / "worn.whl"),
}
print("\n".join(wheels["measured, default"].notes))

# %%
# The left wheel in the middle of the track, 80 kN.
track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
contacts = {
    name: tr.wheel_rail(
        tr.Wheelset(wheel, radius=0.46),
        track,
        side="left",
        force=80e3,
        dx=0.4e-3,
        dy=0.2e-3,
        on_failure="return",
    )
    for name, wheel in wheels.items()
}
peaks = {name: max(p.peak_pressure for p in c.patches) / 1e6 for name, c in contacts.items()}
print("; ".join(f"{name}: {peak:.0f} MPa" for name, peak in peaks.items()))

# %%
# Pressure along the surface of the rail, the largest along x.
figure, (left, right) = plt.subplots(1, 2, figsize=(12.0, 4.4), layout="constrained")
tr.view.profile_plot([new, wheels["measured, default"]], left, labels=["new", "worn"], title="Wheel treads")
left.set(xlim=(-45.0, 45.0), ylim=(-4.0, 3.0), aspect="auto")
for (name, c), color in zip(contacts.items(), ("0.3", "#D55E00", "#0072B2"), strict=True):
    label = name
    for p in c.patches:
        place = 1e3 * (p.place[0] + np.cos(p.angle) * p.normal.grid.y)
        right.plot(place, p.normal.pressure.max(axis=1) / 1e6, color=color, lw=1.5, label=label)
        label = "_"
tr.view.style_axes(right, "y on the rail (mm)", "pressure (MPa)", "Pressure across the rail", legend=True)
plt.show()

# %%
# Only the default gives the right peak pressure.
assert abs(peaks["measured, default"] / peaks["true shape"] - 1.0) < 0.06
assert peaks["measured, through all points"] > 1.3 * peaks["true shape"]
