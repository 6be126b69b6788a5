"""The room of cross."""
