"""Marches in compiled code, from the same formulas as the interpreted ones.

`kernels.user_functions` prepare the user's functions; `kernels.compiled_operations` build the operations of
the formulas, on numbers (`scalar_operations`) or small vectors (`vector_operations`); `kernels.march_loops`
build single steps and marches. `compiled_motion` calls them: always for one degree of freedom, for up to 16
where a march is long enough that a loop is compiled for it.
"""
