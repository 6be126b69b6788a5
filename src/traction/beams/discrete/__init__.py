"""Beams as M a + C v + K q = f with banded matrices.

beam_elements, beam_differences  make a `DiscreteBeam` of a description
discrete_beam                    what both share: sampling, statics, damping, stability
discrete_frequencies             the lowest modes and the largest frequency
discrete_march                   march under axles by any method; the usual ones in compiled code
"""
