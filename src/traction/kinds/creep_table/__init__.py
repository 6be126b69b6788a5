"""The room of creep table."""
