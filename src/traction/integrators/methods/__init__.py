"""Integration methods, each a class: its source, its order, its stability.

`explicit_methods`, `implicit_methods` and `alpha_family`; `kernels` has the formulas of all steps.
`method_table` beside this folder names them; the contract of a method stands in `core.method`.
"""
