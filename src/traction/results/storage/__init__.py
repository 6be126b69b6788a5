"""The room of storage."""
