"""One integration method per file: its source, its order, its stability.

`alpha_family` and `runge_kutta` are shared by several of them, `kernels` has the formulas of all steps.
"""
