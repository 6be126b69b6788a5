"""The room of resonance."""
