"""Compiled functions of the bridge models."""
