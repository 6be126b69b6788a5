"""Creep forces of ellipses of all sizes and loads, as a smooth table with a stated error, for other programs.

The run makes the table and keeps it; samples are creep-force curves from it, beside those of FASTSIM. The
report writes the table as netCDF and in the forms that the file asks for.
"""
