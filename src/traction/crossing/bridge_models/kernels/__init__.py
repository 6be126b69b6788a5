"""Bridges under wheels, in compiled code.

`mode_shapes` are deflections, slopes and second derivatives of modes at places along a beam, and the
products of forces there.
"""
