"""Exit codes: 0 done, 1 a check missed, 2 bad input, 3 not converged, 70 a bug, 130 stopped early."""

MISSED, BAD_INPUT, NOT_CONVERGED, FAULT, INTERRUPTED = 1, 2, 3, 70, 130
