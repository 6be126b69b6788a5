"""Time integration: one method per file behind one contract, each knows its order."""
