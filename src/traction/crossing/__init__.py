"""Trains that cross bridges."""
