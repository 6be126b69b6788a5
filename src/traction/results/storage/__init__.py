"""Files and bytes of runs: complete or absent, and checked when they are read.

`container` packs named arrays and JSON with checksums, `segments` defines the content of the files of a
run, `file_names` their location, `atomic` writes them, `lock` admits one writing process, `hdf5_guard`
protects HDF5 on a full disk.
"""
