"""Rows of `traction verify`: each module returns the checks of one capability.

A `Check` has a number that is expected, its source and a tolerance, and computes the number anew;
`verification` lists the modules, in the order of the table. Contacts have a folder of their own;
`finite_element_checks` needs scikit-fem and has no rows where that is not installed.
"""
