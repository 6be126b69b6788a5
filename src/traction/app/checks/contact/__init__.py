"""Rows of contacts at rest, rolling and hot, of their tables, and of wheels on rails."""
