"""Common parts of all methods and marches.

`system` describes the equations and `motion` evaluates them; `state` is all that a march needs to resume;
`method` has the contract of a method, `kernels.step_solver` solves the equations of implicit steps, and
`motion_operations` are the interpreted operations of the formulas, with `matrices` of any kind; `state_path`
is the path between two states, `system_energy` the energy along it.
"""
