"""Wheels at rest on a bridge, and beams that come to rest on an obstacle."""
