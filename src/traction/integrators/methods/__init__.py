"""The room of methods."""
