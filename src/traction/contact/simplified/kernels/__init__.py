"""Quick theories in compiled code.

`fastsim_strips` marches along the strips of an ellipse from the leading edge on; `fastrip_strips` has the
tractions of FaStrip along the same strips.
"""
