"""Structures that can be struck: beams, plates, modal structures, infinite beams and plates, rigid ground.

`struck_structures` builds the `point_response` of any of them: modes at the struck point, and the flexibility
and mobility of the neglected ones.
"""
