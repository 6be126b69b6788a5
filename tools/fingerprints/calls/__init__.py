"""Calls of the public API with small parameters, one file for each area."""
