"""Transient rolling in compiled code: loops over the rows of a contact on the material.

`material_rows` are loads between places, and the elements under the contact; `stick_tips` find where the
stick zone begins, and tractions bend.
"""
