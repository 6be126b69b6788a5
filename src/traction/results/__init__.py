"""Results of runs: what was computed, kept so that a killed process loses nothing that was acknowledged."""
