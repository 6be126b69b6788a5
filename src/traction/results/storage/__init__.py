"""Files and bytes of runs: complete or absent, and checked when they are read.

`container` packs named arrays and JSON with checksums, `segments` defines the content of the files of a
run, `run_files` their location, and admits one writing process; `outputs.atomic` writes them.
"""
