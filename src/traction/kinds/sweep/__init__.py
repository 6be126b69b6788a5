"""The room of sweep."""
