"""Compiled integrals of the Green functions, fields below the surface, and products with tensors of waves."""
