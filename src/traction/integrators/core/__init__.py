"""What every method and march uses.

`system` describes the equations and `motion` evaluates them; `state` is all that a march needs to go on;
`method` has the contract of a method, `step_equations` solves implicit steps with `matrices` of any kind;
`state_path` is the way between two states, `system_energy` the energy along it.
"""
