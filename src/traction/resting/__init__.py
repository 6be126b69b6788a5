"""Wheels at rest on a bridge, and beams that come to rest on an obstacle.

standing_wheels  wheels as given, checked, with estimated forces, and grids for their contact patches
rest             consistent contact patches and bending, by Newton's method; rest_result: `Rest`
landing          a beam that falls on an obstacle
"""
