"""The room of shift."""
