"""Wheels at rest on a bridge, and beams that come to rest on an obstacle.

standing_wheels  wheels as given, checked, with about their forces, and grids for their contact patches
rest             contact patches and bending that agree, by Newton's method; rest_result: `Rest`
landing          a beam that falls on an obstacle
"""
