"""Beams without discretisation, in compiled code.

`beam_parts` carries a state along a part, with the stiffness for frequencies that follows from it, and shapes
along the beam; `state_equations` are those of all nodes.
"""
