"""USETAB (TABCON) files, the tables of creep forces that CONTACT writes and multibody programs read.

`usetab_file` reads and writes them, `usetab_coefficients` scale their creepages; `usetab_solution` solves all
their cases, and `usetab_splines` turns them into splines and back.
"""
