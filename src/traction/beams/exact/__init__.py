"""The room of exact."""
