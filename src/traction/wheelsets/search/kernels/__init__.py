"""The search for contact in compiled code, for a right wheel.

`locus` has the points of the wheel that can touch a rail, their distance from it, and the regions of
overlap; one locus serves all heights of the wheelset.
"""
