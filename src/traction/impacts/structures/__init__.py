"""What can be struck: beams, plates, modal structures, endless beams and plates, rigid ground.

`struck_structures` makes the `point_response` of any of them: modes at the struck point, and the flexibility
and the mobility that they leave out.
"""
