"""The beam of a crossing, as marches and results need it.

`modal_bridge` packs exact modes for kernels, `discrete_modes` the modes of elements and differences;
`bridge_model` has matrices and shape rows of any model (`smooth_track` without kinks), with the compliance
that it leaves out (`residual_compliance` of neglected modes, `element_compliance` of the loaded element), and
`wheels_on_bridge` joins it with vehicles and contacts to one system of second order (`wheels_at_edges` where
ends are soft, by their `track_edges`). `beam_bases` evaluate coordinates along the beam, `axle_loads` the
loads of axles on it.
"""
