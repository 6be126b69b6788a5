"""Beams without discretisation, in compiled code.

`part_transfer` carries a state along a part, `part_stiffness` follows from it for frequencies,
`state_equations` for modes; `shape_pieces` evaluates them along the beam.
"""
