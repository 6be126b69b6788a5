"""The room of structures."""
