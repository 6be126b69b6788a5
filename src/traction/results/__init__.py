"""Results of runs, stored so that a killed process loses nothing that was acknowledged.

A `Layout` of fields (`field`) describes what is stored. `recorder` takes one sample after the other from
a stepper and passes them to a store: a `RunFolder` (`folder`, with its `manifest`) or a `MemoryStore`
(`memory`). `stored_run` is the input of reports, `run` the result of `tr.simulate`, `run_dataset` the
labelled data for xarray and netCDF; `sweeps/` are the same for many runs. `storage` handles files and bytes.
"""
