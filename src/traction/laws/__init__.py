"""Contact laws: force over approach, for everything that moves."""
