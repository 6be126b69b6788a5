"""Cross-sections of wheels and rails: points, smooth curves, standard shapes and files.

`profile` is the description that users build; `curation` orders and cleans its points, `smoothing` removes
the noise of a measurement, and `profile_curve` is the smooth curve along its arc. `standard_shapes` computes
the profiles of the standards from their formulas, by lines, arcs and polynomials.
"""
