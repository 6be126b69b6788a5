"""Quick theories of rolling, for ellipses, without a half space.

`kalker` has the creep coefficients, on which the others stand; `fastsim` is Kalker's simplified theory,
`fastrip` joins it with strip theory, `polach` is a formula, `cubic_saturation` a simpler one to begin from.
`quick_rolling` is what they take and return, with friction, strips of an ellipse and the tractions on them.
"""
