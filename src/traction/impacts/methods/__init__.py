"""Methods of `tr.impact`; each takes an `ImpactProblem` and returns an `ImpactSolution`.

`modal_method` is exact to its tolerance and takes every law; `approximate_methods` are small
increments, of order 1, the half sine that keeps the energy, and iterates from it.
"""
