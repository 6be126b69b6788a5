"""What every result can do: labelled data, files, a short text, key figures with a small picture.

variable   a quantity with name, unit and dimensions; a result declares its own once
result     `Result`: `to_xarray`, `to_pandas`, `save`, `repr` and the view in notebooks follow from these
tabular    variables as the columns of a table, and as CSV
netcdf, mat_file   variables as files; extras: what is installed only when asked for
sketch     a small picture as SVG, without a plotting library
progress   how far a long call is, in notebooks and terminals
atomic     files that are either complete or not there; hdf5_guard: HDF5 on a disk that is full
"""
