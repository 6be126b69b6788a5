"""The room of modes."""
