"""Figures of histories of bouncing bodies, and of the methods that compute them.

`method_styles` keeps the look of each method; `chosen_histories` names what is given and finds its contacts;
`history_curves` draw height and energy, `contact_curves` one contact, `surface_pictures` the surfaces at one
time, `stability_curves` the stability of methods.
"""
