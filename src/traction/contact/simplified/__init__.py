"""The room of simplified."""
