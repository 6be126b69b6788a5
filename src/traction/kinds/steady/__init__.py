"""The room of steady."""
