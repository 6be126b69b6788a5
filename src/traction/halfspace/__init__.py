"""The elastic half space: influence coefficients, products, displacement and stress.

`half_space` multiplies tractions on a grid by their influence, by FFT (`convolution`); `tangential_influence`
does so for both tangential directions at once, `shifted_influence` as seen from a shifted grid,
`periodic_influence` for surfaces that repeat. `subsurface` computes stress inside the bodies.
"""
