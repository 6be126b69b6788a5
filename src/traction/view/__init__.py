"""Figures and reports; they read results only."""
