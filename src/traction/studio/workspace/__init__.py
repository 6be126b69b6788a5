"""The folder a studio works in.

`workspace` finds runs and sweeps, `run_entry` describes them, `run_files` are to take away.
"""
