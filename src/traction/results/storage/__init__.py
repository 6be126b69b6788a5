"""Files and bytes of runs: complete or not there, and checked when they are read.

`container` packs named arrays and JSON with checksums, `segments` says what the files of a run hold,
`file_names` where they lie, `new_folder` makes them for a new run, `atomic` writes them, `lock` lets one
process write, `hdf5_guard` keeps HDF5 alive on a full disk.
"""
