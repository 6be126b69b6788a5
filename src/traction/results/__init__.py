"""Results of runs: what was computed, kept so that a killed process loses nothing that was acknowledged.

A `Layout` of fields (`field`) says what is stored. `recorder` asks a stepper for one sample after the other
and gives them to a store: a `RunFolder` (`folder`, with its `manifest`) or a `MemoryStore` (`memory`).
`stored_run` is what reports read, `run` what `tr.simulate` returns, `dataset` the labelled data for xarray
and netCDF; `sweep`, `sweep_folder` and `sweep_summary` are the same of many runs; `replacement` discards
runs that are not complete. `storage` holds files and bytes.
"""
