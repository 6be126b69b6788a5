"""The room of results."""
