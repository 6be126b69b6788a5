"""The room of moving load."""
