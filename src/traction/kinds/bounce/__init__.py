"""The room of bounce."""
