"""Geometry of wheels and rails in compiled code.

`curve_points` are points of a profile between its nodes; `plane_gaps` the distance of two profiles above a
plane, `roller_fall` what the curvature of a roller adds to it.
"""
