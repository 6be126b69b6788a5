"""One integration method per file: its source, its order, its stability.

`alpha_family` and `runge_kutta` are shared by several of them, `kernels` has the formulas of all steps.
`method_table` beside this folder names them; the contract of a method stands in `core.method`.
"""
