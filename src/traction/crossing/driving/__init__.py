"""The room of driving."""
