"""Heat of friction: `heat_sharing` divides it between the bodies, `flash_temperature` is what it causes."""
