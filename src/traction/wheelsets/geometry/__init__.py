"""Tracks, wheelsets and the position of one on the other."""
