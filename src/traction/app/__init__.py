"""What the command line runs beside scenarios.

`verification` with the rows of `checks`, by `check`; `demo`; `warmup` for compiled kernels; `command_output`
shows what commands found; `finite_elements` are independent solutions by scikit-fem to compare with.
"""
