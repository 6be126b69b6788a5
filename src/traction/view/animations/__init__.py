"""The room of animations."""
