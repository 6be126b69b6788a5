"""Where wheel and rail touch: the contact locus, regions of overlap, and brute force as a check."""
