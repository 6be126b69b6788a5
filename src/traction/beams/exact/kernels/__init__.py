"""Transfer along a part, stiffness of parts, equations of states, and shapes as polynomials."""
