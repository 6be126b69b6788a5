"""The room of normal."""
