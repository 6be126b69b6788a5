"""One integration method per file: its source, its equations, its order.

`alpha_family` and `runge_kutta` hold what several of them share.
"""
