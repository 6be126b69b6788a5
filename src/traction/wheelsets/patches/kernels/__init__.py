"""Compiled parts; SI units, right wheel."""
