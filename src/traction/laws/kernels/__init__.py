"""Contact laws in compiled code.

`law_values` are what marches call; `continuation_steps` follow the contact of a half space from one approach
to the next.
"""
