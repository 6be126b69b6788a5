"""Common parts of all methods and marches.

`system` describes the equations, `motion` evaluates them and their energy; `state` is all that a march needs
to resume, with the path between two of them; `method` has the contract of a method, `kernels.step_solver`
solves the equations of implicit steps, and `motion_operations` are the interpreted operations of the
formulas, with `matrices` of any kind.
"""
