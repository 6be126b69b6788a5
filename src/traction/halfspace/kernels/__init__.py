"""The half space in compiled code.

`surface_influence` integrates Green's functions over elements; `tensor_products` multiply with them;
`subsurface_fields` are stresses below the surface.
"""
