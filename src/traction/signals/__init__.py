"""Signals over time: spectra, filters, peaks between samples."""
