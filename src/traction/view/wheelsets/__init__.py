"""Figures of wheelsets on tracks.

`placed_profiles` draw wheel and rail where they touch, with the pressure on the rail; `kinematic_curves` draw
contact functions and the kinematic wave, `force_curves` forces over the lateral shift.
"""
