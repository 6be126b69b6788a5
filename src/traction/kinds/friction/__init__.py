"""The room of friction."""
