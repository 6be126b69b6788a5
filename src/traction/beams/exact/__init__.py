"""Solutions of beams that are exact to rounding: no elements, no convergence to wait for.

A beam is cut into parts that are short against its waves. Along a part the state (w, psi, M, V) follows from
a series (kernels.part_transfer).

dynamic_stiffness    `PartChain`: stiffness of all parts for a frequency
natural_frequencies  its roots, counted and refined; modes: their shapes
split_at             a beam cut at places of forces; beam_states: the states at all nodes
statics              at rest under forces and loads; influence_lines: the same for a force anywhere
harmonic_force       steady vibration, and what modes leave out of it
beam_shape           w, psi, M and V along the beam, in which all of these end
"""
