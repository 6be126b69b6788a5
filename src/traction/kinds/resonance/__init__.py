"""Trains cross a beam at many speeds; the largest response of each crossing.

A sample is a speed. The run also stores the crossing at the largest peak, which the report shows beside the
speeds at which theory expects resonance.
"""
