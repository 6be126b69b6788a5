"""What is seen of stored runs; nothing is solved here.

`run_samples` reads a run, `view_choice` says which views a kind has, `view_list` which of them a run has, and
`view_data` reads one, by `curve_views` and `field_views`. `frames` is what moves; `run_details`,
`comparison`, `sweep_table` and `single_crossing` are what their names say.
"""
