"""Compiled marches, made from the formulas of `methods.kernels`.

`scalar_operations` or `vector_operations` complete `compiled_operations`; a `compiled_problem` joins them
with `user_functions`; `kernel_parts` compiles parts, `march_loops` the steps and marches.
"""
