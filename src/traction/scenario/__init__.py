"""Scenario files: TOML, units, checks, and errors that name file, line and key."""
