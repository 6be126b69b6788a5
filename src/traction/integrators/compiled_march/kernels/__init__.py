"""Compiled marches, made from the formulas of `methods.kernels`.

`scalar_operations` or `vector_operations` complete `compiled_operations`, whose problems have
`user_functions`; `march_loops` are the steps and marches.
"""
