"""Rows of the verification: one module for each capability, each with `checks()`."""
