"""The room of compiled march."""
