"""Closed forms: one idea per file, with its source."""
