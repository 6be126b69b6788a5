"""Members whose bounds and slips follow from their own solution: friction laws, fields, unlike bodies."""
