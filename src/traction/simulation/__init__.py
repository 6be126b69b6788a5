"""Simulations: where contact meets motion and time."""
