"""Rows of `traction verify`: each module returns the checks of one capability."""
