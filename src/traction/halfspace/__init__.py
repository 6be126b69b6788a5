"""The elastic half space: influence coefficients, products, displacement and stress."""
