"""What crosses a beam: axles, wheels, suspended masses, standard train sets, irregularity, travel."""
