"""Beams pressed on an obstacle: closed forms and mortar finite elements.

obstacle_shapes      the gap under the beam
obstacle_problem     what is asked: beam, load, obstacles, and the space of the contact force (multipliers)
beam_line            the beam cut at nodes; contact_equations: its balance with given contact
infinite_beam        the closed form for a clamped beam without end
active_set           which contact forces act
contact_zones        where contact begins: nodes are moved there
obstacle_solver      `solve`, from a coarse mesh to a fine one; mesh_adaptation: `adapt`, where it matters
obstacle_contact     the answer, with force_density; two_beams: `press_together`
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
