"""The beam of a crossing, as marches and results need it.

`modal_bridge` packs exact modes for kernels; `bridge_model` has matrices and shape rows of any model, and the
modes of elements and differences, with the compliance that it leaves out (`residual_compliance` of neglected
modes, `element_compliance` of the loaded element on a track without kinks), and `wheels_on_bridge` joins it
with vehicles and contacts to one system of second order (`wheels_at_edges` where ends are soft).
"""
