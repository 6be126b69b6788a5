"""Contact problems on a grid: pressed, shifted and rolling bodies.

Each row imports from those below it only; data passes upwards:

    tables       creep forces over creepages and shapes of the ellipse; USETAB, C and FMU
    batch        many members at once on one grid, on the processor or a GPU
    simplified   FASTSIM and Kalker's linear theory
    rolling      steady rolling; transient rolling on the grid of the material or on a moving one
    friction     from a pressed contact to certified tractions; `tr.shift`; unlike bodies; derivatives
    elements     discretisations: whole cells, and cells that end where the contact does
    stick_slip   the equation of slip and its solution by Newton's method and GMRES
    normal       `tr.press`: pressure without friction
"""
