"""Contact laws: force over approach, one law per file, under the contract of `contact_law`.

`power_law` (Hertz), `tabulated_law`, `half_space_law` (solved on a grid, each time from the last solution by
`continuation`), `half_space_table` (the same, solved once in pieces), `damped_law` and `plastic_law`. Each
returns a `Response` for an approach and a memory, and becomes a `CompiledLaw` for kernels, by a table where
it has no closed form. `rigid_strike` computes the duration of a contact.

>>> import traction as tr
>>> law = tr.PowerLaw(1e9, 1.5)
>>> round(law(1e-4)), round(law.response(1e-4).stiffness)
(1000, 15000000)
"""
