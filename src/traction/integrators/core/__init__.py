"""What every method and march uses.

`system` describes the equations and `motion` evaluates them; `state` is all that a march needs to resume;
`method` has the contract of a method, `kernels.step_solver` solves the equations of implicit steps, and
`motion_operations` are what formulas are written in, interpreted, with `matrices` of any kind; `state_path`
is the way between two states, `system_energy` the energy along it.
"""
