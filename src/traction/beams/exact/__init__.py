"""Solutions of beams that are exact to rounding, without discretisation error.

A beam is divided into parts that are short compared with its waves. Along a part the state (w, psi, M, V)
follows from a series (kernels.beam_parts).

dynamic_stiffness     `PartChain`: stiffness of all parts for a frequency; `BeamShape`: w, psi, M and V
modes                 its roots, counted and refined, and their shapes
beam_states           a beam divided at positions of forces, and its states at all nodes
statics               at rest under forces and loads, and under a force anywhere: influence lines
residual_flexibility  response of the neglected modes, also under F sin(Omega t)
"""
