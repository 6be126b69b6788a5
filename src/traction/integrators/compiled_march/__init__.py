"""Marches in compiled code, from the same formulas as the interpreted ones.

`kernels.user_functions` prepare the user's functions; `kernels.compiled_operations` make what formulas are
written in, on numbers (`scalar_operations`) or small vectors (`vector_operations`); `kernels.march_loops`
make single steps and marches. `compiled_motion` calls them: of one degree of freedom always, of up to 16
where a march is long enough that `long_march` compiles a loop for it.
"""
