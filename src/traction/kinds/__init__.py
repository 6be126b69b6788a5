"""Kinds of scenarios: schema, march and figures of each, and the cases that come with the package."""
