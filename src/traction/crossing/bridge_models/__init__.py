"""The room of bridge models."""
