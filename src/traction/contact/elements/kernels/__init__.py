"""Elements of a contact in compiled code.

`contact_outline` finds the edge between elements, `covered_shapes` the tractions on cells that it cuts,
`corner_influence` and `near_field` their influence; `element_products` multiply with it, also for the work of
friction of each element. `step_newton` solves a step of elements with these products.
"""
