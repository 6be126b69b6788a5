"""Figures of many runs, from the table of a sweep.

`sweep_curves` show a quantity over what varies, one line for each value of a second key; `sweep_bands` show
its quantiles where the sweep has samples.
"""
