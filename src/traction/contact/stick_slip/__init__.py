"""The room of stick slip."""
