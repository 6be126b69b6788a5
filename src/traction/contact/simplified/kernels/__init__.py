"""Quick theories in compiled code.

`strip_marches` goes along the strips of an ellipse from the leading edge on: those of FASTSIM, and those of
FaStrip, which also has tractions in closed form.
"""
