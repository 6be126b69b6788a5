"""
Do forces agree with CONTACT in the Manchester benchmark?
=========================================================

Case A-2.2 of the Manchester contact benchmark (Shackleton and Iwnicki 2008, *Vehicle System Dynamics* 46,
129): a wheelset with new S1002 wheels on new UIC60 rails moves to the right by 0 to 10 mm and yaws by 0 to 24
mrad, 10 kN on each wheel. Results of the left wheel are compared with those of CONTACT (Vollebregt,
wheel/rail module, elements of 0.2 mm), which computes the position of the patch, creepages and forces from
the same inputs.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

# %%
# Inputs and results of CONTACT: lateral shift (mm), roll (mrad), pitch rate (rad/s); then position on the
# rail (mm), longitudinal and lateral force (N) and peak pressure (MPa), in its axes.
contact = np.array([
    (0.0, 0.0, -4.3481181, 8.66, 0.2783, 253.6, 338.3),
    (0.5, -0.02304, -4.3474134, 6.3233, 887.1, -2370.0, 395.3),
    (1.0, -0.05049, -4.3465752, 5.2886, 829.2, -2893.0, 423.9),
    (2.0, -0.1128, -4.3459197, 4.027, 546.3, -2961.0, 465.9),
    (3.0, -0.1803, -4.3451503, 3.2967, 460.5, -2974.0, 498.8),
    (4.0, -0.2557, -4.344093, 2.8681, 436.6, -2977.0, 527.2),
    (5.0, -0.3554, -4.3353637, 2.6368, 837.8, -2889.0, 552.8),
    (6.0, -0.6272, -4.3293718, 2.5116, 973.1, -2845.0, 578.5),
    (6.5, -4.376, -4.2748834, 1.9083, 2260.0, -1979.0, 637.0),
    (7.0, -6.393, -4.2635629, 1.9234, 2327.0, -1900.0, 666.7),
    (8.0, -8.606, -4.2534857, 2.3103, 2310.0, -1921.0, 701.1),
    (9.0, -10.1, -4.2477561, 2.8403, 2257.0, -1985.0, 725.3),
    (10.0, -11.26, -4.2436375, 3.4351, 2196.0, -2054.0, 744.0),
])  # fmt: skip

# %%
# The same inputs here; ``convention="contact"`` takes and returns numbers in the axes of CONTACT.
wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
track = tr.Track(tr.Profile.standard("UIC60-benchmark"))
steel = tr.Material.from_shear_modulus(82e9, 0.28)


def solve(shift, roll, pitch_rate):
    """The left wheel at a lateral shift (mm) and roll (mrad), with the yaw that belongs to it."""
    found = tr.wheel_rail(
        wheelset, track, side="left", y=1e-3 * shift, yaw=2.4e-3 * shift, roll=1e-3 * roll, force=10e3,
        speed=2.0, pitch_rate=pitch_rate, friction=0.3, pair=tr.Pair(steel, steel), convention="contact",
    )  # fmt: skip
    (patch,) = found.patches
    return 1e3 * patch.place[0], patch.force[1], patch.force[2], patch.peak_pressure / 1e6


ours = np.array([solve(*row[:3]) for row in contact])

# %%
# Lines: Traction; circles: CONTACT. Beyond 6 mm the right wheel runs on its flange and so on a larger radius:
# the roll angle grows, the axle turns more slowly, and the left wheel slides forwards.
figure, panels = plt.subplots(1, 3, figsize=(13.5, 4.2), layout="constrained")
shift = contact[:, 0]
labels = ("position on the rail (mm)", "force (kN)", "peak pressure (MPa)")
for axes, columns, label in zip(panels, ((0,), (1, 2), (3,)), labels, strict=True):
    scale = 1e-3 if len(columns) > 1 else 1.0
    for column, name, color in zip(columns, ("along x", "along s"), ("#0072B2", "#D55E00"), strict=False):
        named = {"label": name} if len(columns) > 1 else {}
        axes.plot(shift, scale * ours[:, column], color=color, lw=1.8, **named)
        axes.plot(shift, scale * contact[:, 3 + column], "o", mfc="none", color=color, ms=6)
    tr.view.style_axes(
        axes, "lateral shift (mm)", label, label.split(" (")[0].capitalize(), legend=len(columns) > 1
    )
plt.show()

# %%
# Differences: position, forces relative to the friction limit, pressure.
place = np.abs(ours[:, 0] - contact[:, 3]).max()
force = np.abs(ours[:, 1:3] - contact[:, 4:6]).max() / 3000.0
pressure = np.abs(ours[:, 3] / contact[:, 6] - 1.0).max()
print(
    f"largest differences: {1e3 * place:.1f} um, {100 * force:.2f} % of mu N, pressure {100 * pressure:.2f} %"
)
assert place < 0.02
assert force < 5e-3
assert pressure < 0.01
