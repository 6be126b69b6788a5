"""The folder a studio works in.

`workspace` finds runs and sweeps by identifiers that are never paths, and their files to take away;
`run_entry` describes them to a client.
"""
