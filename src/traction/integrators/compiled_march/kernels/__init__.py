"""The operations of steps on numbers and on small vectors, and the loops of compiled marches."""
