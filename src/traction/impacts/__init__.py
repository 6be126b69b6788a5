"""Impacts on flexible structures: the Hertz integral equation and its solvers.

`impact` checks its arguments into an `impact_problem`: a `striker` with a contact law and the response of the
struck point (`structures`). One of the `impact_methods`, of which "modal" is exact to its tolerance,
solves it with the compiled `kernels` and returns a `DensePath`; `impact_history` is the result, with
contacts, motion and energies from that path.
`impact_sweep` strikes many times and keeps summaries.

>>> import traction as tr
>>> striker = tr.Striker(0.03, 1.0, law=tr.PowerLaw(1e9, 1.5))
>>> round(tr.impact(tr.RigidGround(), None, striker).restitution, 6)
1.0
"""
