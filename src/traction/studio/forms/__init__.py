"""Scenarios as forms.

`case_list` has the built-in cases and kinds, `form` the fields of a kind, `checked_case` what is wrong with a
scenario and how it reads as TOML and as Python, `checked_sweep` the same of a sweep.
"""
