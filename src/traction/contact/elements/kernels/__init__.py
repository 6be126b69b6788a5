"""Elements of a contact in compiled code.

`contact_outline` finds the edge between elements, `covered_shapes` the tractions on cells that it cuts,
`corner_influence` and `near_field` their influence; `element_products` and `dense_products` multiply with
it. `step_newton` solves a step of elements with these products; `local_work` is the work of friction of
each element.
"""
