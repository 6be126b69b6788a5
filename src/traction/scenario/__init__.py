"""Scenario files: TOML text to checked values in SI, with errors that name file, line and key.

`files` reads, `toml` parses with line numbers, `units` and `dimensions` turn "30 m/s" into numbers, `si` has
the types of quantities, `schema` and `validation` check against a pydantic model; `changes` sets single keys,
`variations` many, for sweeps.
"""
