"""Compiled functions of this room."""
