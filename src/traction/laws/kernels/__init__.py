"""Contact laws in compiled code.

`power_values` and `force_pieces` are within `law_values`, which marches call; `continuation_steps` follow
the contact of a half space from one approach to the next.
"""
