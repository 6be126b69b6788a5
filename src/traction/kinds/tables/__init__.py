"""The room of tables."""
