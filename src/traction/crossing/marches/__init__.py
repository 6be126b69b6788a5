"""Marches of crossings in time.

`rigid_wheels` march a crossing as a whole, as `moving_load` does forces alone. Wheels in elastic contact
are marched in parts with an explicit state (`march_part`), by `cross.make_march`:

    condensed_march   modes and vehicles condensed to the wheels; `march_room` has the arrays that kernels
                      fill (Hertz), or steps whose laws are evaluated in each;
                      `condensed_energies` counts
    method_march      any method of `tr.methods()`; on nodes in Hertz contact the family of Newmark's by
                      `nodal_steps`; `method_energies` counts
"""
