"""Wheels at rest on a bridge, contact patches and bending in agreement.

The one sample is the solution of `tr.rest`; beside it the deflections along the bridge are stored, and the
patch of the first wheel on a straight bridge.
"""
