"""What every result can do: labelled data, files, a short text, key figures with a small picture.

variable   a quantity with name, unit and dimensions; a result declares its own once
result     `Result`: `to_xarray`, `to_pandas`, `save`, `repr` and the view in notebooks follow from these
tabular    variables as the columns of a table, and as CSV
dataset    variables with labels, by packages that are installed only when asked for
saving, netcdf   variables as files, MATLAB's and text among them; HDF5 on a disk that is full
sketch     a small picture as SVG, without a plotting library
progress   how far a long call is, in notebooks and terminals
atomic     files that are either complete or not there
"""
