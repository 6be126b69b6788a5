"""Beams pressed on an obstacle: closed forms and mortar finite elements.

obstacle_shapes      the gap under the beam
obstacle_problem     the input: beam, load, obstacles, and the space of the contact force (multipliers)
beam_line            the beam divided at nodes; contact_equations: its balance for a given contact
infinite_beam        the closed form for a clamped infinite beam
active_set           the active contact forces
contact_zones        where contact begins: nodes are moved there
obstacle_solver      `solve`, from a coarse mesh to a fine one; mesh_adaptation: `adapt`, local refinement
obstacle_contact     the solution; two_beams: `press_together`
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
