"""Compiled functions of this folder."""
