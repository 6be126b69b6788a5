"""The room of core."""
