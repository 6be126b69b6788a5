"""What the command line runs beside scenarios.

`verification` with the rows of `checks`, by `check`; `demo`; `warmup` and `warming` for compiled kernels;
`sweeping` shows sweeps; `finite_elements` are independent solutions by scikit-fem to compare with.
"""
