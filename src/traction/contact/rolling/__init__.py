"""The room of rolling."""
