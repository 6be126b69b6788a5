"""The room of elements."""
