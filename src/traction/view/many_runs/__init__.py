"""Figures of many runs: `sweep_curves` show a quantity over what varies, `sweep_bands` its quantiles."""
