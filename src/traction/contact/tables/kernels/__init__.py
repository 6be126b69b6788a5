"""Creep-force tables in compiled code; nothing is allocated.

`table_forces` brings creepages to the coordinates of the table, evaluates its splines with their slopes, and
brings these back.
"""
