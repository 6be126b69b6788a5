"""Contact patches in pictures: `patch_layers` has the fields of one, `rail_scene` a wheelset on its rails."""
