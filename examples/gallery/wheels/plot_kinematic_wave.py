"""
What is the wavelength of a wheelset's kinematic motion?
========================================================

A wheelset that is displaced to the left rolls on a larger radius there, steers to the right, crosses the
centre of the track and returns. Without slip its path follows from the rolling radii alone: the kinematic
wave, of which Klingel's sine is the limit for cones. Its frequency, which grows with the speed, excites the
vehicle.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)

# %%
# The wavelength of real profiles depends on the amplitude, that of a cone does not.
amplitudes = np.array([0.5e-3, 1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 5.8e-3])
waves = [tr.kinematic_wave(wheelset, track, a) for a in amplitudes]
for wave in waves:
    print(
        f"{1e3 * wave.amplitude:.1f} mm: {wave.wavelength:.2f} m, {wave.frequency(200 / 3.6):.2f} Hz at "
        "200 km/h"
    )

# %%
# Near flange contact the wave is no longer a sine: the wheelset is turned back within a short distance.
figure, (left, right) = plt.subplots(1, 2, figsize=(12.0, 4.4), layout="constrained")
tr.view.kinematic_wave_plot(waves[-1], left, title="Amplitude 5.8 mm")
cone = tr.Wheelset(tr.Profile.conical(1 / 40), radius=0.46)
lengths = [tr.kinematic_wave(cone, track, a).wavelength for a in amplitudes]
right.plot(1e3 * amplitudes, [wave.wavelength for wave in waves], "o-", color="#0072B2", label="S1002, exact")
right.plot(
    1e3 * amplitudes, [wave.klingel_wavelength for wave in waves], "--", color="0.3", label="S1002, Klingel"
)
right.plot(1e3 * amplitudes, lengths, "o-", ms=3.5, color="#D55E00", label="cone 1:40, exact")
tr.view.style_axes(right, "amplitude (mm)", "wavelength (m)", "Wavelength over amplitude", legend=True)
plt.show()

# %%
# Klingel's formula with the equivalent conicity, 2 pi sqrt(e r / (2 tan γ)), is close even here: it neglects
# that the distance between the contacts and the mean radius change with the shift.
off = max(abs(wave.klingel_wavelength / wave.wavelength - 1.0) for wave in waves)
print(f"Klingel's wavelength differs by up to {100 * off:.2f} %")
assert off < 0.02
assert max(lengths) / min(lengths) < 1.01
