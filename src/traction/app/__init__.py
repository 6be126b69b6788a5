"""What the command line runs beside scenarios.

`verification` with the rows of `checks`, printed by `verdict_rows`; `demo`; `warmup` for compiled
kernels; `command_output` describes what commands found, `progress_bar` how far they are,
`terminal` fits text to its width; `finite_elements` are independent solutions by scikit-fem to compare with.
"""
