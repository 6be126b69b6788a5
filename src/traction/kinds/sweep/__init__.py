"""A scenario with some of its keys varied: each variant is an ordinary run, all of them one table.

`sweep_plan` builds and checks all variants, `run_sweep` runs the plan by a `sweep_engine`, with
`sweep_workers` (processes) and `sweep_variant` (one run), `sweep_report` writes the page.
"""
