"""The room of marches."""
