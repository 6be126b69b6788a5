"""A sweep: `sweep` holds runs and table, of columns along its axes (`sweep_column`).

`sweep_folder` stores the plan, and the outcomes of variants that have no folder; `sweep_summary` puts it into
words.
"""
