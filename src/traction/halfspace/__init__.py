"""The elastic half space: displacements and stresses from tractions on the elements of a grid.

half_space            `HalfSpace`: u_i = A_ij p_j by transforms or directly, on the grid and off it
convolution           spectra of the influence, and products with them
periodic_influence    influence of a surface that repeats
tangential_influence  both tangential directions at once, and their approximate inverse
shifted_influence     displacements seen from a grid that has moved
subsurface            stress and displacement inside the bodies
"""
