"""Forces of steady rolling at every combination of loads, creepages and spins.

The run solves one row after the other and keeps numbers only; the report writes them as a CSV file too.
"""
