"""The room of obstacle."""
