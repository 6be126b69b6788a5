"""Marches of one degree of freedom in compiled code.

`function_pointers` make the user's compiled functions one type, so that no kernel is compiled for each
problem; `compiled_motion` takes single steps with them, `long_march` many.
"""
