"""The room of press."""
