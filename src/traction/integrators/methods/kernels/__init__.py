"""The formulas of all methods, each once.

`make_..._step(operations)` returns step(problem, setting, scale, t, dt, y) with y = (q, v, a, x):
coordinates, velocities, accelerations by the equation of motion and those of the method. The step returns a
status, by how much its equations were missed, and the new y. Vectors are arrays, or numbers of one degree of
freedom; what differs between them are the `operations`: `core.motion_operations` of any system, interpreted,
and those that `compiled_march.kernels.compiled_operations` makes.
"""
