"""The room of vibration."""
