"""Names of what can be dragged."""
DRAGS = ("rolling", "creep-curve", "train")
