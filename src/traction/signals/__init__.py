"""Signals over time: `spectra` (amplitudes, dominant frequencies, filters) and `peaks` between samples.

>>> import numpy as np, traction as tr
>>> t = np.linspace(0.0, 1.0, 1001)
>>> tr.spectrum(t, np.sin(40.0 * np.pi * t)).dominant(1).round()
array([20.])
"""
