"""Creep-force tables in compiled code; nothing is allocated.

`table_forces` brings creepages to the coordinates of the table, asks `splines` for values and slopes, and
brings these back.
"""
