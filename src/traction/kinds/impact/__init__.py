"""The room of impact."""
