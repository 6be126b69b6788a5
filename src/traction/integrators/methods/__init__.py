"""One integration method per file: its source, its order, its stability.

`alpha_family` and `runge_kutta` hold what several of them share, `kernels` the formulas of all steps.
"""
