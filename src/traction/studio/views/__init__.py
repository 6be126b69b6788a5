"""What is seen of stored runs; nothing is solved here.

`run_samples` reads a run, `view_choice` says which views a kind has, and which of them a run has, `view_data`
reads one, by `curve_views` and `field_views`. `frames` is what moves; `run_details`, `comparison` and
`sweep_table` are what their names say.
"""
