"""Contact patches in pictures, as numbers for the page to draw.

`patch_layers` has the fields of one patch as layers of a map; `rail_scene` is a wheelset on its rails, with
the patches of each wheel where they are. Both read results; stored views and live drags use them.
"""
