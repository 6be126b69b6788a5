"""Beams as M a + C v + K q = f with banded matrices.

beam_elements, beam_differences  build a `DiscreteBeam` from a description
discrete_beam                    common parts: sampling, statics, damping, stability
discrete_frequencies             the lowest modes and the largest frequency
discrete_march                   march under axles by any method; the usual ones in compiled code
"""
