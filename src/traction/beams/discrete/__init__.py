"""The room of discrete."""
