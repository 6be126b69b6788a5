"""A beam pressed on a flat, inclined, curved or stepped obstacle.

A sample is a load: where the contact begins, its forces, and deflection, moment and shear along the beam.
The run also keeps the elements and certificates of each, which the report shows.
"""
