"""A sweep: `sweep` holds runs and table, of columns (`sweep_column`) along its axes (`sweep_axes`).

`sweep_folder` stores the plan, `sweep_journal` the outcomes of variants that have no folder; `sweep_summary`
and `sweep_failures` put it into words.
"""
