"""A scenario with some of its keys varied, each variant an ordinary run, all of them one table.

`sweep_plan` makes and checks all variants, `sweep` carries the plan out with `sweep_workers` (processes) and
`sweep_variant` (one run), `sweep_report` writes the page.
"""
