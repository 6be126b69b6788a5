"""The room of roll."""
