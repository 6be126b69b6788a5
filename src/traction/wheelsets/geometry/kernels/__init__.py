"""Compiled parts; SI units."""
