"""Contact laws in compiled code.

`law_values` are what marches call, `force_pieces` the values of a law in pieces; `continuation_steps` follow
the contact of a half space from one approach to the next.
"""
