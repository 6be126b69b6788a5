"""The room of march."""
