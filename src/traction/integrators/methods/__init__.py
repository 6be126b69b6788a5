"""Integration methods, each a class: its source, its order, its stability.

`explicit_methods`, `runge_kutta` (implicit), `alpha_family` and `energy_conserving`; `kernels` has the
formulas of all steps. `method_table` beside this folder names them; the contract of a method stands in
`core.method`.
"""
