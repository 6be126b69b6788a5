"""The folder a studio works in.

`workspace` finds runs and sweeps by identifiers that are never paths; `run_entry` and `sweep_entry`
describe them to a client, `run_files` are to take away.
"""
