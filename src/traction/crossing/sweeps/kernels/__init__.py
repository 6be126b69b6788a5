"""Many crossings in compiled code.

`crossing_peaks` moves all modes exactly under one train at constant speed and keeps the largest deflections
and accelerations only.
"""
